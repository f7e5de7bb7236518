package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/internal/clock"
	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// LogLine is one line of a raw log, as people read it. A line that is no event of the agent program is shown as it is.
type LogLine struct {
	At   int64      `json:"at"`   // the byte offset at which it begins
	Next int64      `json:"next"` // and that of the line behind it
	Kind string     `json:"kind"` // system, thinking, text, tool, result, error, end or raw
	Tool string     `json:"tool"` // the tool's name, of kind tool, and of a result and its error where the call is among the lines before
	ID   string     `json:"tool_use_id"`
	Text string     `json:"text"` // at most 16 KiB; what is longer says how much is missing
	Time *time.Time `json:"time"`
}

// LogPage is a part of a raw log.
type LogPage struct {
	Lines   []LogLine `json:"lines"`
	Size    int64     `json:"size"`    // of the whole log, in bytes
	From    int64     `json:"from"`    // where Lines begin
	Next    int64     `json:"next"`    // where to read on; Size where this is the end, less a line that is being written
	Earlier int64     `json:"earlier"` // where the page before begins, of which the first may reach into this one; -1 where this is the first
	Note    string    `json:"note"`    // why there is nothing: it was pruned, or cannot be read

	Session int64 `json:"-"`
	Live    bool  `json:"-"` // the session runs: more will come
}

// LogTail asks LogPage for the end.
const LogTail = -1

// LogPage reads a part of a session's raw log, at most 1,000 lines and 256 KiB: from a byte offset on, which is moved to the next beginning
// of a line, or the end (LogTail). It costs the same at whatever place of however long a log, but where a line of many MB must be passed
// over. A line of more than 128 KiB is described by its length.
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

// logOf is what is on record of a session's log.
func (i *Instance) logOf(ctx context.Context, session int64) (s store.Session, err error) {
	err = i.read(ctx, func(b *records.Records) error {
		s, err = b.Store.LogOf(ctx, session)
		return err
	})
	return s, err
}

// stillRuns reports whether more may come of a session.
func (i *Instance) stillRuns(s store.Session) bool { return s.Status == store.Running && !i.gone(s) }

func (i *Instance) openLog(s store.Session) (*os.File, error) {
	path, err := i.logPath(s)
	if err != nil {
		return nil, err
	}
	return statedir.OpenFile(path, os.O_RDONLY, 0)
}

// logNote says why a log cannot be shown.
func (i *Instance) logNote(s store.Session, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.Status == store.Running:
		return "Nothing has been logged yet."
	case errors.Is(err, fs.ErrNotExist) && i.own == nil:
		return "The log is not on this machine, or no longer: logs are pruned by age (CLAUDEOPS_RETENTION) and by size (CLAUDEOPS_LOG_MAX)."
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

// errForeignLog refuses a path in a database that is not named like the log of the session: a database from elsewhere could name any file.
var errForeignLog = errors.New("the path that the database has for it is not named as the log of this session")

// logPath is the path of a session's raw log: in the results directory or, for a database that was named, in the folder that it says.
func (i *Instance) logPath(s store.Session) (string, error) {
	name := fmt.Sprintf("session-%d.ndjson", s.ID)
	if i.own != nil {
		return filepath.Join(i.own.Config.ResultsDir, name), nil
	}
	if !filepath.IsAbs(s.LogPath) || filepath.Base(s.LogPath) != name {
		return "", errForeignLog
	}
	return filepath.Join(filepath.Dir(s.LogPath), name), nil
}

// longestSession is longer than any tier runs: what has not ended by then was cut off.
const longestSession = 24 * time.Hour

// machine is what this process can see of the machine that it runs on.
type machine struct {
	boot    string // the kernel's boot_id; empty where it is not known
	seesAll bool   // no process is hidden from it
	alive   func(pid int, start int64) bool
}

// gone reports whether a session is on record as running and nothing runs it any more.
func (i *Instance) gone(s store.Session) bool {
	return s.Status == store.Running && thisMachine().lost(s, i.own != nil, i.now())
}

// lost decides whether what runs a session has ended. Where that cannot be seen, because it runs in another container or on another machine,
// its age decides. (The cycle's lock is no way to see it: looking takes the lock for a moment, and a cycle that began then would not start.)
func (m machine) lost(s store.Session, own bool, now time.Time) bool {
	switch {
	case now.Sub(s.StartedAt) > longestSession:
		return true
	case s.PID <= 0 || m.boot == "" || s.BootID == "":
		return false
	case s.BootID != m.boot: // another boot of this machine, or a database of another one
		return own
	}
	return m.seesAll && !m.alive(s.PID, s.PIDStart)
}

func thisMachine() machine { return machine{clock.BootID(), seesAll(), alive} }

// firstPIDs is the name of the kernel's first namespace of processes, in which there are all; its number is the same on every kernel.
const firstPIDs = "pid:[4026531836]"

// seesAll reports whether every process is to be seen: it is not in a container, and /proc hides no processes (mount option hidepid).
func seesAll() bool {
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || namespace != firstPIDs {
		return false
	}
	_, err = os.ReadFile("/proc/1/stat")
	return err == nil
}

// alive reports whether the process of that pid is there that began at that many clock ticks after boot.
func alive(pid int, start int64) bool {
	p, err := procfs.Read(pid)
	return err == nil && p.Start == start
}
