package e2e

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/receiver"
)

// Tier 2 works on shop until people are notified that mail is down, which fails when they are notified of shop. The next cycle starts the
// second chain.
func TestASecondServiceIsToldWhileTier2Works(t *testing.T) {
	need.Full(t, "a minute")
	w, r := probing(t, []string{"shop", "mail"}, nil), receiver.New(t)
	w.byAPI(r)
	w.digestSent()
	w.env["CLAUDEOPS_HEARTBEAT_URL"] = r.PingURL()
	w.breaks("shop")
	w.agent(2, "wait-for "+w.path("agent", "released"), askRestart, mendShop, finish)
	var brokeAt, toldAt time.Time
	var meanwhile []string
	r.Answer(func(_ int, m receiver.Message) receiver.Answer {
		switch {
		case strings.HasPrefix(m.Title, "shop is down"):
			brokeAt = time.Now()
			w.breaks("mail")
		case strings.HasPrefix(m.Title, "mail is down"):
			toldAt, meanwhile = time.Now(), w.statuses()
			must(t, os.WriteFile(w.path("agent", "released"), nil, 0o600))
		}
		return receiver.Answer{}
	})
	w.cycle(0)
	wantTitles(t, r, "shop is down: HTTP 502", "mail is down: HTTP 502", "shop remediated by Tier 2")
	wantEqual(t, "sessions when mail was told", []string{"1 escalated", "2 running"}, meanwhile)
	if took := toldAt.Sub(brokeAt); took > toldWithin {
		t.Errorf("people heard of mail after %v", took)
	}
	if pings := r.Pings(); len(pings) < 3 {
		t.Errorf("the monitor heard of %+v, want a beat in the middle too", pings)
	}
	w.wantStatuses("1 escalated", "2 completed")

	w.agent(2, "bash docker restart mail", `sh rm "$FAKE_AGENT_DIR/broken-mail"`, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed", "1 escalated", "2 completed")
	wantTitles(t, r, "shop is down: HTTP 502", "mail is down: HTTP 502", "shop remediated by Tier 2", "mail remediated by Tier 2")
	var chains []store.Session
	for _, s := range w.sessions() {
		if s.Tier == 2 {
			chains = append(chains, s)
		}
	}
	if len(chains) != 2 || chains[1].StartedAt.Before(*chains[0].EndedAt) {
		t.Errorf("two chains at a time: %+v", chains)
	}
}
