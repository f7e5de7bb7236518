package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

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
