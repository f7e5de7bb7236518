package probe

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
)

func tcpCheck(address string, timeout time.Duration) *inventory.Check {
	return &inventory.Check{Type: check.Service, Timeout: timeout, Attempts: 1, TCP: &inventory.TCP{Address: address}}
}

// within is a context as an attempt has it.
func within(t *testing.T, timeout time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	t.Cleanup(cancel)
	return ctx
}

// listen listens until the test ends and returns where.
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
	for _, address := range []string{
		listen(t, "tcp", "127.0.0.1:0"), listen(t, "tcp", "[::1]:0"), listen(t, "unix", filepath.Join(t.TempDir(), "s")),
	} {
		f := tcp(tcpCheck(address, 10*time.Second))(within(t, 10*time.Second))
		if f.Status != check.Healthy || f.Error != "" || f.Took <= 0 {
			t.Errorf("%s: %+v; want healthy, with the time it took", address, f)
		}
	}
}

func TestTCPSaysWhyNobodyWasReached(t *testing.T) {
	closed := listen(t, "tcp", "127.0.0.1:0")
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil { // a port that was free a moment ago
		closed = l.Addr().String()
		_ = l.Close()
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ address, want string }{
		{closed, "connection refused by " + closed + ": nothing listens there"},
		{dir + "/none", "there is no socket " + dir + "/none"},
		{file, "connection refused by " + file + ": nothing listens there"},
		{"no-such-host.invalid:80", "the name no-such-host.invalid was not found"},
		{"127.0.0.1", "127.0.0.1 is not an address: missing port in address; write it like db1:5432"},
	} {
		f := tcp(tcpCheck(test.address, 10*time.Second))(within(t, 10*time.Second))
		if f.Status != check.Down || !strings.HasPrefix(f.Error, test.want) {
			t.Errorf("%s: %+v; want down, %q", test.address, f, test.want)
		}
	}
}

func TestTCPSaysThatNoAnswerCameInTime(t *testing.T) {
	address := fullQueue(t)
	f := tcp(tcpCheck(address, 200*time.Millisecond))(within(t, 200*time.Millisecond))
	if want := "no answer from " + address + " within 200ms"; f.Status != check.Down || f.Error != want {
		t.Errorf("%+v; want down, %q", f, want)
	}
}

// fullQueue listens on an address and takes no connection, until the system answers to no further one.
func fullQueue(t *testing.T) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	bound, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(bound.(*unix.SockaddrInet4).Port))
	for range 16 {
		connection, err := net.DialTimeout("tcp", address, 300*time.Millisecond)
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
		{dial(syscall.EHOSTUNREACH), "db1:5432 cannot be reached: no route to host"},
		{dial(syscall.ENETUNREACH), "db1:5432 cannot be reached: network is unreachable"},
		{dial(syscall.EACCES), "not allowed to connect to db1:5432 (permission denied)"},
		{dial(syscall.EAGAIN), "no connection to db1:5432: too many wait there already"},
		{dial(syscall.EMFILE), "no connection to db1:5432: too many open files"},
		{&net.DNSError{Name: "db1", IsTimeout: true}, "the name db1 was not found within 3s: the DNS server does not answer"},
		{&net.DNSError{Name: "db1", Err: "server misbehaving"}, "the name db1 was not found: server misbehaving"},
		{errors.New("something else"), "no connection to db1:5432: something else"},
	} {
		if got := notConnected("db1:5432", test.err, 3*time.Second); got != test.want {
			t.Errorf("%v: %q; want %q", test.err, got, test.want)
		}
	}
}
