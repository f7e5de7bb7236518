package check

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The bounds of a report. Neither is a limit that a monitoring cycle comes near.
const (
	MaxReportBytes = 1 << 20
	MaxResults     = 10_000
)

// FaultsError is the error for check results that cannot be taken. It names
// every fault at once, one line each.
type FaultsError struct{ Faults []string }

func (e *FaultsError) Error() string {
	return "check results are not valid:\n  " + strings.Join(e.Faults, "\n  ")
}

// ParseReport reads check results as agents and scripts report them: an array
// of results, or an object with one as its check_results. Unlike in a handoff,
// `error` may be left out, which means that there is none.
// What is wrong comes back as a *FaultsError, and then no result is taken.
func ParseReport(data []byte) ([]Result, error) {
	list, faults := readReport(data)
	if len(faults) > 0 {
		return nil, &FaultsError{Faults: faults}
	}
	var results []Result
	if err := json.Unmarshal(list, &results); err != nil {
		return nil, &FaultsError{Faults: []string{err.Error()}}
	}
	return results, nil
}

// readReport finds the list of results in a report and every fault of it.
func readReport(data []byte) (results jsontext.Value, faults []string) {
	var r Reading
	if len(data) > MaxReportBytes {
		r.Fault("", fmt.Sprintf("%d bytes; a report has at most %d", len(data), MaxReportBytes))
		return nil, r.Faults()
	}
	results = jsontext.Value(data)
	root := ""
	if results.Kind() == '[' {
		root = member("", resultsName)
	}
	if !r.WellFormed(data, root) {
		return nil, r.Faults()
	}
	count := 0
	switch results.Kind() {
	case '[':
		count = r.results(results, root, InReport)
	case '{':
		if o, ok := r.Object(results, root); ok {
			results, count = o.Results(InReport)
		}
	default:
		r.Fault("", mustBe(results, "an array of check results, or an object with one as "+resultsName))
	}
	if count > MaxResults {
		r.Fault(resultsName, fmt.Sprintf("%d results; a report has at most %d", count, MaxResults))
	}
	return results, r.Faults()
}

const (
	resultsName = "check_results"
	wantResults = "a non-empty array of check results"
)

// Form is what check results must be, by where they stand.
type Form int

const (
	// InHandoff is a handoff: each result has its `error`, and its status is one of
	// the three that SPEC-0016 "Check result object structure" knows.
	InHandoff Form = iota
	// InReport is a report: `error` may be left out, and Unknown is a status too.
	InReport
)

func (f Form) errorText() Presence { return f == InHandoff }

func (f Form) statuses() []Status {
	if f == InHandoff {
		return []Status{Healthy, Degraded, Down}
	}
	return Statuses()
}

// Results looks up the member check_results and notes every fault of it and of
// the results in it.
func (o Object) Results(form Form) (results jsontext.Value, count int) {
	results, ok := o.Value(resultsName, Required, wantResults)
	if !ok {
		return nil, 0
	}
	return results, o.read.results(results, o.At(resultsName), form)
}

// results notes every fault of a list of check results and counts them.
func (r *Reading) results(v jsontext.Value, at string, form Form) int {
	elements, ok := r.array(v, at, wantResults)
	if !ok {
		return 0
	}
	for i, v := range elements {
		r.result(v, element(at, i), form)
	}
	return len(elements)
}

func (r *Reading) result(v jsontext.Value, at string, form Form) {
	o, ok := r.Object(v, at)
	if !ok {
		return
	}
	if s, ok := o.String("service", Required, "the name of a service"); ok {
		r.Fault(o.At("service"), ServiceNameFault(s))
	}
	if s, ok := o.String("check_type", Required, "one of "+list(Types())); ok {
		r.Fault(o.At("check_type"), Type(s).fault())
	}
	if s, ok := o.String("status", Required, "one of "+list(form.statuses())); ok {
		r.Fault(o.At("status"), Status(s).fault(form.statuses()))
	}
	o.String("error", form.errorText(), `a string, "" where nothing is wrong`)
	if ms, ok := o.Int("response_time_ms", Optional, "whole milliseconds, or left out"); ok {
		r.Fault(o.At("response_time_ms"), responseTimeFault(ms))
	}
}
