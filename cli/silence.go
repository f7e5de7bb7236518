package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/store"
)

func (a *app) silenceCommand() *cobra.Command {
	var lasts lasting
	c := &cobra.Command{
		Use:   "silence " + argService + " --for TIME",
		Short: "Keep hands off a service for a time: nothing is done about it, nothing is sent (for operators)",
		Long: `silence is for whoever works on a service. Its checks go on and are recorded; but nothing escalates because of it, nobody is sent
anything about it, and no agent may restart or redeploy it. It takes effect at once, in a cycle that runs too. When it is
over, people are told what happened meanwhile.

A service that is silenced already gets the new end, sooner or later than the old one. One that is called list or end goes
behind two dashes: "` + a.program + ` silence --for 2h -- list". Agents are refused.`,
		Example: "  " + a.program + " silence shop --for 2h --reason 'a new disk'",
		Args:    cobra.MatchAll(takes(argService), serviceAndAction),
	}
	reason := lasts.flags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.withQuiet(c, "silence", func(b *books.Books) error {
			service, err := a.knownService(c.Context(), b, args[0])
			if err != nil {
				return err
			}
			return a.silence(c.Context(), b, service, lasts, *reason)
		})
	}
	c.AddCommand(a.silenceListCommand(), a.silenceEndCommand())
	return c
}

// lasting is a flag that takes how long a silence lasts; 0 where it was not given.
type lasting time.Duration

func (l *lasting) Type() string { return "time" }
func (l *lasting) String() string {
	if *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}

func (l *lasting) Set(text string) error {
	given, err := parseLasting(text)
	if err != nil || given <= 0 || given > store.MaxSilence {
		return fmt.Errorf("not a time of at most %d days; write it like 45m, 2h30m or 2d", int(store.MaxSilence.Hours())/24)
	}
	*l = lasting(given)
	return nil
}

// parseLasting reads a duration as Go writes it, or whole days.
func parseLasting(text string) (time.Duration, error) {
	number, days := strings.CutSuffix(text, "d")
	if !days {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseUint(number, 10, 8)
	return time.Duration(n) * 24 * time.Hour, err
}

// flags adds --for, which must be given, and --reason.
func (l *lasting) flags(c *cobra.Command) (reason *string) {
	c.Flags().Var(l, "for", "how long: a `TIME` like 45m, 2h30m or 2d, at most 30 days")
	must(c.MarkFlagRequired("for"))
	return c.Flags().String("reason", "", "why: one line of `TEXT` for those who wonder")
}

// withQuiet runs f on the records for an operator. It takes no cycle lock: who works on a service must not wait for a cycle to end.
func (a *app) withQuiet(c *cobra.Command, command string, f func(*books.Books) error) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if cfg.Agent != (config.Agent{}) {
		return fmt.Errorf("%s is for operators: what must not be touched, and when, is not an agent's to say", command)
	}
	return a.withBooks(c, store.ReadWrite, func(b *books.Books) (err error) {
		if b.Inventory, err = readInventory(b.Config); err != nil {
			return err
		}
		return f(b)
	})
}

// mostNames bounds the services among which a misspelled one is looked for.
const mostNames = 20_000

// knownService is the name of the service that name means, or an error that says what could be meant.
func (a *app) knownService(ctx context.Context, b *books.Books, name string) (string, error) {
	if service, known := b.Inventory.Lookup(name); known {
		return service, nil
	}
	known, err := b.Store.KnowsService(ctx, name)
	if err != nil || known {
		return name, err
	}
	names, err := b.Store.ServiceNames(ctx, mostNames)
	if err != nil {
		return "", err
	}
	if b.Inventory != nil {
		for _, s := range b.Inventory.Services {
			names = append(append(names, s.Name), s.Aliases...)
		}
	}
	text := name + ": neither the inventory nor the records have a service of that name"
	if near := nearestName(name, names); near != "" {
		text += "; did you mean " + near + "?"
	}
	return "", errors.New(text)
}

// silence silences a service, or pauses everything where service is empty, and says so.
func (a *app) silence(ctx context.Context, b *books.Books, service string, lasts lasting, reason string) error {
	s, replaced, err := b.Silence(ctx, service, time.Duration(lasts), reason)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(s)
	}
	text := fmt.Sprintf("%s until %s: checks go on, nothing is remediated or sent", books.Silenced(s), a.local(s.Until))
	if replaced != nil {
		text += fmt.Sprintf(" (it was until %s)", a.local(replaced.Until))
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return err
	}
	if i, known := open[service]; known {
		text += fmt.Sprintf("\nincident %d (%s since %s) stays as it is until then", i.ID, i.Status, a.local(i.OpenedAt))
	}
	return a.print(text + "\n")
}

func (a *app) silenceListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List what is silenced or paused now, the newest first",
		Args:  takes(),
	}
	db, limit := databaseFlag(c), rowsFlag(c)
	all := c.Flags().Bool("all", false, "list those that are over too")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return list(a, c, listing[store.Silence]{
			db: db, none: "nothing is silenced",
			query: func(c *cobra.Command, s *store.Store) ([]store.Silence, error) {
				if *all {
					return s.Silences(c.Context(), int(*limit))
				}
				return a.activeSilences(c.Context(), s, int(*limit))
			},
			heading: []string{"ID", "SERVICE", "STATE", "SINCE", "UNTIL", "REASON"},
			row:     a.silenceRow,
		})
	}
	return c
}

// activeSilences are at most limit, the newest first.
func (a *app) activeSilences(ctx context.Context, s *store.Store, limit int) ([]store.Silence, error) {
	oldest, err := s.ActiveSilences(ctx, a.Now())
	if err != nil {
		return nil, err
	}
	var newest []store.Silence
	for i := len(oldest) - 1; i >= 0 && len(newest) < limit; i-- {
		newest = append(newest, oldest[i])
	}
	return newest, nil
}

func (a *app) silenceRow(s store.Silence) []string {
	state := "over"
	switch {
	case s.Active(a.Now()):
		state = "active"
	case s.EndedAt != nil:
		state = "ended"
	}
	return []string{
		strconv.FormatInt(s.ID, 10), cmp.Or(s.Service, "everything"), state, a.local(s.CreatedAt), a.local(s.End()), cmp.Or(s.Reason, "-"),
	}
}

func (a *app) silenceEndCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "end " + argService + "|ID",
		Short: "End a silence before its time (for operators)",
		Args:  takes(argService + "|ID"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withQuiet(c, "silence end", func(b *books.Books) error { return a.endSilenceOf(c.Context(), b, args[0]) })
		},
	}
}

// endSilenceOf ends the silence of a service, or the one of an id: names come first.
func (a *app) endSilenceOf(ctx context.Context, b *books.Books, which string) error {
	active, err := b.Store.ActiveSilences(ctx, a.Now())
	if err != nil {
		return err
	}
	service := b.Inventory.NameOf(which)
	for _, s := range active {
		if s.Service != "" && (s.Service == service || s.Service == which) {
			return a.endSilence(ctx, b, s)
		}
	}
	number := parseID(which)
	if number <= 0 {
		return fmt.Errorf("%s is not silenced; `%s silence list` lists what is", which, a.program)
	}
	s, err := b.Store.Silence(ctx, number)
	if err != nil {
		return err
	}
	if !s.Active(a.Now()) {
		return fmt.Errorf("silence %d is over already, since %s", number, a.local(s.End()))
	}
	return a.endSilence(ctx, b, s)
}

func (a *app) endSilence(ctx context.Context, b *books.Books, s store.Silence) error {
	if err := b.EndSilence(ctx, s); err != nil {
		return err
	}
	if a.json {
		ended, err := b.Store.Silence(ctx, s.ID)
		if err != nil {
			return err
		}
		return a.printJSON(ended)
	}
	return a.print(books.Silenced(s) + " no longer; the next cycle tells what happened meanwhile\n")
}

// quiet are findings of what nobody is told about now; none where nothing is silenced, or nobody knows.
func (a *app) quiet(ctx context.Context, c config.Config) []finding {
	s, err := store.Open(ctx, filepath.Join(c.StateDir, store.FileName), store.ReadOnly)
	if err != nil {
		return nil // the database has a line of its own
	}
	active, err := s.ActiveSilences(ctx, a.Now())
	if err := errors.Join(err, s.Close()); err != nil {
		return []finding{fail("quiet", err.Error(), "run claudeops as the owner of the state directory")}
	}
	var found []finding
	var silenced []string
	for _, s := range active {
		if s.Service == "" {
			found = append(found, warn("quiet", books.Silenced(s)+" until "+a.local(s.Until), "`claudeops pause end` ends that"))
			continue
		}
		silenced = append(silenced, s.Service+" until "+a.local(s.Until))
	}
	if len(silenced) > 0 {
		found = append(found, warn("quiet", "silenced: "+strings.Join(firstFew(silenced), ", "), "`claudeops silence end` ends that"))
	}
	return found
}
