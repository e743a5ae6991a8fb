// Package site is the web server of the playground as one net/http handler:
// the files of the built page, short links, and the text of a link. It knows no
// platform: `casplay serve` gives it a folder and a store in memory, wasm/edge
// what a Cloudflare Worker has. It never simulates.
package site

import (
	"net/http"
	"path"
	"strings"
)

// Assets are the files of the built page. Names are clean, relative, and have
// no part that begins with a dot; "." is the folder of the page itself.
type Assets interface {
	// Dir reports whether name is a folder.
	Dir(name string) bool
	// Send answers with a file; Content-Type and Cache-Control are set. With
	// gzip the client takes the neighbour name.gz in its place, under
	// Content-Encoding. False means that there is no such file and that nothing
	// has been written.
	Send(w http.ResponseWriter, r *http.Request, name string, gzip bool) bool
}

// Handler serves the page, and besides
//
//	POST /s          stores the link in the body, answers 201 (200 when it was there) with its path /s/<key>
//	GET  /s/<key>    redirects to the page with that link
//	GET  /text?l=... describes the scenario of a link in plain text
//
// Bad links are refused with 400 and what is wrong with them. A browser may
// store links only from the site's own pages.
func Handler(assets Assets, links Store) http.Handler {
	files := page{assets}
	short := http.NewCrossOriginProtection().Handler(shortLinks{links})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case r.URL.Path == "/text":
			text(w, r)
		case r.URL.Path == "/s" || strings.HasPrefix(r.URL.Path, "/s/"):
			short.ServeHTTP(w, r)
		default:
			files.ServeHTTP(w, r)
		}
	})
}

// allowed answers 405 unless the request has one of the methods.
func allowed(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	for _, m := range methods {
		if r.Method == m {
			return true
		}
	}
	list := strings.Join(methods, ", ")
	w.Header().Set("Allow", list)
	http.Error(w, "only "+list, http.StatusMethodNotAllowed)
	return false
}

// types are the media types of the site's files; the host's own table may
// miss some, and a browser refuses to stream wasm of another type.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml",
	".png": "image/png", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8", ".md": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".gz": "application/gzip",
}

// page serves the files: index.html for folders, the .gz neighbour of a file
// to clients that take it, nothing whose name starts with a dot. Browsers must
// ask again each time (and get 304 when nothing changed), but for engines.
type page struct{ assets Assets }

func (p page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !allowed(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "."
	}
	if hidden(name) {
		http.NotFound(w, r)
		return
	}
	if p.assets.Dir(name) {
		if !strings.HasSuffix(r.URL.Path, "/") { // relative links need the slash
			http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
			return
		}
		name = path.Join(name, "index.html")
	}
	h := w.Header()
	h.Set("Cache-Control", keep(name))
	h.Set("Content-Type", mediaType(name))
	h.Add("Vary", "Accept-Encoding")
	if !p.assets.Send(w, r, name, acceptsGzip(r.Header.Get("Accept-Encoding"))) {
		h.Del("Cache-Control")
		h.Del("Content-Encoding")
		http.NotFound(w, r)
	}
}

func mediaType(name string) string {
	if t, ok := types[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}

// hidden reports whether a part of the path starts with a dot, "." itself aside.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part != "." && strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// acceptsGzip reads an Accept-Encoding header: gzip named, and not with q=0.
func acceptsGzip(header string) bool {
	for item := range strings.SplitSeq(header, ",") {
		coding, param, _ := strings.Cut(strings.TrimSpace(item), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			q := strings.ReplaceAll(param, " ", "")
			return q != "q=0" && !strings.HasPrefix(q, "q=0.000")
		}
	}
	return false
}

// keep is the Cache-Control of a file: those below e/<hash> and pre/<hash> never change.
func keep(name string) string {
	parts := strings.Split(name, "/")
	for i := 1; i < len(parts)-1; i++ {
		if (parts[i-1] == "e" || parts[i-1] == "pre") && len(parts[i]) == 12 && strings.Trim(parts[i], "0123456789abcdef") == "" {
			return forever
		}
	}
	return "no-cache"
}

// forever is the Cache-Control of what is named by its content.
const forever = "public, max-age=31536000, immutable"
