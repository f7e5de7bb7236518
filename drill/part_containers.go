package main

import (
	"archive/tar"
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

// containers is the part with a container (box) of an image that holds this program alone.
const containers = "containers"

func init() {
	registerPart(Part{Name: containers, Outside: removeBox, Start: startContainers, Services: watchedContainers, Identities: identifyBox,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.deployBox(ctx) }})
}

// How soon the health check of the container wants its answer. The container takes 20 ms.
const (
	lenient   = "1s"
	tooStrict = "1ms"
)

// box is the name of the container, and of its image.
func (lab *Lab) box() string { return outsideName(lab.Dir) + "-box" }

func removeBox(base string) [][]string {
	box := base + "-box"
	return [][]string{{"docker", "rm", "--force", box}, {"docker", "image", "rm", "--force", box + ":" + lenient}, {"docker", "image", "rm", "--force", box + ":" + tooStrict}}
}

func startContainers(ctx context.Context, lab *Lab) error {
	if err := errors.Join(lab.hasEngine(ctx), lab.leavesOutside(containers)); err != nil {
		return err
	}
	for _, within := range []string{lenient, tooStrict} {
		if err := lab.makeImage(ctx, lab.box()+":"+within, within); err != nil {
			return err
		}
	}
	return lab.deployBox(ctx)
}

// hasEngine returns what this machine lacks for a container of this program.
func (lab *Lab) hasEngine(ctx context.Context) error {
	if _, found := child.Find("docker", config.Lookup(lab.environ, "PATH")); !found {
		return missing("there is no docker program")
	}
	if err := lab.docker(ctx, "version"); err != nil {
		return missing("there is no Docker engine: %v", err)
	}
	static, err := isStatic(lab.self)
	if err == nil && !static {
		err = missing("the drill is not linked statically, and cannot be the only program of a container; build it with CGO_ENABLED=0")
	}
	return err
}

// deployBox makes the container anew as its release has it, and waits until it is healthy.
func (lab *Lab) deployBox(ctx context.Context) error {
	return errors.Join(lab.runBox(ctx, lenient), await(ctx, lab.boxIs("healthy")))
}

// isStatic reports whether a program needs no loader.
func isStatic(path string) (bool, error) {
	f, err := elf.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return false, nil
		}
	}
	return true, nil
}

// makeImage makes an image of this program, from no registry, whose health check wants an answer within some time.
func (lab *Lab) makeImage(ctx context.Context, name, within string) error {
	program, err := os.ReadFile(lab.self)
	if err != nil {
		return err
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	if err := w.WriteHeader(&tar.Header{Name: "drill", Mode: 0o755, Size: int64(len(program))}); err != nil {
		return err
	}
	if _, err := w.Write(program); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	health := `HEALTHCHECK --interval=1s --timeout=2s --retries=2 CMD ["/drill","part","ask-box","` + within + `"]`
	docker, _ := child.Find("docker", config.Lookup(lab.environ, "PATH"))
	cmd := exec.Command(docker, "import", "--change", `ENTRYPOINT ["/drill","part","box"]`, "--change", health, "-", name)
	cmd.Stdin = &layer
	_, err = lab.runDocker(ctx, cmd)
	return err
}

// runBox makes the container anew, without network.
func (lab *Lab) runBox(ctx context.Context, within string) error {
	return errors.Join(lab.docker(ctx, "rm", "--force", lab.box()), lab.docker(ctx, "run", "--detach", "--name", lab.box(), "--network", "none",
		"--stop-timeout", "1", "--memory", "96m", "--memory-swap", "96m", lab.box()+":"+within))
}

// docker runs a command of docker.
func (lab *Lab) docker(ctx context.Context, args ...string) error {
	_, err := lab.dockerSays(ctx, args...)
	return err
}

func (lab *Lab) dockerSays(ctx context.Context, args ...string) (string, error) {
	docker, _ := child.Find("docker", config.Lookup(lab.environ, "PATH"))
	return lab.runDocker(ctx, exec.Command(docker, args...))
}

func (lab *Lab) runDocker(ctx context.Context, cmd *exec.Cmd) (string, error) {
	cmd.Env = lab.outsideEnviron()
	r, err := child.Run(ctx, cmd, child.Limits{Within: time.Minute})
	return strings.TrimSpace(string(r.Stdout)), err
}

// boxIs returns whether the container box is in a state, or its health is that, and how it is.
func (lab *Lab) boxIs(state string) func(context.Context) (bool, string, error) {
	return lab.containerIs(lab.box(), state)
}

func (lab *Lab) containerIs(name, state string) func(context.Context) (bool, string, error) {
	return func(ctx context.Context) (bool, string, error) {
		seen, err := lab.dockerSays(ctx, "inspect", "--format", "{{.State.Status}} {{.State.Health.Status}}", name)
		status, health, _ := strings.Cut(seen, " ")
		return status == state || status == "running" && health == state, "container " + name + " is " + seen + ", not " + state, err
	}
}

func identifyBox(ctx context.Context, lab *Lab) (map[string]string, error) {
	seen, err := lab.identityOf(ctx, lab.box())
	return map[string]string{"box": seen}, err
}

// identityOf returns what changes with every act on a container.
func (lab *Lab) identityOf(ctx context.Context, container string) (string, error) {
	seen, err := lab.dockerSays(ctx, "inspect", "--format", "{{.Id}} {{.State.StartedAt}} {{.State.Status}}", container)
	var gone *child.ExitError
	if errors.As(err, &gone) {
		return "gone", nil
	}
	return seen, err
}

func watchedContainers(lab *Lab) []Service {
	return []Service{{Name: "box", Restart: fmt.Sprintf("{container: %s}", lab.box()), Redeploy: lab.runs("redeploy", "box"), Settle: "3s",
		Checks: []string{fmt.Sprintf("{type: container, container: %s, attempts: 1}", lab.box())}}}
}
