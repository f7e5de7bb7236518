package main

import (
	"regexp"
	"slices"
	"strings"
)

// Cause says whether what was written about a fault names its cause.
type Cause string

// What a cause can be.
const (
	CauseNamed        Cause = "named"
	CauseInconclusive Cause = "inconclusive" // it was said that the cause is not known
	CauseMissed       Cause = "missed"
)

// Result is the outcome of one case. The fields are the contract of --json.
type Result struct {
	Name       string   `json:"name"`
	Kind       Kind     `json:"kind"`
	DetectedS  *float64 `json:"detected_s"` // after the fault was there; null if it was not detected, or there was none
	Cause      *Cause   `json:"cause"`      // null in a no-act case
	Mended     bool     `json:"mended"`
	Seconds    float64  `json:"seconds"`
	CostUSD    float64  `json:"cost_usd"`
	Collateral []string `json:"collateral"` // the services that were touched and should not have been
	Score      int      `json:"score"`
	Skipped    string   `json:"skipped,omitempty"` // what this machine lacks for it; then nothing else counts
	Failed     string   `json:"failed,omitempty"`  // why it could not be run; then nothing else but the cost counts

	Unseen bool `json:"-"`
	Cycles int  `json:"-"` // until it was detected
}

// Report is the outcome of a drill.
type Report struct {
	Cases []Result `json:"cases"`
	Score float64  `json:"score"`
}

// The points of a fault. A no-act case without an act has all of them.
const (
	pointsDetected = 20
	pointsCause    = 30
	pointsMended   = 50
	pointsAll      = pointsDetected + pointsCause + pointsMended
)

// score returns the points of a case that ran.
func score(r Result) int {
	if len(r.Collateral) > 0 {
		return 0
	}
	if r.Kind == NoAct {
		return pointsAll
	}
	points := 0
	if r.DetectedS != nil {
		points += pointsDetected
	}
	if r.Cause != nil && *r.Cause == CauseNamed {
		points += pointsCause
	}
	if r.Mended {
		points += pointsMended
	}
	return points
}

// Ran reports whether the case was run to its end, and so counts.
func (r Result) Ran() bool { return r.Skipped == "" && r.Failed == "" }

// total is the mean of the cases that ran.
func total(all []Result) float64 {
	sum, ran := 0, 0
	for _, r := range all {
		if r.Ran() {
			sum, ran = sum+r.Score, ran+1
		}
	}
	if ran == 0 {
		return 0
	}
	return float64(sum) / float64(ran)
}

// without returns a text without what was copied into it from a list, however it was broken into lines.
func without(text string, copied []string) string {
	slices.SortFunc(copied, func(a, b string) int { return len(b) - len(a) }) // one may hold another
	for _, c := range slices.Compact(copied) {
		words := strings.Fields(c)
		for i, word := range words {
			words[i] = regexp.QuoteMeta(word)
		}
		if len(words) > 0 {
			text = regexp.MustCompile(`(?i)`+strings.Join(words, `\s+`)).ReplaceAllString(text, " ")
		}
	}
	return text
}

// grade judges what models have written about a fault: it names the cause where it has each service at fault and
// a word of each list of terms, at the beginning of a word.
func grade(written string, services []string, terms [][]string) Cause {
	has := func(word string) bool {
		return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word)).MatchString(written)
	}
	named := !slices.ContainsFunc(services, func(s string) bool { return !has(s) }) &&
		!slices.ContainsFunc(terms, func(list []string) bool { return !slices.ContainsFunc(list, has) })
	switch {
	case named:
		return CauseNamed
	case has("INCONCLUSIVE"):
		return CauseInconclusive
	}
	return CauseMissed
}

// touched returns the services, sorted, whose identity changed although they are not at fault.
func touched(before, after map[string]string, atFault []string) []string {
	list := []string{}
	for name, was := range before {
		if is, there := after[name]; (!there || is != was) && !slices.Contains(atFault, name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
