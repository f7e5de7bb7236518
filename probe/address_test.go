package probe

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/miekg/dns"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/port"
	"github.com/claudeops/claudeops/testkit/resolver"
)

func tcpCheck(address string, timeout time.Duration) *Check {
	return &Check{Type: check.Service, Timeout: timeout, Attempts: 1, Options: &TCP{Address: address}}
}

// attemptContext returns a context as an attempt has it.
func attemptContext(t *testing.T, timeout time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	t.Cleanup(cancel)
	return ctx
}

// listen listens until the test ends, and returns the address.
func listen(t *testing.T, network, address string) string {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

func TestTCPIsHealthyWhereSomebodyListens(t *testing.T) {
	addresses := []string{listen(t, "tcp", "127.0.0.1:0"), listen(t, "unix", filepath.Join(t.TempDir(), "s"))}
	if six, err := net.Listen("tcp", "[::1]:0"); err == nil { // not every machine has IPv6
		defer six.Close()
		addresses = append(addresses, six.Addr().String())
	}
	for _, address := range addresses {
		f := attemptOnce(t, tcpCheck(address, time.Minute), Settings{})
		if f.Status != check.Healthy || f.Error != "" || f.ResponseTimeMS == nil {
			t.Errorf("%s: %+v; want healthy, with the time it took", address, f)
		}
	}
}

func TestTCPSaysWhyNobodyWasReached(t *testing.T) {
	closed := port.Keep(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ address, want string }{
		{closed, "connection refused by " + closed + ": nothing listens there"},
		{dir + "/none", "there is no socket " + dir + "/none"},
		{file, "connection refused by " + file + ": nothing listens there"},
	} {
		f := attemptOnce(t, tcpCheck(test.address, time.Minute), Settings{})
		if f.Status != check.Down || !strings.HasPrefix(f.Error, test.want) {
			t.Errorf("%s: %+v; want down, %q", test.address, f, test.want)
		}
	}
}

func TestTCPSaysThatNoAnswerCameInTime(t *testing.T) {
	for patience := 300 * time.Millisecond; ; patience *= 4 { // on a slow machine, a connection may still be made later
		address := fullQueue(t, patience)
		f := attemptOnce(t, tcpCheck(address, 200*time.Millisecond), Settings{})
		want := "no answer from " + address + " within 200ms"
		if f.Status == check.Down && f.Error == want {
			return
		}
		if patience > time.Minute {
			t.Fatalf("%+v; want down, %q", f, want)
		}
	}
}

// fullQueue listens on an address without accepting, until further connections get no answer for a while.
func fullQueue(t *testing.T, patience time.Duration) string {
	t.Helper()
	fd, address := port.Bind(t)
	if err := unix.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for range 16 {
		connection, err := net.DialTimeout("tcp", address, patience)
		if err != nil {
			return address
		}
		t.Cleanup(func() { _ = connection.Close() })
	}
	t.Fatal("16 connections were made that nobody takes; the queue was to hold one")
	return ""
}

func TestWhyNobodyWasReachedIsSaidWithoutGo(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{dial(syscall.ECONNREFUSED), "connection refused by db1:5432: nothing listens there"},
		{dial(syscall.ETIMEDOUT), "no answer from db1:5432 within 3s"},
		{dial(context.DeadlineExceeded), "no answer from db1:5432 within 3s"},
		{dial(syscall.EHOSTUNREACH), "no route to db1:5432"},
		{dial(syscall.ENETUNREACH), "no route to db1:5432"},
		{dial(syscall.EACCES), "not allowed to connect to db1:5432 (permission denied)"},
		{dial(syscall.EAGAIN), "no connection to db1:5432: too many wait there already"},
		{dial(syscall.EMFILE), "no connection to db1:5432: this machine has too many open files"},
		{&net.DNSError{Name: "db1", Err: "no such host", IsNotFound: true}, "there is no host db1"},
		{&net.DNSError{Name: "db1", IsTimeout: true, UnwrapErr: context.DeadlineExceeded}, noResolver},
		{&net.DNSError{Name: "db1", Err: "server misbehaving"}, noResolver},
		{errors.New("something else"), "db1:5432: something else"},
	} {
		if got := failed(test.err, notConnected("db1:5432", test.err, 3*time.Second)).Error; got != test.want {
			t.Errorf("%v: %q; want %q", test.err, got, test.want)
		}
	}
}

// Where no name can be resolved, that is said in the same words by every check, so that people are told of it once.
func TestResolverThatGivesNoAnswerIsNoFaultOfAService(t *testing.T) {
	says := func(code int) string { return answering(t, func(m *dns.Msg) { m.Rcode = code }) }
	for how, address := range map[string]string{
		"silent":   packets(t, func(net.PacketConn, net.Addr, []byte) {}),
		"stopped":  port.Keep(t),
		"SERVFAIL": says(dns.RcodeServerFailure),
		"REFUSED":  says(dns.RcodeRefused),
		"garbage":  packets(t, func(conn net.PacketConn, from net.Addr, packet []byte) { _, _ = conn.WriteTo(packet[:5], from) }),
	} {
		resolver.Use(t, address)
		conf := filepath.Join(t.TempDir(), "resolv.conf")
		if err := os.WriteFile(conf, []byte("nameserver 127.0.0.1\nnameserver 127.0.0.1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, port, _ := strings.Cut(address, ":")
		for name, options := range map[string]Options{
			"http":                 &HTTP{URL: "http://shop.example/"},
			"https by a proxy":     &HTTP{URL: "https://127.0.0.1/", Proxy: "http://proxy.example:3128"},
			"tcp":                  &TCP{Address: "shop.example:25"},
			"PostgreSQL":           &Database{URL: "postgres://u:p@shop.example/db"},
			"MySQL":                &Database{URL: "mysql://u:p@shop.example/db"},
			"Redis":                &Database{URL: "rediss://:p@shop.example"},
			"a container's engine": &Container{Name: "web", Engine: "tcp://engine.example:2375"},
			"a DNS server's name":  &DNS{Name: "www.example", Server: "ns.example"},
			"the system's servers": &DNS{Name: "www.example"},
		} {
			if _, container := options.(*Container); container && (how == "silent" || how == "garbage") {
				continue // the engine is said not to answer in time
			}
			t.Run(how+" "+name, func(t *testing.T) {
				c := newClient(Settings{})
				defer c.close()
				c.resolvConf, c.systemPort = conf, port
				f := attemptBy(t, c, &Check{Timeout: short, Attempts: 1, Options: options})
				if f.Status != check.Unknown || f.Error != noResolver {
					t.Errorf("%+v; want unknown, %q", f, noResolver)
				}
			})
		}
	}
}
