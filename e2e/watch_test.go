package e2e

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/receiver"
	"github.com/claudeops/claudeops/testkit/servers"
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

// TestASecondServiceIsToldInTheThirdOfTwentyMinutes is the same with the real agent program and in real minutes: Tier 2 works for twenty, a
// server is killed in their third, and each minute another cycle is started.
//
//	TIER2_FOR_TWENTY_MINUTES=1 go test -v -timeout 40m -run '^TestASecondServiceIsToldInTheThirdOfTwentyMinutes$' ./e2e
func TestASecondServiceIsToldInTheThirdOfTwentyMinutes(t *testing.T) {
	if os.Getenv("TIER2_FOR_TWENTY_MINUTES") == "" {
		t.Skip("TIER2_FOR_TWENTY_MINUTES is not set")
	}
	mail := servers.Nginx(t, time.Hour, "location / { return 200; }")
	began, killed, worked := time.Now(), time.Time{}, 0
	w, _ := withClaude(t, modeltest.Script{"sonnet": slices.Repeat([]modeltest.Turn{modeltest.Ask(func(modeltest.Request) modeltest.Turn {
		if worked++; worked > 20 { // and the second chain, which finds nothing
			return modeltest.Say("that is for people")
		}
		if worked == 3 {
			mail.Kill()
			killed = time.Now()
		}
		return modeltest.Bash("sleep 60")
	})}, 22)})
	w.inventory([]string{"shop"}, nil)
	must(t, os.WriteFile(w.env["CLAUDEOPS_INVENTORY"], []byte(w.read("inventory.yaml")+"  - {name: mail, settle: 0s, checks: [{type: http, url: "+mail.URL+"}]}\n"), 0o600))
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["CLAUDEOPS_MAX_TIER"], w.env["CLAUDEOPS_TIER2_TIMEOUT"] = "probe", "2", "30m"
	r, told := receiver.New(t), make(chan time.Time, 10)
	w.byAPI(r)
	w.digestSent()
	r.Answer(func(_ int, m receiver.Message) receiver.Answer {
		t.Logf("%v: %s", time.Since(began).Round(time.Second), m.Title)
		if strings.HasPrefix(m.Title, "mail is down") {
			told <- time.Now()
		}
		return receiver.Answer{}
	})
	w.breaks("shop")
	cycle := exec.Command(w.bin, "run-once")
	cycle.Env, cycle.Dir = w.environ(), w.dir
	must(t, cycle.Start())
	t.Cleanup(func() { _ = cycle.Process.Kill() })
	ended := make(chan error, 1)
	go func() { ended <- cycle.Wait() }()
	refused, minute := 0, time.NewTicker(time.Minute)
	defer minute.Stop()
	for running := true; running; {
		select {
		case err := <-ended:
			must(t, err)
			running = false
		case <-minute.C:
			w.cycle(75)
			refused++
		}
	}
	select {
	case at := <-told:
		t.Logf("Tier 2 worked for %v; mail was killed after %v, and told %v later; %d other cycles were refused", time.Since(began).Round(time.Second), killed.Sub(began).Round(time.Second), at.Sub(killed).Round(time.Second), refused)
		if at.Sub(killed) > toldWithin {
			t.Errorf("people heard of mail after %v", at.Sub(killed))
		}
	default:
		t.Error("people heard nothing of mail while Tier 2 worked")
	}
	w.wantStatuses("1 escalated", "2 completed")
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed", "1 escalated", "2 completed")
	for _, s := range w.sessions() {
		t.Logf("session %d: Tier %d (%s), %s to %s, %s", s.ID, s.Tier, s.Agent, s.StartedAt.Format(time.TimeOnly), s.EndedAt.Format(time.TimeOnly), s.Status)
	}
	if s := w.sessions(); s[2].StartedAt.Before(*s[1].EndedAt) {
		t.Errorf("two chains at a time: %+v", s)
	}
}
