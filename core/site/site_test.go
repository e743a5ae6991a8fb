package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// served makes a folder with a secret beside it.
func served(t *testing.T) http.Handler {
	t.Helper()
	top := t.TempDir()
	files := map[string]string{
		"secret.txt": "secret", "dist/index.html": "home", "dist/app.js": "plain", "dist/app.js.gz": "packed",
		"dist/engine.wasm.gz": "gz", "dist/engine.wasm": "\x00asm", "dist/sub/index.html": "sub", "dist/.hidden": "hidden", "dist/.git/config": "hidden", "dist/empty/x.css": "css",
	}
	for name, text := range files {
		p := filepath.Join(top, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("../secret.txt", filepath.Join(top, "dist/escape.txt")))
	root, err := os.OpenRoot(filepath.Join(top, "dist"))
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return Handler(Files{root.FS()}, &Memory{})
}

func TestServe(t *testing.T) {
	h := served(t)
	cases := []struct {
		method, path, accept string
		code                 int
		body, mime, encoding string
	}{
		{"GET", "/", "", 200, "home", "text/html; charset=utf-8", ""},
		{"GET", "/index.html", "", 200, "home", "text/html; charset=utf-8", ""},
		{"HEAD", "/", "", 200, "", "text/html; charset=utf-8", ""},
		{"GET", "/app.js", "", 200, "plain", "text/javascript; charset=utf-8", ""},
		{"GET", "/app.js", "br, gzip", 200, "packed", "text/javascript; charset=utf-8", "gzip"},
		{"GET", "/app.js", "gzip;q=0", 200, "plain", "text/javascript; charset=utf-8", ""},
		{"GET", "/engine.wasm", "", 200, "\x00asm", "application/wasm", ""},
		{"GET", "/engine.wasm", "gzip", 200, "gz", "application/wasm", "gzip"},
		{"GET", "/engine.wasm.gz", "gzip", 200, "gz", "application/gzip", ""},
		{"GET", "/sub/", "", 200, "sub", "text/html; charset=utf-8", ""},
		{"GET", "/sub", "", 301, "", "", ""},
		{"GET", "/empty/", "", 404, "", "", ""},
		{"GET", "/none", "", 404, "", "", ""},
		{"GET", "/.hidden", "", 404, "", "", ""},
		{"GET", "/.git/config", "", 404, "", "", ""},
		{"GET", "/../secret.txt", "", 404, "", "", ""},
		{"GET", "/sub/../../secret.txt", "", 404, "", "", ""},
		{"GET", "/%2e%2e/secret.txt", "", 404, "", "", ""},
		{"GET", "/..%2fsecret.txt", "", 404, "", "", ""},
		{"GET", "/escape.txt", "", 404, "", "", ""},
		{"POST", "/", "", 405, "", "", ""},
	}
	for _, c := range cases {
		req := httptest.NewRequest(c.method, c.path, nil)
		if c.accept != "" {
			req.Header.Set("Accept-Encoding", c.accept)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		at := c.method + " " + c.path + " " + c.accept
		assert.Equal(t, c.code, w.Code, at)
		assert.NotContains(t, w.Body.String(), "secret", at)
		assert.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), at)
		if c.code == 200 {
			assert.Equal(t, c.body, w.Body.String(), at)
			assert.Equal(t, c.mime, w.Header().Get("Content-Type"), at)
			assert.Equal(t, c.encoding, w.Header().Get("Content-Encoding"), at)
			assert.Equal(t, "no-cache", w.Header().Get("Cache-Control"), at)
		}
	}
}

func TestServeAnswersNotModified(t *testing.T) {
	h := served(t)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/app.js", nil))
	again := httptest.NewRequest("GET", "/app.js", nil)
	again.Header.Set("If-Modified-Since", w.Header().Get("Last-Modified"))
	w = httptest.NewRecorder()
	h.ServeHTTP(w, again)
	assert.Equal(t, http.StatusNotModified, w.Code)
}

func TestKeep(t *testing.T) {
	for name, want := range map[string]string{
		"index.html": "no-cache", "main.js": "no-cache", "e/index.html": "no-cache", "e/readme/index.html": "no-cache", "bff029b07092/x.js": "no-cache",
		"e/bff029b07092/casplay.wasm.gz": "public, max-age=31536000, immutable", "some/folder/pre/bff029b07092/index.json": "public, max-age=31536000, immutable",
	} {
		assert.Equal(t, want, keep(name), name)
	}
}
