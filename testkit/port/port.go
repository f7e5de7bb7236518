// Package port reserves loopback ports for tests: a port that was only found to be free may soon be taken by another process.
package port

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// T is the part of testing.TB that is needed.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Keep reserves a port, as 127.0.0.1:PORT, until the test ends. Nothing listens on it, so connections are refused, but a listener with
// Share may use it.
func Keep(t T) (address string) {
	t.Helper()
	_, address = Bind(t)
	return address
}

// Bind is like Keep, and also returns the socket that is bound to the port.
func Bind(t T) (fd int, address string) {
	t.Helper()
	fd, address, err := bind()
	if err != nil {
		t.Fatalf("keep a port of loopback: %v", err)
		return -1, ""
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd, address
}

func bind() (fd int, address string, err error) {
	if fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return -1, "", err
	}
	err = errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1), unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	name, errName := unix.Getsockname(fd)
	if err = errors.Join(err, errName); err != nil {
		return -1, "", errors.Join(err, unix.Close(fd))
	}
	at, is := name.(*unix.SockaddrInet4)
	if !is {
		return -1, "", errors.Join(fmt.Errorf("the socket is bound to %T", name), unix.Close(fd))
	}
	return fd, net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port)), nil
}

// Share is the Control function of a net.ListenConfig that listens on a reserved port.
func Share(_, _ string, conn syscall.RawConn) error {
	var fault error
	err := conn.Control(func(fd uintptr) { fault = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1) })
	return errors.Join(err, fault)
}
