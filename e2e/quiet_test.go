package e2e

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/receiver"
)

// operator runs a command that must succeed.
func (w *world) operator(args ...string) answer {
	w.t.Helper()
	a := w.run(args...)
	if a.code != 0 {
		w.t.Fatalf("%q: exit %d: %s%s", args, a.code, a.out, a.err)
	}
	return a
}

// mends undoes breaks.
func (w *world) mends(names ...string) {
	w.t.Helper()
	for _, name := range names {
		must(w.t, os.Remove(w.path("agent", "broken-"+name)))
	}
}

// wantQuiet fails if anything is in the outbox, of any kind.
func (w *world) wantQuiet() {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		all, err := s.Notifications(ctx, store.NotificationFilter{Limit: 100})
		must(w.t, err)
		for _, n := range all {
			w.t.Errorf("told %s: %s: %s", n.Kind, n.Title, n.Body)
		}
	})
}

func (w *world) wantWords(text string, words ...string) {
	w.t.Helper()
	for _, word := range words {
		says(w.t, text, word)
	}
}

func TestASilencedServiceIsWatchedAndLeftAlone(t *testing.T) {
	need.Full(t, "docker")
	w := probing(t, []string{"shop", "mail"}, nil)
	w.breaks("shop")
	a := w.operator("silence", "shop", "--for", "2h", "--reason", "a new disk")
	w.wantWords(a.out, "shop is silenced until ", " UTC: checks go on, nothing is remediated or sent\n")
	w.agent(2, askRestart, finish)
	a = w.cycle(0)
	w.wantStatuses("1 completed")
	w.wantWords(a.out, "shop down: http: HTTP 502", "held back: silenced until ", "(a new disk)")
	w.wantEvent(store.Info, "shop is down: silenced until ")
	w.wantEvent(store.Info, "Tier 2 not started for shop: silenced until ")
	w.wantQuiet()
	counted(t, "incidents", w.incidents(), 0)
	w.database(func(ctx context.Context, s *store.Store) {
		stored, err := s.SessionChecks(ctx, 1)
		must(t, err)
		counted(t, "stored", stored, 2)
	})

	w.breaks("mail") // an agent that works on another service must not touch it either
	w.cycle(0)
	w.wantStatuses("1 completed", "1 escalated", "2 completed")
	if _, err := os.Stat(w.path("agent", "acted")); err == nil {
		t.Error("the guard granted a restart of shop")
	}
	w.wantNotified("human_attention", "mail")

	w.operator("silence", "end", "shop")
	w.agent(2, askRestart, mendShop, finish)
	w.cycle(0)
	w.wantStatuses("1 completed", "1 escalated", "2 completed", "1 escalated", "2 completed")
	w.wantNotified("remediated", "shop") // the title says enough
	equal(t, "incidents, -want +got", cmp.Diff([]string{"open", "open"}, incidentStates(w.incidents())), "")
	w.cycle(0)
}

// A silence that begins while an agent works, whether or not the program's own checks run again after it.
func TestASilenceTakesEffectInARunningCycle(t *testing.T) {
	for name, tt := range map[string]struct {
		say    string
		probed bool
	}{
		"a silence":                 {"silence shop --for 1h", true},
		"a pause":                   {"pause --for 1h", true},
		"a silence, without checks": {"silence shop --for 1h", false},
		"a pause, without checks":   {"pause --for 1h", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := makeWorld(t)
			w.restartable("exit 0", "shop")
			w.agent(1, reportDown, finish)
			if tt.probed {
				w.inventory([]string{"shop"}, nil)
				w.env["CLAUDEOPS_TIER1_AGENT"], w.env["ANTHROPIC_API_KEY"] = "probe", "sk-ant-test"
			}
			w.breaks("shop")
			w.agent(2, `sh touch "$FAKE_AGENT_DIR/works"; until [ -e "$FAKE_AGENT_DIR/said" ]; do sleep 0.01; done`, askForTier3, askRestart, finish)
			w.agent(3, finish)
			cycle := w.start("run-once")
			waitFor(t, w.path("agent", "works"))
			w.operator(strings.Fields(tt.say)...)
			must(t, os.WriteFile(w.path("agent", "said"), nil, 0o600))
			must(t, cycle.Wait())
			w.wantStatuses("1 escalated", "2 completed")
			if _, err := os.Stat(w.path("agent", "acted")); err == nil {
				t.Error("the guard granted a restart of shop")
			}
			w.wantQuiet()
			if i := w.incident(); i.DeadEnds != 0 || i.RetryAt != nil || i.LastChain != "" {
				t.Errorf("the incident is %+v; nobody was asked, and nothing is solved", i)
			}
		})
	}
}

func TestAPauseIsOfEverything(t *testing.T) {
	w := probing(t, []string{"shop", "mail", "blog"}, nil)
	w.byAPI(receiver.New(t))
	w.digestSent()
	w.agent(2, finish)
	w.operator("pause", "--for", "2h", "--reason", "the network moves")
	w.breaks("shop", "mail")
	w.cycle(0)
	w.mends("mail")
	w.operator("silence", "blog", "--for", "3h")
	w.cycle(0)
	w.wantStatuses("1 completed", "1 completed")
	w.wantQuiet()
	w.rewrite(`UPDATE silences SET until = ? WHERE service = ''`, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
	w.cycle(0)
	w.wantStatuses("1 completed", "1 completed", "1 escalated", "2 completed")
	w.wantNotified("human_attention", "shop") // the title says enough
}

// An incident waits for the end of a silence, like for that of a maintenance window, and people are notified of its end then.
func TestAnIncidentWaitsForTheEndOfASilence(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.breaks("shop")
	w.cycle(0)
	a := w.operator("silence", "shop", "--for", "2h")
	w.wantWords(a.out, "\nincident 1 (down since ", " stays as it is until then\n")
	before := w.incidents()[0]
	w.cycle(0)
	after := w.incidents()[0]
	if after.DeadEnds != 1 || !after.RetryAt.Equal(*before.RetryAt) || after.Fingerprint != before.Fingerprint {
		t.Errorf("unwell in a silence, it is %+v, and was %+v", after, before)
	}
	w.mends("shop")
	w.cycle(0)
	w.cycle(0)
	w.cycle(0)
	equal(t, "incidents in the silence, -want +got", cmp.Diff([]string{"open"}, incidentStates(w.incidents())), "")
	w.wantNotified("recovered")
	w.operator("silence", "end", "shop")
	w.cycle(0)
	w.cycle(0)
	equal(t, "incidents after it, -want +got", cmp.Diff([]string{"closed"}, incidentStates(w.incidents())), "")
	w.wantNotified("recovered", "shop")
}

// What recovers during a silence and breaks after it is a new problem: people are asked again, regardless of earlier requests.
func TestTroubleAfterARecoveryInASilenceIsNew(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.breaks("shop")
	w.cycle(0)
	w.operator("silence", "shop", "--for", "2h")
	w.mends("shop")
	w.cycle(0)
	w.cycle(0)
	w.breaks("shop")
	w.cycle(0) // broken again during the silence
	w.wantNotified("human_attention", "shop")
	w.operator("silence", "end", "shop")
	w.cycle(0)
	equal(t, "incidents, -want +got", cmp.Diff([]string{"open", "closed"}, incidentStates(w.incidents())), "")
	w.wantNotified("human_attention", "shop", "shop")
	w.wantNotified("recovered")
	w.wantEvent(store.Info, "shop had recovered while no message was sent about it: incident 1 closed")
	if i := w.incidents()[0]; i.DeadEnds != 1 {
		t.Errorf("the new incident is %+v", i)
	}
}
