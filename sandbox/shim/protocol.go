package shim

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// BrokerProtocol is the protocol number of an AF_UNIX stream socket that stands for the broker. The kernel does not know it: outside a
// sandbox, the call fails with EPROTONOSUPPORT.
const BrokerProtocol = 0x6F70

const (
	// MaxRequest limits a request, in bytes.
	MaxRequest = 2 << 20
	// MaxInput limits the input in it, in bytes: more than any document that claudeops takes.
	MaxInput = 1<<20 + 1
)

// The exit statuses, as in a shell, of a call that the broker did not run, and of a program that is not installed.
const (
	ExitRefused  = 126
	ExitNotFound = 127
)

// Request asks the broker to run a program.
type Request struct {
	Argv  []string // starts with the program's name
	Dir   string   // the caller's working directory
	Input []byte   // what it reads from standard input; only documents for claudeops itself
	Both  bool     // the caller's standard output and standard error are one file
}

// Reply is the outcome of a request.
type Reply struct {
	Exit int  // the program's exit status; 128+n if signal n ended it
	Here bool // the program runs in the sandbox: its caller executes it
}

// The broker answers in frames: a kind, the length of what follows as four bytes, and that. The last one is the reply, as JSON.
const (
	FrameStdout = 'o'
	FrameStderr = 'e'
	frameReply  = 'r'
)

// Encode returns the request as it is sent. Arguments that are no UTF-8 cannot be sent: JSON would change them.
func (r Request) Encode() ([]byte, error) {
	if !utf8.ValidString(r.Dir + strings.Join(r.Argv, "")) {
		return nil, errors.New("an argument that is no UTF-8 cannot be sent")
	}
	text, err := json.Marshal(r)
	if len(text) > MaxRequest {
		err = fmt.Errorf("%d bytes of folder, arguments and input; at most %d can be sent", len(text), MaxRequest)
	}
	return text, err
}

// ReadRequest reads one request. The error is io.EOF if the caller disconnected without sending one.
func ReadRequest(from io.Reader) (r Request, err error) {
	err = json.NewDecoder(io.LimitReader(from, MaxRequest)).Decode(&r)
	if err == nil && len(r.Argv) == 0 {
		err = errors.New("a request has an argument list")
	}
	return r, err
}

// WriteFrame writes what a program has printed.
func WriteFrame(to io.Writer, kind byte, text []byte) error {
	if _, err := to.Write(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(text)))); err != nil {
		return err
	}
	_, err := to.Write(text)
	return err
}

// WriteReply writes the last frame.
func WriteReply(to io.Writer, r Reply) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return WriteFrame(to, frameReply, text)
}

// errUnprinted says that a program ran.
var errUnprinted = errors.New("it ran, and what it printed could not be passed on")

// ReadReply copies what a program prints, and returns the reply. The error is io.EOF if the broker disconnected without sending one.
func ReadReply(from io.Reader, stdout, stderr io.Writer) (r Reply, err error) {
	for {
		var head [5]byte
		if _, err := io.ReadFull(from, head[:]); err != nil {
			return r, err
		}
		text := io.LimitReader(from, int64(binary.BigEndian.Uint32(head[1:])))
		switch head[0] {
		case FrameStdout:
			_, err = io.Copy(stdout, text)
		case FrameStderr:
			_, err = io.Copy(stderr, text)
		default:
			err = json.NewDecoder(text).Decode(&r)
			return r, err
		}
		if err != nil {
			return r, errors.Join(errUnprinted, err)
		}
	}
}
