package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

func TestWhatOperatorsSilenceIsAnEvent(t *testing.T) {
	d := newFixture(t)
	d.Silences("shop", time.Hour, "a new\ndisk")
	d.Time = noon.Add(time.Minute)
	s := d.Silences("shop", 2*time.Hour, "")
	ok(t, d.EndSilence(t.Context(), s, "command, by ann"))
	d.Silences("", time.Hour, "")
	events, err := d.Store.Events(t.Context(), store.EventFilter{Limit: 10})
	ok(t, err)
	var told []string
	for _, e := range events {
		told = append(told, e.Service+": "+e.Message)
	}
	same(t, told, []string{
		": everything is paused until 2026-03-01 13:01 UTC (command, by ann)",
		"shop: shop is silenced no longer, 2 h before its time (command, by ann)",
		"shop: shop is silenced until 2026-03-01 14:01 UTC (a new disk), instead of 2026-03-01 13:00 UTC (command, by ann)",
		"shop: shop is silenced until 2026-03-01 13:00 UTC (a new disk) (command, by ann)",
	})
}

func TestASilenceEndsOnce(t *testing.T) {
	d := newFixture(t)
	s := d.Silences("", time.Hour, "")
	ok(t, d.EndSilence(t.Context(), s, "command, by ann"))
	if err := d.EndSilence(t.Context(), s, "command, by ann"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("ended twice: %v", err)
	}
}
