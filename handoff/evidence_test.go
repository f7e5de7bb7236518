package handoff

import (
	"errors"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/strict"
)

func TestAClaimIsMarked(t *testing.T) {
	seen, unseen := Evidence{Quote: "x", Verified: true}, Evidence{Quote: "y"}
	for _, c := range []struct {
		claim    string
		evidence []Evidence
		want     string
	}{
		{"disk full", []Evidence{seen}, "disk full"},
		{"disk full", nil, "unverified (no evidence): disk full"},
		{"disk full", []Evidence{seen, unseen, seen}, "unverified (1 of 3 quotes not seen): disk full"},
		{" ", nil, " "},
	} {
		if got := Mark(c.claim, c.evidence); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestEvidenceOfAHandoffIsChecked(t *testing.T) {
	const rest = `{"schema_version":1,"recommended_tier":3,"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}],` +
		`"investigation_findings":"f","remediation_attempted":"r","cooldown_state":{},"evidence":`
	for evidence, fault := range map[string]string{
		`[{"command":"df","quote":"100%"}]`:     "",
		`[{"check":"shop http","quote":"502"}]`: "",
		`null`:                                  "",
		`"the disk is full"`:                    "must be an array",
		`[{"command":"df"}]`:                    "quote: missing",
		`["df"]`:                                "must be an object",
		`[{"quote":"` + strings.Repeat("x", 1001) + `"}]`:             "at most 1000",
		`[` + strings.Repeat(`{"quote":"x"},`, 20) + `{"quote":"x"}]`: "one too many",
	} {
		_, err := Parse([]byte(rest+evidence+"}"), 2)
		var invalid *strict.InvalidError
		if fault == "" && err != nil || fault != "" && (!errors.As(err, &invalid) || !strings.Contains(err.Error(), fault)) {
			t.Errorf("%.60s: %v, want %q", evidence, err, fault)
		}
	}
}
