package dashboard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

const (
	// mostAudit limits the part of a session's audit that a page reads, in bytes.
	mostAudit = 4 << 20
	// mostCommand limits a displayed command or reason, in bytes: the guard's own limit.
	mostCommand = 8 << 10
)

// calls returns the first tool calls of a session with the guard's decisions, the number of further ones, and a note if the list is
// incomplete.
func (i *Instance) calls(s store.Session) (calls []guard.Entry, more int, note string) {
	calls, _, complete, err := readAudit(guard.AuditBeside(i.logPath(s)), mostAudit)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (s.EndedAt == nil || s.NumTurns == 0):
		return nil, 0, "" // an agent that has not called a tool
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, "No tool call is on record: the agent made none, or the record was pruned."
	case err != nil:
		return nil, 0, "The tool calls cannot be read: " + err.Error() + "."
	case !complete:
		note = fmt.Sprintf("The record of tool calls is longer than the %d MiB that are read of it.", mostAudit>>20)
	}
	more = max(0, len(calls)-mostCalls)
	return calls[:len(calls)-more], more, note
}

// readAudit reads the guard's decisions from the first most bytes of a session's audit. It returns the number of bytes read, and whether
// that was all.
func readAudit(path string, most int64) (entries []guard.Entry, read int64, complete bool, err error) {
	f, err := statedir.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, 0, false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, 0, false, fmt.Errorf("read the audit: %w", err)
	}
	if complete = int64(len(lines)) <= most; !complete {
		lines = lines[:most]
	}
	read = int64(len(lines))
	for line := range strings.Lines(string(lines)) {
		var e guard.Entry
		if json.Unmarshal([]byte(line), &e) == nil { // skips a line cut short by a full disk or by the limit
			e.Command, e.Reason = text.Clip(e.Command, mostCommand), text.Clip(e.Reason, mostCommand)
			entries = append(entries, e)
		}
	}
	return entries, read, complete, nil
}
