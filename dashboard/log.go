package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// LogLine is one line of a raw log for people. A line that is not an event of the agent program is shown unchanged.
type LogLine struct {
	At   int64      `json:"at"`   // byte offset of its beginning
	Next int64      `json:"next"` // byte offset after it
	Kind string     `json:"kind"` // system, thinking, text, tool, result, error, end or raw
	Tool string     `json:"tool"` // the tool's name, for kind tool, and for a result or error if the call is among the earlier lines
	ID   string     `json:"tool_use_id"`
	Text string     `json:"text"` // at most 16 KiB; a longer text ends with the length of the rest
	Time *time.Time `json:"time"`
}

// LogPage is a part of a raw log.
type LogPage struct {
	Lines   []LogLine `json:"lines"`
	Size    int64     `json:"size"`    // of the whole log, in bytes
	From    int64     `json:"from"`    // offset of Lines
	Next    int64     `json:"next"`    // where to continue; at the end Size, without an incomplete line
	Earlier int64     `json:"earlier"` // offset of the previous page, which may overlap this one; -1 if this is the first
	Note    string    `json:"note"`    // why it is empty: the log was pruned or cannot be read

	Session int64 `json:"-"`
	Live    bool  `json:"-"` // the session is running: more will come
}

// LogTail is the offset of the last page.
const LogTail = -1

// LogPage returns a part of a session's raw log, at most 1,000 lines and 256 KiB: from the next line at or after a byte offset, or from
// the end (LogTail). The cost does not depend on the offset or the log's length, except for skipping a line of many MB. A line of more
// than 128 KiB is described by its length.
func (i *Instance) LogPage(ctx context.Context, session, from int64) (page *LogPage, err error) {
	s, err := i.logOf(ctx, session)
	if err != nil {
		return nil, err
	}
	f, err := i.openLog(s)
	if err != nil {
		return &LogPage{Earlier: -1, Note: i.logNote(s, err), Session: session, Live: i.stillRuns(s)}, nil
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := sizeOf(f)
	if err != nil {
		return nil, err
	}
	r := newLogReader(f)
	r.size, r.growing = size, i.stillRuns(s)
	if page, err = r.page(ctx, from); err != nil {
		return nil, err
	}
	page.Session, page.Live = session, r.growing
	return page, nil
}

// logOf returns the record of a session's log.
func (i *Instance) logOf(ctx context.Context, session int64) (s store.Session, err error) {
	err = i.read(ctx, func(b *records.Records) error {
		s, err = b.Store.Session(ctx, session)
		return err
	})
	return s, err
}

// stillRuns reports whether a session may still write to its log.
func (i *Instance) stillRuns(s store.Session) bool { return s.Status == store.Running && !i.gone(s) }

func (i *Instance) openLog(s store.Session) (*os.File, error) {
	f, err := statedir.OpenFile(i.logPath(s), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) && s.LogPath == "" {
		err = errNoLog
	}
	return f, err
}

// errNoLog means that a session says nothing besides what is on record.
var errNoLog = errors.New("no log")

// logNote returns why a log cannot be shown.
func (i *Instance) logNote(s store.Session, err error) string {
	switch {
	case errors.Is(err, errNoLog):
		return "This session has no log: its check results are on its page."
	case errors.Is(err, fs.ErrNotExist) && s.Status == store.Running:
		return "Nothing has been logged yet."
	case errors.Is(err, fs.ErrNotExist):
		return "The log is gone: logs are pruned by age (CLAUDEOPS_RETENTION) and by size (CLAUDEOPS_LOG_MAX), the oldest first."
	case errors.Is(err, fs.ErrPermission):
		return "The log may not be read by the user who serves the dashboard: " + err.Error() + "."
	}
	return "The log cannot be read: " + err.Error() + "."
}

func sizeOf(f *os.File) (int64, error) {
	is, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("look at the log: %w", err)
	}
	return is.Size(), nil
}

// logPath returns the path of a session's raw log.
func (i *Instance) logPath(s store.Session) string {
	return filepath.Join(i.options.Config.ResultsDir, fmt.Sprintf("session-%d.ndjson", s.ID))
}
