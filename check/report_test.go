package check

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/internal/strict"
)

func TestParseReport(t *testing.T) {
	ms := int64(12)
	for name, tt := range map[string]struct {
		in   string
		want []Result
	}{
		"array":         {`[{"service":"shop","check_type":"http","status":"down","error":"502","response_time_ms":12}]`, []Result{{Service: "shop", Type: HTTP, Status: Down, Error: "502", ResponseTimeMS: &ms}}},
		"object":        {`{"check_results":[{"service":"db","check_type":"database","status":"healthy","error":""}]}`, []Result{{Service: "db", Type: Database, Status: Healthy}}},
		"other members": {`{"by":"x","check_results":[{"service":"db","check_type":"dns","status":"healthy"}]}`, []Result{{Service: "db", Type: DNS, Status: Healthy}}},
		"no error":      {`[{"service":"db","check_type":"service","status":"degraded"}]`, []Result{{Service: "db", Type: Service, Status: Degraded}}},
		"null optional": {`[{"service":"db","check_type":"container","status":"healthy","error":null,"response_time_ms":null}]`, []Result{{Service: "db", Type: Container, Status: Healthy}}},
		"not checkable": {`[{"service":"web","check_type":"container","status":"unknown","error":"no engine"}]`, []Result{{Service: "web", Type: Container, Status: Unknown, Error: "no engine"}}},
		"unknown kept":  {`[{"service":"db","check_type":"dns","status":"healthy","note":{"a":[1e999,null]}}]`, []Result{{Service: "db", Type: DNS, Status: Healthy, Extra: jsontext.Value(`{"note":{"a":[1e999,null]}}`)}}},
		"space around":  {"\n [ {\"service\":\"db\",\"check_type\":\"dns\",\"status\":\"healthy\"} ] \n", []Result{{Service: "db", Type: DNS, Status: Healthy}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseReport([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseReportNamesEveryFault(t *testing.T) {
	good := `{"service":"a","check_type":"dns","status":"healthy"}`
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":     {"", []string{"empty; must be JSON"}},
		"space":       {" \n", []string{"empty; must be JSON"}},
		"empty array": {"[]", []string{"check_results: empty; must be a non-empty array of check results"}},
		"empty list":  {`{"check_results":[]}`, []string{"check_results: empty; must be a non-empty array of check results"}},
		"no list":     {`{"results":[]}`, []string{"check_results: missing; must be a non-empty array of check results"}},
		"null list":   {`{"check_results":null}`, []string{"check_results: null; must be a non-empty array of check results"}},
		"list object": {`{"check_results":{}}`, []string{"check_results: an object; must be a non-empty array of check results"}},
		"null":        {"null", []string{"null; must be an array of check results, or an object with one as check_results"}},
		"string":      {`"x"`, []string{`the string "x"; must be an array of check results, or an object with one as check_results`}},
		"not JSON":    {"[{]", []string{"not JSON: line 1, column 3: invalid character ']' at start of value"}},
		"cut off":     {`[{"service":"a"`, []string{"not JSON: it ends in the middle of a value"}},
		"more":        {"[" + good + "] []", []string{"more text after the JSON value; must be one value"}},
		"BOM":         {"\ufeff[]", []string{"not JSON: line 1, column 1: invalid character '\\ufeff' at start of value"}},
		"NUL byte":    {"[\x00]", []string{"not JSON: line 1, column 2: invalid character '\\x00' at start of value"}},
		"UTF-16":      {"\xff\xfe[\x00]\x00", []string{"line 1, column 1: byte 0xff is not UTF-8"}},
		"not UTF-8":   {"[\n\"\u00e4\xff\"]", []string{"line 2, column 3: byte 0xff is not UTF-8"}},
		"elements":    {`[1,null,"x",[],` + good + `]`, []string{"check_results[0]: the number 1; must be an object", "check_results[1]: null; must be an object", `check_results[2]: the string "x"; must be an object`, "check_results[3]: an array; must be an object"}},
		"names": {`[{"service":"a","service":"b","check_type":"dns","status":"healthy","st\u0061tus":"down"}]`, []string{
			"check_results[0].service: given twice in the same object; must be given once",
			"check_results[0].status: given twice in the same object; must be given once",
		}},
		"all at once": {`[` + good + `,{"service":"","check_type":"ping","status":7,"error":false,"response_time_ms":"12"},{"response_time_ms":1.5}]`, []string{
			"check_results[1].service: empty; must be the name of a service",
			`check_results[1].check_type: "ping" is none of http, dns, container, database, service`,
			"check_results[1].status: the number 7; must be one of healthy, degraded, down, unknown",
			`check_results[1].error: false; must be a string, "" where nothing is wrong`,
			`check_results[1].response_time_ms: the string "12"; must be whole milliseconds, or left out`,
			"check_results[2].service: missing; must be the name of a service",
			"check_results[2].check_type: missing; must be one of http, dns, container, database, service",
			"check_results[2].status: missing; must be one of healthy, degraded, down, unknown",
			"check_results[2].response_time_ms: 1.5 is not written as a whole number; must be whole milliseconds, or left out",
		}},
		"huge number": {`[{"service":"a","check_type":"dns","status":"down","response_time_ms":99999999999999999999}]`, []string{"check_results[0].response_time_ms: 99999999999999999999 is too large; must be whole milliseconds, or left out"}},
		"exponent":    {`[{"service":"a","check_type":"dns","status":"down","response_time_ms":1e999}]`, []string{"check_results[0].response_time_ms: 1e999 is not written as a whole number; must be whole milliseconds, or left out"}},
		"negative":    {`[{"service":"a","check_type":"dns","status":"down","response_time_ms":-5}]`, []string{"check_results[0].response_time_ms: -5 is negative; must be milliseconds, or left out"}},
		"NUL name":    {`[{"service":"a\u0000","check_type":"dns","status":"down"}]`, []string{`check_results[0].service: "a\x00" has a control character in it`}},
		"odd names":   {`[{"a\n## b":1,"a\n## b":2,"service":"a","check_type":"dns","status":"down"}]`, []string{`check_results[0]["a\n## b"]: given twice in the same object; must be given once`}},
		"minus zero":  {`[{"service":"a","check_type":"dns","status":"x","response_time_ms":-0}]`, []string{`check_results[0].status: "x" is none of healthy, degraded, down, unknown`}},
		"too large":   {strings.Repeat(" ", MaxReportBytes+1), []string{"1048577 bytes; a report has at most 1048576"}},
		"deep":        {strings.Repeat("[", 500_000), []string{"check_results" + strings.Repeat("[0]", strict.MaxDepth) + ": nested deeper than 64 levels"}},
		"many":        {"[" + strings.Repeat(good+",", MaxResults) + good + "]", []string{"check_results: 1001 results; a report has at most 1000: make several reports"}},
	} {
		t.Run(name, func(t *testing.T) {
			results, err := ParseReport([]byte(tt.in))
			var faults *strict.InvalidError
			if !errors.As(err, &faults) || results != nil {
				t.Fatalf("got %v, %v; want faults only", results, err)
			}
			if diff := cmp.Diff(tt.want, faults.Faults); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(err.Error(), tt.want[0]) {
				t.Errorf("%q does not name its first fault", err)
			}
		})
	}
}

func TestHalfASurrogatePairIsNotTaken(t *testing.T) {
	_, err := ParseReport([]byte(`[{"service":"a","check_type":"dns","status":"down","error":"\ud800"}]`))
	if err == nil || !strings.Contains(err.Error(), "not JSON: line 1, column 61: invalid surrogate pair") {
		t.Errorf("got %v", err)
	}
}

func TestNestingOfExactlyMaxDepthIsTaken(t *testing.T) {
	report := func(depth int) []byte { // the list and the result are two of the levels
		inner := strings.Repeat("[", depth-2) + strings.Repeat("]", depth-2)
		return fmt.Appendf(nil, `[{"service":"a","check_type":"dns","status":"down","x":%s}]`, inner)
	}
	if _, err := ParseReport(report(strict.MaxDepth)); err != nil {
		t.Error(err)
	}
	if _, err := ParseReport(report(strict.MaxDepth + 1)); err == nil {
		t.Error("one level more was taken")
	}
}

func TestFaultsAreBounded(t *testing.T) {
	_, err := ParseReport([]byte("[" + strings.Repeat("{},", 999) + "{}]"))
	var faults *strict.InvalidError
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	if n := len(faults.Faults); n != 100+1 {
		t.Fatalf("%d lines", n)
	}
	if last := faults.Faults[100]; last != "and 2900 more faults" {
		t.Errorf("last line %q", last)
	}
}

func TestLongForeignTextIsShortenedInFaults(t *testing.T) {
	_, err := ParseReport([]byte(`[{"service":"a","check_type":"dns","status":"` + strings.Repeat("ä", 5000) + `"}]`))
	want := `status: "` + strings.Repeat("ä", 60) + `"… is none of`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

func TestLongPlaceIsShortenedInFaults(t *testing.T) {
	name := `{"` + strings.Repeat("n", 60) + `":`
	_, err := ParseReport([]byte(strings.Repeat(name, 20) + `{"a":1,"a":2}` + strings.Repeat("}", 20)))
	var faults *strict.InvalidError
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	want := strings.Repeat("n", 60) + ".a: given twice in the same object; must be given once"
	if first := faults.Faults[0]; !strings.HasSuffix(first, want) || !strings.Contains(first, " … ") || len(first) > 300+100 {
		t.Errorf("got %s", first)
	}
}

func FuzzParseReport(f *testing.F) {
	for _, seed := range []string{
		`[{"service":"shop","check_type":"http","status":"down","error":"502","response_time_ms":12}]`,
		`{"check_results":[{"service":"db","check_type":"dns","status":"healthy","x":{"y":[1]}}]}`,
		`[{"service":"a","service":"b"}]`, `[[[[`, `[{"service":null}]`, "\xff", `["\ud800"]`, `{"check_results":[1e999]}`, `[] []`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		results, err := ParseReport(in)
		var faults *strict.InvalidError
		if errors.As(err, &faults) {
			for _, line := range faults.Faults {
				if line == "" || strings.ContainsAny(line, "\n\r\x00\x1b") || !utf8.ValidString(line) {
					t.Fatalf("fault %q is not one line of text", line)
				}
			}
		}
		if err != nil {
			if results != nil || faults == nil || len(faults.Faults) == 0 {
				t.Fatalf("got %v, %v", results, err)
			}
			return
		}
		again, err := json.Marshal(results)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := ParseReport(again)
		if len(again) > MaxReportBytes {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		twiceText, err := json.Marshal(twice)
		if err != nil || string(again) != string(twiceText) {
			t.Fatalf("%v\n%s\n%s", err, again, twiceText)
		}
	})
}
