package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/machine"
)

// composed is a compose project on an engine of its own, with a service called web that runs the image shop:1.
type composed struct {
	t    *testing.T
	w    *world
	file string
}

func newComposed(t *testing.T) *composed {
	t.Helper()
	w := newWorld(t)
	socket := machine.Engine(t)
	w.env["DOCKER_HOST"], w.env["DOCKER_CONFIG"] = "unix://"+socket, w.path("docker")
	w.env["CLAUDEOPS_AGENT_ENV"] += ",DOCKER_HOST,DOCKER_CONFIG"
	const plugin = "usr/libexec/docker/cli-plugins/docker-compose"
	must(t, os.MkdirAll(w.path("docker", "cli-plugins"), 0o755))
	must(t, os.Symlink(filepath.Join(machine.Root(t, "homelab"), plugin), w.path("docker", "cli-plugins", "docker-compose")))
	c := &composed{t: t, w: w, file: w.path("repos", "shop", "compose.yaml")}
	must(t, os.Mkdir(filepath.Dir(c.file), 0o755))
	must(t, os.WriteFile(c.file, []byte("services:\n  web:\n    image: shop:1\n    network_mode: none\n    volumes: ['/run/homelab:/usr:ro']\n"), 0o644))
	w.services(`services:
  - {name: shop, settle: 2s, checks: [{type: container, container: shop-web-1, attempts: 1}]}
  - {name: mail, settle: 0s, depends_on: [shop], checks: [{type: http, url: "` + w.site("mail") + `", attempts: 1}]}
`)
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["ANTHROPIC_API_KEY"] = "probe", "sk-ant-test"
	c.builds("sleep", "infinity")
	c.docker("compose", "-f", c.file, "up", "-d")
	return c
}

func (c *composed) docker(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("docker", args...)
	cmd.Env = append(c.w.environ(), "PATH="+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("docker %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// builds makes an image that runs a command, and calls it shop:1.
func (c *composed) builds(command ...string) {
	c.t.Helper()
	layer := exec.Command("tar", "--directory", machine.Root(c.t, "homelab"), "--create", "bin", "sbin", "lib", "lib64")
	text, err := layer.Output()
	must(c.t, err)
	cmd := exec.Command("docker", "import", "--change", `CMD ["`+strings.Join(command, `","`)+`"]`, "-", "shop:1")
	cmd.Env, cmd.Stdin = c.w.environ(), strings.NewReader(string(text))
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("docker import: %v: %s", err, out)
	}
}

func (c *composed) runs() (image, state string) {
	c.t.Helper()
	image, state, _ = strings.Cut(c.docker("inspect", "--format", "{{.Image}} {{.State.Status}}", "shop-web-1"), " ")
	return image, state
}

// redeploysBadly has Tier 2 redeploy the service with an image that ends at once, while another service is down.
func (c *composed) redeploysBadly() (former string) {
	c.t.Helper()
	former, _ = c.runs()
	c.builds("false")
	c.w.breaks("mail")
	c.w.agent(2, "bash docker compose -f "+c.file+" up -d web", finish)
	c.w.cycle(0)
	if image, state := c.runs(); image == former || state != "exited" {
		c.t.Fatalf("after the redeployment the container is %s, of the former image: %t", state, image == former)
	}
	return former
}

func TestABadRedeploymentIsProposedForUndoingAndUndone(t *testing.T) {
	c := newComposed(t)
	former := c.redeploysBadly()
	sent := c.w.notified("approval")
	if len(sent) != 1 || sent[0].Service != "shop" {
		t.Fatalf("people were asked %+v; want once, about shop", sent)
	}
	says(t, sent[0].Body, "To undo what was done, claudeops wants to run `docker compose -f "+c.file+" up -d")
	says(t, sent[0].Body, "2 services down after `docker compose -f "+c.file+" up -d web` of Tier 2, and 1 before")
	says(t, c.w.operator("undo").out, "docker compose -f "+filepath.Dir(filepath.Dir(c.file)))

	c.w.agent(2, finish)
	says(t, c.w.operator("undo", "1").out, "proposal 1 undoes docker compose")
	if again := c.w.run("undo", "1"); again.code == 0 || !strings.Contains(again.err, "approved") {
		t.Errorf("undone twice: exit %d: %s%s", again.code, again.out, again.err)
	}
	c.w.cycle(0)
	if image, state := c.runs(); image != former || state != "running" {
		t.Errorf("after it was undone, the container is %s, of the former image: %t", state, image == former)
	}
	says(t, c.w.operator("proposals", "show", "1").out, "it ran, and the checks find shop healthy")
	equal(t, "redeployments", len(c.w.cooldowns().Service("shop").Redeployments), 1)
}

func TestWhatWasRedeployedSinceIsNotUndone(t *testing.T) {
	c := newComposed(t)
	c.redeploysBadly()
	c.w.agent(2, finish)
	c.w.operator("undo", "1")
	c.builds("sleep", "1000")
	c.docker("compose", "-f", c.file, "up", "-d")
	image, _ := c.runs()
	c.w.cycle(1)
	if now, state := c.runs(); now != image || state != "running" {
		t.Errorf("it was undone although another redeployment came since: the container is %s", state)
	}
	shown := c.w.operator("proposals", "show", "1").out
	says(t, shown, "void")
	equal(t, "redeployments", len(c.w.cooldowns().Service("shop").Redeployments), 0)
	if a := c.w.run("undo", "1"); a.code == 0 || !strings.Contains(a.err, "another one came since") {
		t.Errorf("exit %d: %s%s", a.code, a.out, a.err)
	}
}

// A yes to an undo is for the compose file as it was.
func TestAnUndoWithAnotherComposeFileIsVoid(t *testing.T) {
	c := newComposed(t)
	c.redeploysBadly()
	c.w.agent(2, finish)
	c.w.operator("undo", "1")
	text, err := os.ReadFile(c.file)
	must(t, err)
	must(t, os.WriteFile(c.file, append(text, "    environment: [MODE=other]\n"...), 0o644))
	bad, _ := c.runs()
	c.w.run("run-once")
	if now, _ := c.runs(); now != bad {
		t.Error("it was undone by another compose file than the one that was permitted")
	}
	says(t, c.w.operator("proposals", "show", "1").out, "void", c.file+" has changed", "before it: docker tag sha256:")
}

func TestAnAgentUndoesNothing(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `bash claudeops undo 1; env -i CLAUDEOPS_STATE_DIR="$CLAUDEOPS_STATE_DIR" claudeops undo 1`, finish)
	w.cycle(0)
	if answer := w.kept("answer"); w.acted() {
		t.Errorf("the agent was told %s", answer)
	}
	w.env["CLAUDEOPS_SESSION_ID"], w.env["CLAUDEOPS_TIER"] = "1", "3"
	if a := w.run("undo", "1"); a.code == 0 || !strings.Contains(a.err, "for operators") {
		t.Errorf("inside a session: exit %d: %s%s", a.code, a.out, a.err)
	}
}
