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
	d.Session(2)
	for service, says := range map[string]string{"": "empty", "a\x1b[2J": "control character", "a\xff": "UTF-8"} {
		wantError(t, d.reserves("toolu_1", recording.Restart(service)), nil, says)
	}
	same(t, len(d.Reads().Services), 0)
}

func TestRecordsHoldOneLineWithoutSecrets(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	long := strings.Repeat("é", 1000)
	ok(t, d.reserves("toolu_1", store.Act{Service: "shop", Action: statefile.Restart, Detail: "docker\trestart\n --token hunter22\u202e \xff" + long}))
	ok(t, d.Complete(t.Context(), "toolu_1", "Exit code 1\r\nhunter22 \x1b[31mrefused", 0))
	r := d.Reads().Service("shop").Restarts[0]
	same(t, r.Error, "Exit code 1 [redacted] refused")
	same(t, r.ActionDetail, "docker restart --token [redacted] �"+strings.Repeat("é", 400-36)+"…")
}
