package main

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
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
	at := func(tier int, model, written, response string) session {
		return session{Tier: tier, Model: model, HandoffJSON: written, Response: response}
	}
	for name, c := range map[string]struct {
		sessions []session // the newest first
		want     Cause
	}{
		"the program alone":                  {[]session{at(2, "", "", "portal: certificate expired"), at(2, "", handed("portal: certificate expired"), "")}, CauseMissed},
		"a model that hands on":              {[]session{at(2, "m", handed("it does not answer"), "")}, CauseMissed},
		"a model's findings":                 {[]session{at(2, "m", handed("its certificate has expired"), "")}, CauseNamed},
		"a model's last message":             {[]session{at(2, "m", "", "the certificate of portal has expired")}, CauseNamed},
		"a Tier 1 that finds it well later":  {[]session{at(1, "m", "", "all is well"), at(2, "m", "", "the certificate of portal has expired")}, CauseNamed},
		"a message that is not the last one": {[]session{at(3, "m", "", "no idea"), at(2, "m", "", "the certificate of portal has expired")}, CauseMissed},
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
		written := without(modelWords([]session{{Tier: 2, Model: "m", Response: copied.String()}}), found[c.Name])
		if got := grade(written, c.Services, c.Terms); got != CauseMissed {
			t.Errorf("%s: %s by %q", c.Name, got, written)
		}
	}
}

// What the first tier found is told apart from what became of it in the same cycle, and the errors of the checks are kept.
func TestWhatTheFirstTierFound(t *testing.T) {
	trial := &trial{}
	for out, want := range map[string]check.Status{
		`{"tiers":[{"tier":1}],"services":[{"service":"shop","status":"down","found":"timeout","incident":1}]}`: check.Down,
		`{"tiers":[{"tier":1}],"services":[{"service":"shop","status":"healthy","incident":1}]}`:                check.Healthy,
		`{"tiers":[{"tier":1},{"tier":2}],"services":[{"service":"shop","status":"healthy","incident":1}]}`:     check.Down,
		`{"tiers":[{"tier":1},{"tier":2}],"services":[{"service":"shop","status":"healthy"}]}`:                  check.Healthy,
		`{"tiers":[{"tier":1,"model":"m"}],"services":[{"service":"shop","status":"unknown","found":"?"}]}`:     check.Unknown,
	} {
		if found, err := trial.found([]byte(out)); err != nil || found["shop"] != want {
			t.Errorf("%s: %s, %v, want %s", out, found["shop"], err, want)
		}
	}
	if _, err := trial.found([]byte(`{"tiers":[],"services":[]}`)); err == nil {
		t.Error("a cycle without a tier")
	}
	if !slices.Contains(trial.errors, "timeout") || slices.Contains(trial.errors, "?") {
		t.Errorf("%q", trial.errors)
	}
	handed := `{"schema_version":1,"recommended_tier":2,"services_affected":["shop"],"cooldown_state":{},` +
		`"check_results":[{"service":"shop","check_type":"http","status":"down","error":"refused"}]}`
	if got := checkErrors([]session{{Tier: 1, HandoffJSON: handed}, {Tier: 1, Model: "m", HandoffJSON: handed}, {Tier: 2}}); !slices.Equal(got, []string{"refused"}) {
		t.Errorf("%q", got)
	}
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
