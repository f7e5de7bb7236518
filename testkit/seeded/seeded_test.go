package seeded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/tiers"
)

var now = time.Date(2026, 11, 22, 9, 41, 0, 0, time.UTC)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, l *Lab) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), l.Database, store.ReadOnly)
	must(t, err)
	s.Now = func() time.Time { return l.Now }
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func TestHomelabHasSomethingForEveryPage(t *testing.T) {
	l, err := Homelab(t.Context(), t.TempDir(), now)
	must(t, err)
	ctx, s := t.Context(), opened(t, l)
	inv, err := inventory.Read(l.Inventory)
	must(t, err)
	open, err := s.OpenIncidents(ctx)
	must(t, err)
	silences, err := s.ActiveSilences(ctx, now)
	must(t, err)
	pending, err := s.Notifications(ctx, store.NotificationFilter{Pending: true})
	must(t, err)
	failing, err := s.FailingTargets(ctx)
	must(t, err)
	latest, err := s.Latest(ctx)
	must(t, err)
	services := map[string]bool{}
	for _, c := range latest {
		services[c.Service] = true
	}
	if len(open) != 3 || len(silences) != 1 || len(pending) != 1 || len(failing) != 1 || len(services) != len(inv.Services) || len(inv.Services) != 14 {
		t.Errorf("open %d, silences %d, pending %d, failing targets %d, services %d", len(open), len(silences), len(pending), len(failing), len(services))
	}
	seen := map[store.Status]bool{}
	sessions, err := s.Sessions(ctx, store.SessionFilter{})
	must(t, err)
	for _, is := range sessions {
		seen[is.Status] = true
		if is.HandoffJSON != "" {
			if _, err := handoff.Parse([]byte(is.HandoffJSON), is.Tier); err != nil {
				t.Errorf("session %d: %v", is.ID, err)
			}
		}
	}
	for _, status := range []store.Status{store.Running, store.Completed, store.Escalated, store.Failed, store.TimedOut} {
		if !seen[status] {
			t.Errorf("no session is %s", status)
		}
	}
	for what, id := range map[string]int64{"fixed": l.Fixed, "open": l.Open, "held": l.Held} {
		i, err := s.Incident(ctx, id)
		must(t, err)
		if (i.ClosedAt != nil) != (what == "fixed") {
			t.Errorf("the incident that is %s: %+v", what, i)
		}
	}
	chain, err := s.Chain(ctx, l.Chain[1])
	must(t, err)
	if len(chain) != 3 || chain[0].ID != l.Chain[0] || chain[2].ID != l.Chain[2] {
		t.Fatalf("chain %v: %+v", l.Chain, chain)
	}
	for _, id := range l.Chain[1:] {
		entries, err := guard.Audit{Path: l.AuditPath(id)}.Read()
		must(t, err)
		refused := false
		for _, e := range entries {
			refused = refused || e.Decision == guard.Denied
		}
		if !refused {
			t.Errorf("session %d was refused nothing", id)
		}
	}
}

func TestHomelabsLogsAreTheAgentPrograms(t *testing.T) {
	l, err := Homelab(t.Context(), t.TempDir(), now)
	must(t, err)
	s := opened(t, l)
	for _, id := range l.Chain {
		is, err := s.Session(t.Context(), id)
		must(t, err)
		f, err := os.Open(is.LogPath)
		must(t, err)
		replayed, err := tiers.Replay(f)
		must(t, err)
		must(t, f.Close())
		if replayed.Response != is.Response || replayed.NumTurns != is.NumTurns || replayed.InputTokens < is.InputTokens || replayed.CostUSD != is.CostUSD {
			t.Errorf("session %d: its log says %+v, its row %+v", id, replayed, is)
		}
	}
	before, err := os.Stat(l.LogPath(l.Running))
	must(t, err)
	must(t, l.Say("It is ready."))
	must(t, l.Call("true", "ok"))
	after, err := os.Stat(l.LogPath(l.Running))
	must(t, err)
	if after.Size() <= before.Size() {
		t.Error("the running session's log did not grow")
	}
	must(t, l.Finish(t.Context()))
	is, err := s.Session(t.Context(), l.Running)
	must(t, err)
	if is.Status != store.Completed {
		t.Errorf("the session is %s", is.Status)
	}
}

func TestHomelabsLimitsAreUsedUp(t *testing.T) {
	l, err := Homelab(t.Context(), t.TempDir(), now)
	must(t, err)
	text, err := os.ReadFile(l.StateDir + "/" + statefile.FileName)
	must(t, err)
	st, err := statefile.Parse(text)
	must(t, err)
	for _, a := range statefile.Actions() {
		if statefile.Count(st.Service("paperless").Records(a), a, now).Permitted() {
			t.Errorf("a %s of paperless is permitted", a)
		}
	}
	open, err := opened(t, l).OpenIncidents(t.Context())
	must(t, err)
	if i := open["paperless"]; i.RetryAt == nil || !i.RetryAt.After(now) || i.LastChain != "attention" || i.DeadEnds != 2 {
		t.Errorf("incident %+v", i)
	}
}

func TestLoadIsAsLargeAsItSays(t *testing.T) {
	need.Full(t, "half a minute")
	if testing.Short() {
		t.Skip("it writes 300 MB")
	}
	l, err := Load(t.Context(), t.TempDir(), now)
	must(t, err)
	ctx, s := t.Context(), opened(t, l)
	names, err := s.ServiceNames(ctx)
	must(t, err)
	chain, err := s.Chain(ctx, l.Chain[1])
	must(t, err)
	figures, err := s.Figures(ctx)
	must(t, err)
	open, err := s.OpenIncidents(ctx)
	must(t, err)
	latest, err := s.Latest(ctx)
	must(t, err)
	if len(chain) != 3 || len(open) != 12 || len(latest) < LoadServices || figures.Incidents != LoadIncidents {
		t.Errorf("chain %d, open %d, services %d (%d), incidents %d", len(chain), len(open), len(latest), len(names), figures.Incidents)
	}
	events, err := s.Events(ctx, store.EventFilter{Limit: 1})
	must(t, err)
	if len(events) != 1 || events[0].ID != LoadEvents || events[0].CreatedAt.After(now) || events[0].CreatedAt.Before(now.Add(-time.Hour)) {
		t.Errorf("events %+v at %s", events, text.Moment(now))
	}
}

const payloadFile = "../../dashboard/web/testdata/payloads.txt"

func TestPayloadsAreManyAndEachOnce(t *testing.T) {
	all, err := Payloads(payloadFile)
	must(t, err)
	seen := map[string]bool{}
	for _, p := range all {
		if seen[p] {
			t.Errorf("%.80q is listed twice", p)
		}
		seen[p] = true
	}
	if len(all) < 120 || !seen[""] || !seen[strings.Repeat("A", 1_000_000)] {
		t.Errorf("%d payloads, or the empty one or the longest is missing", len(all))
	}
}

func TestPayloadsSayWhatTheyCannotRead(t *testing.T) {
	for _, line := range []string{`x`, `"a`, `repeat "a"`, `repeat -1 "a"`, `repeat 3000000 "a"`, `"a" b`} {
		path := filepath.Join(t.TempDir(), "payloads")
		must(t, os.WriteFile(path, []byte("# one\n"+line+"\n"), 0o600))
		if _, err := Payloads(path); err == nil || !strings.Contains(err.Error(), path+":2: ") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// begins reports whether read is what a reader with a limit of 64 KiB returns for whole.
func begins(whole, read string) bool {
	return read == whole || len(read) >= 64<<10 && strings.HasPrefix(whole, read)
}

func TestHostileStandsEverywhere(t *testing.T) {
	all, err := Payloads(payloadFile)
	must(t, err)
	l, where, err := Hostile(t.Context(), t.TempDir(), now, all...)
	must(t, err)
	s := opened(t, l)
	for _, is := range where {
		chain, err := s.Chain(t.Context(), is.Sessions[1])
		must(t, err)
		if len(chain) != 3 || chain[0].Response != is.Payload || !begins(is.Payload, string(chain[2].Status)) || chain[2].HandoffJSON != is.Payload {
			t.Fatalf("%.80q: chain of %d", is.Payload, len(chain))
		}
		entries, err := guard.Audit{Path: l.AuditPath(is.Sessions[0])}.Read()
		must(t, err)
		if len(entries) < 3 {
			t.Errorf("%.80q: %d entries in the audit", is.Payload, len(entries))
		}
		i, err := s.Incident(t.Context(), is.Incident)
		must(t, err)
		if !begins(is.Payload, i.Service) {
			t.Errorf("incident of %.80q, want %.80q", i.Service, is.Payload)
		}
	}
	text, err := os.ReadFile(filepath.Join(l.StateDir, statefile.FileName))
	must(t, err)
	st, err := statefile.Parse(text)
	must(t, err)
	if len(st.Services) < 120 {
		t.Errorf("cooldown.json has %d services", len(st.Services))
	}
	inv, err := inventory.Read(l.Inventory)
	must(t, err)
	if len(inv.Services) < 60 {
		t.Errorf("the inventory has %d services", len(inv.Services))
	}
	if names, err := s.ServiceNames(t.Context()); err != nil || len(names) < len(all) {
		t.Errorf("%d services: %v", len(names), err)
	}
}
