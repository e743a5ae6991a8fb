package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path"
	"strings"
	"time"
)

func cmdServe(args []string, std stdio) error {
	fs := flags("serve", "[--addr host:port] [--dir folder]", std)
	addr := fs.String("addr", "127.0.0.1:8080", "`address` to listen on")
	dir := fs.String("dir", "dist", "`folder` of the built page")
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fail(fs, "serve takes no arguments")
	}
	root, err := os.OpenRoot(*dir)
	if err != nil {
		return fmt.Errorf("%w; build the page first (./build.sh build) or name its folder with --dir", err)
	}
	defer root.Close()
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "http://%s/\n", listener.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return serve(ctx, listener, siteHandler(root.FS()))
}

// serve answers until the context ends, then lets open requests finish.
func serve(ctx context.Context, listener net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		wait, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		return server.Shutdown(wait)
	}
}

// types are the media types of the site's files; the host's own table may
// miss some, and a browser refuses to stream wasm of another type.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml",
	".png": "image/png", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8", ".md": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".gz": "application/gzip",
}

// siteHandler serves the files of a folder: index.html for folders, the .gz
// neighbour of a file to clients that take it, nothing whose name starts with
// a dot. Browsers must ask again each time (and get 304 when nothing changed).
func siteHandler(root fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
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
		if info, err := fs.Stat(root, name); err == nil && info.IsDir() {
			if !strings.HasSuffix(r.URL.Path, "/") { // relative links need the slash
				http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
				return
			}
			name = path.Join(name, "index.html")
		}
		h.Set("Cache-Control", keep(name))
		h.Set("Content-Type", mediaType(name))
		h.Add("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Get("Accept-Encoding")) {
			if f, err := root.Open(name + ".gz"); err == nil {
				defer f.Close()
				h.Set("Content-Encoding", "gzip")
				send(w, r, f)
				return
			}
		}
		f, err := root.Open(name)
		if err != nil {
			h.Del("Cache-Control")
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		send(w, r, f)
	})
}

// send answers with the content of a regular file.
func send(w http.ResponseWriter, r *http.Request, f fs.File) {
	info, err := f.Stat()
	body, seeks := f.(io.ReadSeeker)
	if err != nil || !seeks || !info.Mode().IsRegular() {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, "", info.ModTime(), body)
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

// keep is the Cache-Control of a file: those below e/<hash> never change.
func keep(name string) string {
	parts := strings.Split(name, "/")
	for i := 1; i < len(parts)-1; i++ {
		if parts[i-1] == "e" && len(parts[i]) == 12 && strings.Trim(parts[i], "0123456789abcdef") == "" {
			return "public, max-age=31536000, immutable"
		}
	}
	return "no-cache"
}
