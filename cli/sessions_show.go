package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

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
