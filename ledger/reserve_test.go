package ledger_test

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

func TestReserveWhatCannotBe(t *testing.T) {
	d := newFixture(t)
	if err := d.reserves("toolu_1", recording.Restart("shop")); err == nil || !strings.Contains(err.Error(), "CLAUDEOPS_SESSION_ID") {
		t.Errorf("outside a session: %v", err)
	}
	ok(t, d.Complete(t.Context(), "toolu_1", true, "", 0))
	d.Session(2)
	for name, tt := range map[string]struct {
		toolUse string
		wanted  store.Act
		says    string
	}{
		"no tool use": {"", recording.Restart("shop"), "tool use's id"},
		"no name":     {"toolu_1", recording.Restart(""), "empty"},
		"control":     {"toolu_1", recording.Restart("a\x1b[2J"), "control character"},
		"no UTF-8":    {"toolu_1", recording.Restart("a\xff"), "UTF-8"},
	} {
		if err := d.reserves(tt.toolUse, tt.wanted); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	same(t, len(d.Reads().Services), 0)
}

func TestRecordsHoldOneLineWithoutSecrets(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	long := strings.Repeat("é", 1000)
	ok(t, d.reserves("toolu_1", store.Act{Service: "shop", Action: statefile.Restart, Detail: "docker\trestart\n --token hunter22\u202e \xff" + long}))
	ok(t, d.Complete(t.Context(), "toolu_1", false, "Exit code 1\r\nhunter22 \x1b[31mrefused", 0))
	r := d.Reads().Service("shop").Restarts[0]
	same(t, r.Error, "Exit code 1 [redacted] refused")
	same(t, r.ActionDetail, "docker restart --token [redacted] �"+strings.Repeat("é", 400-36)+"…")
}
