package statefile_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/testkit/need"
)

// The scenarios of SPEC-0007 about the file, one test each. Those about notifications, volumes and prompts are in the tests of these
// packages.

func wantPermitted(t *testing.T, s *statefile.State, service string, a statefile.Action, want bool) {
	t.Helper()
	if p := statefile.Count(s.Service(service).Records(a), a, noon); p.Permitted() != want {
		t.Errorf("%s of %s: permitted %v (%d of %d), want %v", a, service, p.Permitted(), p.Used, p.Limit, want)
	}
}

func TestSPEC0007_REQ1_DefaultStateDirectory(t *testing.T) {
	if got := statefile.Path("/state"); got != "/state/cooldown.json" {
		t.Errorf("path %s, want /state/cooldown.json", got)
	}
}

func TestSPEC0007_REQ1_CustomStateDirectory(t *testing.T) {
	if got := statefile.Path("/custom/path"); got != "/custom/path/cooldown.json" {
		t.Errorf("path %s, want /custom/path/cooldown.json", got)
	}
}

func TestSPEC0007_REQ2_FirstRunWithNoExistingStateFile(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(*statefile.State) {}))
	if got, want := compact(t, content(t, f)), `{"services":{},"last_run":null,"last_daily_digest":null}`; got != want {
		t.Errorf("content %s, want %s", got, want)
	}
}

func TestSPEC0007_REQ2_SubsequentRunWithExistingStateFile(t *testing.T) {
	f := newFile(t)
	put(t, f, `{"services":{"nginx":{"consecutive_healthy":1}},"last_run":null,"last_daily_digest":null,"note":"mine"}`)
	must(t, update(t, f, func(*statefile.State) {}))
	if got := jq(t, f, "[.note, .services.nginx.consecutive_healthy]"); got != `["mine",1]` {
		t.Errorf("it became %s", content(t, f))
	}
}

func TestSPEC0007_REQ2_StateFileExistsButIsEmptyOrCorrupted(t *testing.T) {
	for _, broken := range []string{"", "\n", "{broken", "[]", "null", `"text"`, `{"services":[]}`, `{} {}`, "\x7fELF"} {
		f := newFile(t)
		put(t, f, broken)
		if _, err := f.Read(t.Context()); !errors.Is(err, statefile.ErrCorrupt) {
			t.Errorf("%q: read with %v, want ErrCorrupt", broken, err)
		}
		remade, err := f.Update(t.Context(), func(*statefile.State) error { return nil })
		must(t, err)
		s := read(t, f)
		if len(s.Services) != 0 {
			t.Errorf("%q: read services %v, want none", broken, s.Services)
		}
		if got, want := compact(t, content(t, f)), `{"services":{},"last_run":null,"last_daily_digest":null}`; got != want {
			t.Errorf("%q: content %s, want %s", broken, got, want)
		}
		if kept, err := os.ReadFile(movedTo(remade)); err != nil || string(kept) != broken {
			t.Errorf("%q: the copy %q is %q, %v", broken, movedTo(remade), kept, err)
		}
	}
}

func TestSPEC0007_REQ4_FirstRestartWithinCooldownWindow(t *testing.T) {
	wantPermitted(t, statefile.New(), "nginx", statefile.Restart, true)
}

func TestSPEC0007_REQ4_SecondRestartWithinCooldownWindow(t *testing.T) {
	wantPermitted(t, with("nginx", statefile.Restart, time.Hour), "nginx", statefile.Restart, true)
}

func TestSPEC0007_REQ4_ThirdRestartBlockedByCooldown(t *testing.T) {
	s := with("nginx", statefile.Restart, 3*time.Hour, time.Minute)
	wantPermitted(t, s, "nginx", statefile.Restart, false)
	wantPermitted(t, s, "redis", statefile.Restart, true)
	wantPermitted(t, s, "nginx", statefile.Redeployment, true)
}

func TestSPEC0007_REQ4_RestartPermittedAfterWindowExpires(t *testing.T) {
	wantPermitted(t, with("nginx", statefile.Restart, 5*time.Hour, 4*time.Hour), "nginx", statefile.Restart, true)
}

func TestSPEC0007_REQ5_FirstRedeploymentWithinCooldownWindow(t *testing.T) {
	wantPermitted(t, statefile.New(), "postgres", statefile.Redeployment, true)
}

func TestSPEC0007_REQ5_SecondRedeploymentBlockedByCooldown(t *testing.T) {
	s := with("postgres", statefile.Redeployment, 23*time.Hour)
	wantPermitted(t, s, "postgres", statefile.Redeployment, false)
	wantPermitted(t, s, "postgres", statefile.Restart, true)
}

func TestSPEC0007_REQ5_RedeploymentPermittedAfterWindowExpires(t *testing.T) {
	wantPermitted(t, with("postgres", statefile.Redeployment, 24*time.Hour), "postgres", statefile.Redeployment, true)
}

func TestSPEC0007_REQ8_SuccessfulHealthCheckRun(t *testing.T) {
	f := newFile(t)
	f.Now = func() time.Time { return time.Date(2025, 6, 15, 12, 30, 0, 123456, time.FixedZone("CEST", 2*3600)) }
	must(t, update(t, f, func(s *statefile.State) { s.LastRun = new(f.Now()) }))
	if got := jq(t, f, ".last_run"); got != `"2025-06-15T10:30:00Z"` {
		t.Errorf(`last_run %s, want "2025-06-15T10:30:00Z"`, got)
	}
}

func TestSPEC0007_REQ9_FirstRunNoDigestEverSent(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) {
		if !s.DigestDue(f.Now()) {
			t.Error("no digest due, want one")
		}
		s.LastDailyDigest = new(f.Now())
	}))
	if got := jq(t, f, ".last_daily_digest"); got != `"2025-06-15T12:00:00Z"` {
		t.Errorf("last_daily_digest %s", got)
	}
}

func TestSPEC0007_REQ9_DigestSentWithin24Hours(t *testing.T) {
	s := parse(t, `{"last_daily_digest":"2025-06-15T08:00:00Z"}`)
	if s.DigestDue(time.Date(2025, 6, 15, 14, 0, 0, 0, time.UTC)) {
		t.Error("a digest is due 6 hours after the last")
	}
	if s.DigestDue(time.Date(2025, 6, 16, 8, 0, 0, 0, time.UTC)) {
		t.Error("a digest is due exactly 24 hours after the last, want more than 24")
	}
}

func TestSPEC0007_REQ9_DigestOverdue(t *testing.T) {
	s := parse(t, `{"last_daily_digest":"2025-06-14T08:00:00Z"}`)
	if !s.DigestDue(time.Date(2025, 6, 15, 10, 0, 0, 0, time.UTC)) {
		t.Error("no digest due 26 hours after the last")
	}
}

func TestSPEC0007_REQ10_ReadingStateWithJq(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) {
		s.Add("nginx", statefile.Restart, done(time.Hour))
		s.Add("nginx", statefile.Restart, done(time.Minute))
	}))
	if got := jq(t, f, `.services["nginx"].restarts | length`); got != "2" {
		t.Errorf("jq counts %s restarts, want 2", got)
	}
}

func TestSPEC0007_REQ10_WritingStateWithJq(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) { s.Add("nginx", statefile.Restart, done(time.Hour)) }))
	shell(t, f, `jq '.services["nginx"].restarts += [{"timestamp":"2025-06-15T11:30:00Z","success":true,"by":"hand"}] | .note = {"kept": [1.50, "é"]}' \
		"$STATE_DIR/cooldown.json" > "$STATE_DIR/cooldown.json.tmp" && mv "$STATE_DIR/cooldown.json.tmp" "$STATE_DIR/cooldown.json"`)
	must(t, update(t, f, func(s *statefile.State) {
		wantPermitted(t, s, "nginx", statefile.Restart, false)
		s.Ensure("nginx").ConsecutiveHealthy = 1
	}))
	if got := jq(t, f, `[.services.nginx.restarts[1].by, .services.nginx.consecutive_healthy, .note.kept[1]] | @csv`); got != `"\"hand\",1,\"é\""` {
		t.Errorf("after our write: %s", got)
	}
	shell(t, f, `jq --arg svc nginx '.services[$svc].restarts = [] | .services[$svc].redeployments = [] | .services[$svc].consecutive_healthy = 0' \
		"$STATE_DIR/cooldown.json" > "$STATE_DIR/cooldown.json.tmp" && mv "$STATE_DIR/cooldown.json.tmp" "$STATE_DIR/cooldown.json"`)
	wantPermitted(t, read(t, f), "nginx", statefile.Restart, true)
	shell(t, f, `state=$(cat "$STATE_DIR/cooldown.json"); echo "$state" > "$STATE_DIR/cooldown.json"`)
	if got := read(t, f).Extra; len(got) == 0 {
		t.Error("the note was lost")
	}
}

func TestSPEC0007_REQ11_OperatorInspectsCooldownState(t *testing.T) {
	need.Full(t, "jq")
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) {
		s.Add("nginx", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), Error: `exit <137> & "é" \ ` + "\t", Tier: 2, DurationMS: 12, ID: "a"})
		s.Ensure("été")
		s.LastRun = new(noon)
	}))
	if out := shell(t, f, `cat "$STATE_DIR/cooldown.json" | jq .`); out != content(t, f) {
		t.Errorf("the file is not as jq prints it:\n%s\njq:\n%s", content(t, f), out)
	}
}

func TestSPEC0007_REQ13_StateFileWithMultipleServices(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) {
		for _, name := range []string{"redis", "nginx", "postgres"} {
			s.Ensure(name)
		}
	}))
	want := `{"services":{"nginx":SVC,"postgres":SVC,"redis":SVC},"last_run":null,"last_daily_digest":null}`
	want = strings.ReplaceAll(want, "SVC", `{"restarts":[],"redeployments":[],"consecutive_healthy":0}`)
	if got := compact(t, content(t, f)); got != want {
		t.Errorf("content\n%s, want\n%s", got, want)
	}
}

func TestSPEC0007_REQ13_ServiceWithMixedActionOutcomes(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) {
		s.Add("nginx", statefile.Restart, done(time.Hour))
		s.Add("nginx", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), Error: "exit 137"})
	}))
	want := `[{"timestamp":"2025-06-15T11:00:00Z","success":true},{"timestamp":"2025-06-15T12:00:00Z","success":false,"error":"exit 137"}]`
	if got := jq(t, f, ".services.nginx.restarts"); got != want {
		t.Errorf("restarts %s, want %s", got, want)
	}
}
