package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

func (a *app) guardExplainCommand() *cobra.Command {
	var tier int
	var cwd string
	c := &cobra.Command{
		Use:   "explain --tier N COMMAND",
		Short: "Say whether a tier may run a command, and why",
		Long: `Say what a shell command does, whether a tier may run it, and why. Nothing runs and nothing is reserved: used-up limits play no part.

Files need not exist. With - as COMMAND, JSON strings are read from standard input, one a line, and each is answered by one JSON
object a line: decision (allow or deny), reason, actions.`,
		Example: "  " + a.program + " guard explain --tier 1 'docker ps | grep web'\n  " + a.program + " guard explain --tier 2 'docker restart web'",
		Args:    takes("COMMAND"),
		RunE: func(c *cobra.Command, args []string) error {
			if tier < 1 || tier > 3 {
				return &exitError{exitUsage, errors.New("--tier takes 1, 2 or 3")}
			}
			return a.explain(c.Context(), args[0], tier, cwd)
		},
	}
	c.Flags().IntVar(&tier, "tier", 0, "the tier, `N` of 1 to 3")
	c.Flags().StringVar(&cwd, "cwd", "", "judge relative paths as in this `DIR` (default: the repositories' folder)")
	must(c.MarkFlagRequired("tier"))
	return c
}

func (a *app) explain(ctx context.Context, command string, tier int, cwd string) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	if cwd == "" {
		cwd = l.config.ReposDir
	}
	w, err := world(l, tier, cwd, sync.OnceValues(func() (*inventory.Inventory, error) { return readInventory(l.config) }))
	if err != nil {
		return &exitError{exitUsage, errors.New(oneLine(err.Error()))}
	}
	w.Hypothetical = true
	switch {
	case command == "-":
		return a.explainAll(w)
	case a.json:
		return a.printJSON(explained(w.Shell(command)))
	}
	v := w.Shell(command)
	if err := a.printVerdict(v, tier); err != nil || !v.Allow {
		return err
	}
	return a.printHeld(ctx, l.config, v)
}

// printHeld says of what is granted by itself and yet would be refused now: a service in a maintenance window or under a silence, and
// one that depends on another that is down.
func (a *app) printHeld(ctx context.Context, c config.Config, v guard.Verdict) error {
	b, err := books.Open(ctx, c, a.redactor, a.Now, store.ReadOnly)
	if err != nil {
		return err
	}
	if b.Inventory, err = readInventory(c); err != nil {
		return errors.Join(err, b.Close())
	}
	told := map[string]bool{}
	for _, r := range v.Remediations() {
		hold, err := b.Hold(ctx, r.Service)
		if err != nil {
			return errors.Join(err, b.Close())
		}
		if hold.Reason == "" || told[r.Service] {
			continue
		}
		told[r.Service] = true
		if err := a.print("Now it would be refused: " + (&books.HeldError{Service: r.Service, Hold: hold}).Error() + "\n"); err != nil {
			return errors.Join(err, b.Close())
		}
	}
	return b.Close()
}

// explanation is a verdict as programs read it.
type explanation struct {
	Decision string      `json:"decision"`
	Reason   string      `json:"reason"`
	Actions  []string    `json:"actions"` // each that the command does, once
	Rule     string      `json:"rule"`
	Commands []guard.Act `json:"commands"`
}

func explained(v guard.Verdict) explanation {
	e := explanation{Decision: decision(v), Reason: v.Reason, Rule: v.Rule, Commands: v.Acts}
	for _, act := range v.Acts {
		if !slices.Contains(e.Actions, string(act.Action)) {
			e.Actions = append(e.Actions, string(act.Action))
		}
	}
	return e
}

func decision(v guard.Verdict) string {
	if v.Allow {
		return "allow"
	}
	return "deny"
}

// maxExplained bounds a line of standard input, and with it a command.
const maxExplained = 1 << 20

// explainAll answers JSON strings line by line. A line that is none, or is too long, is refused like every command that cannot be read.
func (a *app) explainAll(w guard.World) error {
	lines := bufio.NewReaderSize(a.In, maxExplained)
	for {
		line, err := lines.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return fmt.Errorf("read standard input: %w", err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := a.explainLine(w, line, long); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
	}
}

func (a *app) explainLine(w guard.World, line []byte, long bool) error {
	var command string
	answer := explanation{Decision: "deny", Reason: "not granted: the line is no JSON string of less than 1 MiB", Actions: []string{string(guard.Unknown)}, Commands: []guard.Act{}}
	if !long && json.Unmarshal(line, &command) == nil {
		answer = explained(w.Shell(command))
	}
	out, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return a.print(string(out) + "\n")
}

// printVerdict shows what was found in the command, a line each, and the decision.
func (a *app) printVerdict(v guard.Verdict, tier int) error {
	err := a.printTable([]string{"ACTION", "SERVICES", "COMMAND", "RULE"}, func(row func(...string)) {
		for _, act := range v.Acts {
			row(string(act.Action), strings.Join(act.Services, ", "), strings.Join(strings.Fields(act.Command), " "), act.Rule)
		}
	})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("\nTier %d: granted\n", tier)
	if !v.Allow {
		text = fmt.Sprintf("\nTier %d: refused, %s\n", tier, v.Reason)
	}
	return a.print(text)
}
