package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/fstest"
	"time"

	"casplay/core/site"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServeStopsWithItsContext(t *testing.T) {
	page := fstest.MapFS{"index.html": {Data: []byte("home")}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, site.Handler(site.Files{FS: page}, &site.Memory{})) }()
	resp, err := http.Get("http://" + listener.Addr().String() + "/")
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, "home", string(body))
	cancel()
	select {
	case err := <-ended:
		assert.NoError(t, err)
	case <-time.After(5 * time.Second):
		t.Fatal("still serving")
	}
}
