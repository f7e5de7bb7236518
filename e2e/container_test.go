package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// neverDue is a schedule that is not due during any test.
const neverDue = "0 0 29 2 *"

// byProbe are the settings of an operator without a model.
const byProbe = "CLAUDEOPS_TIER1_AGENT=probe\nCLAUDEOPS_INVENTORY=/etc/claudeops/services.yaml"

// boxes belongs to one operator with containers of our image: volumes for state and results, a directory mounted as /etc/claudeops, and one
// for scripts of the fake agent.
type boxes struct {
	t           *testing.T
	mark        string // part of all names
	config, dir string
	options     []string // options of docker run, besides the volumes
}

func newBoxes(t *testing.T) *boxes {
	t.Helper()
	t.Parallel()
	wantImages(t)
	b := &boxes{t: t, mark: "claudeops-e2e-" + strings.ToLower(rand.Text()[:10]), config: filepath.Join(t.TempDir(), "etc"), dir: t.TempDir()}
	must(t, errors.Join(os.Mkdir(b.config, 0o755), os.Chmod(b.dir, 0o777)))
	b.inventory("services:\n  - name: shop\n    checks: [{type: http, url: \"http://127.0.0.1:1/\", attempts: 1}]\n")
	b.settings(byProbe, "CLAUDEOPS_SCHEDULE="+neverDue)
	for _, volume := range []string{"state", "results"} {
		docker(t, "volume", "create", b.mark+"-"+volume)
		t.Cleanup(func() { docker(t, "volume", "rm", b.mark+"-"+volume) })
	}
	b.options = []string{"--network", "none"}
	return b
}

func (b *boxes) settings(lines ...string) {
	b.t.Helper()
	must(b.t, os.WriteFile(filepath.Join(b.config, "env"), []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}

func (b *boxes) inventory(text string) {
	b.t.Helper()
	must(b.t, os.WriteFile(filepath.Join(b.config, "services.yaml"), []byte(text), 0o644))
}

// agent installs the fake agent as the claude program of the containers, with a script for Tier 1.
func (b *boxes) agent(lines ...string) {
	b.t.Helper()
	must(b.t, os.WriteFile(filepath.Join(b.dir, "tier1"), []byte(strings.Join(lines, "\n")), 0o644))
	b.settings("CLAUDEOPS_TIER1_AGENT=claude", "CLAUDEOPS_SCHEDULE="+neverDue, "CLAUDEOPS_AGENT_ENV=FAKE_AGENT_DIR", "FAKE_AGENT_DIR=/agent", "ANTHROPIC_API_KEY=sk-ant-test")
	b.options = append(b.options, "--volume", fakeBin+":/usr/local/bin/claude:ro", "--volume", b.dir+":/agent")
}

// args returns the arguments of docker run for a container with the volumes.
func (b *boxes) args(image string, options []string, command ...string) []string {
	args := []string{"run", "--volume", b.mark + "-state:/state", "--volume", b.mark + "-results:/results", "--volume", b.config + ":/etc/claudeops:ro"}
	args = append(append(append(args, b.options...), options...), image)
	return append(args, command...)
}

// start starts a container that is removed after the test, and returns its name.
func (b *boxes) start(options []string, command ...string) string {
	b.t.Helper()
	name := b.mark + "-" + strings.ToLower(rand.Text()[:5])
	b.t.Cleanup(func() { docker(b.t, "rm", "--force", "--volumes", name) })
	docker(b.t, b.args(fullImage, append([]string{"--detach", "--name", name}, options...), command...)...)
	return name
}

// run runs a container until it ends.
func (b *boxes) run(image string, options []string, command ...string) answer {
	b.t.Helper()
	return runDocker(b.t, b.args(image, append([]string{"--rm"}, options...), command...)...)
}

// runDocker runs a command that may fail.
func runDocker(t *testing.T, args ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, "docker", args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("docker %q: %v", args, err)
	}
	return answer{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// awaitDocker waits until a docker command succeeds with the expected output.
func awaitDocker(t *testing.T, expected func(string) bool, args ...string) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(deadline); ; {
		a := runDocker(t, args...)
		if a.code == 0 && expected(strings.TrimSpace(a.out)) {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("docker %q still exits with %d: %s%s", args, a.code, a.out, a.err)
		}
	}
}

func awaitHealth(t *testing.T, name, status string) {
	t.Helper()
	awaitDocker(t, func(text string) bool { return text == status }, "inspect", "--format", "{{.State.Health.Status}}", name)
}

const cooldownFile = "/state/cooldown.json"

func TestSPEC0007_REQ3_RealContainerRestartPreservesState(t *testing.T) {
	b := newBoxes(t)
	name := b.start(nil, "cron")
	docker(t, "exec", name, "claudeops", "cooldown", "record", "shop", "restart", "success")
	docker(t, "exec", name, "claudeops", "cooldown", "record", "shop", "restart", "failure", "--error", "exit status 1")
	before := docker(t, "exec", name, "cat", cooldownFile)
	docker(t, "restart", name)
	equal(t, "after a restart cooldown.json", docker(t, "exec", name, "cat", cooldownFile), before)
	docker(t, "stop", name)
	docker(t, "start", name)
	equal(t, "after stop and start cooldown.json", docker(t, "exec", name, "cat", cooldownFile), before)
	if a := runDocker(t, "exec", name, "claudeops", "cooldown", "check", "shop", "restart"); a.code != 1 {
		t.Errorf("a third restart: exit code %d, want 1: %s%s", a.code, a.out, a.err)
	}
}

func TestSPEC0007_REQ3_RealContainerRebuildPreservesState(t *testing.T) {
	b := newBoxes(t)
	first := b.start(nil, "cron")
	docker(t, "exec", first, "claudeops", "cooldown", "record", "shop", "redeployment", "success")
	before := docker(t, "exec", first, "cat", cooldownFile)
	docker(t, "rm", "--force", first)

	rebuilt := b.mark + ":rebuilt"
	must(t, buildImage("claudeops", rebuilt, "--build-arg", "REVISION="+b.mark))
	t.Cleanup(func() { docker(t, "image", "rm", "--force", rebuilt) })
	id := func(image string) string { return docker(t, "image", "inspect", "--format", "{{.Id}}", image) }
	if id(rebuilt) == id(fullImage) {
		t.Fatal("the rebuilt image is the old one")
	}
	if a := b.run(rebuilt, []string{"--entrypoint", "cat"}, cooldownFile); strings.TrimSpace(a.out) != before {
		t.Errorf("after a rebuild cooldown.json is\n%s%s\nand was\n%s", a.out, a.err, before)
	}
	if a := b.run(rebuilt, nil, "cooldown", "check", "shop", "redeployment"); a.code != 1 {
		t.Errorf("a second redeployment: exit code %d, want 1: %s%s", a.code, a.out, a.err)
	}
}

func TestSPEC0007_REQ12_SecondContainerOnOneStateVolumeIsTurnedAway(t *testing.T) {
	b := newBoxes(t)
	b.agent(`sh touch "$FAKE_AGENT_DIR/running"`, "wait-for /agent/go", finish)
	first := b.start(nil, "run-once")
	waitFor(t, filepath.Join(b.dir, "running"))
	second := b.run(fullImage, nil, "run-once")
	if second.code != 75 || !strings.Contains(second.err, "another cycle is running") || second.out != "" {
		t.Errorf("the second: %+v, want exit code 75", second)
	}
	must(t, os.WriteFile(filepath.Join(b.dir, "go"), nil, 0o644))
	if code := docker(t, "wait", first); code != "0" {
		t.Errorf("the first exited with %s\n%s", code, docker(t, "logs", first))
	}
}

// A container is healthy if its last cycle is as recent as its schedule requires.
func TestContainerIsHealthyAfterACycle(t *testing.T) {
	b := newBoxes(t)
	name := b.start([]string{"--health-interval", "500ms", "--health-start-period", "1ms", "--health-retries", "1"}, "cron")
	awaitHealth(t, name, "unhealthy")
	docker(t, "exec", name, "claudeops", "run-once")
	awaitHealth(t, name, "healthy")
}

// hardened are options of docker run that permit writing only to volumes and /tmp, without any capabilities. Seccomp is Docker's default.
var hardened = []string{"--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--memory", "256m", "--pids-limit", "64"}

// Both images run a whole cycle of probes as an ordinary user, without capabilities, and write only to the volumes and /tmp.
func TestContainerNeedsNoRightsForACycleOfProbes(t *testing.T) {
	t.Parallel()
	for _, image := range []string{fullImage, slimImage} {
		t.Run(image, func(t *testing.T) {
			b := newBoxes(t)
			site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			t.Cleanup(site.Close)
			b.inventory(fmt.Sprintf("services:\n  - name: shop\n    checks: [{type: http, url: %q}]\n", site.URL))
			b.settings(byProbe, "CLAUDEOPS_METRICS_FILE=/state/claudeops.prom")
			b.options = append([]string{"--network", "host"}, hardened...)
			if a := b.run(image, nil, "run-once", "--json"); a.code != 0 || !strings.Contains(a.out, `"healthy"`) {
				t.Fatalf("run-once: %+v", a)
			}
			owners := b.run(fullImage, []string{"--entrypoint", "stat"}, "--format", "%u:%g", cooldownFile, "/state/claudeops.db", "/state/claudeops.prom")
			if owners.out != strings.Repeat("10001:10001\n", 3) {
				t.Errorf("owners: %+v", owners)
			}
			if a := b.run(image, nil, "doctor"); a.code != 0 {
				t.Errorf("doctor: %+v", a)
			}
		})
	}
	t.Run("and could not do more", func(t *testing.T) {
		b := newBoxes(t)
		for _, path := range []string{"/x", "/usr/local/bin/x", "/repos/x", "/etc/claudeops/x"} {
			if a := b.run(fullImage, append([]string{"--entrypoint", "touch"}, hardened...), path); a.code == 0 {
				t.Errorf("%s can be written", path)
			}
		}
	})
}

func TestContainerNeedsNoRightsForTheSandbox(t *testing.T) {
	b := newBoxes(t)
	for _, user := range []string{"10001", "0"} {
		options := slices.Concat(hardened, []string{"--user", user, "--tmpfs", "/run/state:mode=1777", "--env", "CLAUDEOPS_STATE_DIR=/run/state", "--env", "CLAUDEOPS_RESULTS_DIR=/run/state/results"})
		a := b.run(fullImage, options, "sandbox", "--tier", "1", `echo "in $(id -u)"; cat /etc/claudeops/env; claudeops cooldown show; docker restart shop`)
		if want := "in " + user + "\nno service has been seen yet\n"; a.code != 126 || a.out != want ||
			!strings.Contains(a.err, "/etc/claudeops/env: Permission denied") || !strings.Contains(a.err, "Tier 1 only observes") {
			t.Errorf("as user %s: %+v; want 126, %q, and no reading of settings", user, a, want)
		}
	}
}

func TestContainerStopEndsARunningCycleInOrder(t *testing.T) {
	b := newBoxes(t)
	b.agent("init", "escape-quiet", "on-sigint result 0.5", `sh touch "$FAKE_AGENT_DIR/running"; sleep 3600`)
	name := b.start(nil, "cron", "--run-on-start")
	waitFor(t, filepath.Join(b.dir, "running"))
	docker(t, "stop", "--time", "100", name)
	if code := docker(t, "inspect", "--format", "{{.State.ExitCode}}", name); code == "137" {
		t.Errorf("the container was killed\n%s", docker(t, "logs", name))
	}
	var sessions []struct {
		Status  string  `json:"status"`
		CostUSD float64 `json:"cost_usd"`
	}
	must(t, json.Unmarshal([]byte(b.run(fullImage, nil, "sessions", "list", "--all", "--json").out), &sessions))
	if len(sessions) != 1 || sessions[0].Status != "interrupted" || sessions[0].CostUSD != 0.5 {
		t.Errorf("sessions %+v, want one, interrupted, of $0.5\n%s", sessions, docker(t, "logs", name))
	}
	if last := b.run(fullImage, []string{"--entrypoint", "jq"}, "--raw-output", ".last_run", cooldownFile); last.code != 0 || strings.TrimSpace(last.out) == "null" {
		t.Errorf("last_run: %+v", last)
	}
}

// As process 1, `claudeops cron` becomes the parent of orphans.
func TestContainerReapsWhatIsLeftBehind(t *testing.T) {
	b := newBoxes(t)
	name := b.start(nil, "cron")
	orphan := docker(t, "exec", name, "sh", "-c", "sleep 0.2 >/dev/null 2>&1 & echo $!")
	awaitDocker(t, func(text string) bool { return text == "gone" }, "exec", name, "sh", "-c", "test -e /proc/"+orphan+" || echo gone")
	// The process that docker exec has just run may not be reaped yet.
	awaitDocker(t, func(left string) bool { return !strings.Contains(left, "Z") }, "exec", name, "ps", "-e", "-o", "stat=")
}

func TestContainerImagesSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	wantImages(t)
	for _, image := range []string{fullImage, slimImage} {
		label := func(name string) string {
			return docker(t, "image", "inspect", "--format", `{{index .Config.Labels "org.opencontainers.image.`+name+`"}}`, image)
		}
		if got := label("version") + " " + label("licenses") + " " + label("source"); got != imageVersion+" MIT https://github.com/claudeops/claudeops" {
			t.Errorf("%s: %s", image, got)
		}
		says(t, docker(t, "run", "--rm", "--network", "none", image, "version"), imageVersion)
		hooksVersion := docker(t, "run", "--rm", "--network", "none", "--entrypoint", "claude-hooks", image, "version")
		if hooksVersion != "claude-hooks "+imageVersion {
			t.Errorf("%s: %s", image, hooksVersion)
		}
	}
	const common = "{{json .Config.User}} {{json .Config.Volumes}} {{json .Config.Entrypoint}} {{json .Config.Cmd}} {{json .Config.StopSignal}} {{json .Config.Healthcheck}}"
	full, slim := docker(t, "image", "inspect", "--format", common, fullImage), docker(t, "image", "inspect", "--format", common, slimImage)
	if full != slim {
		t.Errorf("the images run differently:\n%s\n%s", full, slim)
	}
	tools := docker(t, "run", "--rm", "--network", "none", "--entrypoint", "sh", fullImage, "-c",
		"for tool in apprise awk bash claude claude-hooks claudeops claudeops-shim curl dig docker find git grep jq openssl ps python3 sed sqlite3 ss ssh; do command -v $tool >/dev/null || echo $tool; done; claude --version")
	if tools != claudeVersion(t)+" (Claude Code)" {
		t.Errorf("missing programs, or another agent: %s", tools)
	}
}

// claudeVersion returns the version of the agent program in the Makefile.
func claudeVersion(t *testing.T) string {
	t.Helper()
	makefile, err := os.ReadFile("../Makefile")
	must(t, err)
	found := regexp.MustCompile(`(?m)^CLAUDE_VERSION +:= (\S+)$`).FindSubmatch(makefile)
	if found == nil {
		t.Fatal("the Makefile has no CLAUDE_VERSION")
	}
	return string(found[1])
}

// The tests, the image and the documentation use the same version of the agent program.
func TestContainerHasTheAgentThatTheTestsTry(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"../Dockerfile": "ARG CLAUDE_VERSION=%s\n", "../docs/deploy.md": "; `claude` %s: ", "../README.md": "@anthropic-ai/claude-code@%s ",
		"../testkit/modeltest/program.go": `const Version = "%s"`, "../testkit/fakeagent/fakeagent.go": `const Version = "%s (`,
	} {
		text, err := os.ReadFile(file)
		must(t, err)
		if want := fmt.Sprintf(want, claudeVersion(t)); !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q: the Makefile's version", file, want)
		}
	}
}
