package mask

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
)

const (
	// held bounds what a Writer holds back of a line that has not ended, in bytes.
	held = 64 << 10
	// overlap is what may lie between the name of a program and the end of its credential, with what is before it: two windows, and four words.
	overlap = 2*window + 4*128
)

// Writer masks what is written to it, in pieces of any size, as Bytes masks the whole. A line longer than 64 KiB is masked in parts: there,
// a credential of more than 8 KiB may be missed, with what shows that it is one. Of JSON, parts end behind a comma, or a line in a string.
type Writer struct {
	w        io.Writer
	redactor *Redactor
	masking  masking
	held     []byte
	opened   bool // what is held begins with a quotation mark that was not written
	err      error
}

// NewWriter makes a Writer to w. A nil Redactor masks nothing.
func NewWriter(w io.Writer, redactor *Redactor) *Writer { return &Writer{w: w, redactor: redactor} }

// Write writes the lines that have ended. It holds back the last until it ends, and at most 64 KiB of it.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.redactor == nil {
		return w.w.Write(p)
	}
	for n < len(p) && w.err == nil {
		piece := p[n:min(len(p), n+held-len(w.held))]
		w.held = append(w.held, piece...)
		n += len(piece)
		if bytes.IndexByte(piece, '\n') >= 0 && lineStart(w.held) > 0 {
			w.lines(lineStart(w.held))
		} else if len(w.held) == held {
			w.part()
		}
	}
	return n, w.err
}

// Close writes what is held back, as if the text ended here. The Writer beneath stays open.
func (w *Writer) Close() error {
	if w.err == nil && len(w.held) > 0 {
		w.lines(len(w.held))
	}
	return w.err
}

// lines writes whole lines, or parts of JSON.
func (w *Writer) lines(end int) {
	w.write(w.masking.lines(replaced(w.held[:end], w.redactor.known(w.held[:end]))), end)
}

// part writes the beginning of a line that is too long to be held. What its end would cut in two waits for the next part.
func (w *Writer) part() {
	w.held = append(w.held[:0], w.masking.behindKey(w.held)...)
	if len(w.held) < held {
		return
	}
	open, comma, _ := tokens(w.held)
	isJSON := !w.masking.inLine && (open == len(w.held) || w.held[open] == '"')
	if comma > 0 && isJSON {
		w.lines(comma)
		return
	}
	end, context, spans := held-overlap, 0, w.redactor.known(w.held)
	inner := end // where a line within a string of JSON ends
	for inner > open+2 && (string(w.held[inner-2:inner]) != `\n` || continued(w.held[:inner-2])) {
		inner--
	}
	if isJSON = isJSON && inner > open+2; isJSON {
		end = inner
		if key := bytes.LastIndex(w.held[:end], []byte("-----BEGIN ")); key > open+1 && !bytes.Contains(w.held[key:end], []byte("-----END")) {
			end = key
		}
	} else {
		context = 128 // what a rule looks at before its word
		if blank := bytes.LastIndexAny(w.held[:end], " \t"); blank > held/2 {
			end = blank + 1
		}
		unknown := slices.Clone(w.held) // the rules find nothing in what is masked already
		for _, s := range spans {
			copy(unknown[s.from:s.to], "["+strings.Repeat("x", s.to-s.from-2)+"]")
		}
		spans = slices.Concat(spans, shown(unknown, w.masking.inLine), listed(unknown))
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(b.begin, a.begin) })
	for _, s := range spans {
		if s.begin -= context; 0 < s.begin && s.begin < end && end < s.to {
			end = s.begin
			if blank := bytes.LastIndexAny(w.held[end-context:end], " \t"); blank >= 0 {
				end += blank + 1 - context
			}
		}
	}
	masked := replaced(w.held[:end], slices.DeleteFunc(spans, func(s span) bool { return s.to > end }))
	if isJSON { // the string is closed here, and goes on as another
		masked = w.masking.lines(slices.Concat(masked, []byte(`"`)))
		w.write(masked[:len(masked)-1], end)
		w.held, w.opened = slices.Concat([]byte(`"`), w.held), true
		return
	}
	w.write(masked, end)
	w.masking.inLine = true
}

// write writes what has become of so many of the bytes that are held.
func (w *Writer) write(masked []byte, of int) {
	if w.opened {
		masked, w.opened = masked[1:], false
	}
	_, w.err = w.w.Write(masked)
	w.held = append(w.held[:0], w.held[of:]...)
}
