package broker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/sandbox/shim"
)

// request is what a caller asks for. It owns its descriptors until they are opened.
type request struct {
	shim.Request
	descriptors [3]int // standard input, output and error; -1 if missing or opened already
}

// receive reads one request. Descriptors must come with the first byte; the kernel drops others. There is room for four.
func receive(conn *net.UnixConn) (*request, error) {
	start, rights := make([]byte, 4096), make([]byte, unix.CmsgSpace(3*4))
	n, rightsLen, flags, _, err := conn.ReadMsgUnix(start, rights)
	if err != nil {
		return nil, err
	}
	sent, err := shim.Descriptors(rights[:rightsLen])
	if err != nil {
		return nil, err
	}
	if len(sent) != 3 || flags&unix.MSG_CTRUNC != 0 {
		for _, fd := range sent { // the command may be waiting for the end of its output
			_ = unix.Close(fd)
		}
		return nil, errors.New("a request must have descriptors 0, 1 and 2")
	}
	r := &request{descriptors: [3]int(sent)}
	if r.Request, err = shim.ReadRequest(io.MultiReader(bytes.NewReader(start[:n]), conn)); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// open opens one of the caller's descriptors; each can be opened once.
func (r *request) open(number int, write bool, limit int64) (descriptor, error) {
	fd := r.descriptors[number]
	r.descriptors[number] = -1
	d, err := openDescriptor(fd, write, limit)
	if err != nil {
		return nil, fmt.Errorf("descriptor %d cannot be used: %w", number, err)
	}
	return d, nil
}

// sameOutput reports whether standard output and error are one file, so that their order must be kept.
func (r *request) sameOutput() bool {
	var out, err unix.Stat_t
	return r.descriptors[2] < 0 || unix.Fstat(r.descriptors[1], &out) == nil && unix.Fstat(r.descriptors[2], &err) == nil && out.Dev == err.Dev && out.Ino == err.Ino
}

func (r *request) close() {
	for i, fd := range r.descriptors {
		if fd >= 0 {
			_ = unix.Close(fd)
			r.descriptors[i] = -1
		}
	}
}
