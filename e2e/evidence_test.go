package e2e

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// What a tier claims is checked against what its session has seen, and the next tier, incidents and people are told where it is not there.
func TestEvidenceIsLookedUp(t *testing.T) {
	w := newWorld(t)
	must(t, os.WriteFile(w.path("repos", "notes.txt"), []byte("write: no space left on device\nvolume of shop: 0 bytes free\n"), 0o644))
	w.agent(1, reportDown, finish)
	w.agent(2, `bash cat notes.txt`,
		`bash echo '{"services_affected":["shop"],"investigation_findings":"the disk is full","remediation_attempted":"nothing","evidence":[`+
			`{"command":"cat notes.txt","quote":"no space left on device"},{"command":"df -h","quote":"100%","verified":true}]}' | claudeops handoff write --tier 3`, finish)
	const full = `The volume of shop is full.\n[EVIDENCE] cat notes.txt => volume of shop: 0 bytes`
	w.agent(3, `bash cat notes.txt`, `say `+full, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	context, _ := w.given(3).Flag("--append-system-prompt")
	for _, want := range []string{`"quote":"no space left on device","verified":true`, `"quote":"100%","verified":false`} {
		if !strings.Contains(context, want) {
			t.Errorf("Tier 3 was not told %s: %s", want, context)
		}
	}
	shown := w.exits(0, "incidents", "show", "1").out
	for _, want := range []string{"unverified (1 of 2 quotes not seen): the disk is full", "The volume of shop is full."} {
		if !strings.Contains(shown, want) {
			t.Errorf("the incident does not say %q: %s", want, shown)
		}
	}
	if strings.Contains(shown, "): The volume") {
		t.Errorf("a verified claim is marked: %s", shown)
	}
	says(t, w.exits(0, "sessions", "show", "3").out, "\nResponse:\n  The volume of shop is full.\n")

	// The answer to a question is no less a claim, and a line that cannot be looked up is no evidence.
	w.services("services: [{name: shop, checks: [{type: service, plugin: [/bin/true]}]}]")
	for n, c := range []struct{ more, heading string }{{"", ""}, {`\n[EVIDENCE] cat notes.txt`, "unverified (1 of 2 quotes not seen): "}} {
		w.agent(1, `bash cat notes.txt`, `say `+full+c.more, finish)
		answer := c.heading + "The volume of shop is full.\n"
		says(t, w.cycle(0, "--service", "shop", "--prompt", "why?").out, "answer of Tier 1", "\n  "+answer)
		says(t, w.exits(0, "sessions", "show", strconv.Itoa(4+n)).out, "\nResponse:\n  "+answer)
	}
}
