package dashboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// logStep is the distance between page beginnings, in bytes: a page has the lines that begin within one step. Only the length of a
	// longer line is shown, so that no page reads more than two steps, besides what it skips.
	logStep = 128 << 10
	// mostLogLines limits the lines of a page.
	mostLogLines = 1000
	// mostSkipped limits the bytes of a long line that are skipped to find its end or beginning: as much as a session may log.
	mostSkipped = 256 << 20
)

// logReader reads lines of a log. A line begins at 0 and after each newline, except at the end.
type logReader struct {
	file    io.ReaderAt
	size    int64 // nothing is read beyond it
	growing bool  // a last line without a newline may be incomplete, and is left for later

	tools  map[string]string // tool names by the id of the call
	looked int64             // no newline was found before this offset in an unfinished long line
}

func newLogReader(file io.ReaderAt) *logReader {
	return &logReader{file: file, tools: map[string]string{}}
}

// page reads the lines that begin within one step after from. If none does, because an earlier line is longer, it reads the line after
// that.
func (r *logReader) page(ctx context.Context, from int64) (*LogPage, error) {
	from, err := r.place(ctx, from)
	if err != nil {
		return nil, err
	}
	page := &LogPage{Lines: []LogLine{}, Size: r.size, From: from, Next: from, Earlier: -1}
	begin, found, err := r.lineFrom(ctx, from)
	if err != nil {
		return nil, err
	}
	page.Next = begin
	if found {
		page.From = begin
		if page.Lines, page.Next, err = r.lines(ctx, begin, max(from+logStep, begin+1)); err != nil {
			return nil, err
		}
	}
	page.Earlier, err = r.earlier(ctx, page.From)
	return page, err
}

// place returns where the page requested at from begins.
func (r *logReader) place(ctx context.Context, from int64) (int64, error) {
	if from != LogTail {
		return min(max(from, 0), r.size), nil
	}
	if before, err := r.earlier(ctx, r.size); err != nil || before >= 0 {
		return max(before, 0), err
	}
	return 0, nil
}

// earlier returns where the page begins whose lines end at from, or -1 if there is none.
func (r *logReader) earlier(ctx context.Context, from int64) (int64, error) {
	if from <= 0 {
		return -1, nil
	}
	step := max(0, from-logStep)
	// A line begins after each newline. The last newline ends the line before from, and no line before from begins after it.
	piece, err := r.read(make([]byte, from-1-step), step)
	if err != nil {
		return -1, err
	}
	none := true
	for n, end := 0, len(piece); ; n++ {
		end = bytes.LastIndexByte(piece[:end], '\n')
		if end >= 0 && n == mostLogLines-1 {
			return step + int64(end) + 1, nil
		}
		if end < 0 {
			break
		}
		none = false
	}
	if !none || step == 0 {
		return step, nil
	}
	newline, err := r.newlineBefore(ctx, step, step-mostSkipped)
	return newline + 1, err
}

// newlineBefore returns the last newline before an offset and not before least; -1 or least-1 if there is none.
func (r *logReader) newlineBefore(ctx context.Context, end, least int64) (int64, error) {
	least = max(least, 0)
	buffer := make([]byte, logStep)
	for end > least {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		begin := max(least, end-int64(len(buffer)))
		piece, err := r.read(buffer[:end-begin], begin)
		if err != nil {
			return 0, err
		}
		if at := bytes.LastIndexByte(piece, '\n'); at >= 0 {
			return begin + int64(at), nil
		}
		end = begin
	}
	return least - 1, nil
}

// lineFrom returns the first line that begins at or after from; if there is none within the limit, how far it searched.
func (r *logReader) lineFrom(ctx context.Context, from int64) (begin int64, found bool, err error) {
	if from == 0 {
		return 0, r.size > 0, nil
	}
	newline, found, err := r.newlineFrom(ctx, from-1)
	if err != nil || !found {
		return newline, false, err
	}
	return newline + 1, newline+1 < r.size, nil
}

// newlineFrom returns the first newline at or after from; if there is none within the limit, how far it searched.
func (r *logReader) newlineFrom(ctx context.Context, from int64) (at int64, found bool, err error) {
	buffer := make([]byte, 64<<10)
	last := min(r.size, from+mostSkipped)
	for from < last {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		piece, err := r.read(buffer[:min(int64(len(buffer)), last-from)], from)
		if err != nil {
			return 0, false, err
		}
		if n := bytes.IndexByte(piece, '\n'); n >= 0 {
			return from + int64(n), true, nil
		}
		if from += int64(len(piece)); len(piece) == 0 {
			break
		}
	}
	return from, false, nil
}

// read fills buffer from an offset, or a part of it if the log was truncated meanwhile.
func (r *logReader) read(buffer []byte, at int64) ([]byte, error) {
	n, err := r.file.ReadAt(buffer, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return buffer[:n], nil
}

// lines returns the lines that begin between begin and end, at most a step apart and at most a page, and where the next line begins.
func (r *logReader) lines(ctx context.Context, begin, end int64) (lines []LogLine, next int64, err error) {
	buffer, err := r.read(make([]byte, max(0, min(r.size-begin, 2*logStep))), begin)
	if err != nil {
		return nil, begin, err
	}
	lines, next = []LogLine{}, begin
	for next < end && len(lines) < mostLogLines {
		rest := buffer[min(next-begin, int64(len(buffer))):]
		length := int64(bytes.IndexByte(rest[:min(len(rest), logStep)], '\n'))
		if length >= 0 {
			lines = append(lines, r.line(rest[:length], next, next+length+1))
			next += length + 1
			continue
		}
		if len(rest) < logStep { // everything that is left
			if len(rest) > 0 && !r.growing {
				lines = append(lines, r.line(rest, next, next+int64(len(rest))))
				next += int64(len(rest))
			}
			return lines, next, nil
		}
		long, ended, err := r.longLine(ctx, rest[:logStep], next)
		if err != nil || !ended {
			return lines, next, err
		}
		lines, next = append(lines, long), long.Next
	}
	return lines, next, nil
}

// longLine skips a line that is too long to decode, and reports whether it has ended.
func (r *logReader) longLine(ctx context.Context, start []byte, at int64) (LogLine, bool, error) {
	newline, found, err := r.newlineFrom(ctx, max(at+int64(len(start)), r.looked))
	if err != nil {
		return LogLine{}, false, err
	}
	next, length := newline+1, fmt.Sprintf("%d bytes", newline-at)
	switch {
	case found:
	case newline < r.size: // mostSkipped is reached
		next, length = newline, "more than "+length
	case r.growing:
		r.looked = newline
		return LogLine{}, false, nil
	default:
		next = newline
	}
	line := LogLine{At: at, Next: next, Kind: "raw", Text: "a line of " + length + ", which is too long to be shown"}
	if kind := eventType(start); kind != "" {
		line.Text = fmt.Sprintf("a line of %s, of type %s, which is too long to be shown", length, text.Clip(kind, 100))
	}
	return line, true, nil
}

// endsLine reports whether a line ends just before an offset.
func (r *logReader) endsLine(at int64) (bool, error) {
	piece, err := r.read(make([]byte, 1), at-1)
	return string(piece) == "\n", err
}
