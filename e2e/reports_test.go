package e2e

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/check"
)

// reported returns an agent's report of results as JSON.
func reported(results string) string { return "bash echo '[" + results + "]' | claudeops report" }

const (
	webDown     = `{"service":"web","check_type":"http","status":"down","error":"HTTP 502"}`
	webUnknown  = `{"service":"web","check_type":"http","status":"unknown","error":"no curl"}`
	mailUnknown = `{"service":"mail","check_type":"http","status":"unknown","error":"no curl"}`
)

// However an agent words that it could not make a check, people get one message.
func TestReportedUnknownIsOneMessage(t *testing.T) {
	for name, script := range map[string]string{
		"of a service that is probed": `bash for i in $(seq 300); do printf '{"service":"web","check_type":"dns","status":"unknown","error":"%s"}\n' "$(printf "$i" | tr 0-9 g-p)"; done | jq -s . | claudeops report`,
		"of names that nobody knows":  `bash for i in $(seq 300); do printf '{"service":"s%s","check_type":"dns","status":"unknown","error":"x"}\n' $i; done | jq -s . | claudeops report`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.inventory([]string{"web"}, nil)
			w.agent(1, script, finish)
			for range 2 {
				a := w.cycle(0)
				if said := strings.Count(a.out, "cannot be made"); said != 1 {
					t.Errorf("the summary says it %d times:\n%s", said, a.out)
				}
			}
			if sent := w.notified("agent_failing"); len(sent) == 0 || len(sent) > 3 {
				t.Errorf("%d notifications", len(sent))
			}
		})
	}
}

// People are notified of a service that is reported as unknown once a day, regardless of messages about others.
func TestReportedUnknownsDoNotHideEachOther(t *testing.T) {
	for name, inventory := range map[string][]string{"in the inventory": {"web", "mail"}, "in none": nil} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if inventory != nil {
				w.inventory(inventory, nil)
			}
			dns := func(result string) string { return reported(strings.Replace(result, "http", "dns", 1)) }
			w.agent(1, dns(webUnknown), finish)
			w.cycle(0)
			w.wantNotified("agent_failing", "web")
			w.agent(1, dns(mailUnknown), dns(webUnknown), finish)
			w.cycle(0)
			w.cycle(0)
			w.wantNotified("agent_failing", "web", "mail")
		})
	}
}

// What was reported down is passed on, whatever else Tier 1 says about it before its session ends, unless a later report corrects it.
func TestReportedOutageIsNotTakenBack(t *testing.T) {
	elsewhere := `bash echo '{"services_affected":["other"],"check_results":[{"service":"other","check_type":"http","status":"degraded","error":"slow"},` +
		`{"service":"web","check_type":"%s","status":"healthy","error":""}]}' | claudeops handoff write --tier 2`
	for name, tt := range map[string]struct {
		then []string
		want []string // handed to Tier 2
	}{
		"by unknown":                      {[]string{reported(webUnknown)}, []string{"web"}},
		"by a handoff, another type":      {[]string{fmt.Sprintf(elsewhere, "container")}, []string{"other", "web"}},
		"by a handoff, the same type":     {[]string{fmt.Sprintf(elsewhere, "http")}, []string{"other", "web"}},
		"unless by a report that is sure": {[]string{reported(strings.Replace(webDown, "down", "healthy", 1))}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, append(append([]string{reported(webDown)}, tt.then...), finish)...)
			w.agent(2, finish)
			w.cycle(0)
			if tt.want == nil {
				w.wantStatuses("1 completed")
				return
			}
			w.wantStatuses("1 escalated", "2 completed")
			wantEqual(t, "services affected", tt.want, w.escalationContext(2).ServicesAffected)
			down := 0
			for _, i := range w.incidents() {
				if i.Service == "web" && i.Status == check.Down {
					down++
				}
			}
			if down != 1 {
				t.Errorf("incidents %+v", w.incidents())
			}
		})
	}
}

// Where only a model watches, one that says what it found in words alone, or in a report that is refused, watches nothing: people are told once a
// day, and read its words.
func TestATier1WithoutAReportIsTold(t *testing.T) {
	for name, script := range map[string]string{
		"in words":            "say nginx is DOWN",
		"in a refused report": `bash echo '[{"service":"nginx","status":"DOWN"}]' | claudeops report; true`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, script, "say nginx is DOWN", finish)
			for range 2 {
				says(t, w.cycle(3, "--strict").out, "Tier 1 reported nothing")
			}
			w.wantNotified("agent_failing", "")
			says(t, w.notified("agent_failing")[0].Body, "its words, which start nothing: nginx is DOWN")
			w.agent(1, reportFine, finish)
			w.cycle(0, "--strict")
		})
	}
}

// cutOff runs a cycle that a signal ends once Tier 1 has reported and created a file.
func (w *world) cutOff(sig syscall.Signal) {
	w.t.Helper()
	w.agent(1, "init", "on-sigint result 0.1", reported(webDown), `sh touch "$FAKE_AGENT_DIR/said"; sleep 3600`)
	cmd := w.start("run-once")
	waitFor(w.t, w.path("agent", "said"))
	must(w.t, cmd.Process.Signal(sig))
	_ = cmd.Wait() // its records are checked
}

// What Tier 1 reported before its cycle was killed is not lost.
func TestReportOfAKilledCycleIsNotLost(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			w := newWorld(t)
			w.cutOff(sig)
			w.agent(1, reported(`{"service":"mail","check_type":"http","status":"healthy"}`), finish)
			a := w.cycle(3, "--strict")
			if open := w.incidents(); len(open) != 1 || open[0].Service != "web" || open[0].Status != check.Down {
				t.Errorf("incidents: %+v", open)
			}
			says(t, a.out, "needs a human:\n  web: ")
			w.wantNotified("agent_failing", "web")
			w.cycle(0)
			w.wantNotified("agent_failing", "web")
		})
	}
}

// Results of the next cycle itself replace it.
func TestReportOfAKilledCycleIsOverruled(t *testing.T) {
	w := newWorld(t)
	w.cutOff(syscall.SIGKILL)
	w.agent(1, reported(strings.Replace(webDown, "down", "healthy", 1)), finish)
	w.cycle(0, "--strict")
	w.wantNotified("agent_failing")
	counted(t, "incidents", w.incidents(), 0)
}

// If Tier 1 is interrupted in each cycle, no agent examines its reports, so people are notified of them.
func TestReportOfTier1InterruptedTwiceIsTold(t *testing.T) {
	w := newWorld(t)
	w.cutOff(syscall.SIGTERM)
	w.wantNotified("agent_failing")
	must(t, os.Remove(w.path("agent", "said")))
	w.cutOff(syscall.SIGTERM)
	w.wantNotified("agent_failing", "web")
}
