// Package check defines health results. What a probe found, what an agent reports, what a handoff carries and what the store keeps is
// always a Result.
package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/strict"
)

// Type is the way in which a service was checked.
type Type string

// The five check types (SPEC-0016 "Check result object structure").
const (
	HTTP      Type = "http"
	DNS       Type = "dns"
	Container Type = "container"
	Database  Type = "database"
	Service   Type = "service"
)

// Alert is the type of what alerts say, beside the types of checks. It is never in a handoff's check_results.
const Alert Type = "alert"

// Types returns the check types in the order in which they are listed for people.
func Types() []Type { return []Type{HTTP, DNS, Container, Database, Service} }

// Status is the health of a service according to a check.
type Status string

// The statuses of a service (SPEC-0016 "Check result object structure"), and Unknown for a check that could not be made, which says
// nothing about the service. A handoff's check_results hold only the first three.
const (
	Healthy  Status = "healthy"
	Degraded Status = "degraded"
	Down     Status = "down"
	Unknown  Status = "unknown"
)

// Statuses returns the statuses in the order in which they are listed for people: from best to worst, and Unknown last.
func Statuses() []Status { return []Status{Healthy, Degraded, Down, Unknown} }

// Valid reports whether s is one of Statuses.
func (s Status) Valid() bool { return slices.Contains(Statuses(), s) }

// Unwell reports whether s means that something is wrong with the service.
func (s Status) Unwell() bool { return s == Degraded || s == Down }

// Worse reports whether s is worse than the other status. Every known status is worse than Unknown, and Unknown is worse than a value
// that is not in Statuses.
func (s Status) Worse(than Status) bool { return WorstFirst(s, than) < 0 }

// WorstFirst compares two statuses for sorting the worst first.
func WorstFirst(x, y Status) int {
	order := []Status{Unknown, Healthy, Degraded, Down}
	return slices.Index(order, y) - slices.Index(order, x)
}

func names[T ~string](all []T) string {
	texts := make([]string, len(all))
	for i, name := range all {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ")
}

// AsksForTime begins the error of a degraded result whose service says itself that it is not ready yet: it starts, recovers, shuts down, or
// serves as many as it can.
const AsksForTime = "asks for time: "

// NoTime begins the error of an unknown result for whose check there was no time. What else is healthy does not make its service healthy.
const NoTime = "there was no time for it"

// Result is the result of one check of one service.
type Result struct {
	Service        string         `json:"service"` // its name, as in the inventory and in cooldown.json
	Type           Type           `json:"check_type"`
	Status         Status         `json:"status"`
	Error          string         `json:"error"`                     // what was wrong, if anything
	ResponseTimeMS *int64         `json:"response_time_ms,omitzero"` // until the answer; nil if not measured
	Extra          jsontext.Value `json:",embed"`                    // the unknown members, as an object
}

// Worst returns the worst status of each service that has a result. It is Unknown only if no check of the service could be made.
func Worst(results []Result) map[string]Status {
	worst := make(map[string]Status)
	for _, r := range results {
		if was, seen := worst[r.Service]; !seen || r.Status.Worse(was) {
			worst[r.Service] = r.Status
		}
	}
	return worst
}

// Unhealthy returns the services with an unhealthy result, in name order.
func Unhealthy(results []Result) []string {
	worst := Worst(results)
	maps.DeleteFunc(worst, func(_ string, status Status) bool { return !status.Unwell() })
	return slices.Sorted(maps.Keys(worst))
}

// Tally returns how many services have each status, by their worst results: "services: 3 healthy, 1 down".
func Tally(results []Result) string {
	count := map[Status]int{}
	for _, status := range Worst(results) {
		count[status]++
	}
	return Counted(count)
}

// Counted is Tally for known numbers.
func Counted(count map[Status]int) string {
	var parts []string
	for _, s := range Statuses() {
		if count[s] > 0 || s == Healthy {
			parts = append(parts, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	return "services: " + strings.Join(parts, ", ")
}

// MaxServiceName limits the name of a service, in bytes.
const MaxServiceName = 200

// ServiceNameFault returns why name cannot be the name of a service; "" if it can. Names are used as JSON members, in table rows, log
// lines and commands. They are therefore valid UTF-8 of 1 to MaxServiceName bytes, without surrounding white space and without control
// characters.
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
