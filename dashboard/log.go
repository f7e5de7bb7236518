package dashboard

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// LogLine is one line of a raw log for people. A line that is not an event of the agent program is shown unchanged.
type LogLine struct {
	At   int64  `json:"at"`   // byte offset of its beginning
	Next int64  `json:"next"` // byte offset after it
	Kind string `json:"kind"` // system, thinking, text, tool, result, error, end or raw
	Tool string `json:"tool"` // of a tool, and of a result or error if the call is among the earlier lines
	Text string `json:"text"` // at most 16 KiB; a longer text ends with the length of the rest
}

// LogPage is the end of a raw log.
type LogPage struct {
	Lines []LogLine `json:"lines"` // at most 500
	Size  int64     `json:"size"`  // of the whole log, in bytes
	From  int64     `json:"from"`  // offset of Lines
	Next  int64     `json:"next"`  // where to continue
	Note  string    `json:"note"`  // why it is empty: the log was pruned or cannot be read

	Session int64 `json:"-"`
	Live    bool  `json:"-"` // the session is running: more will come
}

const (
	// LogTail as an offset means the last mostTail bytes.
	LogTail  = -1
	mostTail = 1 << 20
	// mostLogLines limits the lines of a page, and those that are passed on at once.
	mostLogLines = 500
	// mostLine limits a line, in bytes: of a longer one only the length is shown.
	mostLine = 256 << 10

	// followPause is the interval of reading when nothing is new.
	followPause = 500 * time.Millisecond
)

// LogPage returns the end of a session's raw log.
func (i *Instance) LogPage(ctx context.Context, session int64) (page *LogPage, err error) {
	s, err := i.logOf(ctx, session)
	if err != nil {
		return nil, err
	}
	page = &LogPage{Lines: []LogLine{}, Session: session, Live: i.stillRuns(s)}
	f, err := i.openLog(s)
	if err != nil {
		page.Note = i.logNote(s, err)
		return page, nil
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r, err := newLogReader(f, LogTail)
	if err != nil {
		return nil, err
	}
	err = r.pass(ctx, !page.Live, func(lines []LogLine) error {
		page.Lines = append(page.Lines, lines...)
		page.Lines = page.Lines[max(0, len(page.Lines)-mostLogLines):]
		return nil
	})
	page.Size, page.From, page.Next = r.at+r.length, r.at, r.at
	if len(page.Lines) > 0 {
		page.From = page.Lines[0].At
	}
	return page, err
}

// LogFile opens a session's raw log. The error wraps store.ErrNotFound if there is none.
func (i *Instance) LogFile(ctx context.Context, session int64) (io.ReadCloser, error) {
	s, err := i.logOf(ctx, session)
	if err != nil {
		return nil, err
	}
	f, err := i.openLog(s)
	if err != nil {
		return nil, fmt.Errorf("%s (%w)", i.logNote(s, err), store.ErrNotFound)
	}
	return f, nil
}

// Follow passes the lines of a session's raw log from a byte offset to f, first existing and then new ones, until the
// session has ended and all were passed on (nil), ctx ends, or f returns an error. In between, f is called without
// lines, to detect that its reader is gone.
func (i *Instance) Follow(ctx context.Context, session, from int64, f func([]LogLine) error) error {
	return i.follow(ctx, session, from, f, pause)
}

// pause waits before the next read of a log.
func pause(ctx context.Context) error {
	select {
	case <-time.After(followPause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (i *Instance) follow(
	ctx context.Context, session, from int64, hand func([]LogLine) error, pause func(context.Context) error,
) error {
	var r *logReader // nil until the log exists
	for {
		s, err := i.logOf(ctx, session) // before reading, so that what was written until the end is read
		if err != nil {
			return err
		}
		running := i.stillRuns(s)
		if r == nil {
			f, err := i.openLog(s)
			switch {
			case errors.Is(err, fs.ErrNotExist) && running:
			case err != nil:
				return errors.New(i.logNote(s, err))
			default:
				defer func() { _ = f.Close() }() // it was only read
				if r, err = newLogReader(f, from); err != nil {
					return err
				}
			}
		}
		if r != nil {
			if err := r.pass(ctx, !running, hand); err != nil {
				return err
			}
		}
		if !running {
			return nil
		}
		if err := hand(nil); err != nil {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// logReader reads a log line by line, while it may grow.
type logReader struct {
	from   *bufio.Reader
	at     int64             // offset of the next line
	begun  []byte            // what was read of it, at most a byte more than mostLine
	length int64             // of all that was read of it
	tools  map[string]string // tool names by the id of the call
}

// newLogReader begins at the offset of a line or, if that is LogTail, with a line near the end.
func newLogReader(f io.ReadSeeker, from int64) (*logReader, error) {
	tail := from == LogTail
	if tail {
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return nil, fmt.Errorf("look at the log: %w", err)
		}
		from = max(0, size-mostTail)
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, fmt.Errorf("look at the log: %w", err)
	}
	r := &logReader{from: bufio.NewReaderSize(f, 64<<10), at: from, tools: map[string]string{}}
	if tail && from > 0 { // within a line
		if _, _, err := r.next(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// next reads a line; complete is false if it is not written to its end yet.
func (r *logReader) next() (l LogLine, complete bool, err error) {
	for {
		piece, err := r.from.ReadSlice('\n')
		r.length += int64(len(piece))
		r.begun = append(r.begun, piece[:min(len(piece), mostLine+1-len(r.begun))]...)
		switch {
		case err == nil:
			return r.end(), true, nil
		case errors.Is(err, io.EOF):
			return LogLine{}, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return LogLine{}, false, fmt.Errorf("read the log: %w", err)
		}
	}
}

// end returns what was read as a line.
func (r *logReader) end() (l LogLine) {
	if len(r.begun) > mostLine {
		l = LogLine{Kind: "raw", Text: fmt.Sprintf("a line of %d bytes, which is too long to be shown", r.length)}
	} else {
		l = r.line(bytes.TrimSuffix(r.begun, []byte("\n")))
	}
	l.At, l.Next = r.at, r.at+r.length
	r.at, r.begun, r.length = l.Next, r.begun[:0], 0
	return l
}

// pass passes on what is written; the last line also if it is incomplete and ended is set.
func (r *logReader) pass(ctx context.Context, ended bool, hand func([]LogLine) error) error {
	for {
		lines, err := r.lines(ended)
		if err == nil && len(lines) > 0 {
			err = hand(lines)
		}
		if err != nil || len(lines) < mostLogLines {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// lines reads mostLogLines lines; fewer if no more are written.
func (r *logReader) lines(ended bool) (lines []LogLine, err error) {
	for len(lines) < mostLogLines {
		l, complete, err := r.next()
		switch {
		case err != nil:
			return nil, err
		case complete:
			lines = append(lines, l)
		case ended && r.length > 0:
			return append(lines, r.end()), nil
		default:
			return lines, nil
		}
	}
	return lines, nil
}

// logOf returns the record of a session's log.
func (i *Instance) logOf(ctx context.Context, session int64) (s store.Session, err error) {
	err = i.read(ctx, func(b *ledger.Records) error {
		s, err = b.Store.Session(ctx, session)
		return err
	})
	return s, err
}

// stillRuns reports whether a session may still write to its log.
func (i *Instance) stillRuns(s store.Session) bool { return s.Status == store.Running && !i.gone(s) }

func (i *Instance) openLog(s store.Session) (*os.File, error) {
	return statedir.OpenFile(i.logPath(s), os.O_RDONLY, 0)
}

// logNote returns why a log cannot be shown.
func (i *Instance) logNote(s store.Session, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.LogPath == "":
		return "This session has no log: its check results are on its page."
	case errors.Is(err, fs.ErrNotExist) && s.Status == store.Running:
		return "Nothing has been logged yet."
	case errors.Is(err, fs.ErrNotExist):
		return "The log is gone: logs are pruned by age (CLAUDEOPS_RETENTION) and by size (CLAUDEOPS_LOG_MAX), the oldest first."
	}
	return "The log cannot be read: " + err.Error() + "."
}

// logPath returns the path of a session's raw log.
func (i *Instance) logPath(s store.Session) string {
	return filepath.Join(i.options.Config.ResultsDir, fmt.Sprintf("session-%d.ndjson", s.ID))
}
