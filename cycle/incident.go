package cycle

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// hollowFixesToDeadEnd is the number of consecutive chains that may claim success without changing anything before a human is asked.
const hollowFixesToDeadEnd = 2

// The outcomes of an incident's last chain (lastChain), besides store.ChainAttention.
const (
	chainNone   = ""
	chainSolved = "solved"
)

// seenUnhealthy returns an incident that this cycle found again. If its fingerprint changed, it starts anew, but by new words alone only at
// first. If it is unchanged after a chain that claimed success, it counts a hollow fix; stuck reports that there were too many, and that the
// incident waits from now on.
func seenUnhealthy(i store.Incident, status check.Status, fingerprint string, now time.Time) (after store.Incident, stuck bool) {
	i.Status = status
	i.HealthySince, i.HealthyCycles = nil, 0
	i.UnwellCycles++
	switch words := onlyWords(i.Fingerprint, fingerprint); {
	case i.Fingerprint != fingerprint && !words:
		i.Fingerprint, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes = fingerprint, 0, nil, chainNone, 0
		return i, false
	case words && i.DeadEnds <= wordsDeadEnds && i.UnwellCycles <= wordsCycles:
		i.Fingerprint, i.RetryAt, i.LastChain, i.HollowFixes = fingerprint, nil, chainNone, 0
		return i, false
	}
	i.Fingerprint = fingerprint
	if i.LastChain != chainSolved {
		return i, false
	}
	i.HollowFixes++
	i.LastChain = chainNone
	if i.HollowFixes < hollowFixesToDeadEnd {
		return i, false
	}
	return i.DeadEnd(now), true
}

// comesBack reports whether new trouble reopens an ended incident: it recovered less than store.ReturnWithin ago, or by less than that in
// the future, if the clock ran ahead. An incident that an operator closed never reopens.
func comesBack(last store.Incident, now time.Time) bool {
	return last.ClosedAt != nil && last.Status == check.Healthy && now.Sub(*last.ClosedAt).Abs() < store.ReturnWithin
}

// returned returns a reopened incident. It keeps everything except the number of times that it was found before.
func returned(i store.Incident, status check.Status, fingerprint string, now time.Time) store.Incident {
	i.ClosedAt, i.LastSeenAt = nil, now
	i.Returns++
	i.UnwellCycles = 0
	i, _ = seenUnhealthy(i, status, fingerprint, now) // never stuck: it has recovered since the last chain
	return i
}

// seenHealthy returns an open incident whose service was found healthy in the given number of consecutive cycles: the remediation may
// have worked.
func seenHealthy(i store.Incident, cycles int, now time.Time) store.Incident {
	i.LastChain, i.HollowFixes = chainNone, 0
	return healthyAgain(i, cycles, now)
}

// healthyAgain returns an open incident as recovering, because its service's checks are healthy.
func healthyAgain(i store.Incident, cycles int, now time.Time) store.Incident {
	if i.HealthySince == nil {
		i.HealthySince = &now
	}
	i.HealthyCycles = cycles
	return i
}

// closed returns an incident that ends now, in the status in which its service is.
func closed(i store.Incident, status check.Status, now time.Time) store.Incident {
	i.Status, i.ClosedAt = status, &now
	return i
}

// endedEarly returns an incident that ends before its service reached its fail_after. Such an episode does not count as a return of
// trouble that people were notified of.
func endedEarly(i store.Incident) store.Incident {
	i.Returns = max(i.Returns-1, 0)
	return i
}

// worked returns an open incident found again while its service is quiet. People are working on the service, so its status says nothing
// about the last chain.
func worked(i store.Incident) store.Incident {
	if i.LastChain == chainSolved {
		i.LastChain = chainNone
	}
	return i
}

// recoveredQuietly returns an open incident whose service recovered while it was quiet. It stays open so that its end is reported after
// the quiet time, but later trouble counts as new. Only such an incident has no fingerprint.
func recoveredQuietly(i store.Incident) store.Incident {
	i.Fingerprint, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes = "", 0, nil, chainNone, 0
	return i
}

// After more dead ends, or cycles in a row, of an incident than these, new words of its errors are no change: what is watched chooses them,
// and may choose others each time.
const (
	wordsDeadEnds = 1
	wordsCycles   = 10
)

// fingerprint identifies the state of a service: by check types and statuses and, after a dash, by these and errors. It leaves out parts of
// an error that vary between occurrences of the same problem.
func fingerprint(results []check.Result) string {
	var states, said, all []string
	for _, r := range results {
		if !r.Status.Unwell() {
			continue
		}
		kind := string(r.Type) + " " + string(r.Status)
		all = append(all, kind+" "+withoutNumbers(r.Error))
		if r.Type == state.ByAlert {
			said = append(said, kind)
		} else {
			states = append(states, kind)
		}
	}
	if states == nil { // beside a check of ours, what others say comes and goes as words do
		states = said
	}
	return hashed(states) + "-" + hashed(all)
}

// hashed identifies a set of lines.
func hashed(lines []string) string {
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(lines), "\n")))
	return hex.EncodeToString(sum[:6])
}

// onlyWords reports whether two fingerprints differ, and in nothing but the words of errors.
func onlyWords(before, after string) bool {
	state, _, _ := strings.Cut(before, "-")
	return before != after && strings.HasPrefix(after, state+"-")
}

// age matches how long ago something was, as text.Ago writes it: its words change with time.
var age = lazy.Regexp(`just now|\d+ [a-z]+ ago`)

// withoutNumbers removes every age, and every part of a word that contains a digit: numbers, times, addresses and hexadecimal names.
func withoutNumbers(s string) string {
	words := strings.FieldsFunc(age().ReplaceAllString(strings.ToLower(s), ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool {
		hexadecimal := len(w) >= 8 && strings.Trim(w, "abcdef") == ""
		return hexadecimal || strings.ContainsFunc(w, unicode.IsDigit)
	})
	return strings.Join(words, " ")
}
