package e2e

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
)

// named is an inventory in which shop-1 and shop-old are other names of shop.
func (w *world) named() {
	w.t.Helper()
	must(w.t, os.WriteFile(w.path("services.yaml"), []byte("services:\n  - name: shop\n    aliases: [shop-1, shop-old]\n    "+byDocker("shop")+"\n"), 0o644))
	w.env["CLAUDEOPS_INVENTORY"] = w.path("services.yaml")
}

// wantUsed fails unless a limit of a service counts so many.
func (w *world) wantUsed(service, action, used string) {
	w.t.Helper()
	if a := w.run("cooldown", "check", service, action); !strings.Contains(a.out, action+" of shop: "+used) {
		w.t.Errorf("cooldown check %s %s: %s%s; want %s", service, action, a.out, a.err, used)
	}
}

// In whatever way and by whatever name an agent tells of an act, it is one.
func TestOneNameOfWhatASessionTells(t *testing.T) {
	for name, lines := range map[string][]string{
		"jq":                   {claim("shop-1", "restarts", "success: true")},
		"the broker's, and jq": {"bash docker restart shop-1", claim("shop-old", "restarts", "success: true"), `bash claudeops cooldown record shop-old restart success`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.named()
			w.program("docker", "exit 0")
			w.agent(1, reportDown, finish)
			w.agent(2, append(lines, finish)...)
			w.cycle(0)
			w.wantRecords(1, 0)
			if st := w.cooldowns(); len(st.Services) != 1 {
				t.Errorf("cooldown.json has %d services, want shop alone", len(st.Services))
			}
			if acts := w.acts(); len(acts) != 1 || acts[0].Service != "shop" {
				t.Errorf("acts %+v", acts)
			}
			w.wantUsed("shop", "restart", "1 of 2")
		})
	}
}

// What was recorded before the inventory knew the names is the service's at the next cycle.
func TestOneNameOfWhatWasRecordedBefore(t *testing.T) {
	w := newWorld(t)
	w.agent(1, strings.ReplaceAll(reportDown, `"shop"`, `"shop-1"`), finish)
	w.agent(2, claim("shop-1", "restarts", "success: false"), strings.ReplaceAll(askForTier3, `"shop"`, `"shop-1"`), finish)
	w.agent(3, strings.ReplaceAll(askForTier3, `"shop"`, `"shop-1"`), finish)
	w.cycle(0)
	w.agent(1, down("another fault"), finish)
	w.agent(2, finish)
	w.cycle(0)
	counted(t, "before: incidents", w.incidents(), 2)
	w.named()
	w.agent(1, finish)
	w.cycle(0)
	is := w.incidents() // the newest first
	if len(is) != 2 || is[0].Service != "shop" || is[0].ClosedAt != nil || is[1].Service != "shop" || is[1].ClosedAt == nil {
		t.Errorf("the incidents are %+v", is)
	}
	w.database(func(ctx context.Context, s *store.Store) {
		names, err := s.ServiceNames(ctx)
		must(t, err)
		if strings.Join(names, " ") != "shop" {
			t.Errorf("there are records of %q", names)
		}
	})
	w.wantRecords(1, 0)
	w.wantEvent(store.Info, "shop-1 is another name of shop")
	w.agent(1, down("another fault"), finish)
	w.cycle(0)
	for _, n := range w.notified("human_attention") {
		if n.Service != "shop" {
			t.Errorf("notification %+v", n)
		}
	}
	if got := w.events(store.Critical); strings.Contains(strings.Join(got, "\n"), "changes nothing") {
		t.Errorf("critical events %q", got)
	}
}
