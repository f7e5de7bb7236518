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
