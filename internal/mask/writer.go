package mask

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
)

const (
	// maxHeld limits how much of an unfinished line a Writer buffers, in bytes.
	maxHeld = 1 << 20
	// overlap is the maximum distance from the name of a program to the end of its credential, including what precedes it: two windows and
	// four words.
	overlap = 2*window + 4*128
)

// Writer masks what is written to it, in pieces of any size, with the result of Bytes for the whole. A line longer than 1 MiB is masked
// in parts, as text even if it is JSON; there, a credential that exceeds 8 KiB with its context may be missed, and a part may be masked as
// a whole where more and more credentials overlap.
type Writer struct {
	w        io.Writer
	redactor *Redactor
	masking  masking
	held     []byte
	limit    int // of held
	err      error
}

// NewWriter returns a Writer to w. A nil Redactor masks nothing.
func NewWriter(w io.Writer, redactor *Redactor) *Writer {
	return &Writer{w: w, redactor: redactor, limit: maxHeld}
}

// Write writes the complete lines. It buffers the last line until it ends, up to 1 MiB.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.redactor == nil {
		return w.w.Write(p)
	}
	for n < len(p) && w.err == nil {
		piece := p[n:min(len(p), n+w.limit-len(w.held))]
		w.held = append(w.held, piece...)
		n += len(piece)
		if bytes.IndexByte(piece, '\n') >= 0 && lineStart(w.held) > 0 {
			w.lines(lineStart(w.held))
		} else if len(w.held) == w.limit {
			w.part()
		}
	}
	return n, w.err
}

// Close writes the buffer as if the text ended here. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err == nil && len(w.held) > 0 {
		w.lines(len(w.held))
	}
	return w.err
}

// lines writes whole lines.
func (w *Writer) lines(end int) {
	text := plain(w.held[:end])
	w.write(w.masking.lines(replaced(text, w.redactor.known(text))), end)
}

// part writes the start of a line that is too long to buffer. What its end would split waits for the next part.
func (w *Writer) part() {
	w.held = slices.Clone(w.masking.nested(w.masking.behindKey(plain(w.held))))
	if len(w.held) < w.limit {
		return
	}
	spans := w.redactor.known(w.held)
	unknown := slices.Clone(w.held) // the rules find nothing in masked text
	for _, s := range spans {
		copy(unknown[s.from:s.to], "["+strings.Repeat("x", s.to-s.from-2)+"]")
	}
	spans = slices.Concat(spans, shown(unknown, w.masking.inLine), listed(unknown))
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(b.begin, a.begin) })
	end := w.limit - overlap
	if blank := bytes.LastIndexAny(w.held[:end], " \t"); blank > w.limit/2 {
		end = blank + 1
	}
	cut := end
	for _, s := range spans {
		if 0 < s.begin && s.begin < cut && cut < s.to {
			cut = s.begin
		}
	}
	if cut < w.limit/4 { // one overlaps the next on and on; the buffer would be searched for a few bytes each time
		cut = end
		for _, s := range slices.Backward(spans) { // in the order of the text
			if s.begin < cut && cut < s.to {
				cut = s.to
			}
		}
		spans = []span{{0, 0, cut}}
	}
	w.write(replaced(w.held[:cut], slices.DeleteFunc(spans, func(s span) bool { return s.to > cut })), cut)
	w.masking.inLine = true
}

// write writes the result for the first of bytes of the buffer.
func (w *Writer) write(masked []byte, of int) {
	_, w.err = w.w.Write(masked)
	w.held = append(w.held[:0], w.held[of:]...)
}
