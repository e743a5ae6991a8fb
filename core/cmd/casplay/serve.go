package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"casplay/core/site"
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
	return serve(ctx, listener, site.Handler(site.Files{FS: root.FS()}, &site.Memory{}))
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
