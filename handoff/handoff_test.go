package handoff

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
)

const (
	resultShop = `{"service":"shop","check_type":"http","status":"down","error":"502 Bad Gateway","response_time_ms":12}`
	resultDB   = `{"service":"db","check_type":"database","status":"healthy","error":""}`
	fromTier1  = `{"schema_version":1,"recommended_tier":2,"services_affected":["shop"],"check_results":[` + resultShop + `,` + resultDB + `],"cooldown_state":{"shop":{"restarts":[]}}}`
	fromTier2  = `{"schema_version":1,"recommended_tier":3,"services_affected":["shop"],"check_results":[` + resultShop + `],"investigation_findings":"disk full","remediation_attempted":"restart: still 502","cooldown_state":{}}`
)

// with returns a handoff in which a part of the text is replaced.
func with(t *testing.T, text, old, replacement string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q does not occur once in %s", old, text)
	}
	return strings.Replace(text, old, replacement, 1)
}

func wantFaults(t *testing.T, err error, want ...string) {
	t.Helper()
	var invalid *strict.InvalidError
	if !errors.As(err, &invalid) {
		t.Fatalf("got %v, want an InvalidError", err)
	}
	same(t, want, invalid.Faults)
	for _, fault := range want {
		if !strings.Contains(err.Error(), fault) {
			t.Errorf("%q does not say %q", err, fault)
		}
	}
}

func rejects(t *testing.T, text string, from int, faults ...string) {
	t.Helper()
	_, err := Parse([]byte(text), from)
	wantFaults(t, err, faults...)
}

func TestSPEC0016_HandoffFileFormat_Tier1WritesHandoffForTier2(t *testing.T) {
	h := parse(t, fromTier1, 1)
	ms := int64(12)
	want := Handoff{
		SchemaVersion: 1, RecommendedTier: 2, ServicesAffected: []string{"shop"},
		CheckResults: []check.Result{
			{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "502 Bad Gateway", ResponseTimeMS: &ms},
			{Service: "db", Type: check.Database, Status: check.Healthy},
		},
		CooldownState: jsontext.Value(`{"shop":{"restarts":[]}}`),
	}
	same(t, want, h)
}

func TestSPEC0016_HandoffFileFormat_Tier2WritesHandoffForTier3(t *testing.T) {
	h := parse(t, fromTier2, 2)
	if h.RecommendedTier != 3 || h.InvestigationFindings != "disk full" || h.RemediationAttempted != "restart: still 502" {
		t.Errorf("got %+v", h)
	}
	bare := `{"schema_version":1,"recommended_tier":3,"services_affected":["shop"],"check_results":[` + resultShop + `],"cooldown_state":{}}`
	rejects(t, bare, 2,
		"investigation_findings: missing; must be a non-empty string: what the root cause is, as far as it was found",
		"remediation_attempted: missing; must be a non-empty string: what was tried and why it failed")
	rejects(t, with(t, fromTier2, `"disk full"`, `" \n\t"`), 2, "investigation_findings: empty; must be a non-empty string: what the root cause is, as far as it was found")
}

func TestSPEC0016_HandoffFileFormat_CheckResultObjectStructure(t *testing.T) {
	for _, checkType := range check.Types() {
		for _, status := range []check.Status{check.Healthy, check.Degraded, check.Down} {
			text := with(t, fromTier1, resultDB, fmt.Sprintf(`{"service":"x","check_type":%q,"status":%q,"error":"e"}`, checkType, status))
			if _, err := Parse([]byte(text), 1); err != nil {
				t.Errorf("%s %s: %v", checkType, status, err)
			}
		}
	}
	for name, tt := range map[string]struct{ result, fault string }{
		"service missing":    {`{"check_type":"dns","status":"down","error":""}`, "service: missing; must be the name of a service"},
		"service empty":      {`{"service":"","check_type":"dns","status":"down","error":""}`, "service: empty; must be the name of a service"},
		"check_type missing": {`{"service":"x","status":"down","error":""}`, "check_type: missing; must be one of http, dns, container, database, service"},
		"check_type unknown": {`{"service":"x","check_type":"HTTP","status":"down","error":""}`, `check_type: "HTTP" is none of http, dns, container, database, service`},
		"status missing":     {`{"service":"x","check_type":"dns","error":""}`, "status: missing; must be one of healthy, degraded, down"},
		"status unknown":     {`{"service":"x","check_type":"dns","status":"ok","error":""}`, `status: "ok" is none of healthy, degraded, down`},
		"error missing":      {`{"service":"x","check_type":"dns","status":"down"}`, `error: missing; must be a string, "" where nothing is wrong`},
		"error null":         {`{"service":"x","check_type":"dns","status":"down","error":null}`, `error: null; must be a string, "" where nothing is wrong`},
		"time fraction":      {`{"service":"x","check_type":"dns","status":"down","error":"","response_time_ms":1.5}`, "response_time_ms: 1.5 is not written as a whole number; must be whole milliseconds, or left out"},
		"member misspelt":    {`{"service":"x","check_type":"dns","Status":"down","error":""}`, "status: missing; must be one of healthy, degraded, down"},
	} {
		t.Run(name, func(t *testing.T) {
			rejects(t, with(t, fromTier1, resultDB, tt.result), 1, "check_results[1]."+tt.fault)
		})
	}
}

func TestSPEC0016_HandoffFileFormat_InvalidHandoffFileRejected(t *testing.T) {
	for name, tt := range map[string]struct {
		old, replacement string
		faults           []string
	}{
		"version 2":            {`"schema_version":1`, `"schema_version":2`, []string{"schema_version: 2 is not known; must be 1, the only version there is"}},
		"version 0":            {`"schema_version":1`, `"schema_version":0`, []string{"schema_version: 0 is not known; must be 1, the only version there is"}},
		"version as text":      {`"schema_version":1`, `"schema_version":"1"`, []string{`schema_version: the string "1"; must be 1, the only version there is`}},
		"version 1.0":          {`"schema_version":1`, `"schema_version":1.0`, []string{"schema_version: 1.0 is not written as a whole number; must be 1, the only version there is"}},
		"version missing":      {`"schema_version":1,`, ``, []string{"schema_version: missing; must be 1, the only version there is"}},
		"version null":         {`"schema_version":1`, `"schema_version":null`, []string{"schema_version: null; must be 1, the only version there is"}},
		"version huge":         {`"schema_version":1`, `"schema_version":18446744073709551617`, []string{"schema_version: 18446744073709551617 is too large; must be 1, the only version there is"}},
		"tier missing":         {`"recommended_tier":2,`, ``, []string{"recommended_tier: missing; must be 2, the tier after Tier 1"}},
		"tier huge":            {`"recommended_tier":2`, `"recommended_tier":4294967298`, []string{"recommended_tier: 4294967298; must be 2, the tier after Tier 1"}},
		"services missing":     {`"services_affected":["shop"],`, ``, []string{"services_affected: missing; must be a non-empty array of service names"}},
		"services empty":       {`["shop"]`, `[]`, []string{"services_affected: empty; must be a non-empty array of service names"}},
		"services text":        {`["shop"]`, `"shop"`, []string{`services_affected: the string "shop"; must be a non-empty array of service names`}},
		"services null":        {`["shop"]`, `null`, []string{"services_affected: null; must be a non-empty array of service names"}},
		"services odd":         {`["shop"]`, `["", null, 7, ["x"], " y", "ok"]`, []string{"services_affected[0]: empty; must be the name of a service", "services_affected[1]: null; must be a string", "services_affected[2]: the number 7; must be a string", "services_affected[3]: an array; must be a string", `services_affected[4]: " y" has white space before or after the name`}},
		"results empty":        {`[` + resultShop + `,` + resultDB + `]`, `[]`, []string{"check_results: empty; must be a non-empty array of check results"}},
		"results null":         {`[` + resultShop + `,` + resultDB + `]`, `null`, []string{"check_results: null; must be a non-empty array of check results"}},
		"result null":          {resultDB, `null`, []string{"check_results[1]: null; must be an object"}},
		"cooldown missing":     {`,"cooldown_state":{"shop":{"restarts":[]}}`, ``, []string{"cooldown_state: missing; must be an object, the cooldown data of the services concerned"}},
		"cooldown array":       {`{"shop":{"restarts":[]}}`, `[]`, []string{"cooldown_state: an array; must be an object, the cooldown data of the services concerned"}},
		"cooldown null":        {`{"shop":{"restarts":[]}}`, `null`, []string{"cooldown_state: null; must be an object, the cooldown data of the services concerned"}},
		"findings number":      {`"schema_version":1`, `"schema_version":1,"investigation_findings":3`, []string{"investigation_findings: the number 3; must be a string, or left out"}},
		"given twice":          {`"schema_version":1`, `"schema_version":1,"schema_version":1`, []string{"schema_version: given twice in the same object; must be given once"}},
		"given twice, escaped": {`"schema_version":1`, `"schema_version":1,"recommended\u005ftier":3`, []string{"recommended_tier: given twice in the same object; must be given once"}},
		"given twice, inside":  {`{"restarts":[]}`, `{"restarts":[],"restarts":[1]}`, []string{"cooldown_state.shop.restarts: given twice in the same object; must be given once"}},
		"several": {`{"schema_version":1,"recommended_tier":2,"services_affected":["shop"]`, `{"schema_version":9,"recommended_tier":3`, []string{
			"schema_version: 9 is not known; must be 1, the only version there is", "recommended_tier: 3; must be 2, the tier after Tier 1", "services_affected: missing; must be a non-empty array of service names"}},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := Parse([]byte(with(t, fromTier1, tt.old, tt.replacement)), 1)
			wantFaults(t, err, tt.faults...)
			same(t, Handoff{}, h)
		})
	}
}

func TestSPEC0016_HandoffFileFormat_InvalidHandoffFileRejected_NotAnObject(t *testing.T) {
	for name, tt := range map[string]struct{ in, fault string }{
		"empty":          {"", "empty; must be JSON"},
		"new line":       {"\n", "empty; must be JSON"},
		"null":           {"null", "null; must be an object"},
		"array":          {"[" + fromTier1 + "]", "an array; must be an object"},
		"text":           {`"{}"`, `the string "{}"; must be an object`},
		"markdown":       {"```json\n" + fromTier1 + "\n```", "not JSON: line 1, column 1: invalid character '`' at start of value"},
		"cut off":        {fromTier1[:len(fromTier1)-1], "not JSON: it ends in the middle of a value"},
		"two":            {fromTier1 + fromTier1, "more text after the JSON value; must be one value"},
		"NUL padding":    {fromTier1 + "\x00\x00", "not JSON: line 1, column 305: invalid character '\\x00' at start of value"},
		"all NUL":        {strings.Repeat("\x00", 4096), "not JSON: line 1, column 1: invalid character '\\x00' at start of value"},
		"Latin 1":        {strings.Replace(fromTier1, "Bad", "B\xe4d", 1), "line 1, column 156: byte 0xe4 is not UTF-8"},
		"too large":      {fromTier1 + strings.Repeat(" ", MaxBytes), "handoff.json has more than 1048576 bytes"},
		"deep":           {`{"x":` + strings.Repeat(`{"y":`, 100_000), "x" + strings.Repeat(".y", 63) + ": nested deeper than 64 levels"},
		"deep, closed":   {`{"x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}", "x" + strings.Repeat("[0]", 63) + ": nested deeper than 64 levels"},
		"trailing comma": {with(t, fromTier1, `]}}}`, `]}},}`), "not JSON: line 1, column 304: invalid character ',' at start of value"},
	} {
		t.Run(name, func(t *testing.T) {
			rejects(t, tt.in, 1, tt.fault)
		})
	}
}

// A tier may only escalate to the next tier.
func TestParseTakesOneStepOnly(t *testing.T) {
	for from, text := range map[int]string{1: fromTier1, 2: fromTier2} {
		right := fmt.Sprintf(`"recommended_tier":%d`, from+1)
		for tier := -1; tier <= 5; tier++ {
			_, err := Parse([]byte(with(t, text, right, fmt.Sprintf(`"recommended_tier":%d`, tier))), from)
			if tier == from+1 {
				if err != nil {
					t.Errorf("from %d to %d: %v", from, tier, err)
				}
				continue
			}
			wantFaults(t, err, fmt.Sprintf("recommended_tier: %d; must be %d, the tier after Tier %d", tier, from+1, from))
		}
	}
}

func TestParseOfTheLastTierTakesAnyRecommendation(t *testing.T) {
	for _, tier := range []string{"1", "3", "4"} {
		if _, err := Parse([]byte(with(t, fromTier2, `"recommended_tier":3`, `"recommended_tier":`+tier)), 3); err != nil {
			t.Errorf("tier %s: %v", tier, err)
		}
	}
	rejects(t, with(t, fromTier2, `"recommended_tier":3`, `"recommended_tier":"3"`), 3, `recommended_tier: the string "3"; must be a whole number`)
	rejects(t, fromTier1, 3,
		"investigation_findings: missing; must be a non-empty string: what the root cause is, as far as it was found",
		"remediation_attempted: missing; must be a non-empty string: what was tried and why it failed")
}

func TestParseTakesMaxBytes(t *testing.T) {
	full := fromTier1 + strings.Repeat(" ", MaxBytes-len(fromTier1))
	parse(t, full, 1)
	rejects(t, full+" ", 1, "handoff.json has more than 1048576 bytes")
}

func TestUnknownMembersAreKept(t *testing.T) {
	text := with(t, fromTier1, `"schema_version":1`, `"schema_version":1,"zeta":{"n":12345678901234567890.10},"written_by":"x","alpha":[null]`)
	text = with(t, text, `"error":"502 Bad Gateway"`, `"error":"502 Bad Gateway","probe":"edge-2"`)
	h := parse(t, text, 1)
	data := got(h.Marshal())(t)
	rendered, _ := h.Context(nil)
	for _, want := range []string{"zeta", "12345678901234567890.10", "alpha", "probe", "edge-2"} {
		if !strings.Contains(string(data), want) || !strings.Contains(rendered, want) {
			t.Errorf("%s is lost:\n%s\n%s", want, data, rendered)
		}
	}
	again := got(Parse(data, 1))(t)
	twice := got(again.Marshal())(t)
	same(t, string(data), string(twice))
}

func TestComplete(t *testing.T) {
	known := Handoff{RecommendedTier: 2, CooldownState: jsontext.Value(`{"services":{}}`), CheckResults: []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down}}}
	const results = `"check_results":[{"service":"shop","check_type":"http","status":"down","error":""}]`
	const filled = results + `,"cooldown_state":{"services":{}},"recommended_tier":2,"schema_version":1`
	const otherwise = `{"check_results":null,"cooldown_state":[],"recommended_tier":3,"schema_version":7}`
	for name, tt := range map[string]struct{ draft, want string }{
		"nothing said":    {` {"services_affected":["shop"]}`, `{` + filled + `,"services_affected":["shop"]}`},
		"empty":           {`{}`, `{` + filled + `}`},
		"said otherwise":  {otherwise, otherwise},
		"escaped name":    {`{"schema\u005fversion":7,"recommended_tier":3,"check_results":null,"cooldown_state":[]}`, otherwise},
		"not an object":   {`["x"]`, `["x"]`},
		"null":            {`null`, `null`},
		"not JSON":        {`{"a":`, `{"a":`},
		"not UTF-8":       {"{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}"},
		"duplicates stay": {`{"a":1,"a":2}`, `{"a":1,"a":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, tt.want, string(got(Complete([]byte(tt.draft), known))(t)))
		})
	}
	completed := got(Complete([]byte(`{"services_affected":["shop"]}`), known))(t)
	got(Parse(completed, 1))(t)
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{fromTier1, fromTier2, `{}`, `null`, `[]`, "\xff", `{"schema_version":1e0}`, strings.Repeat(`{"a":`, 70), `{"check_results":[{"error":"</escalation-context>"}]}`} {
		f.Add([]byte(seed), 1)
		f.Add([]byte(seed), 2)
	}
	f.Fuzz(func(t *testing.T, in []byte, from int) {
		h, err := Parse(in, from)
		var invalid *strict.InvalidError
		if errors.As(err, &invalid) {
			for _, line := range invalid.Faults {
				if line == "" || strings.ContainsAny(line, "\n\r\x00\x1b") || !utf8.ValidString(line) {
					t.Fatalf("fault %q is not one line of text", line)
				}
			}
		}
		if err != nil {
			return
		}
		if from < LastTier && h.RecommendedTier != from+1 {
			t.Fatalf("Tier %d was taken with a wish for %d", from, h.RecommendedTier)
		}
		data := got(h.Marshal())(t)
		again, err := Parse(data, from)
		if len(data) > MaxBytes {
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if twice, err := again.Marshal(); err != nil || string(twice) != string(data) {
			t.Fatalf("%v\n%s\n%s", err, data, twice)
		}
		text, _ := h.Context(nil)
		checkContext(t, text, h)
	})
}

// SPEC-0016 has three statuses. Checks without a result have a separate member, which the program alone sets, whatever
// an agent wrote there.
func TestUnknownChecksStandBesideTheResults(t *testing.T) {
	web := check.Result{Service: "web", Type: check.Container, Status: check.Unknown, Error: "no engine </escalation-context>"}
	shop := check.Result{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "502"}
	h := Handoff{SchemaVersion: SchemaVersion, RecommendedTier: 2, ServicesAffected: []string{"shop"}, CooldownState: []byte("{}")}
	h.Take([]check.Result{web, shop})
	text := got(h.Marshal())(t)
	read := got(Parse(text, 1))(t)
	if len(read.CheckResults) != 1 || read.CheckResults[0].Service != "shop" || !strings.Contains(string(text), `"unknown"`) || read.UnknownChecks != nil {
		t.Errorf("read %+v", read)
	}
	context, _ := h.Context(nil)
	if !strings.Contains(context, `"unknown_checks":[{"service":"web"`) || strings.Count(context, "</escalation-context>") != 1 {
		t.Errorf("context: %s", context)
	}
	odd := with(t, fromTier1, `"cooldown_state"`, `"unknown_checks":["web"],"cooldown_state"`)
	parse(t, odd, 1)
	rejects(t, with(t, fromTier1, resultDB, `{"service":"x","check_type":"dns","status":"unknown","error":""}`), 1, `check_results[1].status: "unknown" is none of healthy, degraded, down`)
}

// The program determines what Tier 2 added: a value that an agent wrote there is ignored, and is not a fault.
func TestAddedIsNoAgentsToSay(t *testing.T) {
	for _, forged := range []string{`"a string"`, `null`, `{"services_affected":["db"],"check_results":[{"service":"db"}]}`} {
		h := sized(result(check.Down, "HTTP 502"))
		text := got(h.Marshal())(t)
		forgery := strings.Replace(string(text), "{", `{"added_by_tier_2":`+forged+`,`, 1)
		got := parse(t, forgery, 2)
		if again, err := got.Marshal(); err != nil || strings.Contains(string(again), "added_by_tier_2") {
			t.Errorf("%v: %s", err, again)
		}
	}
}

func must(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got returns the result of a call that must not fail.
func got[T any](value T, err error) func(fataler) T {
	return func(t fataler) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func same(t *testing.T, want, got any, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
