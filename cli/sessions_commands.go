package cli

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/store"
)

// showCommands lists what the guard decided in a session. The audit stands in the results directory, and for a database that --db
// names beside the session's log.
func (a *app) showCommands(c *cobra.Command, s *store.Store, db string, id int64) error {
	session, err := s.Session(c.Context(), id)
	if err != nil {
		return err
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	results := cfg.ResultsDir
	if db != "" {
		results = filepath.Dir(session.LogPath)
	}
	entries, err := guard.Audit{Path: guard.AuditPath(results, id)}.Read()
	if err != nil {
		return err
	}
	return a.writeCommands(guard.Decisions(entries))
}

func (a *app) writeCommands(decisions []guard.Entry) error {
	switch {
	case a.json:
		return a.printJSON(decisions)
	case len(decisions) == 0:
		return a.print("no command was called in this session, or its record was pruned\n")
	}
	return a.printTable([]string{"TIME", "TOOL", "DECISION", "EXIT", "ACTION", "COMMAND"}, func(row func(...string)) {
		for _, e := range decisions {
			exit := "-" // of a session from before there was a broker
			if e.Exit != nil {
				exit = strconv.Itoa(*e.Exit)
			}
			row(a.local(e.Time), e.Tool, string(e.Decision), exit, actionsOf(e), e.Command)
			if e.Reason != "" {
				row("", "", "", "", "", "  "+e.Reason)
			}
		}
	})
}

// actionsOf says what a command does, the harmless only where it does nothing else: "restart of shop".
func actionsOf(e guard.Entry) string {
	var words []string
	for _, action := range e.Actions {
		if action != guard.Observe || len(e.Actions) == 1 {
			words = append(words, string(action))
		}
	}
	slices.Sort(words)
	text := strings.Join(words, ", ")
	if len(e.Services) > 0 {
		text += " of " + strings.Join(e.Services, ", ")
	}
	return text
}
