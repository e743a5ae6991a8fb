package site

import (
	"io"
	"io/fs"
	"net/http"
)

// Files are the assets in a file system.
type Files struct{ FS fs.FS }

// Dir implements Assets.
func (f Files) Dir(name string) bool {
	info, err := fs.Stat(f.FS, name)
	return err == nil && info.IsDir()
}

// Send implements Assets.
func (f Files) Send(w http.ResponseWriter, r *http.Request, name string, gzip bool) bool {
	if gzip {
		w.Header().Set("Content-Encoding", "gzip")
		if f.send(w, r, name+".gz") {
			return true
		}
		w.Header().Del("Content-Encoding")
	}
	return f.send(w, r, name)
}

// send answers with the content of a regular file.
func (f Files) send(w http.ResponseWriter, r *http.Request, name string) bool {
	file, err := f.FS.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	body, seeks := file.(io.ReadSeeker)
	if err != nil || !seeks || !info.Mode().IsRegular() {
		return false
	}
	http.ServeContent(w, r, "", info.ModTime(), body)
	return true
}
