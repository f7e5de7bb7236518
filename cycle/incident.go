package cycle

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

const (
	firstWait = time.Hour
	maxWait   = 24 * time.Hour
)

// hollowFixesToDeadEnd is how many chains in a row may end as solved and change nothing before a human is asked.
const hollowFixesToDeadEnd = 2

// lastChain of an incident.
const (
	chainNone      = ""
	chainSolved    = "solved"
	chainAttention = "attention"
)

// deadEnd is an incident after a chain that ended with a human being asked: unchanged, it starts no tier for 1 h, then 2 h,
// doubling to 24 h (RULE "Incident").
func deadEnd(i store.Incident, now time.Time) store.Incident {
	i.DeadEnds++
	i.HollowFixes = 0
	i.LastChain = chainAttention
	wait := maxWait
	if shift := i.DeadEnds - 1; shift < 5 {
		wait = min(maxWait, firstWait<<shift)
	}
	at := now.Add(wait)
	i.RetryAt = &at
	return i
}

// seenUnhealthy is an incident that this cycle found again. A changed one starts anew; an unchanged one after a chain that
// claimed success counts a hollow fix, and stuck says that there have been too many: from now on it waits.
func seenUnhealthy(i store.Incident, status check.Status, fingerprint string, now time.Time) (after store.Incident, stuck bool) {
	i.Status = status
	i.HealthySince, i.HealthyCycles = nil, 0
	i.UnwellCycles++
	if i.Fingerprint != fingerprint {
		i.Fingerprint, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes = fingerprint, 0, nil, chainNone, 0
		return i, false
	}
	if i.LastChain != chainSolved {
		return i, false
	}
	i.HollowFixes++
	i.LastChain = chainNone
	if i.HollowFixes < hollowFixesToDeadEnd {
		return i, false
	}
	return deadEnd(i, now), true
}

// comesBack reports whether trouble that is found now is an incident that had ended: it recovered less than store.ReturnWithin ago, or,
// by a clock that ran ahead, as little before its time. One that an operator closed is over for good.
func comesBack(last store.Incident, now time.Time) bool {
	return last.ClosedAt != nil && last.Status == check.Healthy && now.Sub(*last.ClosedAt).Abs() < store.ReturnWithin
}

// returned is an incident that has come back, with all that it knows but how often it was found before.
func returned(i store.Incident, status check.Status, fingerprint string, now time.Time) store.Incident {
	i.ClosedAt, i.LastSeenAt = nil, now
	i.Returns++
	i.UnwellCycles = 0
	i, _ = seenUnhealthy(i, status, fingerprint, now) // never stuck: a recovery lies between it and the last chain
	return i
}

// seenHealthy is an open incident whose service was found healthy, in so many cycles in a row by now: what was done may have worked.
func seenHealthy(i store.Incident, cycles int, now time.Time) store.Incident {
	i.LastChain, i.HollowFixes = chainNone, 0
	return healthyAgain(i, cycles, now)
}

// healthyAgain is an open incident whose service's checks are healthy: it is recovering.
func healthyAgain(i store.Incident, cycles int, now time.Time) store.Incident {
	if i.HealthySince == nil {
		i.HealthySince = &now
	}
	i.HealthyCycles = cycles
	return i
}

// endedEarly is an incident that ends before its service had failed as often as its fail_after asks for: that was no return of the
// trouble that people were told of, or will be.
func endedEarly(i store.Incident) store.Incident {
	i.Returns = max(i.Returns-1, 0)
	return i
}

// worked is an open incident found again while its service is quiet: people have their hands on it, and what they do says nothing about
// the last chain.
func worked(i store.Incident) store.Incident {
	if i.LastChain == chainSolved {
		i.LastChain = chainNone
	}
	return i
}

// recoveredQuietly is an open incident whose service was healthy in enough cycles in a row while it was quiet: it stays open, so that
// its end is reported when the quiet is over, but no trouble that comes later is the same as before. Only such a one has no fingerprint.
func recoveredQuietly(i store.Incident) store.Incident {
	i.Fingerprint, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes = "", 0, nil, chainNone, 0
	return i
}

// waitsUntil is when an incident may start a tier again; the second result is false where it may now. A time further away than any
// wait was written under a clock that ran ahead.
func waitsUntil(i store.Incident, now time.Time) (time.Time, bool) {
	if i.RetryAt == nil || !now.Before(*i.RetryAt) || i.RetryAt.After(now.Add(maxWait)) {
		return time.Time{}, false
	}
	return *i.RetryAt, true
}

// fingerprint identifies the state of a service: by check types, statuses, and errors without what differs from one
// occurrence of the same trouble to the next.
func fingerprint(results []check.Result) string {
	lines := make([]string, 0, len(results))
	for _, r := range results {
		if r.Status.Unwell() {
			lines = append(lines, string(r.Type)+" "+string(r.Status)+" "+withoutNumbers(r.Error))
		}
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(lines), "\n")))
	return hex.EncodeToString(sum[:8])
}

// withoutNumbers drops from a text every word part that holds a digit: numbers, times, addresses and hexadecimal names.
func withoutNumbers(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) || hexadecimal(w) })
	return strings.Join(words, " ")
}

// hexadecimal reports whether a word without digits is yet one: eight letters or more, all from a to f.
func hexadecimal(word string) bool {
	return len(word) >= 8 && strings.Trim(word, "abcdef") == ""
}
