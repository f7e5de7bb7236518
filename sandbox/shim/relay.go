package shim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

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
		ended <- errors.Join(errors.New("the cycle closed the connection, or has ended"), err)
	}()
	// Do not wait for the other copy: it may be blocked in a read until this process ends.
	return <-ended
}

// connect connects to a socket from its directory, because a socket address holds only 107 bytes.
func connect(path string) (fd int, err error) {
	if err := unix.Chdir(filepath.Dir(path)); err != nil {
		return -1, err
	}
	if fd, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return -1, err
	}
	return fd, unix.Connect(fd, &unix.SockaddrUnix{Name: filepath.Base(path)})
}
