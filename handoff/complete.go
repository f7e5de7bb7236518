package handoff

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Complete adds to a draft, the JSON object that an agent wrote, those members
// that it leaves out and the program knows: schema_version, and whatever is set
// in known. What the draft has stays as it is, a null too. A draft that cannot
// be read as an object comes back unchanged: what is wrong with it, and with the
// rest of a completed one, is for Parse to say, all at once.
func Complete(draft []byte, known Handoff) ([]byte, error) {
	has, ok := membersOf(draft)
	if !ok {
		return draft, nil
	}
	var add []byte
	for _, m := range known.members() {
		if _, there := has[m.name]; there {
			continue
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, fmt.Errorf("complete handoff with %s: %w", m.name, err)
		}
		if len(add) > 0 {
			add = append(add, ',')
		}
		add = fmt.Appendf(add, "%q:%s", m.name, value)
	}
	return insert(draft, add, len(has) == 0), nil
}

// membersOf splits a JSON object by name; ok is false for anything else.
func membersOf(draft []byte) (has map[string]jsontext.Value, ok bool) {
	err := json.Unmarshal(draft, &has, jsontext.AllowDuplicateNames(true))
	return has, err == nil && has != nil
}

// insert puts members in front of those of a JSON object.
func insert(object, members []byte, empty bool) []byte {
	if len(members) > 0 && !empty {
		members = append(members, ',')
	}
	brace := bytes.IndexByte(object, '{') + 1
	return bytes.Join([][]byte{object[:brace], members, object[brace:]}, nil)
}

type knownMember struct {
	name  string
	value any
}

// members are those members of h that say something.
func (h Handoff) members() []knownMember {
	known := []knownMember{{"schema_version", SchemaVersion}}
	add := func(set bool, name string, value any) {
		if set {
			known = append(known, knownMember{name, value})
		}
	}
	add(h.RecommendedTier != 0, "recommended_tier", h.RecommendedTier)
	add(len(h.ServicesAffected) > 0, "services_affected", h.ServicesAffected)
	add(len(h.CheckResults) > 0, "check_results", h.CheckResults)
	add(h.InvestigationFindings != "", "investigation_findings", h.InvestigationFindings)
	add(h.RemediationAttempted != "", "remediation_attempted", h.RemediationAttempted)
	add(h.CooldownState != nil, "cooldown_state", h.CooldownState)
	add(h.WrittenBy != "", "written_by", h.WrittenBy)
	return known
}
