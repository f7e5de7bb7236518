package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).silenceCommand) }

func (a *app) silenceCommand() *cobra.Command {
	var lasts lasting
	c := &cobra.Command{
		Use:   "silence " + argService + "… --for TIME",
		Short: "Keep hands off services for a time: nothing is done about them, nothing is sent (for operators)",
		Long: `silence is for whoever works on a service. Its checks go on and are recorded; but nothing escalates because of it, nobody is sent
anything about it, and no agent may restart or redeploy it. It takes effect at once, in a cycle that runs too. When it is
over, people are told what happened meanwhile.

A service that is silenced already gets the new end, sooner or later than the old one. One that is called list or end goes
behind two dashes: "` + a.program + ` silence --for 2h -- list". Agents are refused.`,
		Example: "  " + a.program + " silence shop --for 2h --reason 'a new disk'\n  " + a.program + " silence shop blog --for 1d12h",
		Args:    cobra.MatchAll(several(argService), serviceNames, lasts.given),
	}
	reason := lasts.flags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.withQuiet(c, "silence", func(b *records.Records) error {
			services := make([]string, len(args))
			for i, name := range args { // all before anything is done
				var err error
				if services[i], err = a.knownService(c.Context(), b, name); err != nil {
					return err
				}
				if other := b.Inventory.Elsewhere(services[i]); other != "" {
					return fmt.Errorf("%s is looked after by %s: silence it where that one runs", services[i], other)
				}
			}
			var silences []store.Silence
			for _, service := range services {
				s, err := a.silence(c.Context(), b, service, lasts, *reason)
				if err != nil {
					return err
				}
				silences = append(silences, s)
			}
			if a.json {
				return a.printJSON(silences)
			}
			return nil
		})
	}
	c.AddCommand(a.silenceListCommand(), a.silenceEndCommand())
	return c
}

// serviceNames checks arguments that are all names of services.
func serviceNames(_ *cobra.Command, args []string) error {
	for _, name := range args {
		if fault := check.ServiceNameFault(name); fault != "" {
			return fmt.Errorf("%s: %s", argService, fault)
		}
	}
	return nil
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
	switch {
	case err != nil, given <= 0:
		return errors.New("not a time; write it like 45m, 2h30m or 1d12h")
	case given > store.MaxSilence:
		return fmt.Errorf("longer than %d days", int(store.MaxSilence.Hours())/24)
	}
	*l = lasting(given)
	return nil
}

// parseLasting reads a duration as Go writes it, whole days before it, or those alone.
func parseLasting(text string) (time.Duration, error) {
	const mostDays = 1000
	number, rest, days := strings.Cut(text, "d")
	if !days {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, err
	}
	d := time.Duration(min(n, mostDays)) * 24 * time.Hour
	if rest == "" {
		return d, nil
	}
	more, err := time.ParseDuration(rest)
	if err == nil && (more < 0 || more >= 24*time.Hour) {
		err = errors.New("what follows the days is a day or more")
	}
	return d + more, err
}

// flags adds --for, which given wants, and --reason.
func (l *lasting) flags(c *cobra.Command) (reason *string) {
	c.Flags().Var(l, "for", "how long: a `TIME` like 45m, 2h30m or 1d12h, at most 30 days")
	return c.Flags().String("reason", "", "why: one line of `TEXT` for those who wonder")
}

// given is an error where --for is not there: who has misspelled a command of the group has not left it out.
func (l *lasting) given(c *cobra.Command, args []string) error {
	if c.Flags().Changed("for") {
		return nil
	}
	if len(args) > 0 {
		if near := nearCommands(c, args[0]); len(near) > 0 {
			return fmt.Errorf("missing: --for TIME; or did you mean %q?", near[0])
		}
	}
	return errors.New("missing: --for TIME")
}

// withQuiet runs f on the records for an operator. It takes no cycle lock: who works on a service must not wait for a cycle to end.
func (a *app) withQuiet(c *cobra.Command, command string, f func(*records.Records) error) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	refusal := fmt.Errorf("%s is for operators: what must not be touched, and when, is not an agent's to say", command)
	if l.config.Agent != (config.Agent{}) {
		return refusal
	}
	return a.withRecords(c, store.ReadWrite, func(b *records.Records) (err error) {
		if below, err := belowAgent(c.Context(), b.Store); below || err != nil {
			return cmp.Or(err, refusal)
		}
		if b.Inventory, err = readInventory(b.Config); err != nil {
			return err
		}
		if err := f(b); err != nil {
			return err
		}
		// Alerts need not wait for the next cycle. What the command is for is done, with or without them.
		if err := (metrics.Exporter{Version: VersionName()}).Write(c.Context(), b); err != nil {
			l.log.Warn(err.Error())
		}
		return nil
	})
}

// mostNames bounds the services among which a misspelled one is looked for.
const mostNames = 20_000

// knownService is the name of the service that name means, or an error that says what could be meant.
func (a *app) knownService(ctx context.Context, b *records.Records, name string) (string, error) {
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
	return "", errors.New(name + ": neither the inventory nor the records have a service of that name" + didYouMean(b.Inventory, name, names...))
}

// silence silences a service, or pauses everything where service is empty, and says so unless JSON is wanted.
func (a *app) silence(ctx context.Context, b *records.Records, service string, lasts lasting, reason string) (store.Silence, error) {
	s, replaced, err := b.Silence(ctx, service, time.Duration(lasts), reason)
	if err != nil || a.json {
		return asRead(s), err
	}
	text := fmt.Sprintf("%s until %s: checks go on, nothing is remediated or sent", records.Silenced(s), a.local(s.Until))
	if replaced != nil {
		text += fmt.Sprintf(" (it was until %s)", a.local(replaced.Until))
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return s, err
	}
	if i, known := open[service]; known {
		text += fmt.Sprintf("\nincident %d (%s since %s) stays as it is until then", i.ID, i.Status, a.local(i.OpenedAt))
	}
	return s, a.print(text + "\n")
}

// asRead is a silence with its times as the database has them.
func asRead(s store.Silence) store.Silence {
	s.CreatedAt, s.Until = inMillis(s.CreatedAt), inMillis(s.Until)
	return s
}

// inMillis is a time as all JSON has it.
func inMillis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// quietTime is a row of `silence list`: a silence, a pause, or a maintenance window of the inventory, which has no ID.
type quietTime struct {
	store.Silence
	State string `json:"state"` // active, ended (before its time), over, maintenance
}

func (a *app) silenceListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List what is silenced, paused or in maintenance now, the newest first",
		Args:  takes(),
	}
	db, limit := databaseFlag(c), rowsFlag(c)
	all := c.Flags().Bool("all", false, "list those that are over too")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return list(a, c, listing[quietTime]{
			db: db, none: "nothing is silenced",
			first: a.maintained,
			query: func(c *cobra.Command, s *store.Store) (rows []quietTime, err error) {
				find := a.activeSilences
				if *all {
					find = func(ctx context.Context, s *store.Store, limit int) ([]store.Silence, error) {
						return s.Silences(ctx, limit)
					}
				}
				silences, err := find(c.Context(), s, int(*limit))
				for _, s := range silences {
					rows = append(rows, quietTime{s, a.silenceState(s)})
				}
				return rows, err
			},
			heading: []string{"ID", "SERVICE", "STATE", "SINCE", "UNTIL", "REASON"},
			row:     a.quietRow,
		})
	}
	return c
}

// maintained are the services of the inventory that are in maintenance now.
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

func (a *app) silenceState(s store.Silence) string {
	switch {
	case s.Active(a.Now()):
		return "active"
	case s.EndedAt != nil:
		return "ended"
	}
	return "over"
}

func (a *app) quietRow(q quietTime) []string {
	id := "-"
	if q.ID > 0 {
		id = strconv.FormatInt(q.ID, 10)
	}
	return []string{id, cmp.Or(q.Service, everything), q.State, a.local(q.CreatedAt), a.local(q.End()), cmp.Or(q.Reason, "-")}
}

// quiet are findings of what nobody is told about now; none where nothing is silenced, or nobody knows.
func (a *app) quiet(ctx context.Context, c config.Config) (found []finding) {
	if windows, err := a.maintained(); err == nil && len(windows) > 0 { // the inventory's fault has a line of its own
		names := make([]string, len(windows))
		for i, w := range windows {
			names[i] = w.Service + " until " + a.local(w.Until)
		}
		found = append(found, ok("quiet", "in maintenance: "+text.Few(names, 10)))
	}
	s, err := store.Open(ctx, filepath.Join(c.StateDir, store.FileName), store.ReadOnly)
	if err != nil {
		return found // the database has a line of its own
	}
	active, err := s.ActiveSilences(ctx, a.Now())
	if err := errors.Join(err, s.Close()); err != nil {
		return append(found, fail("quiet", err.Error(), "run claudeops as the owner of the state directory"))
	}
	var silenced []string
	which := argService
	for _, s := range active {
		if s.Service == "" {
			found = append(found, warn("quiet", records.Silenced(s)+" until "+a.local(s.Until), "`claudeops pause end` ends that"))
			continue
		}
		which = s.Service
		silenced = append(silenced, s.Service+" until "+a.local(s.Until))
	}
	if len(silenced) > 1 {
		which = argService
	}
	if len(silenced) > 0 {
		found = append(found, warn("quiet", "silenced: "+text.Few(silenced, 10), "`claudeops silence end "+which+"` ends that"))
	}
	return found
}

// everything is what the list calls that of which a pause is.
const everything = "everything"

func (a *app) silenceEndCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "end " + argService + "|ID…",
		Short: "End silences before their time (for operators)",
		Args:  several(argService + "|ID"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withQuiet(c, "silence end", func(b *records.Records) error {
				var found []store.Silence
				for _, which := range args { // all before anything is done
					s, err := a.silenceOf(c.Context(), b, which)
					if err != nil {
						return err
					}
					if !slices.ContainsFunc(found, func(f store.Silence) bool { return f.ID == s.ID }) {
						found = append(found, s)
					}
				}
				ended, err := a.endSilences(c.Context(), b, found)
				if err == nil && a.json {
					err = a.printJSON(ended)
				}
				return err
			})
		},
	}
}

// silenceOf is the active silence of a service, or the one of an id: names come first.
func (a *app) silenceOf(ctx context.Context, b *records.Records, which string) (store.Silence, error) {
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
		return store.Silence{}, fmt.Errorf("everything is paused, not silenced: `%s pause end` ends that", a.program)
	case number <= 0:
		return store.Silence{}, fmt.Errorf("%s is not silenced; `%s silence list` lists what is%s", which, a.program, didYouMean(nil, which, silenced...))
	}
	s, err := b.Store.Silence(ctx, number)
	if err == nil && !s.Active(a.Now()) {
		err = fmt.Errorf("silence %d is over already, since %s", number, a.local(s.End()))
	}
	return s, err
}

// endSilences ends silences, and says so unless JSON is wanted.
func (a *app) endSilences(ctx context.Context, b *records.Records, silences []store.Silence) (ended []store.Silence, err error) {
	for _, s := range silences {
		if err := b.EndSilence(ctx, s); err != nil {
			return nil, err
		}
		if s, err = b.Store.Silence(ctx, s.ID); err != nil {
			return nil, err
		}
		ended = append(ended, s)
		if a.json {
			continue
		}
		if err := a.print(records.Silenced(s) + " no longer; the next cycle tells what happened meanwhile\n"); err != nil {
			return nil, err
		}
	}
	return ended, nil
}

func init() { addCommand((*app).pauseCommand) }

func (a *app) pauseCommand() *cobra.Command {
	var lasts lasting
	c := &cobra.Command{
		Use:   "pause --for TIME",
		Short: "Keep hands off everything for a time (for operators)",
		Long: `pause is silence for all services at once. Checks go on and are recorded; nothing escalates, nothing is sent, and no agent may
restart or redeploy anything. Faults of the watch itself, a budget that is spent or a handoff that cannot be read, are told
when it is over, and what happened meanwhile with them. Where everything is paused already, the pause gets the new end;
"` + a.program + ` pause end" ends it at once. Agents are refused.`,
		Example: "  " + a.program + " pause --for 30m --reason 'the network is being moved'",
		Args:    cobra.MatchAll(takes(), lasts.given),
	}
	reason := lasts.flags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withQuiet(c, "pause", func(b *records.Records) error {
			s, err := a.silence(c.Context(), b, "", lasts, *reason)
			if err == nil && a.json {
				err = a.printJSON(s)
			}
			return err
		})
	}
	c.AddCommand(a.pauseEndCommand())
	return c
}

func (a *app) pauseEndCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "end",
		Short:      "End the pause before its time (for operators)",
		SuggestFor: []string{"resume", "unpause"},
		Args:       takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withQuiet(c, "pause end", func(b *records.Records) error { return a.endPause(c.Context(), b) })
		},
	}
}

func (a *app) endPause(ctx context.Context, b *records.Records) error {
	active, err := b.Store.ActiveSilences(ctx, a.Now())
	if err != nil {
		return err
	}
	for _, s := range active {
		if s.Service == "" {
			ended, err := a.endSilences(ctx, b, []store.Silence{s})
			if err == nil && a.json {
				err = a.printJSON(ended[0])
			}
			return err
		}
	}
	return errors.New("nothing is paused; `" + a.program + " silence list` lists what is silenced")
}
