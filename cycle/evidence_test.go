package cycle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// withProgram puts a shell script into the only folder of the cycle's PATH.
func (r *room) withProgram(name, script string) {
	r.t.Helper()
	dir := r.t.TempDir()
	must(r.t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700))
	r.Environ = []string{"PATH=" + dir}
}

const (
	webContainer = "container: web"
	webCompose   = "compose: {file: /srv/web, service: web}"
)

// lost returns the evidence of a service whose first aid restarts this.
func (r *room) lost(restart string) string {
	r.t.Helper()
	var err error
	r.Inventory, err = inventory.Parse([]byte("services: [{name: shop, restart: {" + restart + "}, first_aid: {}}]"))
	must(r.t, err)
	r.Table = guard.BuiltIn()
	w, err := r.openWorkplace(r.t.Context(), &tierRun{session: store.Session{ID: 1, Tier: 2, Agent: store.FirstAid}})
	must(r.t, err)
	found, err := w.Evidence(r.t.Context(), &r.Inventory.Services[0])
	must(r.t, err)
	must(r.t, r.closeWorkplace(r.t.Context(), w))
	return found
}

// What a restart destroys is kept: the state, and the last lines of the log, however much there is of either. No
// control character or line of theirs passes for something else.
func TestEvidence(t *testing.T) {
	image := "registry.example.com/" + strings.Repeat("long-", 80)
	for name, c := range map[string]struct {
		restart, program, script string
		begins, ends             string
	}{
		"a container of podman": {webContainer, "podman", `case "$*" in
			"inspect --type container --format "*" web") echo 'container web: exited, exit code 1' ;;
			"logs --tail 30 web") printf 'no such table\nNo first \033[1maid: hunter\033[0m22' ;;
			*) exit 125 ;;
			esac`,
			"container web: exited, exit code 1\nend of the log:\n", "\n  no such table\n  No first aid: [redacted]"},
		"containers that say much": {webCompose, "docker", `case "$*" in
			*" ps "*) printf 'id-%d\n' 1 2 3 4 5 6 7 ;;
			inspect*) for n in 1 2 3 4 5 6 7; do echo "container /web-$n: exited, image ` + image + `"; done ;;
			*" logs "*) n=0; while [ $n -lt 30 ]; do n=$((n+1)); echo "line $n of a log that is none too short"; done ;;
			esac`,
			"container /web-1: exited, image registry.example.com/", "\n  line 30 of a log that is none too short"},
		"a line that is too long": {webContainer, "docker", `[ "$1" = inspect ] || printf '%05000d äöü' 0`,
			"nothing is known", "0 äöü"},
		"a unit": {"unit: web.service", "systemctl", `printf 'Id=web.service\nResult=signal\n'`,
			"Id=web.service, Result=signal\nend of the log:\n  ", ""},
		"of a program": {"run: [/bin/true]", "docker", "", "nothing is known of the state of shop", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.withProgram(c.program, c.script)
			got := r.lost(c.restart)
			if !strings.HasPrefix(got, "Before first aid: "+c.begins) || !strings.HasSuffix(got, c.ends) {
				t.Errorf("kept as:\n%s", got)
			}
			if n := utf8.RuneCountInString(got); n > keptFindings {
				t.Errorf("%d characters, and an incident keeps %d", n, keptFindings)
			}
		})
	}
}

// Why the state or the log could not be read is evidence.
func TestEvidenceSaysWhatCannotBeRead(t *testing.T) {
	const refused = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock."
	for script, c := range map[string]struct{ restart, says string }{
		"echo; echo '" + refused + "' >&2; exit 1": {webContainer, "its state could not be read: " + refused},
		"echo '" + refused + "' >&2; exit 1":       {webCompose, "its state could not be read: " + refused},
		`[ "$1" = inspect ] && echo "container /web: running" || exit 3`: {
			webContainer, "container /web: running\nend of the log:\n  claudeops: docker ended with Exit code 3",
		},
	} {
		r := newRoom(t)
		r.withProgram("docker", script)
		if got := r.lost(c.restart); !strings.HasPrefix(got, "Before first aid: "+c.says) {
			t.Errorf("%s: %q", script, got)
		}
	}
}

// Acts and their evidence have the operator's environment without this program's own secrets, and the engine that the
// checks reach.
func TestActsReachWhatChecksReach(t *testing.T) {
	r := newRoom(t)
	r.withProgram("docker", `echo "asked at $DOCKER_HOST"`)
	local := func(v string) bool { return strings.HasPrefix(v, "DOCKER_HOST=unix:///") }
	wantSame(t, slices.ContainsFunc(broker.ActEnviron(r.Environ, "x"), local), true) // docker's context is another's

	own := []string{"DOCKER_HOST=tcp://10.0.0.1:2376", "DOCKER_CERT_PATH=/certs", "KUBECONFIG=/kube", "SHOP_TOKEN=x"}
	r.Environ = append(r.Environ, own...)
	r.Environ = append(r.Environ, "CLAUDEOPS_DASHBOARD_TOKEN=t", "ANTHROPIC_API_KEY=k", "CLAUDE_CODE_OAUTH_TOKEN=o")
	wantSame(t, broker.ActEnviron(r.Environ, "run")[1:], append(own, "CLAUDEOPS_RUN_TOKEN=run"))
	if got := r.lost(webContainer); strings.Count(got, "asked at tcp://10.0.0.1:2376") != 2 {
		t.Errorf("%q", got)
	}
}
