// Package check is the vocabulary of health: what a probe found, what an agent
// reports, what a handoff carries and the store keeps are all a Result.
package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/strict"
)

// Type says how a service was checked.
type Type string

// The five check types (SPEC-0016 "Check result object structure").
const (
	HTTP      Type = "http"
	DNS       Type = "dns"
	Container Type = "container"
	Database  Type = "database"
	Service   Type = "service"
)

// Types returns the check types in the order in which they are listed to people.
func Types() []Type { return []Type{HTTP, DNS, Container, Database, Service} }

// Valid reports whether t is one of Types.
func (t Type) Valid() bool { return slices.Contains(Types(), t) }

// Status says how a service was found.
type Status string

// The statuses of a service (SPEC-0016 "Check result object structure"), and
// that of a check which could not be made: Unknown says nothing about the
// service. A handoff's check_results hold the first three only.
const (
	Healthy  Status = "healthy"
	Degraded Status = "degraded"
	Down     Status = "down"
	Unknown  Status = "unknown"
)

// Statuses returns the statuses in the order in which they are listed to people:
// from best to worst, and Unknown behind them.
func Statuses() []Status { return []Status{Healthy, Degraded, Down, Unknown} }

// Valid reports whether s is one of Statuses.
func (s Status) Valid() bool { return slices.Contains(Statuses(), s) }

// Unwell reports whether s says that something is wrong with the service.
func (s Status) Unwell() bool { return s == Degraded || s == Down }

// Worse reports whether s is worse than the other status. What says more of a
// service is worse than what says less: any other status than Unknown, and
// Unknown than one that is none of Statuses.
func (s Status) Worse(than Status) bool { return WorstFirst(s, than) < 0 }

// WorstFirst compares two statuses for a list that has the worst first.
func WorstFirst(x, y Status) int {
	order := []Status{Unknown, Healthy, Degraded, Down}
	return slices.Index(order, y) - slices.Index(order, x)
}

// noneOf is a fault unless the name is one of the allowed.
func noneOf[T ~string](name T, allowed []T) string {
	if slices.Contains(allowed, name) {
		return ""
	}
	return strict.Quote(string(name)) + " is none of " + names(allowed)
}

func names[T ~string](all []T) string {
	texts := make([]string, len(all))
	for i, name := range all {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ")
}

// Result is what one check of one service found.
type Result struct {
	// Service is the service's name, as in the inventory and in cooldown.json.
	Service string `json:"service"`
	Type    Type   `json:"check_type"`
	Status  Status `json:"status"`
	// Error says what was wrong; empty where nothing was.
	Error string `json:"error"`
	// ResponseTimeMS is how long the answer took, nil where it was not measured.
	ResponseTimeMS *int64 `json:"response_time_ms,omitzero"`
	// Extra holds the members that we do not know, as one JSON object; nil if
	// there were none.
	Extra jsontext.Value `json:",embed"`
}

// Faults names everything that is wrong with r, one line each. The lines begin
// with at, the place of r, like `check_results[2]`.
func (r Result) Faults(at string) []string {
	var faults strict.Faults
	faults.Add(at+".service", ServiceNameFault(r.Service))
	faults.Add(at+".check_type", noneOf(r.Type, Types()))
	faults.Add(at+".status", noneOf(r.Status, Statuses()))
	if !utf8.ValidString(r.Error) {
		faults.Add(at+".error", "not valid UTF-8")
	}
	if r.ResponseTimeMS != nil {
		faults.Add(at+".response_time_ms", responseTimeFault(*r.ResponseTimeMS))
	}
	return faults.List()
}

func responseTimeFault(ms int64) string {
	if ms >= 0 {
		return ""
	}
	return strconv.FormatInt(ms, 10) + " is negative; must be milliseconds, or left out"
}

// Worst is the status of each service that has a result: that of its worst one.
// It is Unknown only where no check of the service could be made.
func Worst(results []Result) map[string]Status {
	worst := make(map[string]Status)
	for _, r := range results {
		if was, seen := worst[r.Service]; !seen || r.Status.Worse(was) {
			worst[r.Service] = r.Status
		}
	}
	return worst
}

// MaxServiceName is how long the name of a service may be, in bytes.
const MaxServiceName = 200

// ServiceNameFault says why name cannot be the name of a service, "" if it can.
// Names are used in file members, table rows, log lines and commands: a name is
// valid UTF-8 of at most MaxServiceName bytes, neither empty nor with white
// space around it, and without control characters.
func ServiceNameFault(name string) string {
	switch {
	case name == "":
		return "empty; must be the name of a service"
	case !utf8.ValidString(name):
		return strict.Quote(name) + " is not valid UTF-8"
	case len(name) > MaxServiceName:
		return fmt.Sprintf("%s is %d bytes long; a service name has at most %d", strict.Quote(name), len(name), MaxServiceName)
	case strict.HasControl(name):
		return strict.Quote(name) + " has a control character in it"
	case strings.TrimSpace(name) != name:
		return strict.Quote(name) + " has white space before or after the name"
	}
	return ""
}
