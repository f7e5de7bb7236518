package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

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
