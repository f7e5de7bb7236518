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
	// mostAudit is how much of a session's audit a page reads, in bytes.
	mostAudit = 4 << 20
	// mostCommand is how much of a command and of a reason is shown, in bytes: as much as the guard writes of either.
	mostCommand = 8 << 10
)

// calls are the tool calls of a session as the guard decided on them, the first of many, how many there are beyond, and why they are not
// all that there were.
func (i *Instance) calls(s store.Session) (calls []guard.Entry, more int, note string) {
	log, err := i.logPath(s)
	if err != nil {
		return nil, 0, "The tool calls cannot be read: " + err.Error() + "."
	}
	calls, _, complete, err := readAudit(guard.AuditBeside(log), mostAudit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, noAudit(s)
	case err != nil:
		return nil, 0, "The tool calls cannot be read: " + err.Error() + "."
	case !complete:
		note = fmt.Sprintf("The record of tool calls is longer than the %d MiB that are read of it.", mostAudit>>20)
	}
	more = max(0, len(calls)-mostCalls)
	return calls[:len(calls)-more], more, note
}

// noAudit says why nothing is on record of a session's tool calls; nothing where that is as it should be.
func noAudit(s store.Session) string {
	if s.EndedAt == nil || s.NumTurns == 0 {
		return "" // an agent that has called no tool yet, or never any
	}
	return "No tool call is on record: the agent made none, or the record was pruned."
}

// readAudit reads the guard's decisions from the first so many bytes of a session's audit, how many there were to read, and whether that was all.
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
		if json.Unmarshal([]byte(line), &e) == nil { // what a full disk, or the bound above, cut short is no line
			e.Command, e.Reason = text.Clip(e.Command, mostCommand), text.Clip(e.Reason, mostCommand)
			entries = append(entries, e)
		}
	}
	return guard.Decisions(entries), read, complete, nil
}
