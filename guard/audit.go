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
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/statedir"
)

// Decision is what became of a call.
type Decision string

// The decisions there are. Reserving is no decision yet: it is written before a remediation is recorded, and what was decided
// follows on a line of its own. One without such a line is of a guard that was ended in between, which has granted nothing.
const (
	Allowed   Decision = "allow"
	Denied    Decision = "deny"
	Asked     Decision = "ask" // refused until a person approves it
	Reserving Decision = "reserve"
	Blocked   Decision = "block" // in such older sessions: the agent was told to go on
)

// Entry is one line of a session's audit.
type Entry struct {
	Time      time.Time `json:"time"`           // of the decision or, behind a call that ran, of its end
	Began     time.Time `json:"began,omitzero"` // of a call that ran
	Event     string    `json:"event,omitzero"` // of a hook, in sessions from before there was a broker
	ToolUseID string    `json:"tool_use_id,omitzero"`
	Tier      int       `json:"tier"`
	Tool      string    `json:"tool,omitzero"`
	Command   string    `json:"command,omitzero"` // of the shell and of the broker; of another tool its input, as JSON
	Actions   []Action  `json:"actions,omitzero"` // each once
	Services  []string  `json:"services,omitzero"`
	Rule      string    `json:"rule,omitzero"`
	Decision  Decision  `json:"decision"`
	Reason    string    `json:"reason,omitzero"`
	Exit      *int      `json:"exit,omitzero"` // status of a call that ran; of a refused one what its caller got
}

const (
	// maxAuditText is how many bytes of a command, or of a reason, a line keeps.
	maxAuditText = 8 << 10
	// maxAuditBytes is how much of an audit is read: far more than a session's decisions, so that only a damaged file has more.
	maxAuditBytes = 64 << 20
)

// Audit is the file that holds every decision of a session, a line of JSON each.
type Audit struct {
	Path     string
	Redactor *mask.Redactor // nil redacts nothing
}

// AuditPath is the file of a session's audit.
func AuditPath(resultsDir string, session int64) string {
	return AuditBeside(filepath.Join(resultsDir, "session-"+strconv.FormatInt(session, 10)+".ndjson"))
}

// Audits are the places of an audit beside a session's raw log: what its broker decided and, of a session from before there was one, what
// its hooks did.
func Audits(log string) []string {
	name := strings.TrimSuffix(log, ".ndjson")
	return []string{name + ".commands.ndjson", name + ".guard.ndjson"}
}

// AuditBeside is the audit of the session that has this raw log.
func AuditBeside(log string) string {
	places := Audits(log)
	if _, err := os.Lstat(places[1]); err == nil {
		return places[1]
	}
	return places[0]
}

// Full is an error once so much is written that what follows might not be read again: an agent could hide what it does behind calls that
// are refused. What is under way by then has the other half.
func (a Audit) Full() error {
	if is, err := os.Lstat(a.Path); err == nil && is.Size() > maxAuditBytes/2 {
		return fmt.Errorf("the record of what this session calls has %d MiB and is full: nothing more is run", is.Size()>>20)
	}
	return nil
}

// Append adds a line, in one write: several calls run side by side.
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

// endsInMidLine reports whether a full disk has cut the last line short.
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

// written is e as it may be kept.
func (a Audit) written(e Entry) Entry {
	e.Time, e.Began = e.Time.UTC().Truncate(time.Millisecond), e.Began.UTC().Truncate(time.Millisecond)
	e.ToolUseID, e.Tool, e.Command, e.Rule, e.Reason = a.kept(e.ToolUseID), a.kept(e.Tool), a.kept(e.Command), a.kept(e.Rule), a.kept(e.Reason)
	e.Services = slices.Clone(e.Services)
	for i, name := range e.Services {
		e.Services[i] = a.kept(name)
	}
	return e
}

// kept is a text as it may be kept: valid UTF-8, without secrets, bounded.
func (a Audit) kept(text string) string {
	return bounded(a.Redactor.String(strings.ToValidUTF8(text, "\uFFFD")), maxAuditText)
}

// bounded cuts text to at most so many bytes, between characters, and says so.
func bounded(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most - len("… (18446744073709551615 bytes more)")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes more)", text[:end], len(text)-end)
}

// Read returns every line that can be read, in the order in which they were written. A session that nothing was decided in has none.
func (a Audit) Read() ([]Entry, error) {
	text, err := statedir.ReadFile(a.Path, maxAuditBytes)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the audit: %w", err)
	}
	var entries []Entry
	for line := range strings.Lines(string(text)) {
		var e Entry
		if json.Unmarshal([]byte(line), &e) == nil { // what a full disk cut short is no line
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// Decisions are the entries without the reservations that a decision followed.
func Decisions(entries []Entry) []Entry {
	decided := map[string]bool{}
	for _, e := range entries {
		decided[e.ToolUseID] = decided[e.ToolUseID] || e.Decision != Reserving
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Decision == Reserving && decided[e.ToolUseID] })
}
