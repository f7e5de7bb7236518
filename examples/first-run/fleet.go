package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/miekg/dns"
)

// fleet is the example services while they run.
type fleet struct {
	addresses struct{ Shop, DB, Blog, Newsletter, DNS, Plugins string }
	closers   []func() error
}

func (f *fleet) stop() (err error) {
	for _, c := range f.closers {
		err = errors.Join(err, c())
	}
	return err
}

func startFleet() (f *fleet, err error) {
	f = &fleet{}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.stop())
		}
	}()
	dir, err := os.Getwd()
	if err != nil {
		return f, err
	}
	f.addresses.Plugins = filepath.Join(dir, here, "plugins")
	for _, site := range []struct {
		address *string
		code    int
		body    string
	}{
		{&f.addresses.Shop, http.StatusOK, `{"ok":true}`},
		{&f.addresses.Blog, http.StatusBadGateway, "the upstream is gone"},
		{&f.addresses.Newsletter, http.StatusServiceUnavailable, "no blog, no newsletter"},
	} {
		if *site.address, err = f.site(site.code, site.body); err != nil {
			return f, err
		}
	}
	if f.addresses.DB, err = f.database(); err != nil {
		return f, err
	}
	f.addresses.DNS, err = f.names()
	return f, err
}

// site answers every request alike.
func (f *fleet) site(code int, body string) (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body) // whoever asked has gone
	})}
	go func() { _ = server.Serve(listener) }() // ends with Close
	f.closers = append(f.closers, server.Close)
	return listener.Addr().String(), nil
}

// database is somebody who listens.
func (f *fleet) database() (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	f.closers = append(f.closers, listener.Close)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // closed
			}
			_ = connection.Close() // nothing was said
		}
	}()
	return listener.Addr().String(), nil
}

// names is a DNS server that knows the shop.
func (f *fleet) names() (address string, err error) {
	connection, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	ready := make(chan struct{})
	server := &dns.Server{PacketConn: connection, NotifyStartedFunc: func() { close(ready) }, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, asked *dns.Msg) {
		reply := new(dns.Msg).SetReply(asked)
		if record, err := dns.NewRR("shop.example.internal. 60 IN A 192.0.2.10"); err == nil && len(asked.Question) == 1 && asked.Question[0].Name == record.Header().Name {
			reply.Answer = []dns.RR{record}
		}
		_ = w.WriteMsg(reply) // whoever asked has gone
	})}
	go func() { _ = server.ActivateAndServe() }() // ends with Shutdown
	<-ready
	f.closers = append(f.closers, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		return server.ShutdownContext(ctx)
	})
	return connection.LocalAddr().String(), nil
}
