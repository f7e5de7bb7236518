// Package handoff is the file by which one tier asks for the next: its schema,
// its strict reading, its removal, and its rendering as the context of the tier
// that follows (SPEC-0016).
//
// What a tier writes was shaped by logs and responses that anybody can write.
// So nothing of it is taken that is not exactly of the schema, and what is taken
// reaches the next tier as data between delimiters that it cannot contain.
package handoff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
)

const (
	// SchemaVersion is the only version of the file that is read or written
	// (SPEC-0016 "Handoff File Format").
	SchemaVersion = 1
	// FileName is the name of the file in the state directory.
	FileName = "handoff.json"
	// MaxBytes is how large the file may be.
	MaxBytes = 1 << 20
	// LastTier is the tier after which there is none.
	LastTier = 3
	// ByReport is the WrittenBy of a handoff that `claudeops report` made.
	ByReport = "claudeops report"
)

// Handoff is one tier's request for the next one. One that Parse returned or
// Write took is valid; any other is valid where Validate returns nil.
type Handoff struct {
	SchemaVersion int `json:"schema_version"`
	// RecommendedTier is the tier asked for, always the one after the writer's.
	RecommendedTier int `json:"recommended_tier"`
	// ServicesAffected names at least one service.
	ServicesAffected []string `json:"services_affected"`
	// CheckResults are the results of Tier 1, which later tiers pass on; at
	// least one.
	CheckResults []check.Result `json:"check_results"`
	// UnknownChecks are the results of checks that could not be made, as Take puts
	// them: they say nothing about their services. nil where there are none. What
	// an agent wrote there is passed on as it is where the program knows of none.
	UnknownChecks jsontext.Value `json:"unknown_checks,omitzero"`
	// InvestigationFindings is the root cause analysis; from Tier 2 on never blank.
	InvestigationFindings string `json:"investigation_findings,omitempty"`
	// RemediationAttempted says what was tried and why it failed; from Tier 2 on
	// never blank.
	RemediationAttempted string `json:"remediation_attempted,omitempty"`
	// CooldownState is an object, the cooldown data of the services concerned.
	CooldownState jsontext.Value `json:"cooldown_state"`
	// Added is what Tier 2 found beside what Tier 1 handed it; only Continue sets it.
	Added Addition `json:"added_by_tier_2,omitempty"`
	// WrittenBy names the command that made the file, empty where an agent did.
	WrittenBy string `json:"written_by,omitempty"`
	// Extra holds the members that we do not know, as one JSON object; nil if
	// there were none.
	Extra jsontext.Value `json:",embed"`
}

// Addition is what of a handoff the tier before did not hand its writer. The
// zero value is nothing.
type Addition struct {
	// ServicesAffected are among those of the handoff too.
	ServicesAffected []string `json:"services_affected,omitempty"`
	// CheckResults are not among those of the handoff, which are Tier 1's.
	CheckResults []check.Result `json:"check_results,omitempty"`
	// UnknownChecks are what its writer has as UnknownChecks in another form than
	// the handoff, whose are Tier 1's; nil where it has nothing else.
	UnknownChecks jsontext.Value `json:"unknown_checks,omitzero"`
}

// InvalidError says why there is a handoff that cannot be taken. It names every
// fault at once, one line each.
type InvalidError struct{ Faults []string }

func (e *InvalidError) Error() string {
	return "handoff is not valid:\n  " + strings.Join(e.Faults, "\n  ")
}

// Parse reads the handoff that the tier from, 1 to LastTier, wrote. What is
// wrong with it comes back as an *InvalidError. A handoff of the last tier is
// read like one of the tier before, but may recommend any tier: there is none.
// Added is never read: it is no agent's to say.
func Parse(data []byte, from int) (Handoff, error) {
	if from < 1 || from > LastTier {
		return Handoff{}, fmt.Errorf("handoff from tier %d: tiers are 1 to %d", from, LastTier)
	}
	if faults := faultsOf(data, from); faults != nil {
		return Handoff{}, &InvalidError{Faults: faults}
	}
	var written struct {
		Handoff
		Added jsontext.Value `json:"added_by_tier_2"` // in the place of that of Handoff, which only Continue sets
	}
	if err := json.Unmarshal(data, &written); err != nil {
		return Handoff{}, &InvalidError{Faults: []string{err.Error()}}
	}
	return written.Handoff, nil
}

// faultsOf names everything that keeps data from being a handoff of the tier from.
func faultsOf(data []byte, from int) []string {
	var faults strict.Faults
	if len(data) > MaxBytes {
		faults.Add("", tooLarge)
		return faults.List()
	}
	h := strict.JSON(data, "", &faults)
	if h == nil || !h.Object() {
		return faults.List()
	}
	version := fmt.Sprintf("%d, the only version there is", SchemaVersion)
	h.Int("schema_version", strict.Required, version, func(n int64) string {
		if n == SchemaVersion {
			return ""
		}
		return fmt.Sprintf("%d is not known; must be %s", n, version)
	})
	next := fmt.Sprintf("%d, the tier after Tier %d", from+1, from)
	if from == LastTier {
		next = "a whole number"
	}
	h.Int("recommended_tier", strict.Required, next, func(n int64) string {
		if from == LastTier || n == int64(from+1) {
			return ""
		}
		return fmt.Sprintf("%d; must be %s", n, next)
	})
	h.Strings("services_affected", "a non-empty array of service names", check.ServiceNameFault)
	check.Results(h, check.InHandoff)
	for _, text := range [...]struct{ name, what string }{
		{"investigation_findings", "what the root cause is, as far as it was found"},
		{"remediation_attempted", "what was tried and why it failed"},
	} {
		if from == 1 { // who only observes has investigated nothing
			h.String(text.name, strict.Optional, "a string, or left out", nil)
			continue
		}
		want := "a non-empty string: " + text.what
		h.String(text.name, strict.Required, want, func(s string) string {
			if strings.TrimSpace(s) == "" {
				return "empty; must be " + want
			}
			return ""
		})
	}
	h.ObjectMember("cooldown_state", strict.Required, "an object, the cooldown data of the services concerned")
	h.String("written_by", strict.Optional, "a string, or left out", nil)
	return faults.List()
}

// Take sets the results of h: UnknownChecks as TakeUnknown does, CheckResults to the others.
func (h *Handoff) Take(results []check.Result) {
	h.CheckResults = slices.DeleteFunc(slices.Clone(results), func(r check.Result) bool { return r.Status == check.Unknown })
	h.TakeUnknown(results)
}

// TakeUnknown sets UnknownChecks to the results of checks that could not be made. Where there are none it stays as it is.
func (h *Handoff) TakeUnknown(results []check.Result) {
	unknown := slices.DeleteFunc(slices.Clone(results), func(r check.Result) bool { return r.Status != check.Unknown })
	if len(unknown) > 0 {
		h.UnknownChecks = jsontext.Value(encoded(unknown))
	}
}

// Validate says as an *InvalidError what keeps h from being a handoff of the
// tier from, nil if nothing does.
func (h Handoff) Validate(from int) error {
	_, err := h.validMarshal(from)
	return err
}

// validMarshal is Marshal of a handoff that the tier from may write.
func (h Handoff) validMarshal(from int) ([]byte, error) {
	data, err := h.Marshal()
	if err != nil {
		return nil, &InvalidError{Faults: []string{err.Error()}}
	}
	if _, err := Parse(data, from); err != nil {
		return nil, err
	}
	return data, nil
}

// Marshal returns h as it is written to the file: indented, the same bytes for the
// same handoff. The error is that of a text that is not UTF-8 or of a raw member
// that is not JSON; no other handoff has one.
func (h Handoff) Marshal() ([]byte, error) {
	data, err := json.Marshal(h, jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("encode handoff: %w", err)
	}
	return append(data, '\n'), nil
}
