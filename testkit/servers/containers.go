package servers

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

// ContainerEngine is the Docker engine of DOCKER_HOST or of the machine, with an image that needs no registry. Because the engine has
// other users, too, everything created in it has a unique name and is removed.
type ContainerEngine struct {
	Image string
	mark  string // part of all names
}

// containerProgram is the package of the program in the image.
const containerProgram = "github.com/claudeops/claudeops/testkit/servers/testdata/container"

// Containers creates the image in the engine.
func Containers(t T) *ContainerEngine {
	t.Helper()
	need.Full(t, "a Docker engine")
	e := &ContainerEngine{mark: "claudeops-test-" + strings.ToLower(rand.Text()[:12])}
	if out, err := exec.Command("docker", "version", "--format", "{{.Server.Version}}").CombinedOutput(); err != nil {
		t.Fatalf("the tests need a Docker engine, and there is none: %v: %s\n"+
			"start dockerd, or name one in DOCKER_HOST; `.ci/run` installs and starts one for itself", err, bytes.TrimSpace(out))
	}
	e.Image = e.mark + ":latest"
	cmd := exec.Command("docker", "import", "--change", `ENTRYPOINT ["/container"]`, "-", e.Image)
	cmd.Stdin = containerLayer(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("docker import: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("docker", "image", "rm", "--force", e.Image).Run() })
	return e
}

// containerLayer returns a file system with one static program, which is also the shell.
func containerLayer(t T) *bytes.Buffer {
	t.Helper()
	binary := filepath.Join(folder(t, false), "container")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, containerProgram)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program of the test containers: %v: %s", err, out)
	}
	text, err := os.ReadFile(binary)
	must(t, err)
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	write := func(header *tar.Header, content []byte) {
		header.Size = int64(len(content))
		must(t, w.WriteHeader(header))
		if _, err := w.Write(content); err != nil {
			t.Fatalf("%v", err)
		}
	}
	write(&tar.Header{Name: "container", Mode: 0o755}, text)
	write(&tar.Header{Name: "bin/", Typeflag: tar.TypeDir, Mode: 0o755}, nil)
	write(&tar.Header{Name: "bin/sh", Typeflag: tar.TypeSymlink, Linkname: "/container", Mode: 0o755}, nil)
	must(t, w.Close())
	return &layer
}

// Name returns a unique name for a container.
func (e *ContainerEngine) Name(short string) string { return e.mark + "-" + short }

// Docker runs a docker command, which must succeed, and returns its output.
func (e *ContainerEngine) Docker(t T, args ...string) string {
	t.Helper()
	out, err := exec.Command("docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Run runs a container and returns its name. Options are those of docker run; the command is one of the program's, by default `idle`. The
// container is removed with the test.
func (e *ContainerEngine) Run(t T, short string, options []string, command ...string) string {
	t.Helper()
	return e.make(t, []string{"run", "--detach"}, short, options, command)
}

// Create creates a container without starting it.
func (e *ContainerEngine) Create(t T, short string, options []string, command ...string) string {
	t.Helper()
	return e.make(t, []string{"create"}, short, options, command)
}

func (e *ContainerEngine) make(t T, args []string, short string, options, command []string) string {
	t.Helper()
	name := e.Name(short)
	t.Cleanup(func() { _ = exec.Command("docker", "rm", "--force", name).Run() })
	args = append(args, "--network", "none", "--name", name)
	args = append(append(args, options...), e.Image)
	e.Docker(t, append(args, command...)...)
	return name
}

// Await waits until the output of `docker inspect` with this template is as expected.
func (e *ContainerEngine) Await(t T, name, template string, expected func(text string) bool) {
	t.Helper()
	deadline := time.Now().Add(readyWithin)
	for {
		text := e.Docker(t, "inspect", "--format", template, name)
		if expected(text) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("container %s: %s is still %q after %s", name, template, text, readyWithin)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// AwaitState waits until a container is in a state, such as "exited".
func (e *ContainerEngine) AwaitState(t T, name, state string) {
	t.Helper()
	e.Await(t, name, "{{.State.Status}}", func(text string) bool { return text == state })
}
