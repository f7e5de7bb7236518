package cycle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// withProgram puts a shell script into the only folder of the cycle's PATH.
func (r *room) withProgram(name, script string) {
	r.t.Helper()
	dir := r.t.TempDir()
	must(r.t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700))
	r.Environ = []string{"PATH=" + dir}
}

// podman says what docker does, but names a container without a slash, and finds none whose name has a word before it.
const podman = `
case "$*" in
*"{{json .Created}}"*" web") echo '"2026-11-21T02:58:00.1Z" "2026-11-21T02:59:00.1Z" container web: exited, exit code 1' ;;
"logs --tail 300 web") echo 'no such table' ;;
*) exit 125 ;;
esac
`

var webContainer = inventory.Way{Kind: inventory.Container, Name: "web"}

// lost returns the evidence of what a way restarts.
func (r *room) lost(ctx context.Context, w inventory.Way) string {
	return r.evidence(ctx, w, r.inspect(ctx, w))
}

func TestEvidenceOfPodman(t *testing.T) {
	r := newRoom(t)
	r.withProgram("podman", podman)
	got := r.lost(t.Context(), webContainer)
	if !strings.HasPrefix(got, "Before first aid: container web: exited, exit code 1\n") || !strings.HasSuffix(got, "end of the log:\n  no such table") {
		t.Errorf("%q", got)
	}
}

// Acts and their evidence have the operator's environment without this program's own secrets, and the engine that the checks reach.
func TestActsReachWhatChecksReach(t *testing.T) {
	r := newRoom(t)
	r.withProgram("docker", `case "$1" in inspect) echo "- - container web: asked at $DOCKER_HOST" ;; esac`)
	wantSame(t, strings.Contains(strings.Join(r.actEnviron("x"), "\n"), "\nDOCKER_HOST=unix:///"), true) // docker's context is another's

	own := []string{"DOCKER_HOST=tcp://10.0.0.1:2376", "DOCKER_CERT_PATH=/certs", "KUBECONFIG=/kube", "SHOP_TOKEN=x"}
	r.Environ = append(r.Environ, slices.Concat(own, []string{"CLAUDEOPS_DASHBOARD_TOKEN=t", "ANTHROPIC_API_KEY=k", "CLAUDE_CODE_OAUTH_TOKEN=o"})...)
	wantSame(t, r.actEnviron("run")[1:], append(own, "CLAUDEOPS_RUN_TOKEN=run"))
	if got := r.lost(t.Context(), webContainer); !strings.Contains(got, "asked at tcp://10.0.0.1:2376") {
		t.Errorf("%q", got)
	}
}

// However much there is to say about several containers, the incident keeps the last lines of their logs.
func TestEvidenceKeepsTheLastLines(t *testing.T) {
	r := newRoom(t)
	image := "registry.example.com/" + strings.Repeat("long-", 80)
	r.withProgram("docker", `case "$*" in
*" ps "*) printf 'id-%d\n' 1 2 3 4 5 6 7 ;;
inspect*) for n in 1 2 3 4 5 6 7; do echo "- - container /web-$n: exited, exit code 1, image `+image+`"; done ;;
*" logs "*) n=0; while [ $n -lt 30 ]; do n=$((n+1)); echo "line $n of a log that is none too short"; done ;;
esac
`)
	compose := inventory.Way{Kind: inventory.Compose, File: "/srv/web", Name: "web"}
	opened := r.opens("shop", night)
	run := &tierRun{services: []string{"shop"}}
	run.session = r.ran(2, night, store.Completed, 0, "")
	must(t, r.link(t.Context(), run, r.lost(t.Context(), compose), ""))
	kept, err := r.Store.IncidentAttempts(t.Context(), opened.ID)
	must(t, err)
	got := kept[0].Findings
	if !strings.HasPrefix(got, "Before first aid: container /web-1: exited, exit code 1, image registry.example.com/") {
		t.Errorf("the state is not kept:\n%s", got)
	}
	if !strings.Contains(got, "\nend of the log:\n  line 1 of") || !strings.HasSuffix(got, "  line 30 of a log that is none too short") {
		t.Errorf("kept is\n%s", got)
	}
}

// Why the state or the log could not be read is evidence.
func TestEvidenceSaysWhatCannotBeRead(t *testing.T) {
	const refused = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock."
	compose := inventory.Way{Kind: inventory.Compose, File: "/srv/web", Name: "web"}
	for script, want := range map[string]struct {
		of   inventory.Way
		says string
	}{
		"echo; echo '" + refused + "' >&2; exit 1": {webContainer, "the state of web could not be read: " + refused},
		"echo '" + refused + "' >&2; exit 1":       {compose, "the containers of web could not be read: " + refused},
		"exit 7":                                   {webContainer, "the state of web could not be read: exit status 7"},
		`[ "$1" = inspect ] && echo "- - container /web: running" || exit 3`: {webContainer, "container /web: running\nthe log of web could not be read: exit status 3"},
	} {
		r := newRoom(t)
		r.withProgram("docker", script)
		if got := r.lost(t.Context(), want.of); !strings.HasPrefix(got, "Before first aid: "+want.says) {
			t.Errorf("%s: %q", script, got)
		}
	}
	r := newRoom(t)
	r.withProgram("docker", "exec /bin/sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if got := r.lost(ctx, webContainer); !strings.HasPrefix(got, "Before first aid: the state of web could not be read: no answer in time") {
		t.Errorf("%q", got)
	}
}

func TestWhenAContainerOfPodmanWasCreated(t *testing.T) {
	r := newRoom(t)
	r.withProgram("podman", podman)
	is := r.inspect(t.Context(), webContainer)
	wantSame(t, is.deployed, time.Date(2026, 11, 21, 2, 58, 0, 100_000_000, time.UTC))
	wantSame(t, is.started, is.deployed.Add(time.Minute))
}

// What systemd generates, it generates whenever it reads its configuration: the unit's source counts.
func TestAGeneratedUnitIsNoDeployment(t *testing.T) {
	source := filepath.Join(t.TempDir(), "web.container")
	must(t, os.WriteFile(source, nil, 0o600))
	must(t, os.Chtimes(source, night, night))
	r := newRoom(t)
	r.withProgram("systemctl", fmt.Sprintf(`printf 'Id=web.service\nResult=signal\nFragmentPath=/run/systemd/generator/web.service\nSourcePath=%s\nDropInPaths=\n'`, source))
	is := r.inspect(t.Context(), inventory.Way{Kind: inventory.Unit, Name: "web.service"})
	wantSame(t, is.deployed.UTC(), night)
	wantSame(t, is.how, source+" was changed")
	wantSame(t, is.state, "Id=web.service, Result=signal")
}

// aided records first aid for shop, as a session of that time. attempted is what is kept of it.
func (r *room) aided(incident int64, at time.Time, attempted string) {
	r.t.Helper()
	id, err := r.Store.AddSession(r.t.Context(), store.Session{Tier: 2, Agent: store.FirstAid, Trigger: "cron", Status: store.Running, StartedAt: at})
	must(r.t, err)
	must(r.t, r.Store.PutAct(r.t.Context(), store.Act{ID: "act", SessionID: &id, Service: "shop", Action: statefile.Restart, Success: true, Tier: 2, CreatedAt: at}))
	must(r.t, r.Store.LinkSession(r.t.Context(), incident, id, "before", attempted))
}

// What one service's first aid did in vain, that of another does not do again if it is the same.
func TestFirstAidOfAnEarlierCycle(t *testing.T) {
	const aid = ", checks: [{type: service, address: '127.0.0.1:1'}], restart: {run: [/usr/bin/true]}, first_aid: {attempts: 2}"
	inv, err := inventory.Parse([]byte("services: [{name: shop" + aid + "}, {name: till" + aid + "}]"))
	must(t, err)
	for name, tt := range map[string]struct {
		ago       time.Duration
		attempted string
		made      int // in this cycle
		given     bool
	}{
		"in vain, just now":                {time.Minute, "first aid: x" + inVain, 0, false},
		"in vain, long ago":                {2 * time.Hour, "first aid: x" + inVain, 0, true},
		"cut off":                          {time.Minute, "", 0, true},
		"cut off, and again":               {time.Minute, "", 1, false},
		"in vain, by a clock a bit ahead":  {-time.Minute, "first aid: x" + inVain, 0, false},
		"in vain, by a clock a year ahead": {-365 * 24 * time.Hour, "first aid: x" + inVain, 0, true},
		"cut off, by a clock a year ahead": {-365 * 24 * time.Hour, "", 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.Inventory = inv
			i := r.opens("shop", earlier(3*time.Hour))
			r.aided(i.ID, earlier(tt.ago), tt.attempted)
			for _, s := range inv.Services {
				why, err := r.aidBefore(t.Context(), &tierRun{}, &s, tt.made)
				must(t, err)
				wantSame(t, why == "", tt.given)
			}
		})
	}
}

// However long a command of first aid is, the incident keeps what came of it.
func TestALongCommandKeepsItsOutcome(t *testing.T) {
	r := newRoom(t)
	got := r.aidDone("sh -c "+strings.Repeat("x", 2*keptFindings), tiers.Outcome{ExitCode: 1})
	if len(got) > keptFindings/4 || !strings.HasSuffix(got, "`, exit status 1") {
		t.Errorf("%q", got)
	}
}

// Of first aid that failed people read why, and nothing that they could tap.
func TestWhatIsToldOfFirstAid(t *testing.T) {
	r := newRoom(t)
	for want, o := range map[string]tiers.Outcome{
		"`true`, exit status 0":                                {Response: "done"},
		"`true`, exit status 1: Cannot connect to http[:]//db": {ExitCode: 1, Response: "Cannot connect to\nhttp://db"},
		"`true`, stopped at its time limit: hunter":            {ExitCode: 137, Reason: "stopped at its time limit", Response: "hunter"},
	} {
		wantSame(t, r.aidDone("true", o), want)
	}
}

// Used-up restarts hold back first aid that restarts, and not an action.
func TestTheLimitOfFirstAid(t *testing.T) {
	r := newRoom(t)
	inv, err := inventory.Parse([]byte(`services:
  - {name: shop, checks: [{type: service, disk: /}], restart: {run: [/bin/true]}, actions: {again: {run: [/bin/true]}}, first_aid: {}}
`))
	must(t, err)
	r.Inventory = inv
	r.opens("shop", earlier(time.Minute))
	r.Config.Agent.SessionID, r.Config.Agent.Tier = r.ran(2, earlier(time.Hour), store.Completed, 0, "").ID, 2
	for _, id := range []string{"one", "two"} {
		must(t, r.reserve(id, statefile.Restart))
		must(t, r.Complete(t.Context(), id, true, "", time.Second))
	}
	now, err := r.picture(t.Context())
	must(t, err)
	down := check.Result{Service: "shop", Type: check.Service, Status: check.Down}
	p := planner{Round: Round{Now: now, Run: &tierRun{checks: []store.Check{{Result: down, Source: store.Probed}}}}}
	s := inv.Services[0]
	wantSame(t, strings.HasPrefix(p.noFirstAid(&s), "its limit is reached: "), true)
	s.FirstAid.Do = "again"
	wantSame(t, p.noFirstAid(&s), "")
}

// What an examination finds decides: for first aid if nothing speaks against it, and else the reason is told, once.
func TestWhatAnExaminationDecides(t *testing.T) {
	inv, err := inventory.Parse([]byte(`services:
  - {name: shop, checks: [{type: service, disk: /}], restart: {run: [/bin/true]}, first_aid: {}}
`))
	must(t, err)
	for name, tt := range map[string]struct {
		exam     Exam
		services []string
		aided    bool // before
		do       Do
		why      string
	}{
		"not yet":                  {Exam{}, []string{"shop"}, false, Examine, ""},
		"of another":               {Exam{Service: "till", Evidence: "x"}, []string{"shop"}, false, Examine, ""},
		"nothing speaks against":   {Exam{Service: "shop"}, []string{"shop"}, false, Aid, ""},
		"over in this cycle":       {Exam{}, []string{"shop"}, true, Nothing, ""},
		"the disk is full":         {Exam{Service: "shop", Why: "the disk of / is full"}, []string{"shop"}, false, Nothing, "no first aid for shop: the disk of / is full"},
		"healthy, so in no chain":  {Exam{Service: "shop", Why: "the checks right before it find it healthy"}, nil, false, Nothing, "no first aid for shop: the checks right before it find it healthy"},
		"of a service without any": {Exam{}, []string{"db"}, false, Nothing, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.Inventory = inv
			i := r.opens("shop", earlier(time.Minute))
			now, err := r.picture(t.Context())
			must(t, err)
			down := check.Result{Service: "shop", Type: check.Service, Status: check.Down}
			run := &tierRun{checks: []store.Check{{Result: down, Source: store.Probed}}, aided: map[string]bool{"shop": tt.aided}}
			p := planner{Round: Round{Now: now, Run: run, Exam: tt.exam}}
			wantSame(t, p.planAid(tt.services), tt.do != Nothing)
			wantSame(t, p.next.Do, tt.do)
			if tt.do == Examine {
				wantSame(t, p.next.Since, i.OpenedAt)
			}
			why := ""
			for _, s := range p.steps {
				if told, is := s.(noAid); is {
					why += told.why
				}
			}
			wantSame(t, why, tt.why)
		})
	}
}
