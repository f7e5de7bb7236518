package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/seeded"
)

// Whatever markup, script, control characters and lengths the records contain: none of it runs, no dialog opens, no request leaves, and no
// page is wider than the screen. The lists show all payloads at once; for every third payload one of its pages is opened, each kind in
// turn. That no payload becomes markup on any page is tested without a browser (dashboard/web, TestHostileContent).
func TestDashboardShowsHostileContentAsText(t *testing.T) {
	need.Full(t, "chromium")
	payloads, err := seeded.Payloads("../dashboard/web/testdata/payloads.txt")
	must(t, err)
	w := newWorld(t)
	lab, infested, err := seeded.Hostile(t.Context(), w.dir, time.Now(), payloads...)
	must(t, err)
	paths := []string{"/", "/sessions", "/incidents", "/services", "/events", "/cooldowns", "/hooks", "/settings"}
	for i := 0; i < len(infested); i += 3 {
		in := infested[i]
		paths = append(paths, []string{
			fmt.Sprintf("/sessions/%d", in.Sessions[i/4%3]), fmt.Sprintf("/sessions/%d/log", in.Sessions[0]),
			fmt.Sprintf("/incidents/%d", in.Incident), "/services/-?name=" + url.QueryEscape(fmt.Sprintf("%.1000s", in.Payload)),
		}[i%4])
	}
	s := w.serve("--env-file", lab.EnvFile)
	const atOnce = 2
	for n := range atOnce {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			b := newTab(t, s.url, screen{width: 390, dark: n%2 == 1})
			// Very long names are cut here, and an invalid time is not shown.
			b.expects("status of 404", "status of 500")
			for i := n; i < len(paths); i += atOnce {
				b.open(paths[i])
				b.has("main h1")
				b.fits(paths[i])
				b.noFaults(paths[i])
				if fault := eval[string](b, "document.title.startsWith('This did not work') ? document.querySelector('main').innerText : ''"); fault != "" && !strings.Contains(fault, "parsing time") {
					t.Errorf("%s: %s", paths[i], fault)
				}
			}
		})
	}
}
