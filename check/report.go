package check

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/strict"
)

// Limits of a report.
const (
	MaxReportBytes = 1 << 20
	MaxResults     = 1000
)

// ParseReport parses check results as agents and scripts report them: an array of results, or an object with one as check_results. Unlike
// in a handoff, `error` may be left out, which means that there is none. If anything is invalid, the error is a *strict.InvalidError and no
// result is returned.
func ParseReport(data []byte) ([]Result, error) {
	var report struct {
		Results []Result `json:"check_results"`
	}
	root, into := "", any(&report)
	if jsontext.Value(data).Kind() == '[' {
		root, into = resultsName, &report.Results
	}
	var faults strict.Faults
	if len(data) > MaxReportBytes {
		faults.Add("", fmt.Sprintf("%d bytes; a report has at most %d", len(data), MaxReportBytes))
	} else if v := strict.JSON(data, root, &faults); v != nil {
		checkReport(v, &faults)
	}
	if err := faults.Err(notValid); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, &strict.InvalidError{What: notValid, Faults: []string{err.Error()}}
	}
	return report.Results, nil
}

// checkReport records every fault of a report.
func checkReport(list *strict.Value, faults *strict.Faults) {
	switch {
	case list.IsObject():
		list = list.Member(resultsName, strict.Required, wantResults)
	case !list.IsArray():
		list.MustBe("an array of check results, or an object with one as " + resultsName)
		return
	}
	if count := results(list, Statuses(), strict.Optional); count > MaxResults {
		faults.Add(resultsName, fmt.Sprintf("%d results; a report has at most %d: make several reports", count, MaxResults))
	}
}

const (
	notValid    = "check results are not valid"
	resultsName = "check_results"
	wantResults = "a non-empty array of check results"
)

// Results records every fault of the member check_results of a handoff: unlike in a report, each result must have
// `error`, and its status must be one of the three in SPEC-0016 "Check result object structure".
func Results(o *strict.Value) {
	results(o.Member(resultsName, strict.Required, wantResults), []Status{Healthy, Degraded, Down}, strict.Required)
}

// results records every fault of a list of results, which may be missing, and returns their number.
func results(list *strict.Value, statuses []Status, errorText strict.Presence) (count int) {
	if list == nil {
		return 0
	}
	elements := list.Elements(wantResults)
	for _, r := range elements {
		if !r.Object() {
			continue
		}
		r.String("service", strict.Required, "the name of a service", ServiceNameFault)
		oneOf(r, "check_type", Types())
		oneOf(r, "status", statuses)
		r.String("error", errorText, `a string, "" where nothing is wrong`, nil)
		r.Int("response_time_ms", strict.Optional, "whole milliseconds, or left out", func(ms int64) string {
			if ms >= 0 {
				return ""
			}
			return strconv.FormatInt(ms, 10) + " is negative; must be milliseconds, or left out"
		})
	}
	return len(elements)
}

// oneOf records a fault unless a member is one of the names allowed.
func oneOf[T ~string](r *strict.Value, member string, allowed []T) {
	r.String(member, strict.Required, "one of "+names(allowed), func(s string) string {
		if slices.Contains(allowed, T(s)) {
			return ""
		}
		return strict.Quote(s) + " is none of " + names(allowed)
	})
}
