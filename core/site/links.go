package site

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"casplay/core/play"
	"casplay/core/report"
	"casplay/core/scenario"
)

// Store is a key-value store for short links.
type Store interface {
	// Get returns the value of a key, "" when there is none.
	Get(ctx context.Context, key string) (string, error)
	Put(ctx context.Context, key, value string) error
}

// maxReceived bounds a link as received, in bytes: the longest one with an
// address in front, and half of it percent-encoded.
const maxReceived = 2 * scenario.MaxLink

// keyBytes of the SHA-256 of a link are its key: 96 bits, 16 characters.
const keyBytes = 12

func key(link string) string {
	sum := sha256.Sum256([]byte(link))
	return base64.RawURLEncoding.EncodeToString(sum[:keyBytes])
}

type shortLinks struct{ store Store }

func (s shortLinks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/s" {
		if allowed(w, r, http.MethodPost) {
			s.add(w, r)
		}
		return
	}
	if !allowed(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	k := strings.TrimPrefix(r.URL.Path, "/s/")
	if raw, err := base64.RawURLEncoding.DecodeString(k); err != nil || len(raw) != keyBytes {
		http.NotFound(w, r)
		return
	}
	link, err := s.store.Get(r.Context(), k)
	switch {
	case err != nil:
		http.Error(w, "the store of short links does not answer; try again", http.StatusBadGateway)
	case link == "" || key(link) != k:
		http.Error(w, "this site has no such short link; ask for the long one", http.StatusNotFound)
	default:
		w.Header().Set("Cache-Control", forever)
		http.Redirect(w, r, "/#"+link, http.StatusMovedPermanently)
	}
}

// add stores the link in the body under the hash of its content.
func (s shortLinks) add(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReceived))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		http.Error(w, "the body is too long: links have at most 8000 characters", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return
	}
	link, err := checked(string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	k, code := key(link), http.StatusOK
	had, err := s.store.Get(r.Context(), k)
	if err == nil && had != link {
		code = http.StatusCreated
		err = s.store.Put(r.Context(), k, link)
	}
	if err != nil {
		http.Error(w, "the link could not be stored: "+err.Error(), http.StatusServiceUnavailable)
		return
	}
	h := w.Header()
	h.Set("Location", "/s/"+k)
	h.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	io.WriteString(w, "/s/"+k+"\n")
}

// opened reads a link as received. The text is that of the link alone, whole
// when it has nothing but the characters of a link and needed no repair.
func opened(received string) (link *scenario.Link, text string, whole bool, err error) {
	text = strings.TrimSpace(received)
	text = text[strings.LastIndexByte(text, '#')+1:]
	link, err = scenario.ParseLink(text, play.Library())
	if err != nil {
		return nil, "", false, err
	}
	return link, text, !link.Repaired && len(text) <= scenario.MaxLink && !strings.ContainsFunc(text, notOfLink), nil
}

// checked returns the link to store. One that names its engine stays as it is,
// since what it leaves out is defined there; others are written anew, so that
// equal ones have one key.
func checked(received string) (string, error) {
	link, text, whole, err := opened(received)
	switch {
	case err != nil:
		return "", err
	case link.Engine == "":
		return scenario.FormatLink(link)
	case !whole:
		return "", errors.New("the link names an engine and was damaged or encoded on its way; send it as the page wrote it")
	}
	return text, nil
}

// linkChars are all characters of a link.
const linkChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~;=,:/"

func notOfLink(c rune) bool { return !strings.ContainsRune(linkChars, c) }

// text describes the scenario of a link; the query is l= and the link, which
// may be percent-encoded (its semicolons need not be).
func text(w http.ResponseWriter, r *http.Request) {
	if !allowed(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	query, found := strings.CutPrefix(r.URL.RawQuery, "l=")
	switch {
	case !found:
		http.Error(w, "the address must be /text?l= and a link", http.StatusBadRequest)
		return
	case len(query) > maxReceived:
		http.Error(w, "the link is too long: links have at most 8000 characters", http.StatusRequestURITooLong)
		return
	}
	received, err := url.PathUnescape(query)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	link, fragment, whole, err := opened(received)
	if err == nil && !whole {
		fragment, err = scenario.FormatLink(link)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	io.WriteString(w, report.Describe(link.Scenario, "#"+fragment))
}

// Memory is a Store that lasts as long as the process.
type Memory struct {
	mu    sync.Mutex
	links map[string]string
}

// maxMemory is how many links a Memory holds.
const maxMemory = 4096

// Get implements Store.
func (m *Memory) Get(_ context.Context, key string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.links[key], nil
}

// Put implements Store; it fails when the store is full.
func (m *Memory) Put(_ context.Context, key, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.links) >= maxMemory {
		return errors.New("this server holds 4096 short links already; use the long one")
	}
	if m.links == nil {
		m.links = map[string]string{}
	}
	m.links[key] = value
	return nil
}
