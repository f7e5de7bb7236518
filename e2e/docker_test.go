package e2e

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/claudeops/claudeops/testkit/need"
)

// idleImage builds the image of all test containers, once: a static program that only waits. TestMain removes it.
var idleImage = sync.OnceValues(func() (name string, err error) {
	name = fmt.Sprintf("claudeops-e2e:%d", os.Getpid())
	if out, err := exec.Command("docker", "version", "--format", "{{.Server.Version}}").CombinedOutput(); err != nil {
		return "", fmt.Errorf("the tests need a Docker engine, and there is none: %w: %s\n"+
			"start dockerd, or name one in DOCKER_HOST; `.ci/run` installs and starts one for itself", err, bytes.TrimSpace(out))
	}
	layer, err := idleLayer()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("docker", "import", "--change", `ENTRYPOINT ["/idle"]`, "-", name)
	cmd.Stdin = layer
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("docker import: %w: %s", err, out)
	}
	return name, nil
})

// removeImage removes the image of idleImage, if it was built.
func removeImage() error {
	name := fmt.Sprintf("claudeops-e2e:%d", os.Getpid())
	if id, _ := exec.Command("docker", "image", "ls", "--quiet", name).Output(); len(id) == 0 { // also without an engine
		return nil
	}
	if out, err := exec.Command("docker", "image", "rm", "--force", name).CombinedOutput(); err != nil {
		return fmt.Errorf("remove the test image: %w: %s", err, out)
	}
	return nil
}

func idleLayer() (*bytes.Buffer, error) {
	dir, err := os.MkdirTemp("", "claudeops-idle")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // harmless if it is left behind
	program := filepath.Join(dir, "idle")
	build := exec.Command("go", "build", "-o", program, "./testdata/idle")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program of the test containers: %w: %s", err, out)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	if err := w.WriteHeader(&tar.Header{Name: "idle", Mode: 0o755, Size: int64(len(text))}); err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	return &layer, w.Close()
}

// docker runs a docker command that must succeed, and returns its output.
func docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// container is a container that runs until the test ends.
type container struct {
	t    *testing.T
	name string
	born string
}

// withContainer runs a container with a unique name, and makes its engine available to the world's agents.
func (w *world) withContainer() *container {
	w.t.Helper()
	need.Full(w.t, "a Docker engine")
	image, err := idleImage()
	must(w.t, err)
	name := "shop-" + strings.ReplaceAll(filepath.Base(filepath.Dir(w.dir)), "_", "-") // the test's own, from t.TempDir
	c := &container{t: w.t, name: strings.ToLower(name)}
	docker(w.t, "run", "--detach", "--network", "none", "--name", c.name, image)
	w.t.Cleanup(func() {
		if out, err := exec.Command("docker", "rm", "--force", c.name).CombinedOutput(); err != nil {
			c.t.Errorf("docker rm: %v: %s", err, out)
		}
	})
	c.born = c.startedAt()
	if host := os.Getenv("DOCKER_HOST"); host != "" {
		w.env["DOCKER_HOST"] = host
		w.env["CLAUDEOPS_AGENT_ENV"] += ",DOCKER_HOST"
	}
	return c
}

func (c *container) startedAt() string {
	c.t.Helper()
	return docker(c.t, "inspect", "--format", "{{.State.StartedAt}}", c.name)
}

func (c *container) wantRestarted(restarted bool) {
	c.t.Helper()
	if now := c.startedAt(); (now != c.born) != restarted {
		c.t.Errorf("the container was started at %s and then at %s; restarted is to be %t", c.born, now, restarted)
	}
}
