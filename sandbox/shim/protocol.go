package shim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

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
	Here    bool   // the program runs in the sandbox: its caller executes it
}

// Descriptors returns the descriptors that came with a message, as SCM_RIGHTS.
func Descriptors(rights []byte) ([]int, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) == 0 {
		return nil, err
	}
	return unix.ParseUnixRights(&messages[0])
}

// Frame returns the encoded request. Arguments that are no UTF-8 cannot be sent: JSON would change them.
func (r Request) Frame() ([]byte, error) {
	if !utf8.ValidString(r.Dir + strings.Join(r.Argv, "")) {
		return nil, errors.New("an argument that is no UTF-8 cannot be sent")
	}
	return frame(r)
}

// Frame returns the encoded reply.
func (r Reply) Frame() ([]byte, error) { return frame(r) }

func frame(message any) ([]byte, error) {
	f, err := json.Marshal(message)
	if len(f) > MaxFrame {
		err = fmt.Errorf("%d bytes of folder and arguments; at most %d can be sent", len(f), MaxFrame)
	}
	return f, err
}

// ReadRequest reads one request. The error is io.EOF if the caller disconnected without sending one.
func ReadRequest(from io.Reader) (r Request, err error) {
	err = json.NewDecoder(io.LimitReader(from, MaxFrame)).Decode(&r)
	if err == nil && len(r.Argv) == 0 {
		err = errors.New("a request has an argument list")
	}
	return r, err
}

// ReadReply reads one reply. The error is io.EOF if the broker disconnected without sending one.
func ReadReply(from io.Reader) (r Reply, err error) {
	err = json.NewDecoder(io.LimitReader(from, MaxFrame)).Decode(&r)
	return r, err
}
