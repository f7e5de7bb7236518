package shim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// errHungUp means that the cycle closed the connection, or has ended.
var errHungUp = errors.New("the cycle closed the connection")

// relay copies between in and out and the socket at path until either side ends. Everything the cycle has written by then is written to
// out. It returns nil if in has ended.
func relay(path string, in io.Reader, out io.Writer) error {
	fd, err := connect(path)
	if err != nil {
		return fmt.Errorf("connect to the cycle at %s: %w; a running cycle makes this socket, and only the agent program connects to it", path, err)
	}
	conn := os.NewFile(uintptr(fd), path)
	ended := make(chan error, 2)
	go func() {
		_, err := io.Copy(conn, in)
		ended <- err
	}()
	go func() {
		_, err := io.Copy(out, conn)
		ended <- errors.Join(errHungUp, err)
	}()
	// Do not wait for the other copy: it may be blocked in a read until this process ends.
	return <-ended
}

// connect connects to a socket through its directory, because a socket address holds only 107 bytes.
func connect(path string) (fd int, err error) {
	folder, err := os.OpenFile(filepath.Dir(path), unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		return -1, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if fd, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return -1, err
	}
	if err = unix.Connect(fd, &unix.SockaddrUnix{Name: fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path))}); err != nil {
		return -1, errors.Join(err, unix.Close(fd))
	}
	return fd, nil
}
