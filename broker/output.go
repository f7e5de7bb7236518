package broker

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

const (
	// maxAnswer is how many characters of output an answer holds. The agent program itself keeps what is longer than some 45 KB in a file
	// that the agent cannot read.
	maxAnswer = 30_000
	// maxKept is how many bytes of longer output are kept in a file, and maxKeptTogether those of all calls of a session.
	maxKept         = 64 << 20
	maxKeptTogether = 512 << 20
	// maxHeld is how many bytes of output are held in memory: as many as an answer may have.
	maxHeld = maxAnswer * utf8.UTFMax
)

// output takes what a call writes, however much: as much as an answer holds, all of it in a file where it is more. Writing never
// fails, so that a command does not end because its output is too long.
type output struct {
	dir     string // where the file is made
	before  int64  // what is kept of earlier calls
	text    bytes.Buffer
	written int64
	kept    int64
	file    *os.File // nil until the text is too long
	fault   error    // why the file does not hold all
}

func (o *output) Write(p []byte) (int, error) {
	o.written += int64(len(p))
	if o.file != nil || o.fault != nil {
		o.keep(p)
	} else if o.text.Write(p); o.text.Len() > maxHeld {
		o.spill()
	}
	return len(p), nil
}

// spill makes the file, with what is held.
func (o *output) spill() {
	if o.file, o.fault = os.CreateTemp(o.dir, "output-*.txt"); o.fault == nil {
		o.keep(o.text.Bytes())
	}
	o.text.Truncate(min(o.text.Len(), maxHeld))
}

func (o *output) keep(p []byte) {
	if o.fault != nil {
		return
	}
	if left := maxKept - o.kept; int64(len(p)) > left {
		p, o.fault = p[:left], fmt.Errorf("only the first %d MiB are kept", maxKept>>20)
	}
	if left := maxKeptTogether - o.before - o.kept; int64(len(p)) > left {
		p, o.fault = p[:left], fmt.Errorf("no more than %d MiB are kept of all calls", maxKeptTogether>>20)
	}
	n, err := o.file.Write(p)
	if o.kept += int64(n); err != nil {
		o.fault = err
	}
}

// answer is the text for the model, once everything is written: err first, then the output or its beginning and where the rest is.
func (o *output) answer(err error) string {
	head := ""
	if err != nil {
		head = strings.ToValidUTF8(err.Error(), "\uFFFD")
	}
	if err != nil && o.written > 0 {
		head += "\n"
	}
	text := strings.ToValidUTF8(o.text.String(), "\uFFFD")
	if o.file == nil && utf8.RuneCountInString(head)+utf8.RuneCountInString(text) > maxAnswer {
		o.spill()
	}
	tail := o.tail()
	left := maxAnswer - utf8.RuneCountInString(tail)
	switch all := head + text; {
	case tail != "":
		return first(all, left) + tail
	case all == "":
		return "(no output)"
	default:
		return all
	}
}

// tail says where the rest of the output is, empty where there is none.
func (o *output) tail() string {
	if o.file == nil && o.fault == nil {
		return ""
	}
	tail := fmt.Sprintf("\n[cut: the output has %d bytes", o.written)
	if o.file != nil {
		tail += ", kept in " + o.file.Name()
		o.fault = errors.Join(o.fault, o.file.Close())
	}
	if o.fault != nil {
		tail += "; " + o.fault.Error()
	}
	return tail + "]"
}

// first is at most n characters of s.
func first(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
