package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

// The images that the tests build from the Dockerfile. They and their base images stay in the engine, so that the next run reuses their
// layers.
const (
	fullImage    = "claudeops-e2e:full"
	slimImage    = "claudeops-e2e:slim"
	imageVersion = "v0.0.0-e2e"
)

// buildWithin limits a build; only a hang reaches it.
const buildWithin = 15 * time.Minute

// wantImages builds both targets of the Dockerfile, once for all tests.
func wantImages(t *testing.T) {
	t.Helper()
	need.Full(t, "a Docker engine")
	must(t, builtImages())
}

var builtImages = sync.OnceValue(func() error {
	if err := baseImages(); err != nil {
		return err
	}
	if err := buildImage("slim", slimImage); err != nil { // the other target shares its layers
		return err
	}
	return buildImage("claudeops", fullImage)
})

// buildImage builds a target from the current sources.
func buildImage(target, tag string, args ...string) error {
	build := []string{"build", "--network", "host", "--target", target, "--tag", tag, "--build-arg", "VERSION=" + imageVersion}
	return dockerBuild("..", append(build, append(args, ".")...)...)
}

// builderEnv selects the engine's old builder, because BuildKit would need a plugin. The Dockerfile works with both; layers are only shared
// within one.
var builderEnv = sync.OnceValue(func() []string {
	if exec.Command("docker", "buildx", "version").Run() == nil {
		return os.Environ()
	}
	return append(os.Environ(), "DOCKER_BUILDKIT=0")
})

func dockerBuild(dir string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), buildWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, "docker", args...)
	cmd.Dir, cmd.Env = dir, builderEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("docker %q: %w: %s", args, err, out)
	}
	return nil
}

// A standIn replaces a base image if no registry is reachable: the same Debian, with Debian's packages.
type standIn struct {
	image, dockerfile string
	context           func() (string, error) // a directory; nil if nothing is copied
}

const (
	debianImage  = "debian:trixie-slim"
	rootImage    = "claudeops-e2e:root" // built by `make machine`
	composeImage = "claudeops-e2e:compose"

	aptInstall = "RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "
	aptClean   = " >/dev/null && apt-get clean && rm -rf /var/lib/apt/lists/*\n"

	certificates = "/usr/local/share/ca-certificates" // this machine's own, in addition to Debian's
	npmVersion   = "10.9.2"
)

var standIns = []standIn{
	{debianImage, "FROM " + rootImage + "\nCOPY . " + certificates + "\nCMD [\"bash\"]\n", ownCertificates},
	{"golang:1.26-trixie", "FROM " + debianImage + "\n" + aptInstall + "ca-certificates gcc libc6-dev make" + aptClean +
		"COPY . /usr/local/go\nENV GOPATH=/go PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n", goRoot},
	{"node:22-trixie-slim", "FROM " + debianImage + "\n" + aptInstall + "ca-certificates nodejs" + aptClean +
		"ADD npm-" + npmVersion + ".tgz /usr/local/lib/\nRUN ln -s /usr/local/lib/package/bin/npm-cli.js /usr/local/bin/npm\n" +
		"ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n", npmPackage},
	{"haproxy:3.0", "FROM " + debianImage + "\n" + aptInstall + "haproxy" + aptClean + "USER haproxy\n", nil},
}

// baseImages makes the base images available in the engine: present ones, pulled ones, or stand-ins.
func baseImages() error {
	if out, err := exec.Command("docker", "version", "--format", "{{.Server.Version}}").CombinedOutput(); err != nil {
		return fmt.Errorf("the tests need a Docker engine, and there is none: %w: %s\n"+
			"start dockerd, or name one in DOCKER_HOST; `.ci/run` installs and starts one for itself", err, bytes.TrimSpace(out))
	}
	for _, s := range standIns {
		if hasImage(s.image) || pulled(s.image) {
			continue
		}
		if err := s.make(); err != nil {
			return fmt.Errorf("make a stand-in for %s: %w", s.image, err)
		}
	}
	return nil
}

func hasImage(name string) bool { return exec.Command("docker", "image", "inspect", name).Run() == nil }

func pulled(name string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	return exec.CommandContext(ctx, "docker", "pull", "--quiet", name).Run() == nil
}

func (s standIn) make() error {
	if s.image == debianImage {
		if err := importRoot(); err != nil {
			return err
		}
	}
	own, err := os.MkdirTemp("", "claudeops-base")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(own) }() // harmless if it is left behind
	file := filepath.Join(own, "Dockerfile")
	if err := os.WriteFile(file, []byte(s.dockerfile), 0o600); err != nil {
		return err
	}
	folder := own
	if s.context != nil {
		if folder, err = s.context(); err != nil {
			return err
		}
	}
	return dockerBuild(".", "build", "--network", "host", "--tag", s.image, "--file", file, folder)
}

// importRoot imports the Debian below .bin as an image.
func importRoot() error {
	const root = "../.bin/debian-13/base"
	if _, err := os.Stat(root); err != nil {
		return fmt.Errorf("%w; `make machine` makes it", err)
	}
	pack := exec.Command("tar", "-C", root, "--exclude=./var/lib/apt/lists/*", "--exclude=./var/cache/apt/*.bin", "--exclude=./var/cache/apt/archives/*.deb", "-c", ".")
	if os.Geteuid() != 0 {
		pack = exec.Command("sudo", append([]string{"-n"}, pack.Args...)...)
	}
	pipe, err := pack.StdoutPipe()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	pack.Stderr = &said
	load := exec.Command("docker", "import", "-", rootImage)
	load.Stdin = pipe
	if err := pack.Start(); err != nil {
		return err
	}
	if out, err := load.CombinedOutput(); err != nil {
		_ = pack.Process.Kill()
		_ = pack.Wait()
		return fmt.Errorf("docker import: %w: %s", err, out)
	}
	if err := pack.Wait(); err != nil {
		return fmt.Errorf("tar: %w: %s", err, said.Bytes())
	}
	return nil
}

func ownCertificates() (string, error) {
	if _, err := os.Stat(certificates); err == nil {
		return certificates, nil
	}
	none := filepath.Join(filepath.Dir(claudeopsBin), "certificates")
	return none, os.MkdirAll(none, 0o755)
}

func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// npmPackage returns a directory with npm as published; Debian's consists of four hundred packages.
func npmPackage() (string, error) {
	folder := filepath.Join(filepath.Dir(claudeopsBin), "npm") // removed with the programs under test
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command("npm", "pack", "--silent", "npm@"+npmVersion)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack: %w: %s", err, out)
	}
	return folder, nil
}

// composeEnv returns the environment of `docker compose`, with Debian's as the client's plugin if the machine has none.
var composeEnv = sync.OnceValues(func() ([]string, error) {
	if exec.Command("docker", "compose", "version").Run() == nil {
		return builderEnv(), nil
	}
	plugin := standIn{composeImage, "FROM " + debianImage + "\nWORKDIR /tmp\nRUN apt-get update -qq && apt-get download -qq docker-compose && dpkg -x docker-compose_*.deb /compose\n", nil}
	if err := plugin.make(); err != nil {
		return nil, err
	}
	config := filepath.Join(filepath.Dir(claudeopsBin), "docker")
	if err := os.MkdirAll(filepath.Join(config, "cli-plugins"), 0o755); err != nil {
		return nil, err
	}
	const program = "/compose/usr/libexec/docker/cli-plugins/docker-compose"
	out, err := os.OpenFile(filepath.Join(config, "cli-plugins", "docker-compose"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("docker", "run", "--rm", "--network", "none", composeImage, "cat", program)
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("take docker-compose out of its image: %w", err)
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return slices.Concat(builderEnv(), []string{"DOCKER_CONFIG=" + config}), nil
})
