package shim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/sys/unix"
)

// BrokerProtocol is the protocol of a stream socket of AF_UNIX that means the broker. The kernel knows no such protocol: where nobody
// answers in its place, the call fails with EPROTONOSUPPORT.
const BrokerProtocol = 0x6F70

// MaxFrame is how many bytes a request or a reply may have.
const MaxFrame = 128 << 10

// ExitRefused is the exit status of what the broker did not run.
const ExitRefused = 126

// Request asks the broker to run a program. The caller's descriptors 0, 1 and 2 come with its first byte, as SCM_RIGHTS.
type Request struct {
	Argv []string // as the program sees it, its name first
	Dir  string   // the caller's working folder
}

// Reply is how a request ended.
type Reply struct {
	Exit    int    // the program's exit status, 128+n where signal n ended it
	Message string // for standard error; empty where there is nothing to say
}

// Descriptors are those that came with a message, as SCM_RIGHTS.
func Descriptors(rights []byte) ([]int, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) == 0 {
		return nil, err
	}
	return unix.ParseUnixRights(&messages[0])
}

// A frame is the length of what follows, as four bytes in network order, and strings that each end with a NUL: no argument of a
// program can hold one, and any other byte stays as it is.

// Frame is r as it is sent.
func (r Request) Frame() ([]byte, error) { return frame(append([]string{r.Dir}, r.Argv...)) }

// Frame is r as it is sent.
func (r Reply) Frame() ([]byte, error) { return frame([]string{strconv.Itoa(r.Exit), r.Message}) }

// ReadRequest reads one request; io.EOF where the caller went away without one.
func ReadRequest(from io.Reader) (Request, error) {
	list, err := readFrame(from)
	if err != nil {
		return Request{}, err
	}
	if len(list) < 2 {
		return Request{}, errors.New("a request is a folder and an argument list")
	}
	return Request{Dir: list[0], Argv: list[1:]}, nil
}

// ReadReply reads one reply; io.EOF where the broker went away without one.
func ReadReply(from io.Reader) (Reply, error) {
	list, err := readFrame(from)
	if err != nil {
		return Reply{}, err
	}
	if len(list) != 2 {
		return Reply{}, errors.New("a reply is an exit status and a message")
	}
	exit, err := strconv.ParseUint(list[0], 10, 8)
	if err != nil {
		return Reply{}, fmt.Errorf("the exit status of a reply: %w", err)
	}
	return Reply{Exit: int(exit), Message: list[1]}, nil
}

func frame(list []string) ([]byte, error) {
	f := make([]byte, 4)
	for _, s := range list {
		if bytes.IndexByte([]byte(s), 0) >= 0 {
			return nil, errors.New("a NUL cannot be sent")
		}
		f = append(append(f, s...), 0)
	}
	size := len(f) - 4
	if size > MaxFrame {
		return nil, tooLarge(size)
	}
	binary.BigEndian.PutUint32(f, uint32(size))
	return f, nil
}

func readFrame(from io.Reader) ([]string, error) {
	var size [4]byte
	if _, err := io.ReadFull(from, size[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > MaxFrame {
		return nil, tooLarge(int(n))
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(from, text); err != nil {
		return nil, fmt.Errorf("it ended early: %w", err)
	}
	if n == 0 || text[n-1] != 0 {
		return nil, errors.New("its last string has no end")
	}
	var list []string
	for s := range bytes.SplitSeq(text[:n-1], []byte{0}) {
		list = append(list, string(s))
	}
	return list, nil
}

func tooLarge(size int) error {
	return fmt.Errorf("%d bytes of folder and arguments; at most %d can be sent", size, MaxFrame)
}
