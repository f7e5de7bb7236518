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
	// maxAnswer limits the output in an answer, in characters. The agent program moves anything longer than about 45 KB to a file that the
	// agent cannot read.
	maxAnswer = 30_000
	// maxKept limits the bytes of one long output that are kept in a file.
	maxKept = 64 << 20
	// maxHeld limits the bytes of output held in memory: what an answer may have at most.
	maxHeld = maxAnswer * utf8.UTFMax
)

// output collects what a call writes: as much as an answer holds, and a file with everything if there is more. Writing never fails, so
// that a long output does not end a command.
type output struct {
	dir     string // where the file is created
	text    bytes.Buffer
	written int64
	kept    int64
	file    *os.File // nil until the text is too long
	fault   error    // why the file is incomplete
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

// spill creates the file, with what is held in memory.
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
	n, err := o.file.Write(p)
	if o.kept += int64(n); err != nil {
		o.fault = err
	}
}

// answer returns the text for the model once everything is written: err first, then the output, or its start and where the rest is.
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

// tail says where the rest of the output is; empty if nothing was cut.
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

// first returns at most n characters of s.
func first(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
