package prompts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/testkit/need"
)

// The one-liners of the cooldown skill, in the same order.
const (
	countRestarts = iota
	countRedeployments
	nextRestart
	inCooldown
	recordRestart
	recordRedeployment
	healthyService
	unhealthyService
	lastRun
	lastDigest
	oneLiners
)

// jqFiles is a state directory whose name needs quoting, and the skill as rendered for it.
type jqFiles struct {
	t     *testing.T
	file  string
	lines []string
}

func newState(t *testing.T, state string) jqFiles {
	t.Helper()
	need.Full(t, "jq")
	t.Setenv("LC_ALL", "C")               // bash warns about missing locales
	t.Setenv("TZ", "EST5EDT,0/0,J365/25") // a zone that always has daylight saving time, which jq 1.6 handles incorrectly
	v := session(2)
	v.StateDir = filepath.Join(t.TempDir(), "it's the state")
	must(t, os.Mkdir(v.StateDir, 0o700))
	d := jqFiles{t: t, file: filepath.Join(v.StateDir, "cooldown.json")}
	d.write(state)
	for _, c := range code(texts(t, v)["skills/cooldowns.md"]) {
		if strings.HasPrefix(strings.TrimPrefix(c, "TZ=UTC "), "jq ") {
			d.lines = append(d.lines, c)
		}
	}
	if len(d.lines) != oneLiners {
		t.Fatalf("the skill has %d jq one-liners, this test knows %d", len(d.lines), oneLiners)
	}
	return d
}

func (d jqFiles) write(state string) {
	d.t.Helper()
	must(d.t, os.WriteFile(d.file, []byte(state), 0o600))
}

// run runs a one-liner like an agent and returns its output.
func (d jqFiles) run(line int) string {
	d.t.Helper()
	out, err := exec.Command("bash", "-c", d.lines[line]).CombinedOutput()
	if err != nil {
		d.t.Fatalf("%s\n%v: %s", d.lines[line], err, out)
	}
	return strings.TrimSpace(string(out))
}

// state returns the content of the state file, with each timestamp of the last minute replaced by "just now".
func (d jqFiles) state() map[string]any {
	d.t.Helper()
	state := map[string]any{}
	must(d.t, json.Unmarshal(got(os.ReadFile(d.file))(d.t), &state))
	return justNow(state).(map[string]any)
}

func justNow(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = justNow(v[key])
		}
	case []any:
		for i := range v {
			v[i] = justNow(v[i])
		}
	case string:
		if at, err := time.Parse("2006-01-02T15:04:05Z", v); err == nil && time.Since(at).Abs() < time.Minute {
			return "just now"
		}
	}
	return value
}

func ago(d time.Duration) string { return time.Now().Add(-d).UTC().Format("2006-01-02T15:04:05Z") }

func record(at string) string { return `{"timestamp": "` + at + `", "success": true}` }

func service(restarts, redeployments string) string {
	return `{"services": {"shop": {"restarts": [` + restarts + `], "redeployments": [` + redeployments + `], "consecutive_healthy": 1}, "other": {"restarts": [], "redeployments": [], "consecutive_healthy": 0, "note": "kept"}}, "last_run": null, "last_daily_digest": null}`
}

func TestSPEC0007_REQ10_ReadingStateWithJq(t *testing.T) {
	recent, earlier, expired := ago(time.Hour), ago(2*time.Hour), ago(5*time.Hour)
	for _, tc := range []struct {
		name, state                                string
		restarts, redeployments, next, shopOrEmpty string
	}{
		{"nothing yet", `{"services":{},"last_run":null,"last_daily_digest":null}`, "0", "0", "", ""},
		{"one of two", service(record(recent)+","+record(expired), ""), "1", "0", "", ""},
		{"used up", service(record(earlier)+","+record(recent), ""), "2", "0", ago(2*time.Hour - 4*time.Hour), "shop"},
		{"used up, in any order", service(record(recent)+","+record(expired)+","+record(earlier), ""), "2", "0", ago(2*time.Hour - 4*time.Hour), "shop"},
		{"three of two: the second newest frees it", service(record(ago(3*time.Hour))+","+record(earlier)+","+record(recent), ""), "3", "0", ago(2*time.Hour - 4*time.Hour), "shop"},
		{"all expired", service(record(expired)+","+record(expired), record(ago(25*time.Hour))), "0", "0", "", ""},
		{"redeployed", service("", record(ago(23*time.Hour))), "0", "1", "", "shop"},
		{"an unreadable time counts as now", service(record("yesterday")+","+record(recent), record("")), "2", "1", ago(-3 * time.Hour), "shop"},
		{"arrays missing", `{"services": {"shop": {"consecutive_healthy": 1}}}`, "0", "0", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newState(t, tc.state)
			for line, want := range map[int]string{countRestarts: tc.restarts, countRedeployments: tc.redeployments, inCooldown: tc.shopOrEmpty} {
				if got := d.run(line); got != want {
					t.Errorf("got %q, want %q from\n%s", got, want, d.lines[line])
				}
			}
			if got := d.run(nextRestart); !near(t, got, tc.next) {
				t.Errorf("the next restart is permitted at %q, want %q", got, tc.next)
			}
		})
	}
}

// near allows for the seconds between writing the state and reading the clock again.
func near(t *testing.T, is, want string) bool {
	t.Helper()
	if is == "" || want == "" {
		return is == want
	}
	return got(time.Parse(time.RFC3339, is))(t).Sub(got(time.Parse(time.RFC3339, want))(t)).Abs() < time.Minute
}

func TestSPEC0007_REQ10_WritingStateWithJq(t *testing.T) {
	type object = map[string]any
	type array = []any
	old := object{"timestamp": "2026-01-05T10:00:00Z", "success": true}
	ok := object{"timestamp": "just now", "success": true}
	failed := object{"timestamp": "just now", "success": false, "error": "image not found"}
	other := object{"restarts": array{}, "redeployments": array{}, "consecutive_healthy": 0.0, "note": "kept"}
	file := func(shop object, more object) object {
		state := object{"services": object{"shop": shop, "other": other}, "last_run": nil, "last_daily_digest": nil}
		for key, value := range more {
			state[key] = value
		}
		return state
	}
	shop := func(restarts, redeployments array, healthy float64) object {
		return object{"restarts": restarts, "redeployments": redeployments, "consecutive_healthy": healthy}
	}
	for _, tc := range []struct {
		name  string
		lines []int
		want  object
	}{
		{"restart", []int{recordRestart}, file(shop(array{old, ok}, array{}, 1), nil)},
		{"two restarts", []int{recordRestart, recordRestart}, file(shop(array{old, ok, ok}, array{}, 1), nil)},
		{"failed redeployment", []int{recordRedeployment}, file(shop(array{old}, array{failed}, 1), nil)},
		{"second healthy cycle", []int{healthyService}, file(shop(array{}, array{}, 0), nil)},
		{"unhealthy", []int{unhealthyService}, file(shop(array{old}, array{}, 0), nil)},
		{"streak broken", []int{unhealthyService, healthyService}, file(shop(array{old}, array{}, 1), nil)},
		{"last run", []int{lastRun}, file(shop(array{old}, array{}, 1), object{"last_run": "just now"})},
		{"digest", []int{lastDigest}, file(shop(array{old}, array{}, 1), object{"last_daily_digest": "just now"})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newState(t, service(record("2026-01-05T10:00:00Z"), ""))
			for _, line := range tc.lines {
				d.run(line)
			}
			if diff := cmp.Diff(tc.want, d.state()); diff != "" {
				t.Error(diff)
			}
			if left := got(os.ReadDir(filepath.Dir(d.file)))(t); len(left) != 1 {
				t.Errorf("the state directory holds %v", left)
			}
		})
	}
}

func TestSPEC0007_REQ13_JqRegistersAServiceWhole(t *testing.T) {
	for _, line := range []int{recordRestart, recordRedeployment, healthyService, unhealthyService} {
		d := newState(t, `{"services":{},"last_run":null,"last_daily_digest":null}`)
		d.run(line)
		shop, _ := d.state()["services"].(map[string]any)["shop"].(map[string]any)
		for _, member := range []string{"restarts", "redeployments", "consecutive_healthy"} {
			if _, there := shop[member]; !there {
				t.Errorf("without %s after\n%s", member, d.lines[line])
			}
		}
	}
}

func TestJqLeavesAFileItCannotReadAsItIs(t *testing.T) {
	for line := range oneLiners {
		d := newState(t, `{"services": {`)
		if err := exec.Command("bash", "-c", d.lines[line]).Run(); err == nil {
			t.Errorf("success on a file that is no JSON:\n%s", d.lines[line])
		}
		if text, err := os.ReadFile(d.file); err != nil || string(text) != `{"services": {` {
			t.Errorf("the file is now %q (%v) after\n%s", text, err, d.lines[line])
		}
	}
}

func TestShellWordIsReadBackByAShell(t *testing.T) {
	for _, word := range []string{"", "/state", "/my state", "it's", `"$HOME" \ *`, "-n", "a;b", "ä\nb", "~"} {
		out, err := exec.Command("bash", "-c", "printf %s "+text.ShellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q became %q as %s (%v)", word, out, text.ShellWord(word), err)
		}
	}
	if got := text.ShellWord("/state/run/session-1"); got != "/state/run/session-1" {
		t.Errorf("a plain path is quoted: %s", got)
	}
}
