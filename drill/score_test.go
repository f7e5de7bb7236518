package drill

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

func TestScore(t *testing.T) {
	at, named, missed := 1.0, CauseNamed, CauseMissed
	for _, test := range []struct {
		name string
		r    Result
		want int
	}{
		{"nothing", Result{Kind: Fault, Cause: &missed}, 0},
		{"detected", Result{Kind: Fault, DetectedS: &at, Cause: &missed}, 20},
		{"named", Result{Kind: Fault, DetectedS: &at, Cause: &named}, 50},
		{"mended without a cause", Result{Kind: Fault, DetectedS: &at, Cause: &missed, Mended: true}, 70},
		{"all", Result{Kind: Fault, DetectedS: &at, Cause: &named, Mended: true}, 100},
		{"all, and one too many", Result{Kind: Fault, DetectedS: &at, Cause: &named, Mended: true, Collateral: []string{"shop"}}, 0},
		{"left alone", Result{Kind: NoAct}, 100},
		{"touched", Result{Kind: NoAct, Collateral: []string{"shop"}}, 0},
	} {
		if got := score(test.r); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestTheTotalIsTheMeanOfTheCasesThatRan(t *testing.T) {
	if got := total([]Result{{Score: 100}, {Score: 50}, {Skipped: "no engine"}}); got != 75 {
		t.Errorf("%v, want 75", got)
	}
	if got := total([]Result{{Skipped: "no engine"}}); got != 0 {
		t.Errorf("%v with no case, want 0", got)
	}
}

func TestGrade(t *testing.T) {
	services, terms := []string{"billing"}, [][]string{{"password", "credential"}, {"rotat", "wrong", "401"}}
	for written, want := range map[string]Cause{
		"billing shows ledger a WRONG password":                             CauseNamed,
		"billing: its credentials are from before the rotation":             CauseNamed,
		"the password is wrong":                                             CauseMissed, // of which service?
		"billing is down":                                                   CauseMissed,
		"billing is down; INCONCLUSIVE: the log says nothing":               CauseInconclusive,
		"INCONCLUSIVE at first; then: billing has a password that is wrong": CauseNamed,
		"billing: keywrong, nopassword":                                     CauseMissed,
		"":                                                                  CauseMissed,
	} {
		if got := grade(written, services, terms); got != want {
			t.Errorf("%q: %s, want %s", written, got, want)
		}
	}
}

func TestTouchedAreThoseNotAtFault(t *testing.T) {
	before := map[string]string{"shop": "process 1", "queue": "process 2", "times": "process 3", "gone": "process 4"}
	after := map[string]string{"shop": "process 9", "queue": "process 8", "times": "process 3"}
	if got := touched(before, after, []string{"shop"}); !slices.Equal(got, []string{"gone", "queue"}) {
		t.Errorf("%q", got)
	}
}

func TestTheReportsForm(t *testing.T) {
	at, named := 1.5, CauseNamed
	text, err := json.Marshal(Report{Score: 100, Cases: []Result{
		{Name: "crash", Kind: Fault, DetectedS: &at, Cause: &named, Mended: true, Seconds: 7, Collateral: []string{}, Score: 100, Cycles: 1},
		{Name: "full-disk", Kind: Fault, Collateral: []string{}, Skipped: "needs root"},
	}})
	want := `{"cases":[{"name":"crash","kind":"fault","detected_s":1.5,"cause":"named","mended":true,"seconds":7,"cost_usd":0,"collateral":[],"score":100},` +
		`{"name":"full-disk","kind":"fault","detected_s":null,"cause":null,"mended":false,"seconds":0,"cost_usd":0,"collateral":[],"score":0,"skipped":"needs root"}],"score":100}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
}

// The errors of the program's own checks have the words of many a cause: they are no diagnosis.
func TestOnlyWhatAModelWroteNamesACause(t *testing.T) {
	services, terms := []string{"portal"}, [][]string{{"certificate"}, {"expired"}}
	handed := func(findings string) string {
		return `{"schema_version":1,"recommended_tier":3,"services_affected":["portal"],"cooldown_state":{},` +
			`"check_results":[{"service":"portal","check_type":"http","status":"down","error":"certificate has expired"}],` +
			`"investigation_findings":` + strconv.Quote(findings) + `,"remediation_attempted":"nothing"}`
	}
	at := func(tier int, model, written, response string) store.Session {
		return store.Session{Tier: tier, Model: model, HandoffJSON: written, Response: response}
	}
	for name, c := range map[string]struct {
		sessions []store.Session // the newest first
		want     Cause
	}{
		"the program alone":                  {[]store.Session{at(2, "", "", "portal: certificate expired"), at(2, "", handed("portal: certificate expired"), "")}, CauseMissed},
		"a model that hands on":              {[]store.Session{at(2, "m", handed("it does not answer"), "")}, CauseMissed},
		"a model's findings":                 {[]store.Session{at(2, "m", handed("its certificate has expired"), "")}, CauseNamed},
		"a model's last message":             {[]store.Session{at(2, "m", "", "the certificate of portal has expired")}, CauseNamed},
		"a Tier 1 that finds it well later":  {[]store.Session{at(1, "m", "", "all is well"), at(2, "m", "", "the certificate of portal has expired")}, CauseNamed},
		"a message that is not the last one": {[]store.Session{at(3, "m", "", "no idea"), at(2, "m", "", "the certificate of portal has expired")}, CauseMissed},
	} {
		if got := grade(modelWords(c.sessions), services, terms); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// faults are the cases with one.
func faults() []Case {
	return slices.DeleteFunc(Cases(), func(c Case) bool { return c.Kind != Fault })
}

func TestErrorsOfChecksNameNoCause(t *testing.T) {
	text, err := os.ReadFile("testdata/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		name, said, _ := strings.Cut(strings.TrimSpace(line), "\t")
		found[name] = append(found[name], said)
	}
	for _, c := range faults() {
		if len(found[c.Name]) == 0 && !c.Unseen {
			t.Errorf("%s: testdata/errors.txt lacks its errors", c.Name)
		}
		var copied strings.Builder
		for _, name := range c.Services {
			copied.WriteString(name + " is down: " + strings.ReplaceAll(strings.Join(found[c.Name], "; "), " ", "\n  ") + "\n")
		}
		written := recorded(t, c, found[c.Name], copied.String())
		if got := grade(written, c.Services, c.Terms); got != CauseMissed {
			t.Errorf("%s: %s by %q", c.Name, got, written)
		}
	}
}

// recorded returns what counts of a model's last message where the checks found these errors.
func recorded(t *testing.T, c Case, found []string, said string) string {
	t.Helper()
	trial := &trial{c: c, dir: t.TempDir()}
	if err := os.Mkdir(trial.dir+"/state", 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), trial.dir+"/state/"+store.FileName, store.ReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	for i, session := range []store.Session{{Tier: 1, Agent: "probe", Trigger: "manual", Status: store.Running}, {Tier: 2, Model: "m", Agent: "claude", Trigger: "manual", Status: store.Running}} {
		id, err := s.AddSession(t.Context(), session)
		if i == 0 {
			var results []check.Result
			for _, text := range found {
				results = append(results, check.Result{Service: c.Services[0], Type: check.HTTP, Status: check.Down, Error: text})
			}
			err = errors.Join(err, s.AddProbed(t.Context(), id, time.Now(), results, nil))
		} else {
			err = errors.Join(err, s.EndSession(t.Context(), id, store.SessionEnd{Status: store.Completed, Response: said}))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	written, _, err := trial.written(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return written
}

func TestWordsForAnyOutageNameNoCause(t *testing.T) {
	for _, c := range faults() {
		for _, name := range c.Services {
			said := name + " is down: its check failed three times. I am restarting " + name + ". It is well again, after 2 s, at 127.0.0.1:20001."
			if got := grade(said, []string{name}, c.Terms); got != CauseMissed {
				t.Errorf("%s: %s", c.Name, got)
			}
		}
	}
}

// Each case's own cause names it, and that of another case with the same symptom does not.
func TestCausesWithTheSameSymptomAreToldApart(t *testing.T) {
	all := map[string]Case{}
	for _, c := range faults() {
		all[c.Name] = c
		if got := grade(player{c: c}.cause(), c.Services, c.Terms); got != CauseNamed {
			t.Errorf("%s: %s by its own cause", c.Name, got)
		}
	}
	for name, other := range map[string]string{
		"certificate-stale":   "certificate-expired",
		"container-hang":      "container-health",
		"container-health":    "container-hang",
		"db-lock":             "db-lock-other",
		"db-lock-other":       "db-lock",
		"db-password-rotated": "db-password-stale",
		"db-password-stale":   "db-password-rotated",
		"disk-held":           "disk-full",
		"name-stale":          "name-wrong",
		"name-wrong":          "name-stale",
		"proxy-misrouted":     "proxy-upstream",
		"proxy-upstream":      "proxy-misrouted",
		"stale-lock":          "stale-pid",
		"stale-pid":           "stale-lock",
	} {
		if got := grade(player{c: all[other]}.cause(), all[name].Services, all[name].Terms); got != CauseMissed {
			t.Errorf("%s: %s by the cause of %s", name, got, other)
		}
	}
}

func TestAFaultOfTwoServicesIsDetectedInBoth(t *testing.T) {
	trial := &trial{c: Case{Services: []string{"jobs", "mirror"}}, r: &Result{}, unwell: map[string]bool{}}
	for cycle, step := range []struct {
		jobs, mirror      check.Status
		healthy, detected bool
	}{
		{check.Unknown, check.Healthy, false, false},
		{check.Down, check.Healthy, false, false},
		{check.Healthy, check.Healthy, true, false},
		{check.Healthy, check.Degraded, false, true},
		{check.Healthy, check.Healthy, true, true},
	} {
		healthy := trial.detect(map[string]check.Status{"jobs": step.jobs, "mirror": step.mirror}, cycle+1)
		if healthy != step.healthy || (trial.r.DetectedS != nil) != step.detected {
			t.Errorf("cycle %d: %v, %v; want %+v", cycle+1, healthy, trial.r.DetectedS, step)
		}
	}
	if trial.r.Cycles != 4 {
		t.Errorf("detected in cycle %d, want 4", trial.r.Cycles)
	}
}
