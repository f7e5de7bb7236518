package mask

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
)

const (
	// held limits how much of an unfinished line a Writer buffers, in bytes.
	held = 64 << 10
	// overlap is the maximum distance from the name of a program to the end of its credential, including what precedes it: two windows and
	// four words.
	overlap = 2*window + 4*128
)

// Writer masks what is written to it, in pieces of any size, with the result of Bytes for the whole. A line longer than 64 KiB is masked
// in parts; there, a credential that exceeds 8 KiB with its context may be missed, and a part may be masked as a whole where more and more
// credentials overlap. Parts of JSON end after a comma, or after a newline in a string.
type Writer struct {
	w        io.Writer
	redactor *Redactor
	masking  masking
	held     []byte
	opened   bool // the buffer starts with a quotation mark that was not in the input
	short    bool // the last part was much shorter than the buffer
	err      error
}

// NewWriter returns a Writer to w. A nil Redactor masks nothing.
func NewWriter(w io.Writer, redactor *Redactor) *Writer { return &Writer{w: w, redactor: redactor} }

// Write writes the complete lines. It buffers the last line until it ends, up to 64 KiB.
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

// Close writes the buffer as if the text ended here. It does not close the underlying writer.
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

// part writes the start of a line that is too long to buffer. What its end would split waits for the next part.
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
	end, spans := held-overlap, w.redactor.known(w.held)
	inner := end // the end of a line within a JSON string
	for inner > open+2 && (string(w.held[inner-2:inner]) != `\n` || continued(w.held[:inner-2])) {
		inner--
	}
	if isJSON = isJSON && inner > open+2; isJSON {
		end = inner
		if key := bytes.LastIndex(w.held[:end], []byte("-----BEGIN ")); key > open+1 && !bytes.Contains(w.held[key:end], []byte("-----END")) {
			end = key
		}
	} else {
		if blank := bytes.LastIndexAny(w.held[:end], " \t"); blank > held/2 {
			end = blank + 1
		}
		unknown := slices.Clone(w.held) // the rules find nothing in masked text
		for _, s := range spans {
			copy(unknown[s.from:s.to], "["+strings.Repeat("x", s.to-s.from-2)+"]")
		}
		spans = slices.Concat(spans, shown(unknown, w.masking.inLine), listed(unknown))
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(b.begin, a.begin) })
	for _, s := range spans {
		if 0 < s.begin && s.begin < end && end < s.to {
			end = s.begin
		}
	}
	for _, m := range escapeSequence().FindAllIndex(w.held[max(0, end-window):], -1) {
		if begin := max(0, end-window) + m[0]; 0 < begin && begin < end && end < begin+m[1]-m[0] {
			end = begin
		}
	}
	if short := end < held/4; short && w.short && !isJSON { // one overlaps the next on and on; the buffer would be searched for a few bytes each time
		end = held - overlap
		for _, s := range slices.Backward(spans) { // in the order of the text
			if s.begin < end && end < s.to {
				end = s.to
			}
		}
		spans = []span{{0, 1, end}} // the first byte may be a quotation mark that was not in the input
		w.short = false
	} else {
		w.short = short
	}
	masked := replaced(w.held[:end], slices.DeleteFunc(spans, func(s span) bool { return s.to > end }))
	if isJSON { // close the string here; it continues as another
		masked = w.masking.lines(slices.Concat(masked, []byte(`"`)))
		w.write(masked[:len(masked)-1], end)
		w.held, w.opened = slices.Concat([]byte(`"`), w.held), true
		return
	}
	w.write(masked, end)
	w.masking.inLine = true
}

// write writes the result for the first of bytes of the buffer.
func (w *Writer) write(masked []byte, of int) {
	if w.opened {
		masked, w.opened = masked[1:], false
	}
	_, w.err = w.w.Write(masked)
	w.held = append(w.held[:0], w.held[of:]...)
}
