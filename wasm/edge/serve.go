//go:build js && wasm

package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"syscall/js"
)

// envKey is that of a Worker's bindings in a request's context.
type envKey struct{}

// binding is what the Worker has under a name, an error when it has nothing.
func binding(ctx context.Context, name string) (js.Value, error) {
	env, _ := ctx.Value(envKey{}).(js.Value)
	if env.Type() != js.TypeObject || env.Get(name).IsUndefined() {
		return js.Value{}, errors.New("the Worker has no binding " + name)
	}
	return env.Get(name), nil
}

// serve puts the function casplayEdge(request, env, resolve) into the global
// scope, which resolves with a Response, and never returns.
func serve(h http.Handler) {
	js.Global().Set("casplayEdge", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { args[2].Invoke(answer(h, args[0], args[1])) }()
		return nil
	}))
	select {}
}

// answer makes the Response to a Request.
func answer(h http.Handler, request, env js.Value) (response js.Value) {
	w := &writer{header: http.Header{}, stream: js.Null()}
	defer func() {
		if e := recover(); e != nil { // one request must not end those beside it
			js.Global().Get("console").Call("error", "panic in the handler")
			w = &writer{header: http.Header{}, stream: js.Null()}
			http.Error(w, "internal error", http.StatusInternalServerError)
			response = w.response()
		}
	}()
	r, err := incoming(request, env)
	if err != nil {
		http.Error(w, "bad address", http.StatusBadRequest)
	} else {
		h.ServeHTTP(w, r)
	}
	return w.response()
}

// incoming is a Request as net/http has it.
func incoming(request, env js.Value) (*http.Request, error) {
	u, err := url.Parse(request.Get("url").String())
	if err != nil {
		return nil, err
	}
	r := &http.Request{
		Method: request.Get("method").String(), URL: u, Host: u.Host, RequestURI: u.RequestURI(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: http.NoBody, ContentLength: -1,
	}
	list := js.Global().Get("Array").Call("from", request.Get("headers"))
	for i := range list.Length() {
		r.Header.Add(list.Index(i).Index(0).String(), list.Index(i).Index(1).String())
	}
	if body := request.Get("body"); body.Truthy() {
		r.Body = &reader{from: body.Call("getReader")}
	}
	return r.WithContext(context.WithValue(context.Background(), envKey{}, env)), nil
}

// reader reads a ReadableStream, no more of it than is asked for.
type reader struct {
	from js.Value
	rest []byte
}

func (r *reader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		chunk, err := await(r.from.Call("read"))
		if err != nil {
			return 0, err
		}
		if chunk.Get("done").Bool() {
			return 0, io.EOF
		}
		r.rest = make([]byte, chunk.Get("value").Length())
		js.CopyBytesToGo(r.rest, chunk.Get("value"))
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *reader) Close() error {
	_, err := await(r.from.Call("cancel"))
	return err
}

// writer collects a response. Its body is what was written, or a stream of the
// Worker's that never passes through Go.
type writer struct {
	header http.Header
	status int
	body   []byte
	stream js.Value
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.body = append(w.body, p...)
	return len(p), nil
}

func (w *writer) response() js.Value {
	w.WriteHeader(http.StatusOK)
	headers := js.Global().Get("Headers").New()
	for name, values := range w.header {
		for _, v := range values {
			headers.Call("append", name, v)
		}
	}
	init := js.Global().Get("Object").New()
	init.Set("status", w.status)
	init.Set("headers", headers)
	if w.header.Get("Content-Encoding") != "" {
		init.Set("encodeBody", "manual") // it is encoded already
	}
	body := w.stream
	if body.IsNull() && len(w.body) > 0 {
		body = js.Global().Get("Uint8Array").New(len(w.body))
		js.CopyBytesToJS(body, w.body)
	}
	return js.Global().Get("Response").New(body, init)
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	done := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{value: args[0]}
		return nil
	})
	defer done.Release()
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{err: errors.New(js.Global().Get("String").Invoke(args[0]).String())}
		return nil
	})
	defer failed.Release()
	promise.Call("then", done, failed)
	o := <-settled
	return o.value, o.err
}
