package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).silenceCommand) }

func (a *app) silenceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "silence SERVICE… --for TIME",
		Short: "Keep hands off services for a time: nothing is done about them, nothing is sent (for operators)",
		Long: `silence is for whoever works on a service. Its checks go on and are recorded; but nothing escalates because of it, no message is sent
about it, and no agent may restart or redeploy it. It takes effect at once, also in a cycle that is running.

A service that is silenced already gets the new end, sooner or later than the old one. One that is called list or end goes
behind two dashes: "claudeops silence --for 2h -- list". Agents are refused.`,
		Example: "  claudeops silence shop --for 2h --reason 'a new disk'\n  claudeops silence shop blog --for 1d12h",
	}
	lasts, reason := quietFlags(c)
	c.RunE = a.quietening("silence", func(ctx context.Context, b *ledger.Records, args []string) error {
		services := make([]string, len(args))
		for i, name := range args { // all names are resolved before anything is done
			var err error
			if services[i], err = silenceable(ctx, b, name); err != nil {
				return err
			}
		}
		var silences []store.Silence
		var said []string
		for _, service := range services {
			s, text, err := a.silence(ctx, b, service, *lasts, *reason)
			if err != nil {
				return err
			}
			silences, said = append(silences, s), append(said, text)
		}
		return a.answer(silences, strings.Join(said, ""))
	})
	c.AddCommand(a.silenceListCommand(), a.silenceEndCommand())
	return c
}

// quietFlags adds --for and --reason.
func quietFlags(c *cobra.Command) (lasts *time.Duration, reason *string) {
	lasts = new(time.Duration)
	flags.Var(c.Flags(), lasts, "for", "", "how long: a `TIME` like 45m, 2h30m or 1d12h, at most 30 days", quietTimeOf)
	return lasts, c.Flags().String("reason", "", "why: one line of `TEXT` for those who wonder")
}

// quietTimeOf parses the length of a silence: a Go duration, optionally after whole days, or only whole days.
func quietTimeOf(text string) (time.Duration, error) {
	const mostDays = 1000
	wrong := errors.New("not a time; write it like 45m, 2h30m or 1d12h")
	days, rest := time.Duration(0), text
	if number, behind, found := strings.Cut(text, "d"); found {
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, wrong
		}
		days, rest = time.Duration(min(n, mostDays))*24*time.Hour, behind
	}
	more := time.Duration(0)
	if rest != "" || days == 0 {
		var err error
		if more, err = time.ParseDuration(rest); err != nil || more < 0 || days > 0 && more >= 24*time.Hour {
			return 0, wrong
		}
	}
	switch d := days + more; {
	case d <= 0:
		return 0, wrong
	case d > store.MaxSilence:
		return 0, fmt.Errorf("longer than %d days", int(store.MaxSilence.Hours())/24)
	default:
		return d, nil
	}
}

// quietening is an operator's command on the records. It takes no cycle lock: a person who works on a service must not wait for a cycle
// to end.
func (a *app) quietening(command string, f func(ctx context.Context, b *ledger.Records, args []string) error) body {
	refusal := fmt.Errorf("%s is for operators: it is not an agent's to decide", command)
	return a.configured(func(ctx context.Context, l *loaded, args []string) error {
		if ofSession(l.config) {
			return refusal
		}
		b, err := a.records(ctx, l, store.ReadWrite)
		if err != nil {
			return err
		}
		return errors.Join(a.quieten(ctx, b, func() error { return f(ctx, b, args) }), b.Close())
	})
}

// deciding is an operator's command about something that is on record. Without a database there is nothing, and none is made.
func (a *app) deciding(command string, f func(ctx context.Context, b *ledger.Records, args []string) error) body {
	decide := a.quietening(command, f)
	return func(c *cobra.Command, args []string) error {
		exists := a.onStore(new(string), func(context.Context, *store.Store, []string) error { return nil })
		if err := exists(c, args); err != nil {
			return err
		}
		return decide(c, args)
	}
}

func (a *app) quieten(ctx context.Context, b *ledger.Records, f func() error) (err error) {
	if b.Inventory, err = readInventory(b.Config); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	// Alerts should not wait for the next cycle. The command has succeeded even if this fails.
	if err := (metrics.Exporter{Version: VersionName()}).Write(ctx, b); err != nil {
		a.loaded.log.Warn(err.Error())
	}
	return nil
}

// silenceable returns the service that name means, if this instance looks after it.
func silenceable(ctx context.Context, b *ledger.Records, name string) (string, error) {
	service, err := knownService(ctx, b, name)
	if other := b.Inventory.Elsewhere(service); err == nil && other != "" {
		return "", &unknownServiceError{fmt.Sprintf("%s is looked after by %s: silence it where that one runs", service, other)}
	}
	return service, err
}

// knownService returns the service that name means, or an error with suggestions.
func knownService(ctx context.Context, b *ledger.Records, name string) (string, error) {
	if service, known := b.Inventory.Lookup(name); known {
		return service, nil
	}
	names, err := b.Store.ServiceNames(ctx)
	if err != nil || slices.Contains(names, name) {
		return name, err
	}
	return "", &unknownServiceError{name + ": neither the inventory nor the records have a service of that name" + didYouMean(b.Inventory, name, names...)}
}

// unknownServiceError is store.ErrNotFound in words for people.
type unknownServiceError struct{ text string }

func (e *unknownServiceError) Error() string { return e.text }
func (e *unknownServiceError) Unwrap() error { return store.ErrNotFound }

// silence silences a service, or pauses everything if service is empty, and prints the effect.
func (a *app) silence(ctx context.Context, b *ledger.Records, service string, lasts time.Duration, reason string) (store.Silence, string, error) {
	s, replaced, err := b.Silence(ctx, service, lasts, reason, byCommand())
	if err != nil {
		return s, "", err
	}
	text := fmt.Sprintf("%s until %s: checks go on, nothing is remediated or sent", ledger.Silenced(s), a.local(s.Until))
	if replaced != nil {
		text += fmt.Sprintf(" (it was until %s)", a.local(replaced.Until))
	}
	open, err := b.Store.OpenIncidents(ctx)
	if i, known := open[service]; known {
		text += fmt.Sprintf("\nincident %d (%s since %s) stays as it is until then", i.ID, i.Status, a.local(i.OpenedAt))
	}
	s.CreatedAt, s.Until = inMillis(s.CreatedAt), inMillis(s.Until) // as stored
	return s, text + "\n", err
}

// inMillis returns a time in the precision of all JSON.
func inMillis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// quietTime is a row of `silence list`: a silence, a pause, or a maintenance window of the inventory, which has no ID.
type quietTime struct {
	store.Silence
	State string `json:"state"` // active, ended (early), over, maintenance
}

func (a *app) silenceListCommand() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List what is silenced, paused or in maintenance now, the newest first"}
	db, limit := databaseFlag(c), limitFlag(c)
	all := c.Flags().Bool("all", false, "list those that are over too")
	c.RunE = list(a, listing[quietTime]{
		db: db, none: "nothing is silenced",
		first: a.maintained,
		query: func(ctx context.Context, s *store.Store) (rows []quietTime, err error) {
			var silences []store.Silence
			if *all {
				silences, err = s.Silences(ctx, int(*limit))
			} else if silences, err = s.ActiveSilences(ctx, a.Now()); err == nil {
				slices.Reverse(silences)
				silences = silences[:min(len(silences), int(*limit))]
			}
			for _, s := range silences {
				rows = append(rows, quietTime{s, a.silenceState(s)})
			}
			return rows, err
		},
		heading: []string{"ID", "SERVICE", "STATE", "SINCE", "UNTIL", "REASON"},
		row: func(q quietTime) []string {
			id := "-"
			if q.ID > 0 {
				id = number(&q.ID)
			}
			return []string{id, cmp.Or(q.Service, everything), q.State, a.local(q.CreatedAt), a.local(q.End()), dash(q.Reason)}
		},
	})
	return c
}

// maintained returns the inventory's services that are in maintenance now.
func (a *app) maintained() (rows []quietTime, err error) {
	inv, err := readInventory(a.loaded.config)
	if err != nil || inv == nil {
		return nil, err
	}
	for _, s := range inv.Services {
		if window, until, open := s.Maintained(a.Now()); open {
			since := window.From
			if window.Schedule != nil {
				since = until.Add(-window.For)
			}
			rows = append(rows, quietTime{
				store.Silence{Service: s.Name, Reason: window.Note, CreatedAt: inMillis(since), Until: inMillis(until)}, "maintenance",
			})
		}
	}
	return rows, nil
}

func (a *app) silenceState(s store.Silence) string {
	switch {
	case s.Active(a.Now()):
		return "active"
	case s.EndedAt != nil:
		return "ended"
	}
	return "over"
}

// everything is the service name of a pause in the list.
const everything = "everything"

func (a *app) silenceEndCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "end SERVICE|ID…",
		Short: "End silences before their time (for operators)",
		RunE: a.quietening("silence end", func(ctx context.Context, b *ledger.Records, args []string) error {
			var found []store.Silence
			for _, which := range args { // all are resolved before anything is done
				s, err := a.silenceOf(ctx, b, which)
				if err != nil {
					return err
				}
				if !slices.ContainsFunc(found, func(f store.Silence) bool { return f.ID == s.ID }) {
					found = append(found, s)
				}
			}
			ended, said, err := endSilences(ctx, b, found)
			if err != nil {
				return err
			}
			return a.answer(ended, said)
		}),
	}
}

// silenceOf returns the active silence of a service, or the one with an id; names take precedence.
func (a *app) silenceOf(ctx context.Context, b *ledger.Records, which string) (store.Silence, error) {
	active, err := b.Store.ActiveSilences(ctx, a.Now())
	if err != nil {
		return store.Silence{}, err
	}
	service, paused := b.Inventory.NameOf(which), false
	var silenced []string
	for _, s := range active {
		if s.Service != "" && (s.Service == service || s.Service == which) {
			return s, nil
		}
		paused, silenced = paused || s.Service == "", append(silenced, s.Service)
	}
	number := parseID(which)
	switch {
	case number <= 0 && paused && which == everything:
		return store.Silence{}, errors.New("everything is paused, not silenced: `claudeops pause end` ends that")
	case number <= 0:
		return store.Silence{}, fmt.Errorf("%s is not silenced; `claudeops silence list` lists what is%s", which, didYouMean(nil, which, silenced...))
	}
	s, err := b.Store.Silence(ctx, number)
	if err == nil && !s.Active(a.Now()) {
		err = fmt.Errorf("silence %d is over already, since %s", number, a.local(s.End()))
	}
	return s, err
}

// endSilences ends silences and returns a text about it.
func endSilences(ctx context.Context, b *ledger.Records, silences []store.Silence) (ended []store.Silence, said string, err error) {
	for _, s := range silences {
		if err := b.EndSilence(ctx, s, byCommand()); err != nil {
			return nil, "", err
		}
		if s, err = b.Store.Silence(ctx, s.ID); err != nil {
			return nil, "", err
		}
		ended = append(ended, s)
		said += ledger.Silenced(s) + " no longer\n"
	}
	return ended, said, nil
}
