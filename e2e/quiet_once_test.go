package e2e

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/receiver"
)

// However a notification was suppressed, the end of the quiet time leads to one message about what is still true, and none about what is
// not.
func TestAfterASilenceOrAPauseOneTroubleIsOneMessage(t *testing.T) {
	const asked, recovered = "shop is down and needs human attention: HTTP 502", "shop recovered"
	for name, tt := range map[string]struct {
		unsent bool     // the failure happens before, and its message is not delivered
		known  bool     // or it is delivered
		mended bool     // it recovers before the end
		say    []string // commands that begin and end the quiet time
		want   []string
	}{
		"found in a pause":                          {say: []string{"pause", "pause end"}, want: []string{asked}},
		"found in a silence":                        {say: []string{"silence shop", "silence end shop"}, want: []string{asked}},
		"waited through a pause":                    {unsent: true, say: []string{"pause", "pause end"}, want: []string{asked}},
		"waited through a silence":                  {unsent: true, say: []string{"silence shop", "silence end shop"}, want: []string{asked}},
		"known before a silence":                    {known: true, say: []string{"silence shop", "silence end shop"}, want: []string{asked}},
		"known before a pause":                      {known: true, say: []string{"pause", "pause end"}, want: []string{asked}},
		"mended in a pause, known before":           {known: true, mended: true, say: []string{"pause", "pause end"}, want: []string{asked, recovered}},
		"mended in a pause, waited":                 {unsent: true, mended: true, say: []string{"pause", "pause end"}},
		"mended in a silence, waited":               {unsent: true, mended: true, say: []string{"silence shop", "silence end shop"}},
		"mended in a silence in which it was found": {mended: true, say: []string{"silence shop", "silence end shop"}},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := probing(t, []string{"shop"}, nil), receiver.New(t)
			w.byAPI(r)
			w.env["CLAUDEOPS_MAX_TIER"] = "1"
			w.digestSent()
			if tt.unsent {
				r.Down()
				w.env["CLAUDEOPS_APPRISE_KEY"] = ""
				w.env["CLAUDEOPS_APPRISE_API_URL"] = ""
			}
			if tt.known || tt.unsent {
				w.breaks("shop")
				w.cycle(0)
			}
			w.operator(append(strings.Fields(tt.say[0]), "--for", "2h")...)
			if tt.unsent {
				r.Up()
				w.byAPI(r)
			} else if !tt.known {
				w.breaks("shop")
			}
			w.cycle(0)
			if tt.mended {
				w.mends("shop")
				w.cycle(0)
				w.cycle(0)
			}
			w.operator(strings.Fields(tt.say[1])...)
			w.cycle(0)
			w.cycle(0)
			w.cycle(0)
			wantTitles(t, r, tt.want...)
		})
	}
}
