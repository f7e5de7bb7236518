package guard

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
)

// Decision is the outcome of a call.
type Decision string

// The decisions.
const (
	Allowed Decision = "allow"
	Denied  Decision = "deny"
	Asked   Decision = "ask" // refused until a person approves it
)

// Entry is one line of a session's audit log.
type Entry struct {
	Time      time.Time `json:"time"`           // of the decision; for a call that ran, when it ended
	Began     time.Time `json:"began,omitzero"` // for a call that ran, when it started
	ToolUseID string    `json:"tool_use_id,omitzero"`
	Tier      int       `json:"tier"`
	Tool      string    `json:"tool,omitzero"`
	Command   string    `json:"command,omitzero"` // a shell or brokered command; of read the path
	Actions   []Action  `json:"actions,omitzero"` // without duplicates
	Services  []string  `json:"services,omitzero"`
	Rule      string    `json:"rule,omitzero"`
	Decision  Decision  `json:"decision"`
	Reason    string    `json:"reason,omitzero"`
	Exit      *int      `json:"exit,omitzero"` // exit status of a call that ran, or the status that the caller of a refused one got
}

const (
	// maxAuditText is the size, in bytes, at which a command or a reason is cut.
	maxAuditText = 8 << 10
	// maxAuditBytes limits how much of an audit log is read. Only a damaged file is larger.
	maxAuditBytes = 64 << 20
)

// Audit is the log of all decisions of a session: NDJSON, one Entry per line.
type Audit struct {
	Path     string
	Redactor *mask.Redactor // nil redacts nothing
}

// AuditPath returns the path of a session's audit log.
func AuditPath(resultsDir string, session int64) string {
	return AuditBeside(filepath.Join(resultsDir, "session-"+strconv.FormatInt(session, 10)+".ndjson"))
}

// AuditBeside returns the path of the audit log that belongs to a raw log.
func AuditBeside(log string) string { return strings.TrimSuffix(log, ".ndjson") + ".commands.ndjson" }

// Full returns an error once half of maxAuditBytes is used; the other half is for calls in progress. Without this limit an agent could
// push later entries beyond what Read reads, by making calls that are refused.
func (a Audit) Full() error {
	if is, err := os.Lstat(a.Path); err == nil && is.Size() > maxAuditBytes/2 {
		return fmt.Errorf("the audit log of this session has %d MiB and is full: no more commands are run", is.Size()>>20)
	}
	return nil
}

// Append adds a line in one write, because calls run concurrently.
func (a Audit) Append(e Entry) (err error) {
	line, err := json.Marshal(a.written(e))
	if err != nil {
		return fmt.Errorf("encode a line of the audit: %w", err)
	}
	f, err := statedir.OpenFile(a.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open the audit: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	torn, err := endsInMidLine(f)
	if err != nil {
		return fmt.Errorf("look at the end of the audit: %w", err)
	}
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the audit: %w", err)
	}
	return nil
}

// endsInMidLine reports whether the last line is incomplete, as after a full disk.
func endsInMidLine(f *os.File) (bool, error) {
	is, err := f.Stat()
	if err != nil || is.Size() == 0 {
		return false, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], is.Size()-1); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return last[0] != '\n', nil
}

// written returns e as it is stored.
func (a Audit) written(e Entry) Entry {
	e.Time, e.Began = e.Time.UTC().Truncate(time.Millisecond), e.Began.UTC().Truncate(time.Millisecond)
	e.ToolUseID, e.Tool, e.Command, e.Rule, e.Reason = a.kept(e.ToolUseID), a.kept(e.Tool), a.kept(e.Command), a.kept(e.Rule), a.kept(e.Reason)
	e.Services = slices.Clone(e.Services)
	for i, name := range e.Services {
		e.Services[i] = a.kept(name)
	}
	return e
}

// kept returns a text as it is stored: valid UTF-8, redacted, and of limited length.
func (a Audit) kept(words string) string {
	return text.Clip(a.Redactor.String(strings.ToValidUTF8(words, "\uFFFD")), maxAuditText)
}

// Read returns every valid line in the order written. A session without decisions has none.
func (a Audit) Read() ([]Entry, error) {
	lines, err := statedir.ReadFile(a.Path, maxAuditBytes)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the audit: %w", err)
	}
	var entries []Entry
	for line := range strings.Lines(string(lines)) {
		var e Entry
		if json.Unmarshal([]byte(line), &e) == nil { // skip a line that a full disk has cut
			entries = append(entries, e)
		}
	}
	return entries, nil
}
