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

// BrokerProtocol is the protocol number of an AF_UNIX stream socket that stands for the broker. The kernel does not know it: outside a
// sandbox, the call fails with EPROTONOSUPPORT.
const BrokerProtocol = 0x6F70

// MaxFrame limits a request or a reply, in bytes.
const MaxFrame = 128 << 10

// ExitRefused is the exit status of a call that the broker did not run.
const ExitRefused = 126

// Request asks the broker to run a program. The caller's descriptors 0, 1 and 2 are sent with its first byte, as SCM_RIGHTS.
type Request struct {
	Argv []string // starts with the program's name
	Dir  string   // the caller's working directory
}

// Reply is the outcome of a request.
type Reply struct {
	Exit    int    // the program's exit status; 128+n if signal n ended it
	Message string // for standard error; empty for none
}

// Descriptors returns the descriptors that came with a message, as SCM_RIGHTS.
func Descriptors(rights []byte) ([]int, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) == 0 {
		return nil, err
	}
	return unix.ParseUnixRights(&messages[0])
}

// A frame is the length of its content, as four bytes in network order, followed by strings that each end with a NUL. Arguments cannot
// contain a NUL, and all other bytes are kept.

// Frame returns the encoded request.
func (r Request) Frame() ([]byte, error) { return frame(append([]string{r.Dir}, r.Argv...)) }

// Frame returns the encoded reply.
func (r Reply) Frame() ([]byte, error) { return frame([]string{strconv.Itoa(r.Exit), r.Message}) }

// ReadRequest reads one request. The error is io.EOF if the caller disconnected without sending one.
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

// ReadReply reads one reply. The error is io.EOF if the broker disconnected without sending one.
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
