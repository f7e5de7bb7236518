package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).sessionsCommand) }

func (a *app) sessionsCommand() *cobra.Command {
	c := &cobra.Command{Use: "sessions", Short: "List the tiers that ran, or show one with its chain"}
	db := databaseFlag(c)
	c.AddCommand(a.sessionsListCommand(db), a.sessionsShowCommand(db))
	listsAlone(c)
	return c
}

func (a *app) sessionsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List sessions, the newest first", Args: takes()}
	limit := rowsFlag(c)
	status := words(store.Running, store.Completed, store.Escalated, store.Failed, store.TimedOut, store.Interrupted)
	c.Flags().Var(status, "status", "only those of this `STATUS`: running, completed, escalated, failed, timed_out or interrupted")
	tier := tierOf("1", "2", "3")
	c.Flags().Var(tier, "tier", "only those of tier `N`: 1, 2 or 3")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return list(a, c, listing[store.Session]{
			db: db, filters: []string{"status", "tier"}, none: "no session yet; `claudeops run-once` makes the first", noMatch: "no session matches",
			query: func(c *cobra.Command, s *store.Store) ([]store.Session, error) {
				return s.Sessions(c.Context(), store.SessionFilter{Status: store.Status(status.word), Tier: tier.tier(), Limit: int(*limit)})
			},
			heading: []string{"ID", "FROM", "TIER", "STATUS", "STARTED", "TOOK", "TURNS", "COST", "MODEL"},
			row: func(s store.Session) []string {
				return []string{
					strconv.FormatInt(s.ID, 10), number(s.ParentID), strconv.Itoa(s.Tier), string(s.Status), a.local(s.StartedAt),
					took(s.DurationMS), strconv.Itoa(s.NumTurns), text.Cost(s.CostUSD), cmp.Or(s.Model, s.Agent),
				}
			},
		})
	}
	return c
}

// shownSession is `sessions show --json`.
type shownSession struct {
	store.Session
	Chain        []int64 `json:"chain"`
	ChainCostUSD float64 `json:"chain_cost_usd"`
}

func (a *app) sessionsShowCommand(db *string) *cobra.Command {
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show a session with the chain it belongs to",
		Args:  cobra.MatchAll(takes("ID"), id),
	}
	commands := c.Flags().Bool("commands", false, "show every command and what was decided of it")
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.withStore(c, *db, func(s *store.Store) error {
			if *commands {
				return a.showCommands(c, s, *db, parseID(args[0]))
			}
			return a.showSession(c, s, parseID(args[0]))
		})
	}
	return c
}

func (a *app) showSession(c *cobra.Command, s *store.Store, id int64) error {
	session, err := s.Session(c.Context(), id)
	if err != nil {
		return err
	}
	chain, err := s.Chain(c.Context(), id)
	if err != nil {
		return err
	}
	shown := shownSession{Session: session}
	for _, link := range chain {
		shown.Chain = append(shown.Chain, link.ID)
		shown.ChainCostUSD += link.CostUSD
	}
	if a.json {
		return a.printJSON(shown)
	}
	return a.writeSession(shown, chain)
}

func (a *app) writeSession(s shownSession, chain []store.Session) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Session %d: Tier %d, %s\n\n", s.ID, s.Tier, s.Status)
	for _, line := range [][2]string{
		{"started", a.local(s.StartedAt)}, {"took", took(s.DurationMS)}, {"agent", strings.TrimSuffix(s.Agent+", "+s.Model, ", ")}, {"trigger", s.Trigger},
		{"cost", fmt.Sprintf("%s, %d turns, %d tokens in, %d out", text.Cost(s.CostUSD), s.NumTurns, s.InputTokens, s.OutputTokens)},
		{"error", s.Error}, {"log", s.LogPath},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "  %-8s %s\n", line[0], a.indented(line[1], 11))
		}
	}
	if len(chain) > 1 {
		fmt.Fprintf(&b, "\nChain, %s together:\n", text.Cost(s.ChainCostUSD))
		for _, link := range chain {
			mark := " "
			if link.ID == s.ID {
				mark = "*"
			}
			fmt.Fprintf(&b, "%s %ssession %d: Tier %d, %s, %s, %s, %d turns\n", mark, strings.Repeat("  ", link.Tier-1), link.ID, link.Tier,
				link.Status, text.Cost(link.CostUSD), took(link.DurationMS), link.NumTurns)
		}
	}
	for _, part := range [][2]string{{"Response", s.Response}, {"Handoff", shortJSON(s.HandoffJSON)}} {
		if part[1] != "" {
			fmt.Fprintf(&b, "\n%s:\n  %s\n", part[0], a.indented(part[1], 2))
		}
	}
	return a.print(b.String())
}

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
