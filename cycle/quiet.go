package cycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// notifySilencesEnded notifies people of each silence or pause that has ended, with what happened during it. If another silence or window
// still covers the service, the message waits for its end. It omits what other messages report; if no trouble remains, no message is
// sent.
func (c *Cycle) notifySilencesEnded(keep context.Context) error {
	over, err := c.Store.SilencesToTell(keep, c.Now())
	if err != nil || len(over) == 0 {
		return err
	}
	c.ForgetSilences()
	for _, s := range over {
		if err := c.endAhead(keep, &s); err != nil {
			return err
		}
		quiet, err := c.isQuiet(keep, s.Service)
		if err != nil {
			return err
		}
		if quiet {
			continue
		}
		if err := c.notifySilenceEnded(keep, s); err != nil {
			return err
		}
	}
	return nil
}

// endAhead ends a silence that was set while the clock ran ahead, because it would last that much too long.
func (c *Cycle) endAhead(keep context.Context, s *store.Silence) error {
	now := c.Now()
	if !s.Active(now) {
		return nil
	}
	text := fmt.Sprintf("%s until %s, by a clock that ran ahead: ended", records.Silenced(*s), text.Moment(s.Until))
	if err := c.EndSilence(keep, *s, ""); err != nil {
		return err
	}
	s.EndedAt = &now
	return c.event(keep, store.Warning, 0, s.Service, text)
}

func (c *Cycle) notifySilenceEnded(keep context.Context, s store.Silence) error {
	end, err := c.silenceEnd(keep, s)
	if err != nil {
		return err
	}
	told, err := c.Store.ToldSince(keep, s.End())
	if err != nil {
		return err
	}
	known := end.Without(told)
	news := c.withoutLinks(end.News(), end)
	news.Body.Dashboard = c.Config.DashboardURL
	n := news.Notification("silence", c.Redactor.String, c.Now())
	return c.Store.Update(keep, func(tx *store.Store) error {
		if err := tx.SilenceTold(keep, s.ID, n.CreatedAt); err != nil {
			return err
		}
		event := store.Event{Level: store.Info, Service: s.Service, Message: n.Title, CreatedAt: n.CreatedAt}
		if err := tx.AddEvent(keep, event); err != nil {
			return err
		}
		if known {
			return nil
		}
		_, err := tx.QueueNotification(keep, n)
		return err
	})
}

// withoutLinks returns the news of a silence's end so that no name in it is a link that the services file does not know.
func (c *Cycle) withoutLinks(news notify.News, end notify.SilenceEnd) notify.News {
	names := append(slices.Collect(maps.Keys(end.Now)), end.Silence.Service)
	for _, f := range end.Found {
		names = append(names, f.Service)
	}
	for _, name := range names {
		if _, known := c.Inventory.Get(name); !known {
			news = news.WithoutLink(name)
		}
	}
	return news
}

// silenceEnd gathers what happened during a silence.
func (c *Cycle) silenceEnd(keep context.Context, s store.Silence) (notify.SilenceEnd, error) {
	m := notify.SilenceEnd{Silence: s}
	from, to := s.CreatedAt, s.End()
	found, err := c.Store.FoundBetween(keep, s.Service, from, to)
	if err != nil {
		return m, err
	}
	for _, f := range found {
		quiet, err := c.isQuiet(keep, f.Service)
		if err != nil {
			return m, err
		}
		if quiet {
			m.Still++
			continue
		}
		m.Found = append(m.Found, f)
	}
	if m.Acts, err = c.Store.ActsBetween(keep, s.Service, from, to); err != nil {
		return m, err
	}
	if m.Refused, err = c.Store.CountEvents(keep, store.Warning, s.Service, records.RefusedWords, from, to); err != nil {
		return m, err
	}
	m.Now, err = c.looks(keep, m)
	return m, err
}

// looks returns the state of the services in the message about a silence's end: the silenced one or, after a pause, those that were
// unwell during it and those that this cycle finds unwell.
func (c *Cycle) looks(keep context.Context, m notify.SilenceEnd) (map[string]notify.Look, error) {
	if m.Silence.Service != "" {
		return c.lastLooks(keep, []string{m.Silence.Service})
	}
	var names []string
	for _, f := range m.Found {
		if f.FirstUnwell != nil {
			names = append(names, f.Service)
		}
	}
	for _, e := range c.found {
		if !e.status.Unwell() {
			continue
		}
		quiet, err := c.isQuiet(keep, e.service)
		if err != nil {
			return nil, err
		}
		if !quiet {
			names = append(names, e.service)
		}
	}
	return c.lastLooks(keep, names)
}

// lastLooks returns the state of services as this cycle found them or, if it ended before checking, as last recorded.
func (c *Cycle) lastLooks(keep context.Context, services []string) (map[string]notify.Look, error) {
	inCycle := make(map[string]notify.Look, len(c.found))
	for _, e := range c.found {
		inCycle[e.service] = notify.Look{Status: e.status, Found: c.said(e)}
	}
	looks := make(map[string]notify.Look, len(services))
	for _, name := range services {
		if is, known := inCycle[name]; known {
			looks[name] = is
			continue
		}
		last, err := c.Store.LastChecks(keep, name, c.Now().Add(-24*time.Hour))
		if err != nil {
			return nil, err
		}
		found := evaluate(store.Results(last), nil, nil)
		markOwn(found, ownResults(last))
		for _, e := range found {
			looks[name] = notify.Look{Status: e.status, Found: c.said(e), At: last[0].CheckedAt}
		}
	}
	return looks, nil
}
