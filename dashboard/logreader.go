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
	// logStep is how far apart pages begin, in bytes: a page has the lines that begin within a step. Of a longer line only the length is shown,
	// so that no page reads more than two steps, but for what it skips.
	logStep = 128 << 10
	// mostLogLines is how many lines a page has at most.
	mostLogLines = 1000
	// mostSkipped is how many bytes of a long line are skipped to find its end, or its beginning: as much as a whole session may log.
	mostSkipped = 256 << 20
)

// logReader reads lines of a log. A line begins at 0 and behind each newline, but not at the end.
type logReader struct {
	file    io.ReaderAt
	size    int64 // beyond which nothing is read
	growing bool  // the last line may not be whole yet, and is left for later without its newline

	tools  map[string]string // the names of tools that were called, by the call's id
	looked int64             // up to where no newline was found of a long line that has not ended yet
}

func newLogReader(file io.ReaderAt) *logReader {
	return &logReader{file: file, tools: map[string]string{}}
}

// page reads the lines that begin within a step behind from. Where none does, since a line that began before is longer, it reads the line
// behind that one.
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

// place is where a page begins that was asked for at from.
func (r *logReader) place(ctx context.Context, from int64) (int64, error) {
	if from != LogTail {
		return min(max(from, 0), r.size), nil
	}
	if before, err := r.earlier(ctx, r.size); err != nil || before >= 0 {
		return max(before, 0), err
	}
	return 0, nil
}

// earlier is where the page begins whose lines end at from, or -1 where nothing is before it.
func (r *logReader) earlier(ctx context.Context, from int64) (int64, error) {
	if from <= 0 {
		return -1, nil
	}
	step := max(0, from-logStep)
	// A line begins behind each newline. The last one ends the line before from, and no line begins behind it that is before from.
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

// newlineBefore finds the last newline before an offset and not before least; -1 or least-1 where there is none.
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

// lineFrom finds the first line that begins at from or behind it; where there is none, or it is too far, how far it looked.
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

// newlineFrom finds the first newline at from or behind it; where there is none within what may be skipped, how far it looked.
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

// read fills buffer from an offset on, with less where the log was cut short meanwhile.
func (r *logReader) read(buffer []byte, at int64) ([]byte, error) {
	n, err := r.file.ReadAt(buffer, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return buffer[:n], nil
}

// lines reads the lines that begin between begin, where one does, and end, at most a step away, but no more than a page has; and where the
// line behind them begins.
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
		if len(rest) < logStep { // all there is
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

// longLine passes over a line that is too long to be decoded, and reports whether it has ended.
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
