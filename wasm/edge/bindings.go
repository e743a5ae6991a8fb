//go:build js && wasm

package main

import (
	"context"
	"net/http"
	"net/url"
	"syscall/js"
)

// kv is the KV namespace LINKS as a site.Store.
type kv struct{}

func (kv) Get(ctx context.Context, key string) (string, error) {
	links, err := binding(ctx, "LINKS")
	if err != nil {
		return "", err
	}
	value, err := await(links.Call("get", key))
	if err != nil || value.IsNull() {
		return "", err
	}
	return value.String(), nil
}

func (kv) Put(ctx context.Context, key, value string) error {
	links, err := binding(ctx, "LINKS")
	if err != nil {
		return err
	}
	_, err = await(links.Call("put", key, value))
	return err
}

// assets are those of the binding ASSETS as site.Assets. The built page has no
// folder with an index besides its own.
type assets struct{}

func (assets) Dir(name string) bool { return name == "." }

// Send passes the stored file on as a stream. The neighbour .gz comes second:
// Cloudflare compresses other files itself, and every look costs a subrequest.
func (a assets) Send(w http.ResponseWriter, r *http.Request, name string, gzip bool) bool {
	if a.send(w, r, name) {
		return true
	}
	if !gzip {
		return false
	}
	w.Header().Set("Content-Encoding", "gzip")
	return a.send(w, r, name+".gz")
}

func (assets) send(w http.ResponseWriter, r *http.Request, name string) bool {
	files, err := binding(r.Context(), "ASSETS")
	if err != nil {
		return false
	}
	at := url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: "/" + name}
	headers := js.Global().Get("Object").New()
	if tag := r.Header.Get("If-None-Match"); tag != "" {
		headers.Set("If-None-Match", tag)
	}
	init := js.Global().Get("Object").New()
	init.Set("headers", headers)
	found, err := await(files.Call("fetch", at.String(), init))
	if err != nil {
		return false
	}
	status := found.Get("status").Int()
	if status != http.StatusOK && status != http.StatusNotModified {
		return false
	}
	if tag := found.Get("headers").Call("get", "ETag"); !tag.IsNull() {
		w.Header().Set("ETag", tag.String())
	}
	w.WriteHeader(status)
	if to, ok := w.(*writer); ok && status == http.StatusOK && r.Method != http.MethodHead {
		to.stream = found.Get("body")
	}
	return true
}
