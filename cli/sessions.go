package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

// openStore opens the database that a listing command reads: the one that file names, else the state directory's.
func (a *app) openStore(c *cobra.Command, file string) (*store.Store, error) {
	if file == "" {
		cfg, err := a.config()
		if err != nil {
			return nil, err
		}
		file = filepath.Join(cfg.StateDir, store.FileName)
	}
	return store.Open(c.Context(), file, store.ReadOnly)
}

// withStore runs f on the database of a listing command.
func (a *app) withStore(c *cobra.Command, file string, f func(*store.Store) error) error {
	s, err := a.openStore(c, file)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}

// databaseFlag adds --db, by which any instance's database can be read.
func databaseFlag(c *cobra.Command) *string {
	return c.PersistentFlags().String("db", "", "read this database `FILE` instead of the state directory's")
}

// rowsFlag adds --limit.
func rowsFlag(c *cobra.Command) *int {
	return c.Flags().IntP("limit", "n", 20, "list at most `N`, the newest first")
}

func (a *app) sessionsCommand() *cobra.Command {
	c := &cobra.Command{Use: "sessions", Short: "List the tiers that ran, or show one with its chain"}
	db := databaseFlag(c)
	c.AddCommand(a.sessionsListCommand(db), a.sessionsShowCommand(db))
	return c
}

func (a *app) sessionsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List sessions, the newest first", Args: cobra.NoArgs}
	limit := rowsFlag(c)
	status := c.Flags().String("status", "", "only those with this `STATUS`")
	tier := c.Flags().Int("tier", 0, "only those of this tier, `1 to 3`")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withStore(c, *db, func(s *store.Store) error {
			list, err := s.Sessions(c.Context(), store.SessionFilter{Status: store.Status(*status), Tier: *tier, Limit: *limit})
			if err != nil {
				return err
			}
			if a.json {
				return writeJSON(a.Out, emptyNotNull(list))
			}
			return a.listSessions(list)
		})
	}
	return c
}

func (a *app) listSessions(list []store.Session) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.Out, "no session yet; `claudeops run-once` makes the first")
		return err
	}
	return writeTable(a.Out, []string{"ID", "FROM", "TIER", "STATUS", "STARTED", "TOOK", "TURNS", "COST", "MODEL"}, func(row func(...string)) {
		for _, s := range list {
			from := "-"
			if s.ParentID != nil {
				from = strconv.FormatInt(*s.ParentID, 10)
			}
			row(strconv.FormatInt(s.ID, 10), from, strconv.Itoa(s.Tier), string(s.Status), a.local(s.StartedAt), took(s.DurationMS),
				strconv.Itoa(s.NumTurns), usd(s.CostUSD), s.Model)
		}
	})
}

// shownSession is `sessions show --json`.
type shownSession struct {
	store.Session
	Chain        []int64 `json:"chain"`
	ChainCostUSD float64 `json:"chain_cost_usd"`
}

func (a *app) sessionsShowCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a session with the chain it belongs to",
		Args:  cobra.MatchAll(cobra.ExactArgs(1), numericID),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withStore(c, *db, func(s *store.Store) error { return a.showSession(c, s, parseID(args[0])) })
		},
	}
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
		return writeJSON(a.Out, shown)
	}
	return a.writeSession(shown, chain)
}

func (a *app) writeSession(s shownSession, chain []store.Session) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Session %d: Tier %d, %s\n\n", s.ID, s.Tier, s.Status)
	for _, line := range [][2]string{
		{"started", a.local(s.StartedAt)}, {"took", took(s.DurationMS)}, {"agent", s.Agent + ", " + s.Model}, {"trigger", s.Trigger},
		{"cost", fmt.Sprintf("%s, %d turns, %d tokens in, %d out", usd(s.CostUSD), s.NumTurns, s.InputTokens, s.OutputTokens)},
		{"error", s.Error}, {"log", s.LogPath},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "  %-8s %s\n", line[0], line[1])
		}
	}
	if len(chain) > 1 {
		fmt.Fprintf(&b, "\nChain, %s together:\n", usd(s.ChainCostUSD))
		for _, link := range chain {
			mark := " "
			if link.ID == s.ID {
				mark = "*"
			}
			fmt.Fprintf(&b, "%s %ssession %d: Tier %d, %s, %s, %s, %d turns\n", mark, strings.Repeat("  ", link.Tier-1), link.ID, link.Tier,
				link.Status, usd(link.CostUSD), took(link.DurationMS), link.NumTurns)
		}
	}
	for _, part := range [][2]string{{"Response", s.Response}, {"Handoff", s.HandoffJSON}} {
		if part[1] != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", part[0], printable(strings.TrimSpace(part[1])))
		}
	}
	_, err := fmt.Fprint(a.Out, b.String())
	return err
}

func numericID(_ *cobra.Command, args []string) error {
	if parseID(args[0]) <= 0 {
		return fmt.Errorf("%q is not an id: it is a whole number", args[0])
	}
	return nil
}

// parseID returns 0 for what is no id.
func parseID(arg string) int64 {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// local is a time for people: of their own zone, with its name.
func (a *app) local(t time.Time) string {
	return t.In(a.Now().Location()).Format("2006-01-02 15:04:05 MST")
}

func took(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

func usd(v float64) string { return fmt.Sprintf("$%.4f", v) }

// emptyNotNull makes a listing an array, always.
func emptyNotNull[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// printable keeps what a model or a service wrote from steering the terminal: control characters other than tab and newline
// become visible.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			return '\uFFFD'
		}
		return r
	}, s)
}
