package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
)

// wantRun runs a command as an agent of a tier, and fails unless its exit code and output are as expected.
func (w *world) wantRun(tier string, code int, command, out, errs string, flags ...string) {
	w.t.Helper()
	w.needs(command)
	a := w.run(append(append([]string{"sandbox", "--tier", tier}, flags...), command)...)
	if a.code != code || !strings.Contains(a.out, out) || !strings.Contains(a.err, errs) {
		w.t.Errorf("%q at Tier %s exited with %d and printed %q and %q; want %d, %q, %q", command, tier, a.code, a.out, a.err, code, out, errs)
	}
}

func TestSandboxIsAnAgentsShell(t *testing.T) {
	need.Full(t, "jq")
	w := newWorld(t)
	w.writeCooldowns(restarted("shop", 1))
	w.restartable("", "shop")
	w.wantRun("1", 0, `echo "$CLAUDEOPS_TIER"; pwd`, "1\n"+w.path("repos"), "")
	w.wantRun("1", 0, `echo kept > $TMPDIR/x; cat $TMPDIR/x`, "kept", "")
	w.wantRun("1", 7, `exit 7`, "", "")
	w.wantRun("1", 1, `cat /etc/shadow`, "", "Permission denied")
	w.wantRun("1", 1, `touch /tmp/claudeops-sandbox`, "", "Permission denied")
	w.wantRun("1", 0, `ls /etc >/dev/null; head -c4 /etc/passwd`, "root", "")
	w.wantRun("1", 0, `echo password=hunter2`, "password=[redacted]", "")
	w.wantRun("1", 0, `jq -r '.services.shop.restarts | length' $CLAUDEOPS_STATE_DIR/cooldown.json`, "1\n", "")
	w.wantRun("1", 0, `claudeops cooldown show`, "1 of 2", "")
	w.wantRun("1", 126, `docker restart shop`, "", "Tier 1 only observes")
	w.wantRun("2", 126, `docker restart shop`, "", "with --act it is reserved, run and counted")
	w.wantRun("2", 126, `claudeops cooldown record shop restart success`, "", "with --act")
	w.wantRun("1", 126, `claudeops cooldown reset shop`, "", "limits are lifted by operators")
	counted(t, "records", w.cooldowns().Service("shop").Restarts, 1)
}

func TestSandboxNeedsNoRights(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(restarted("shop", 1))
	must(t, os.WriteFile(w.path("state", "claudeops.db.lock"), nil, 0o600))
	w.asUser()
	w.wantRun("1", 1, `id -u; cat '`+w.path("state", "claudeops.db.lock")+`'`, "", "Permission denied") // a file of that user
	w.wantRun("1", 1, `jq '.services | length' '`+w.path("state", "cooldown.json")+`' && echo >>'`+w.path("state", "cooldown.json")+`'`, "1\n", "Permission denied")
	w.wantRun("1", 0, `claudeops cooldown show`, "1 of 2", "")
	w.wantRun("1", 126, `docker restart shop`, "", "Tier 1 only observes")
}

func TestSandboxActRestartsAndCounts(t *testing.T) {
	w := newWorld(t)
	c := w.withContainer()
	w.wantRun("2", 0, "docker restart "+c.name, c.name, "", "--act")
	c.wantRestarted(true)
	w.wantOneAct(c.name, func(r statefile.Record, a store.Act) {
		if !r.Success || r.Tier != 2 || !a.Success || a.ToolUseID == "" {
			t.Errorf("record %+v, act %+v", r, a)
		}
	})
	w.wantRun("2", 0, "docker restart "+c.name, c.name, "", "--act")
	w.wantRun("2", 126, "docker restart "+c.name, "", "2 of 2", "--act")
	shown := w.run("sessions", "show", "1", "--commands")
	says(t, shown.out, "restart of "+c.name)
}
