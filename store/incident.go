package store

import (
	"fmt"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// Incident lasts from a service's first unhealthy evaluation until it has recovered. A service has at most one open incident. Its rules
// (RULE "Incident") are the methods below: each takes what was found, and returns the incident as it then is.
type Incident struct {
	ID          int64        `json:"id"`
	Service     string       `json:"service"`
	Status      check.Status `json:"status"`
	Fingerprint string       `json:"fingerprint"` // identifies the problem; equal while it is unchanged
	OpenedAt    time.Time    `json:"opened_at"`
	LastSeenAt  time.Time    `json:"last_seen_at"`
	ClosedAt    *time.Time   `json:"closed_at"`    // nil while open
	DeadEnds    int          `json:"dead_ends"`    // chains that ended with a request for a human
	RetryAt     *time.Time   `json:"retry_at"`     // while unchanged, no tier starts before this time; nil: a tier may start
	LastChain   string       `json:"last_chain"`   // outcome of the last chain: empty, solved or attention
	HollowFixes int          `json:"hollow_fixes"` // consecutive chains that claimed success and changed nothing
	Returns     int          `json:"returns"`      // times that the service was unwell again within ReturnWithin of a recovery
	// HealthySince is since when the service's checks are healthy again; nil if they are not.
	HealthySince  *time.Time `json:"healthy_since"`
	HealthyCycles int        `json:"healthy_cycles"` // consecutive healthy cycles since then; 0 if only checks after a remediation
	UnwellCycles  int        `json:"unwell_cycles"`  // unwell cycles since it opened or returned after a recovery
	// AcknowledgedAt is when a person took note of it as it is now; nil if nobody did, or if it has changed since.
	AcknowledgedAt *time.Time `json:"acknowledged_at"`
	AcknowledgedBy string     `json:"acknowledged_by"` // who, in words
}

// The outcomes of an incident's last chain.
const (
	ChainNone      = ""
	ChainSolved    = "solved"    // it claimed to have solved it
	ChainAttention = "attention" // it ended with a request for a human
)

const (
	// FirstWait is how long an unchanged incident waits after its first dead end.
	FirstWait = time.Hour
	// MaxWait is its longest wait.
	MaxWait = 24 * time.Hour
	// MostHollowFixes is the number of consecutive chains that may claim success without changing anything before a human is asked.
	MostHollowFixes = 2
	// ReturnWithin is how long a recovered incident may return: trouble within that time is the same incident.
	ReturnWithin = 4 * time.Hour
	// FlappingReturns is the number of returns from which a service is flapping: it is left to people.
	FlappingReturns = 3
	// unsteadyReturns is the number of returns from which a recovery is reported only after it has lasted for ReturnWithin.
	unsteadyReturns = 2
	// After more dead ends, or cycles in a row, than these, new words of its errors are no change: what is watched chooses them, and may
	// choose others each time.
	wordsDeadEnds = 1
	wordsCycles   = 10
)

// IncidentState is the phase of an incident.
type IncidentState string

// The states.
const (
	IncidentOpen       IncidentState = "open"       // the service is unwell, or its status is unknown
	IncidentRecovering IncidentState = "recovering" // its checks are healthy again, but not for enough consecutive cycles
	IncidentClosed     IncidentState = "closed"
)

// State returns the phase of the incident, for every place that shows it.
func (i Incident) State() IncidentState {
	switch {
	case i.ClosedAt != nil:
		return IncidentClosed
	case i.HealthySince != nil:
		return IncidentRecovering
	}
	return IncidentOpen
}

// Unwell returns an incident whose service was found unwell again. If its fingerprint changed, it starts anew, but by new words alone only
// at first. If it is unchanged after a chain that claimed success, it counts a hollow fix; stuck reports that there were too many, and that
// the incident waits from now on.
func (i Incident) Unwell(status check.Status, fingerprint string, now time.Time) (after Incident, stuck bool) {
	i.Status = status
	i.HealthySince, i.HealthyCycles = nil, 0
	i.UnwellCycles++
	switch words := check.OnlyWords(i.Fingerprint, fingerprint); {
	case i.Fingerprint != fingerprint && !words:
		i.Fingerprint, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes = fingerprint, 0, nil, ChainNone, 0
		return i, false
	case words && i.DeadEnds <= wordsDeadEnds && i.UnwellCycles <= wordsCycles:
		i.Fingerprint, i.RetryAt, i.LastChain, i.HollowFixes = fingerprint, nil, ChainNone, 0
		return i, false
	}
	i.Fingerprint = fingerprint
	if i.LastChain != ChainSolved {
		return i, false
	}
	i.HollowFixes++
	i.LastChain = ChainNone
	if i.HollowFixes < MostHollowFixes {
		return i, false
	}
	return i.DeadEnd(now), true
}

// DeadEnd returns an incident after a chain that ended with a request for a human. While it is unchanged, no tier starts for 1 h, then 2
// h, doubling up to 24 h.
func (i Incident) DeadEnd(now time.Time) Incident {
	i.DeadEnds++
	i.HollowFixes = 0
	i.LastChain = ChainAttention
	wait := MaxWait
	if shift := i.DeadEnds - 1; shift < 5 {
		wait = min(MaxWait, FirstWait<<shift)
	}
	at := now.Add(wait)
	i.RetryAt = &at
	return i
}

// WaitsUntil returns when an incident may start a tier again; waits is false if it may now. A time further ahead than the longest wait was
// set by a wrong clock, and does not count.
func (i Incident) WaitsUntil(now time.Time) (at time.Time, waits bool) {
	if i.RetryAt == nil || !now.Before(*i.RetryAt) || i.RetryAt.After(now.Add(MaxWait)) {
		return time.Time{}, false
	}
	return *i.RetryAt, true
}

// Healthy returns an open incident whose service was found healthy in the given number of consecutive cycles: the remediation may have
// worked.
func (i Incident) Healthy(cycles int, now time.Time) Incident {
	i.LastChain, i.HollowFixes = ChainNone, 0
	return i.Recovering(cycles, now)
}

// Recovering returns an open incident whose service's checks are healthy, in as many cycles in a row.
func (i Incident) Recovering(cycles int, now time.Time) Incident {
	if i.HealthySince == nil {
		i.HealthySince = &now
	}
	i.HealthyCycles = cycles
	return i
}

// Closed returns an incident that ends now, in the status in which its service is.
func (i Incident) Closed(status check.Status, now time.Time) Incident {
	i.Status, i.ClosedAt = status, &now
	return i
}

// EndedEarly returns an incident that ends before its service reached its fail_after. Such an episode does not count as a return of trouble
// that people were notified of.
func (i Incident) EndedEarly() Incident {
	i.Returns = max(i.Returns-1, 0)
	return i
}

// UnwellQuietly returns an open incident found again while its service is quiet. People are working on the service, so its status says
// nothing about the last chain.
func (i Incident) UnwellQuietly() Incident {
	if i.LastChain == ChainSolved {
		i.LastChain = ChainNone
	}
	return i
}

// RecoveredQuietly returns an open incident whose service recovered while it was quiet. It stays open so that its end is reported after the
// quiet time, but later trouble counts as new. Only such an incident has no fingerprint.
func (i Incident) RecoveredQuietly() Incident {
	i.Fingerprint, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes = "", 0, nil, ChainNone, 0
	return i
}

// ComesBack reports whether new trouble reopens an ended incident: it recovered less than ReturnWithin ago, or by less than that in the
// future, if the clock ran ahead. An incident that an operator closed never reopens.
func (i Incident) ComesBack(now time.Time) bool {
	return i.ClosedAt != nil && i.Status == check.Healthy && now.Sub(*i.ClosedAt).Abs() < ReturnWithin
}

// Back returns a reopened incident. It keeps everything except the number of times that it was found before.
func (i Incident) Back(status check.Status, fingerprint string, now time.Time) Incident {
	i.ClosedAt, i.LastSeenAt = nil, now
	i.Returns++
	i.UnwellCycles = 0
	i, _ = i.Unwell(status, fingerprint, now) // never stuck: it has recovered since the last chain
	return i
}

// Flapping reports whether the service has recovered and failed so often that no further tier starts for it.
func (i Incident) Flapping() bool { return i.Returns >= FlappingReturns }

// Unsteady reports whether the service has recovered and failed so often that another recovery is reported only after it has lasted for
// ReturnWithin.
func (i Incident) Unsteady() bool { return i.Returns >= unsteadyReturns }

// Shown returns the incident for display, given the last status of its service: an open incident that cannot be checked now is unknown.
func (i Incident) Shown(found check.Status) Incident {
	if i.State() == IncidentOpen && found == check.Unknown {
		i.Status = check.Unknown
	}
	return i
}

// Closes describes when a recovering incident closes, to follow the time since which it is healthy.
func (i Incident) Closes() string {
	switch left := statefile.HealthyToReset - i.HealthyCycles; {
	case left <= 0 || i.Fingerprint == "":
		return "closes when its silence, pause or maintenance is over"
	case left == 1:
		return "closes after the next healthy cycle"
	default:
		return fmt.Sprintf("closes after %d healthy cycles", left)
	}
}

// Returned describes how often the incident returned, to follow a time: ", returned 3 times (flapping)"; empty if it never did.
func (i Incident) Returned() string {
	switch i.Returns {
	case 0:
		return ""
	case 1:
		return ", returned once"
	}
	text := fmt.Sprintf(", returned %d times", i.Returns)
	if i.Flapping() {
		text += " (flapping)"
	}
	return text
}
