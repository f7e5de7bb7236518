package cycle

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

func TestSettlingSaysWhatIsWaitedFor(t *testing.T) {
	services := []inventory.Service{{Name: "web", Settle: 20 * time.Second}, {Name: "db", Settle: time.Minute}, {Name: "mail"}}
	web, db := store.Act{Service: "web"}, store.Act{Service: "db"}
	for want, acts := range map[string][]store.Act{
		"waiting 20s for web to settle before checking it again":           {web},
		"waiting 1m0s for web and db to settle before checking them again": {web, db},
	} {
		if _, got := settling(services, acts); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
