package cycle

import (
	"reflect"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/handoff"
)

func TestEvidenceInAMessage(t *testing.T) {
	const message = "The disk was full.\n[EVIDENCE] df -h / => 100% /\n- `[EVIDENCE] docker logs shop => \"no space left\"`\n[EVIDENCE] nothing\nsee [EVIDENCE] a => b\n"
	want := []handoff.Evidence{{Command: "df -h /", Quote: "100% /"}, {Command: "docker logs shop", Quote: "no space left"}, {}}
	if got := evidenceIn(message); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	many := evidenceIn(strings.Repeat("[EVIDENCE] a => b\n", 1000))
	if len(many) != 1000 || many[handoff.MaxEvidence-1].Quote != "b" || many[handoff.MaxEvidence] != (handoff.Evidence{}) {
		t.Errorf("%d are found, and the first %d are not all that have a quote", len(many), handoff.MaxEvidence)
	}
}
