package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/receiver"
	"github.com/claudeops/claudeops/store"
)

// The unit for failed cycles calls notify: whatever keeps the cycle from its database must not keep the message.
func TestAMessageIsSentWithoutTheDatabase(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"garbage":       func(w *world) { must(w.t, os.WriteFile(w.db(), []byte(strings.Repeat("garbage ", 1000)), 0o600)) },
		"empty":         func(w *world) { must(w.t, os.WriteFile(w.db(), nil, 0o600)) },
		"newer":         func(w *world) { w.rewrite(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`) },
		"no permission": func(w *world) { must(w.t, os.Chmod(w.db(), 0)) },
		"no folder":     func(w *world) { must(w.t, os.RemoveAll(w.path("state"))) },
	} {
		t.Run(name, func(t *testing.T) {
			w, r := newWorld(t), receiver.New(t)
			w.byAPI(r)
			w.asUser()
			w.agent(1, reportFine, finish)
			w.cycle(0)
			spoil(w)
			a := w.run("notify", "--title", "claudeops failed on box", "--type", "failure")
			if a.code != 0 || !strings.Contains(a.err, "sent without the outbox") {
				t.Errorf("%+v", a)
			}
			if m := r.Messages(); len(m) == 0 || m[len(m)-1].Title != "claudeops failed on box" || m[len(m)-1].Type != "failure" {
				t.Errorf("messages %+v", m)
			}
			r.Answer(func(int, receiver.Message) receiver.Answer { return receiver.Answer{Status: 500} })
			if a := w.run("notify", "--title", "again"); a.code != 1 || !strings.Contains(a.out, "fail") {
				t.Errorf("a target that fails: %+v", a)
			}
		})
	}
}

func (w *world) db() string { return w.path("state", store.FileName) }
