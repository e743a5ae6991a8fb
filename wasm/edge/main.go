//go:build js && wasm

// Command edge is the site as a Cloudflare Worker: core/site behind a small
// adapter of our own, which stands in for github.com/syumai/workers because the
// module registry refuses that package. It takes the same http.Handler, so that
// adopting the package is one line: workers.Serve(h) in place of serve(h).
//
// worker.js boots it in the first request of an isolate and keeps it. Bindings:
// ASSETS (the built page) and LINKS (a KV namespace for short links).
package main

import "casplay/core/site"

func main() {
	h := site.Handler(assets{}, kv{})
	serve(h)
}
