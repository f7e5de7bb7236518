package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/receiver"
)

// byProgram delivers messages to a receiver with the real apprise program; byAPI uses a receiver as the Apprise API server.
func (w *world) byProgram(r *receiver.Receiver) {
	w.t.Helper()
	need.Full(w.t, "apprise")
	w.env["CLAUDEOPS_APPRISE_URLS"] = r.JSONURL("/ops")
}

func (w *world) byAPI(r *receiver.Receiver) {
	r.Store("ops", "night")
	w.env["CLAUDEOPS_APPRISE_API_URL"], w.env["CLAUDEOPS_APPRISE_KEY"] = r.URL, "ops"
}

// asked makes an agent of Tier 1 find services down that CLAUDEOPS_MAX_TIER=1 leaves to a human.
func asked(services ...string) []string {
	var results []string
	for _, name := range services {
		results = append(results, fmt.Sprintf(`{"service":"%s","check_type":"http","status":"down","error":"502 Bad Gateway"}`, name))
	}
	return []string{`bash echo '[` + strings.Join(results, ",") + `]' | claudeops report`, finish}
}

const reportOther = `bash echo '[{"service":"other","check_type":"http","status":"healthy"}]' | claudeops report`

// watched is an operator who gets all notifications, and has had today's digest.
func watched(t *testing.T, tell func(*world, *receiver.Receiver)) (*world, *receiver.Receiver) {
	t.Helper()
	w, r := newWorld(t), receiver.New(t)
	tell(w, r)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.digestSent()
	return w, r
}

func (w *world) digestSent() {
	w.writeCooldowns(fmt.Sprintf(`{"services":{},"last_run":null,"last_daily_digest":%q}`, stamp(time.Hour)))
}

// now ends the back-off of targets and messages.
func (w *world) now() {
	w.t.Helper()
	w.rewrite(`UPDATE targets SET retry_at = ?`, stamp(time.Minute))
}

func titles(r *receiver.Receiver) []string {
	list := []string{}
	for _, m := range r.Messages() {
		list = append(list, m.Title)
	}
	return list
}

func wantTitles(t *testing.T, r *receiver.Receiver, want ...string) {
	t.Helper()
	equal(t, "what arrived, -want +got", cmp.Diff(append([]string{}, want...), titles(r)), "")
}

func wantIn(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		says(t, text, part)
	}
}

func TestTroubleReachesPeopleByTheRealAppriseProgram(t *testing.T) {
	w, r := watched(t, (*world).byProgram)
	w.agent(1, asked("shop")...)
	a := w.cycle(0)
	wantTitles(t, r, "shop is down and needs human attention: 502 Bad Gateway")
	m := r.Messages()[0]
	wantIn(t, m.Body, "`CLAUDEOPS_MAX_TIER` is 1", "502 Bad Gateway", "`claudeops incidents show 1`", "message 1")
	wantIn(t, a.out, "messages: 1 sent, 0 waiting")
	if m.Type != "failure" || m.Path != "/ops" {
		t.Errorf("type %q at %q", m.Type, m.Path)
	}
	if n := w.notified("human_attention"); len(n) != 1 || n[0].DeliveredAt == nil {
		t.Errorf("in the outbox: %+v", n)
	}
	w.cycle(0)
	wantTitles(t, r, "shop is down and needs human attention: 502 Bad Gateway")
}

func TestTroubleReachesPeopleByAnAppriseAPIServer(t *testing.T) {
	w, r := watched(t, (*world).byAPI)
	w.agent(1, asked("shop")...)
	w.cycle(0)
	wantTitles(t, r, "shop is down and needs human attention: 502 Bad Gateway")
	if m := r.Messages()[0]; m.Type != "failure" || m.Format != "markdown" || m.Path != "/notify/ops" {
		t.Errorf("type %q, format %q, at %q", m.Type, m.Format, m.Path)
	}
}

func TestSPEC0007_REQ9_TheDigestReachesPeople(t *testing.T) {
	w, r := newWorld(t), receiver.New(t)
	w.byAPI(r)
	w.agent(1, reportFine, finish)
	w.cycle(0)
	if got := titles(r); len(got) != 1 || !strings.Contains(got[0], "aily digest") || r.Messages()[0].Type != "info" {
		t.Errorf("arrived: %+v", r.Messages())
	}
	if w.cooldowns().LastDailyDigest == nil {
		t.Error("last_daily_digest is null")
	}
	w.cycle(0)
	counted(t, "messages after the next cycle", r.Messages(), 1)
}

func TestKilledBetweenQueueingAndDelivery(t *testing.T) {
	w, r := newWorld(t), receiver.New(t)
	w.byAPI(r)
	w.digestSent()
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "restarts", "success: true"), claim("shop", "restarts", "success: true"), checkRestart, ifRefused, "hang")
	cmd := w.start("run-once")
	waitFor(t, w.path("agent", "refused"))
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	wantTitles(t, r)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.cycle(0)
	wantTitles(t, r, "shop is down and needs human attention: 502 Bad Gateway")
}

func TestKilledBetweenDeliveryAndMarkingRepeatsTheOneInFlightAtMost(t *testing.T) {
	w, r := watched(t, (*world).byAPI)
	r.Down()
	for _, name := range []string{"shop", "mail", "db"} {
		w.agent(1, asked(name)...)
		w.cycle(0)
		w.now()
	}
	r.Up()
	w.agent(1, reportOther, finish)
	killed := make(chan *exec.Cmd, 1)
	r.Answer(func(n int, _ receiver.Message) receiver.Answer {
		if n == 2 { // the second message has arrived, but it is never answered
			cmd := <-killed
			_ = cmd.Process.Kill()
			return receiver.Answer{Close: true}
		}
		return receiver.Answer{}
	})
	cmd := w.start("run-once")
	killed <- cmd
	_ = cmd.Wait() // killed
	r.Answer(nil)
	w.now2()
	w.cycle(0)
	wantTitles(t, r, "shop is down and needs human attention: 502 Bad Gateway", "mail is down and needs human attention: 502 Bad Gateway", "mail is down and needs human attention: 502 Bad Gateway", "db is down and needs human attention: 502 Bad Gateway")
	first, again := r.Messages()[1].Body, r.Messages()[2].Body
	if first != again {
		t.Errorf("the repetition is another text:\n%s\n%s", first, again)
	}
}

// now2 is now for a test without failing targets.
func (w *world) now2() {
	w.t.Helper()
	w.rewrite(`UPDATE notifications SET next_attempt_at = ?`, stamp(time.Minute))
}

func TestWithoutTheAppriseProgramNothingIsLost(t *testing.T) {
	need.Full(t, "jq")
	w := newWorld(t)
	w.env["CLAUDEOPS_APPRISE_URLS"], w.env["PATH"] = "ntfy://ntfy.example/ops", w.only("sh", "echo", "cat", "jq", "touch", "claudeops")
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.digestSent()
	w.agent(1, asked("shop")...)
	a := w.cycle(0)
	wantIn(t, a.err, "apprise is not installed")
	wantIn(t, a.out, "messages: 0 sent, 1 waiting")
}

// only returns a directory with just these programs of PATH.
func (w *world) only(names ...string) (folder string) {
	w.t.Helper()
	folder = w.path("bare")
	must(w.t, exec.Command("mkdir", "-p", folder).Run())
	for _, name := range names {
		path, err := exec.LookPath(name)
		if name == "claudeops" {
			path, err = claudeopsBin, nil
		}
		must(w.t, err)
		must(w.t, exec.Command("ln", "-s", path, folder).Run())
	}
	return folder
}

func TestHeartbeat(t *testing.T) {
	beats := func(r *receiver.Receiver) (list []string) {
		for _, p := range r.Pings() {
			list = append(list, p.Beat)
		}
		return list
	}
	w, r := newWorld(t), receiver.New(t)
	w.env["CLAUDEOPS_HEARTBEAT_URL"] = r.PingURL()
	w.agent(1, reportFine, finish)
	w.cycle(0)
	equal(t, "beats of a good cycle, -want +got", cmp.Diff([]string{"start", ""}, beats(r)), "")
	wantIn(t, r.Pings()[1].Text, "services: 1 healthy")
	if p := r.Pings(); p[0].Run == "" || p[0].Run != p[1].Run {
		t.Errorf("the beats of one run are of %q and %q", p[0].Run, p[1].Run)
	}

	w.agent(1, "exit 1")
	w.cycle(1)
	equal(t, "beats of a failed cycle, -want +got", cmp.Diff([]string{"start", "fail"}, beats(r)[2:]), "")

	w.agent(1, `sh touch "$FAKE_AGENT_DIR/running"`, "hang")
	cmd := w.start("run-once")
	waitFor(t, w.path("agent", "running"))
	before := len(beats(r))
	w.cycle(75)
	if got := beats(r)[before:]; len(got) > 0 {
		t.Errorf("a cycle that another one's lock kept from running sent %q", got)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed

	r.Down()
	w.agent(1, reportFine, finish)
	a := w.cycle(0)
	if strings.Contains(a.err, "0b3e5a0e") || !strings.Contains(a.err, "heartbeat") {
		t.Errorf("what is said of a monitor that is down:\n%s", a.err)
	}
}

func TestNotifyCommand(t *testing.T) {
	need.Full(t, "apprise")
	w, r := newWorld(t), receiver.New(t)
	w.byProgram(r)
	if a := w.run("notify", "--test"); a.code != 0 || !strings.Contains(a.out, "sent") || len(r.Messages()) != 1 {
		t.Errorf("--test: %+v", a)
	}
	a := w.feed("the body\nof it", "notify", "--title", "Deployed", "--body", "-", "--type", "success")
	if a.code != 0 || a.out != "message 1 is sent\n" {
		t.Fatalf("%+v", a)
	}
	m := r.Messages()[1]
	if m.Title != "Deployed" || m.Type != "success" || !strings.HasPrefix(m.Body, "the body  \nof it") {
		t.Errorf("arrived: %+v", m)
	}
	r.Down()
	if a := w.run("notify", "--title", "Again"); a.code != 1 || !strings.Contains(a.err, "message 2 waits, and the next cycles send it") {
		t.Errorf("%+v", a)
	}
	wantIn(t, w.run("notify", "list", "--waiting").out, "Again", "0 of 1: apprise ended with 1: ")
	if a := w.run("notify", "--test"); a.code != 1 || !strings.Contains(a.out, "fail") {
		t.Errorf("--test of a target that is down: %+v", a)
	}
	delete(w.env, "CLAUDEOPS_APPRISE_URLS")
	if a := w.run("notify", "--title", "x"); a.code != 2 || !strings.Contains(a.err, "no target for messages is configured") {
		t.Errorf("without a target: %+v", a)
	}
}

// If a human is needed and there is no target, the summary says so: a cron job may have lost its configuration.
func TestTheSummarySaysThatThereIsNoTarget(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.agent(1, reportFine, finish)
	if a := w.cycle(0); strings.Contains(a.out, "messages:") {
		t.Errorf("nobody is needed:\n%s", a.out)
	}
	w.agent(1, asked("shop")...)
	wantIn(t, w.cycle(0).out, "needs a human:\n  shop: ", "\nmessages: none, because no target is configured\n")
}

// Rules select by name, kind and service, and quiet hours hold what is not urgent.
func TestRulesSayWhoGetsWhat(t *testing.T) {
	need.Full(t, "apprise")
	w, phone, chat := newWorld(t), receiver.New(t), receiver.New(t)
	w.env["CLAUDEOPS_APPRISE_URLS"] = "phone=" + phone.JSONURL("/a") + ",chat=" + chat.JSONURL("/b")
	w.env["CLAUDEOPS_MAX_TIER"], w.env["CLAUDEOPS_INVENTORY"] = "1", w.path("services.yaml")
	hour := time.Now().UTC().Hour()
	quiet := fmt.Sprintf("%02d:00-%02d:00 UTC", (hour+23)%24, (hour+2)%24)
	must(t, os.WriteFile(w.path("services.yaml"), []byte(`services: [{name: shop}, {name: mail}]
notify:
  - {targets: [phone], quiet: "`+quiet+`"}
  - {targets: [chat, pager], kinds: [human_attention], services: [mail]}
`), 0o644))
	w.digestSent()
	w.agent(1, asked("shop", "mail")...)
	w.cycle(0)
	wantTitles(t, phone, "mail is down and needs human attention: 502 Bad Gateway", "shop is down and needs human attention: 502 Bad Gateway")
	wantTitles(t, chat, "mail is down and needs human attention: 502 Bad Gateway")
	a := w.run("notify", "--title", "Deployed", "--service", "shop")
	if a.code != 1 {
		t.Errorf("%+v", a)
	}
	wantIn(t, a.err, "message 3 waits, and the next cycles send it:\n", "waits      phone, until the end of its quiet hours, ")
	wantIn(t, w.run("notify", "list").out, "0 of 1: quiet hours until ")
	wantIn(t, w.run("notify", "show", "3").out, "\n  waits      phone, until the end of its quiet hours, ")
	wantIn(t, w.run("notify", "--title", "Broken", "--type", "failure").out, "is sent")
	wantIn(t, w.run("doctor").out, `rule 2 of notify names the target "pager", and CLAUDEOPS_APPRISE_URLS has phone and chat`)
	wantIn(t, w.run("probe", "validate").err, `rule 2 of notify names the target "pager"`)

	must(t, os.WriteFile(w.path("services.yaml"), []byte("services: [{name: shop}]\nnotify: [{targets: [chat], kinds: [recovered]}]\n"), 0o644))
	a = w.run("notify", "--title", "Deployed again")
	wantIn(t, a.err, "message 5 is not sent: no rule of the services file sends it to a target")
	wantIn(t, w.run("notify", "list").out, "not sent: no rule of the services file sends it")
	wantTitles(t, phone, "mail is down and needs human attention: 502 Bad Gateway", "shop is down and needs human attention: 502 Bad Gateway", "Broken")
}

// A monitor is notified of a cycle that cannot begin, with the reason, but not of a wrong command line.
func TestHeartbeatOfACycleThatCannotBegin(t *testing.T) {
	for name, test := range map[string]struct {
		set  func(*world)
		args []string
		says string
		code int
	}{
		"configuration":   {func(w *world) { w.env["CLAUDEOPS_MAX_TIER"] = "9" }, nil, `CLAUDEOPS_MAX_TIER="9": none of 1, 2, 3`, 2},
		"inventory":       {func(w *world) { w.env["CLAUDEOPS_INVENTORY"] = w.path("none.yaml") }, nil, "CLAUDEOPS_INVENTORY: ", 2},
		"state directory": {func(w *world) { w.env["CLAUDEOPS_STATE_DIR"] = "/etc/passwd" }, nil, "CLAUDEOPS_STATE_DIR=", 2},
		"database":        {func(w *world) { w.alters(`CREATE TABLE recipes (name TEXT)`) }, nil, "not a database of claudeops", 1},
		"usage":           {func(*world) {}, []string{"--trigger", "me"}, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := newWorld(t), receiver.New(t)
			w.env["CLAUDEOPS_HEARTBEAT_URL"] = r.PingURL()
			test.set(w)
			w.cycle(test.code, test.args...)
			pings := r.Pings()
			if test.says == "" {
				counted(t, "beats", pings, 0)
				return
			}
			if len(pings) == 0 {
				t.Fatal("no beat")
			}
			last := pings[len(pings)-1]
			if last.Beat != "fail" || !strings.Contains(last.Text, test.says) || strings.Contains(last.Text, "cycle of") {
				t.Errorf("beats: %+v", pings)
			}
		})
	}
}

// An agent that clears its environment is still recognized as one. (The guard refuses that, but the fake agent does not ask it.)
func TestAnAgentThatEmptiesItsEnvironmentIsNoOperator(t *testing.T) {
	w, r := watched(t, (*world).byAPI)
	bare := fmt.Sprintf(`env -i CLAUDEOPS_STATE_DIR="$FAKE_AGENT_DIR/../state" CLAUDEOPS_APPRISE_API_URL=%s CLAUDEOPS_APPRISE_KEY=ops %s `, r.URL, claudeopsBin)
	const recorded = `bash until claudeops sessions show 1 --json | grep -q '"pid": [1-9]'; do sleep 0.01; done` // from here on it is recognized as an agent
	w.agent(1, recorded, "sh { "+bare+`notify --title "All clear"; `+bare+`silence shop --for 2h; `+bare+`pause --for 2h; } > "$FAKE_AGENT_DIR/kept" 2>&1; true`, reportFine, finish)
	w.cycle(0)
	wantTitles(t, r)
	wantIn(t, w.kept("kept"), "notify is for operators", "silence is for operators", "pause is for operators")
}

func TestMetricsFileIsWrittenAfterEachCycle(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_METRICS_FILE"] = w.path("claudeops.prom")
	w.agent(1, reportFine, finish)
	w.cycle(0)
	wantIn(t, w.read("claudeops.prom"), "claudeops_last_run_success 1", `claudeops_services{status="healthy"} 1`, `claudeops_cost_usd_total{tier="1"} 0.01`)
	w.agent(1, "exit 1")
	w.cycle(1)
	wantIn(t, w.read("claudeops.prom"), "claudeops_last_run_success 0", "claudeops_cycles_total 2")

	w.env["CLAUDEOPS_METRICS_FILE"] = w.path("nowhere", "claudeops.prom")
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.wantEvent(store.Warning, "CLAUDEOPS_METRICS_FILE")
}
