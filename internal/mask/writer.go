package mask

import (
	"bytes"
	"cmp"
	"io"
	"slices"
)

const (
	// held bounds what a Writer holds back of a line that has not ended, in bytes.
	held = 64 << 10
	// overlap is what may lie between the name of a program and the end of its credential: two windows, and two words.
	overlap = 2*window + 2*128
)

// Writer masks what is written to it, in pieces of any size, as Bytes masks the whole. A line longer than 64 KiB is masked in parts: there,
// a credential of more than 8 KiB may be missed, with what shows that it is one. Of JSON, parts end behind a comma.
type Writer struct {
	w        io.Writer
	redactor *Redactor
	masking  masking
	held     []byte
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
		if end := lineStart(w.held); end > 0 {
			w.lines(end)
		} else if len(w.held) == held {
			w.part()
		}
	}
	return n, w.err
}

// Flush writes what is held back, as if the text ended here.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.held) > 0 {
		w.lines(len(w.held))
	}
	return w.err
}

// Close is Flush. The Writer beneath stays open.
func (w *Writer) Close() error { return w.Flush() }

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
	if end, comma, _ := tokens(w.held); comma > 0 && !w.masking.inLine && (end == len(w.held) || w.held[end] == '"') {
		w.lines(comma)
		return
	}
	end := held - overlap
	if blank := bytes.LastIndexAny(w.held[:end], " \t"); blank > held/2 {
		end = blank + 1
	}
	spans := append(shown(w.held, w.masking.inLine), w.redactor.known(w.held)...)
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(b.begin, a.begin) })
	for _, s := range spans {
		if 0 < s.begin && s.begin < end && end < s.to {
			end = s.begin
		}
	}
	spans = slices.DeleteFunc(spans, func(s span) bool { return s.to > end })
	w.write(replaced(w.held[:end], spans), end)
	w.masking.inLine = true
}

// write writes what has become of so many of the bytes that are held.
func (w *Writer) write(masked []byte, of int) {
	_, w.err = w.w.Write(masked)
	w.held = append(w.held[:0], w.held[of:]...)
}
