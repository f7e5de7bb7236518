// Package statefile is cooldown.json: what was done to each service, how often something may still be done to it, and when a service
// counts as recovered (SPEC-0007).
//
// The rules are functions of a State and a time; they read no clock and no file. File stores the state: it is safe for use by several
// processes, and preserves what agents and operators add to the file with jq or an editor.
package statefile

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// What SPEC-0007 fixes.
const (
	FileName = "cooldown.json" // in the state directory (REQ-1)

	MaxRestarts        = 2 // of a service, within RestartWindow (REQ-4)
	RestartWindow      = 4 * time.Hour
	MaxRedeployments   = 1 // of a service, within RedeploymentWindow (REQ-5)
	RedeploymentWindow = 24 * time.Hour

	HealthyToReset = 2              // healthy cycles in a row that empty a service's records (SPEC-0007 REQ-6)
	PruneAfter     = 48 * time.Hour // age at which a record is dropped: the longest window, and a margin
	DigestEvery    = 24 * time.Hour // minimum age of the last daily digest for the next one (SPEC-0007 REQ-9)
)

// Action is a kind of act on a service. Any value except Restart and Redeployment has no records.
type Action string

// Actions. Other is anything but a restart or a redeployment: an action that the operator named, or a call that a
// person approved. It counts toward the day's ceiling alone, not here.
const (
	Restart      Action = "restart"      // of the service as it is deployed
	Redeployment Action = "redeployment" // a full one: playbook, chart, or recreation of the containers
	Other        Action = "action"
)

// Actions returns the actions that have records.
func Actions() [2]Action { return [2]Action{Restart, Redeployment} }

// Limit returns how many of the action are permitted within Window.
func (a Action) Limit() int {
	return map[Action]int{Restart: MaxRestarts, Redeployment: MaxRedeployments}[a]
}

// Window returns how long an action counts.
func (a Action) Window() time.Duration {
	return map[Action]time.Duration{Restart: RestartWindow, Redeployment: RedeploymentWindow}[a]
}

// State is the content of cooldown.json. New returns an empty one.
type State struct {
	Services        map[string]*Service `json:"services"`
	LastRun         *time.Time          `json:"last_run"`          // end of the last cycle; nil before the first
	LastDailyDigest *time.Time          `json:"last_daily_digest"` // when it was queued; nil before the first
	Extra           jsontext.Value      `json:",embed"`            // members that others added; so below
}

// Service is what is stored about one service. Its zero value is an unknown service.
type Service struct {
	Restarts      []Record `json:"restarts"`
	Redeployments []Record `json:"redeployments"`
	// ConsecutiveHealthy counts the healthy cycles since the last unhealthy one or the last reset. It is below HealthyToReset unless
	// somebody else wrote it, and never negative.
	ConsecutiveHealthy int            `json:"consecutive_healthy"`
	Extra              jsontext.Value `json:",embed"`
}

// Record is one attempt at a remediation, successful or not.
type Record struct {
	Timestamp    time.Time      `json:"timestamp"` // UTC, whole seconds; zero counts as now
	Success      bool           `json:"success"`
	Error        string         `json:"error,omitempty"`         // or that it is in progress; empty on success
	Tier         int            `json:"tier,omitzero"`           // that did it, 1 to 3; 0 if unknown
	ActionDetail string         `json:"action_detail,omitempty"` // the command that was run
	DurationMS   int64          `json:"duration_ms,omitzero"`    // how long it took, in milliseconds
	ID           string         `json:"id,omitempty"`            // of the act; records of others have none
	Extra        jsontext.Value `json:",embed"`
}

// At returns a moment as the file stores it: in UTC, truncated to whole seconds.
func At(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// New returns the initial state (SPEC-0007 REQ-2).
func New() *State { return &State{Services: map[string]*Service{}} }

// Service returns a service for reading. Without an entry it is the zero Service, which is not part of the state.
func (s *State) Service(name string) *Service { return cmp.Or(s.Services[name], &Service{}) }

// Ensure returns the entry of a service, and creates it if necessary: services need no registration.
func (s *State) Ensure(name string) *Service {
	if s.Services[name] == nil {
		s.Services[name] = &Service{}
	}
	return s.Services[name]
}

// Add appends a record to a service, as required for every attempt (SPEC-0007 REQ-7). A zero Timestamp is set to the time of the next
// write.
func (s *State) Add(service string, a Action, r Record) {
	to := s.Ensure(service)
	to.SetRecords(a, append(to.Records(a), r))
}

// MergeNames gives each service one entry: entries under its other names, according to nameOf, are merged into its own.
// Records are then sorted, oldest first. A healthy streak is the shorter of both. Unknown members of the service itself
// take precedence.
func (s *State) MergeNames(nameOf func(string) string) {
	for _, other := range slices.Sorted(maps.Keys(s.Services)) {
		name := nameOf(other)
		if name == other {
			continue
		}
		from := s.Service(other)
		delete(s.Services, other)
		is := s.Services[name]
		if is == nil {
			s.Services[name] = from
			continue
		}
		for _, a := range Actions() {
			all := slices.Concat(is.Records(a), from.Records(a))
			slices.SortStableFunc(all, func(x, y Record) int { return x.Timestamp.Compare(y.Timestamp) })
			is.SetRecords(a, all)
		}
		is.ConsecutiveHealthy = min(is.ConsecutiveHealthy, from.ConsecutiveHealthy)
		if is.Extra == nil {
			is.Extra = from.Extra
		}
	}
}

// Records returns a service's records of one action, in the order of the file.
func (s *Service) Records(a Action) []Record { return *s.list(a) }

// SetRecords replaces a service's records of one action.
func (s *Service) SetRecords(a Action, records []Record) { *s.list(a) = records }

func (s *Service) list(a Action) *[]Record {
	switch a {
	case Restart:
		return &s.Restarts
	case Redeployment:
		return &s.Redeployments
	}
	return new([]Record)
}
