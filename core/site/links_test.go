package site

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/play"
	"casplay/core/scenario"
)

func ask(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestShortLinkGoesRound(t *testing.T) {
	store := &Memory{}
	h := Handler(Files{fstest.MapFS{}}, store)
	first := ask(h, "POST", "/s", "https://example.org/#mg-d-64;threads=96;on:tol=2")
	require.Equal(t, http.StatusCreated, first.Code, first.Body)
	at := first.Header().Get("Location")
	assert.Regexp(t, `^/s/[\w-]{16}$`, at)
	assert.Equal(t, at+"\n", first.Body.String())
	again := ask(h, "POST", "/s", "1;mg-d-64;on:kernel.cas.aggr_tolerance=2;threads=96")
	assert.Equal(t, http.StatusOK, again.Code)
	assert.Equal(t, at, again.Header().Get("Location"), "the same scenario has the same key")
	got := ask(h, "GET", at, "")
	assert.Equal(t, http.StatusMovedPermanently, got.Code)
	assert.Equal(t, forever, got.Header().Get("Cache-Control"))
	assert.Regexp(t, `^/#1;mg-d-64;threads=96;on:tol=2;c=\w+$`, got.Header().Get("Location"))
	assert.Len(t, store.links, 1)
}

func TestLinkOfAnEngineIsStoredAsItIs(t *testing.T) {
	s, err := play.Open("mg-d-64")
	require.NoError(t, err)
	link, err := scenario.FormatLink(&scenario.Link{Scenario: s, Engine: "0123456789ab", Digest: "ffffffffffffffff", View: "t=3"})
	require.NoError(t, err)
	h := Handler(Files{fstest.MapFS{}}, &Memory{})
	w := ask(h, "POST", "/s", "https://example.org/#"+link+"\n")
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	assert.Equal(t, "/#"+link, ask(h, "GET", w.Header().Get("Location"), "").Header().Get("Location"))
	assert.Equal(t, http.StatusBadRequest, ask(h, "POST", "/s", link[:len(link)-8]).Code, "cut")
}

func TestNothingUncheckedIsStored(t *testing.T) {
	store := &Memory{}
	h := Handler(Files{fstest.MapFS{}}, store)
	for body, code := range map[string]int{
		"": 400, "hello": 400, "<script>": 400, "1;mg-d-64;tolx=2": 400, "1;mg-d-64;threads=9999999": 400, "1zAAAA": 400, "{}": 400,
		"javascript:alert(1)#": 400, strings.Repeat("a", maxReceived): 400, strings.Repeat("a", maxReceived+1): 413,
	} {
		assert.Equal(t, code, ask(h, "POST", "/s", body).Code, "%.40s", body)
	}
	assert.Equal(t, 403, ask(h, "POST", "/s", "mg-d-64", "Sec-Fetch-Site", "cross-site").Code)
	assert.Empty(t, store.links)
}

func TestShortLinkThatIsNone(t *testing.T) {
	store := &Memory{links: map[string]string{"AAAAAAAAAAAAAAAA": "1;mg-d-64"}}
	h := Handler(Files{fstest.MapFS{}}, store)
	for _, at := range []string{"/s/", "/s/x", "/s/BBBBBBBBBBBBBBBB", "/s/AAAAAAAAAAAAAAAA", "/s/../s"} {
		assert.Equal(t, 404, ask(h, "GET", at, "").Code, at)
	}
	assert.Equal(t, 405, ask(h, "GET", "/s", "").Code)
	assert.Equal(t, 405, ask(h, "POST", "/s/AAAAAAAAAAAAAAAA", "").Code)
}

type broken struct{}

func (broken) Get(context.Context, string) (string, error) { return "", errors.New("down") }
func (broken) Put(context.Context, string, string) error   { return errors.New("down") }

func TestStoreThatFails(t *testing.T) {
	h := Handler(Files{fstest.MapFS{}}, broken{})
	assert.Equal(t, 502, ask(h, "GET", "/s/AAAAAAAAAAAAAAAA", "").Code)
	assert.Equal(t, 503, ask(h, "POST", "/s", "mg-d-64").Code)
	full := &Memory{links: map[string]string{}}
	for i := range maxMemory {
		full.links[strconv.Itoa(i)] = "x"
	}
	assert.Equal(t, 503, ask(Handler(Files{fstest.MapFS{}}, full), "POST", "/s", "mg-d-64").Code)
}

func TestTextOfALink(t *testing.T) {
	h := Handler(Files{fstest.MapFS{}}, &Memory{})
	w := ask(h, "GET", "/text?l=1;mg-d-64;threads=96;on:tol=2", "")
	require.Equal(t, 200, w.Code, w.Body)
	assert.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	for _, part := range []string{"nothing was run", "machine:  ", "arm:      off (reference)", "kernel.cas.aggr_tolerance=2", "threads=96", "open: #1;mg-d-64;threads=96;on:tol=2\n"} {
		assert.Contains(t, w.Body.String(), part)
	}
	assert.Equal(t, w.Body.String(), ask(h, "GET", "/text?l=1%3Bmg-d-64%3Bthreads%3D96%3Bon%3Atol%3D2", "").Body.String())
	for target, code := range map[string]int{"/text": 400, "/text?l=": 400, "/text?l=%zz": 400, "/text?l=1;none": 400, "/text?l=" + strings.Repeat("a", maxReceived+1): 414} {
		assert.Equal(t, code, ask(h, "GET", target, "").Code, "%.40s", target)
	}
	assert.Equal(t, 405, ask(h, "POST", "/text?l=mg-d-64", "").Code)
}
