// Package handoff is the file by which one tier asks for the next: its schema, strict parsing, removal, and rendering as context for the
// next tier (SPEC-0016).
//
// What a tier writes was influenced by logs and responses that anybody can write. Therefore only content that matches the schema exactly
// is accepted, and it reaches the next tier as data between delimiters that it cannot contain.
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

// What is fixed of a handoff.
const (
	SchemaVersion = 1              // the only version of the file (SPEC-0016 "Handoff File Format")
	FileName      = "handoff.json" // in the state directory
	MaxBytes      = 1 << 20        // of the file
	LastTier      = 3
)

// Handoff is one tier's request for the next one. A Handoff from Parse, or accepted by Write, is valid.
//
// LeftOut is how many more services are unwell. UnknownChecks could not be made, and say nothing about their services.
type Handoff struct {
	SchemaVersion         int            `json:"schema_version"`
	RecommendedTier       int            `json:"recommended_tier"`                 // the one after the writer's
	ServicesAffected      []string       `json:"services_affected"`                // at least one
	LeftOut               int            `json:"services_left_out,omitzero"`       // set by the program alone
	CheckResults          []check.Result `json:"check_results"`                    // Tier 1's; at least one
	UnknownChecks         []check.Result `json:"unknown_checks,omitempty"`         // set by the program alone
	Alerts                []Alert        `json:"alerts,omitempty"`                 // set by the program alone
	InvestigationFindings string         `json:"investigation_findings,omitempty"` // from Tier 2 on
	RemediationAttempted  string         `json:"remediation_attempted,omitempty"`  // from Tier 2 on
	Evidence              []Evidence     `json:"evidence,omitempty"`               // optional
	CooldownState         jsontext.Value `json:"cooldown_state"`                   // an object
	Added                 Addition       `json:"added_by_tier_2,omitempty"`        // only Merge sets it
	Extra                 jsontext.Value `json:",embed"`                           // unknown members
}

// Addition is what Tier 2 found in addition to Tier 1's handoff. The zero value means nothing.
type Addition struct {
	ServicesAffected []string       `json:"services_affected,omitempty"` // also in the handoff's ServicesAffected
	CheckResults     []check.Result `json:"check_results,omitempty"`     // beside Tier 1's
}

// Parse parses the handoff that the tier from, 1 to LastTier, wrote. If it is invalid, the error is a *strict.InvalidError. A handoff of
// the last tier is parsed like one of the tier before, but may recommend any tier, because there is no next one. What only the program
// sets is never read.
func Parse(data []byte, from int) (Handoff, error) {
	var faults strict.Faults
	addFaults(&faults, data, from)
	if err := faults.Err(notValid); err != nil {
		return Handoff{}, err
	}
	var written struct {
		Handoff
		Added   jsontext.Value `json:"added_by_tier_2"` // shadows the field of Handoff, which only Merge sets
		Alerts  jsontext.Value `json:"alerts"`          // likewise
		Left    jsontext.Value `json:"services_left_out"`
		Unknown jsontext.Value `json:"unknown_checks"`
		History jsontext.Value `json:"incident_history"` // copied from the context, to which only the program adds it
	}
	if err := json.Unmarshal(data, &written); err != nil {
		return Handoff{}, invalid(err.Error())
	}
	return written.Handoff, nil
}

const notValid = "handoff is not valid"

func invalid(fault string) error {
	return &strict.InvalidError{What: notValid, Faults: []string{fault}}
}

// addFaults adds everything that keeps data from being a handoff of the tier from.
func addFaults(faults *strict.Faults, data []byte, from int) {
	if len(data) > MaxBytes {
		faults.Add("", tooLarge)
		return
	}
	h := strict.JSON(data, "", faults)
	if h == nil || !h.Object() {
		return
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
	check.Results(h)
	ownText(h, from, "investigation_findings", "what the root cause is, as far as it was found")
	ownText(h, from, "remediation_attempted", "what was tried and why it failed")
	evidenceFaults(h)
	h.ObjectMember("cooldown_state", strict.Required, "an object, the cooldown data of the services concerned")
}

// ownText checks a member that an agent writes in its own words; Tier 1, which only observes, may leave it out.
func ownText(h *strict.Value, from int, name, what string) {
	if from == 1 {
		h.String(name, strict.Optional, "a string, or left out", nil)
		return
	}
	want := "a non-empty string: " + what
	h.String(name, strict.Required, want, func(s string) string {
		if strings.TrimSpace(s) == "" {
			return "empty; must be " + want
		}
		return ""
	})
}

// Schema returns the JSON schema of what an agent of the tier from writes itself. The program knows the rest.
func Schema(from int) string {
	own := `"check_results":{"type":"array","items":{"type":"object"}}},"required":["check_results",`
	if from > 1 {
		own = `"investigation_findings":{"type":"string"},"remediation_attempted":{"type":"string"},
			"evidence":{"type":"array","items":{"type":"object"}}},"required":["investigation_findings","remediation_attempted",`
	}
	return `{"type":"object","properties":{"services_affected":{"type":"array","items":{"type":"string"}},` + own + `"services_affected"]}`
}

// Take adds to CheckResults and UnknownChecks: the results of checks that were made, and of those that could not be.
func (h *Handoff) Take(results []check.Result) {
	for _, r := range results {
		switch {
		case r.Status == check.Unknown:
			h.UnknownChecks = append(h.UnknownChecks, r)
		case slices.Contains(check.Types(), r.Type):
			h.CheckResults = append(h.CheckResults, r)
		}
	}
}

// Valid returns h in the form of the file. If it is no valid handoff of the tier from, the error is a *strict.InvalidError.
func (h Handoff) Valid(from int) ([]byte, error) {
	data, err := h.Marshal()
	if err != nil {
		return nil, invalid(err.Error())
	}
	_, err = Parse(data, from)
	return data, err
}

// Marshal returns h in the form of the file: indented, with identical bytes for identical handoffs. It fails only for a text that is not
// UTF-8, or a raw member that is not JSON.
func (h Handoff) Marshal() ([]byte, error) {
	data, err := json.Marshal(h, jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("encode handoff: %w", err)
	}
	return append(data, '\n'), nil
}
