package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/testkit/need"
)

// compose is a checkout of the project, with docker compose running in it.
type compose struct {
	t        *testing.T
	dir, etc string
	project  string
	env      []string
}

// engineSocket returns the path of the engine's socket.
func engineSocket(t *testing.T) string {
	t.Helper()
	host := os.Getenv("DOCKER_HOST")
	if host == "" {
		return "/var/run/docker.sock"
	}
	path, local := strings.CutPrefix(host, "unix://")
	if !local {
		t.Fatalf("DOCKER_HOST=%s: the tests need an engine with a socket on this machine", host)
	}
	return path
}

func newCompose(t *testing.T) *compose {
	t.Helper()
	b := newBoxes(t) // for the images, and a name
	env, err := composeEnv()
	must(t, err)
	c := &compose{t: t, dir: filepath.Join(t.TempDir(), "claudeops"), etc: filepath.Join(t.TempDir(), "claudeops"), project: b.mark}
	override := filepath.Join(t.TempDir(), "test.yaml")
	c.env = slices.Concat(env, []string{"COMPOSE_PROJECT_NAME=" + c.project, "VERSION=" + imageVersion, "CONFIG_DIR=" + c.etc, "DOCKER_SOCKET=" + engineSocket(t), "COMPOSE_FILE=compose.yaml:" + override})
	must(t, os.Mkdir(c.dir, 0o755))
	if out, err := exec.Command("sh", "-c", `tar -C .. --exclude=./.git --exclude=./.bin -c . | tar -C "$0" -x`, c.dir).CombinedOutput(); err != nil {
		t.Fatalf("copy the sources: %v: %s", err, out)
	}
	// The test's engine has no bridge. The image is already built; its layers are reused at once.
	must(t, os.WriteFile(override, []byte("services:\n  claudeops: {network_mode: none, build: {network: host}, image: "+fullImage+"}\n"), 0o644))
	t.Cleanup(func() { c.sh("docker compose down --volumes --timeout 60") })
	return c
}

// try runs a shell command in the checkout.
func (c *compose) try(line string) (string, error) {
	cmd := exec.Command("sh", "-ec", line)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c *compose) sh(line string) string {
	c.t.Helper()
	out, err := c.try(line)
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return out
}

// inside runs a program in the container of claudeops.
func (c *compose) inside(args ...string) answer {
	c.t.Helper()
	return runDocker(c.t, append([]string{"exec", c.project + "-claudeops-1"}, args...)...)
}

// The commands in docs/deploy.md start claudeops and its proxy, from nothing to the first cycle.
func TestContainersAsDocumented(t *testing.T) {
	need.Full(t, "a Docker engine")
	c := newCompose(t)
	key := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(key, []byte("sk-ant-test\n"), 0o600))
	here := strings.NewReplacer("/etc/claudeops", c.etc, "/var/run/docker.sock", engineSocket(t), "~/anthropic_api_key", key)
	for i, command := range deployCommands(t, "Containers") {
		command = here.Replace(command)
		if os.Geteuid() == 0 {
			command = strings.ReplaceAll(command, "sudo ", "")
		}
		out, err := c.try(command)
		if err != nil {
			logs, _ := c.try("docker compose ps --all; docker compose logs")
			t.Fatalf("%s: %v\n%s\n%s", command, err, out, logs)
		}
		if i == 0 { // for "edit both": no model is available here, and the project has another name
			c.sh(fmt.Sprintf("echo CLAUDEOPS_TIER1_AGENT=probe >>%[1]s/env; sed -i s/claudeops-docker-proxy-1/%[2]s-docker-proxy-1/ %[1]s/services.yaml", c.etc, c.project))
		}
		if strings.Contains(command, "run-once") && !strings.Contains(out, "services: 1 healthy") {
			t.Errorf("the first cycle says\n%s", out)
		}
	}
	t.Run("hardened", c.hardened)
	t.Run("the proxy grants", c.proxyGrants)
	t.Run("the proxy refuses", c.proxyRefuses)
	t.Run("the proxy is not talked around", c.proxyIsNotTalkedAround)
	t.Run("the dashboard is served", c.dashboardIsServed)
	t.Run("one line changed grants everything", c.proxyGrantsEverything)
}

func (c *compose) hardened(t *testing.T) {
	for _, service := range []string{"claudeops", "docker-proxy"} {
		const format = `{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}} {{.Config.User}} {{if .HostConfig.Memory}}memory{{end}} {{if .HostConfig.PidsLimit}}pids{{end}}`
		name := c.project + "-" + service + "-1"
		if got := docker(t, "inspect", "--format", format, name); got != "true [ALL] [no-new-privileges:true] 10001:10001 memory pids" {
			t.Errorf("%s: %s", service, got)
		}
		mounts := docker(t, "inspect", "--format", "{{range .Mounts}}{{.Source}} {{end}}", name)
		if has := strings.Contains(mounts+" ", engineSocket(t)+" "); has != (service == "docker-proxy") {
			t.Errorf("%s: has the engine's socket is %t: %s", service, has, mounts)
		}
	}
	if a := c.inside("claudeops", "doctor"); a.code != 0 {
		t.Errorf("doctor: %+v", a)
	}
}

// target runs a container for the agent to try things on.
func (c *compose) target(t *testing.T) (name string, startedAt func() string) {
	t.Helper()
	image, err := idleImage()
	must(t, err)
	name = c.project + "-" + strings.ReplaceAll(filepath.Base(t.Name()), "_", "-")
	docker(t, "run", "--detach", "--network", "none", "--name", name, image)
	t.Cleanup(func() { docker(t, "rm", "--force", name) })
	return name, func() string { return docker(t, "inspect", "--format", "{{.State.StartedAt}}", name) }
}

func (c *compose) proxyGrants(t *testing.T) {
	name, startedAt := c.target(t)
	for _, args := range [][]string{
		{"version"}, {"info"}, {"ps", "--all"}, {"images"}, {"network", "ls"}, {"volume", "ls"}, {"system", "df"}, {"top", name},
		{"inspect", name}, {"inspect", "--type", "image", fullImage}, {"network", "inspect", "none"}, {"volume", "inspect", c.project + "_state"},
		{"history", fullImage}, {"logs", name}, {"stats", "--no-stream", name}, {"events", "--since", "1h", "--until", "1s"},
	} {
		if a := c.inside(append([]string{"docker"}, args...)...); a.code != 0 {
			t.Errorf("docker %q: %s%s", args, a.out, a.err)
		}
	}
	if a := c.inside("docker", "ps", "--format", "{{.Names}}"); !strings.Contains(a.out, name) {
		t.Errorf("docker ps lists %q", a.out)
	}
	born := startedAt()
	if a := c.inside("docker", "restart", "--time", "0", name); a.code != 0 || startedAt() == born {
		t.Errorf("docker restart: %+v; started at %s, and at %s before", a, startedAt(), born)
	}
}

func (c *compose) proxyRefuses(t *testing.T) {
	name, startedAt := c.target(t)
	born := startedAt()
	for _, args := range [][]string{
		{"exec", name, "true"}, {"run", fullImage}, {"create", fullImage}, {"cp", name + ":/idle", "-"}, {"cp", "/etc/passwd", name + ":/x"},
		{"export", name}, {"save", fullImage}, {"attach", "--no-stdin", name}, {"diff", name}, {"commit", name}, {"stop", name}, {"start", name}, {"kill", name},
		{"pause", name}, {"rm", "--force", name}, {"rename", name, "x"}, {"update", "--memory", "1g", name}, {"pull", debianImage}, {"rmi", fullImage},
		{"tag", fullImage, "x"}, {"volume", "create", "x"}, {"volume", "rm", "x"}, {"network", "create", "x"}, {"network", "connect", "none", name},
		{"system", "prune", "--force"}, {"swarm", "init"}, {"secret", "ls"}, {"plugin", "ls"},
	} {
		if a := c.inside(append([]string{"docker"}, args...)...); a.code == 0 || !strings.Contains(a.err, "docker-socket proxy of claudeops does not grant") && !strings.Contains(a.err, "received 403") {
			t.Errorf("docker %q: %+v", args, a)
		}
	}
	if startedAt() != born || docker(t, "inspect", "--format", "{{.State.Status}}", name) != "running" {
		t.Error("something happened to the container all the same")
	}
}

// Requests that resemble granted ones.
func (c *compose) proxyIsNotTalkedAround(t *testing.T) {
	name, startedAt := c.target(t)
	born := startedAt()
	for _, words := range []string{
		"-X POST /containers/NAME/exec", "-X POST /v1.41/containers/NAME/exec", "-X POST //containers/NAME/exec", "-X POST /v1.41//containers/NAME/restart",
		"-X POST /containers/NAME%2Frestart", "-X POST /containers/%2e%2e/containers/NAME/restart", "-X POST /containers/../containers/NAME/stop",
		"-X POST /containers/NAME/kill?x=/restart", "-X POST /containers/NAME/kill#/restart", "-X POST /containers/create/restart/../../create",
		"-X POST /images/create?fromImage=x/json", "-X POST /v1.41/images/json/../create", "-X POST /build", "-X POST /commit?container=NAME", "-X POST /session", "-X POST /grpc",
		"-X PUT /containers/NAME/restart", "-X DELETE /containers/NAME", "-X DELETE /containers/NAME/json", "-X OPTIONS /containers/json", "-X TRACE /version", "-X CONNECT /version",
		"/containers/NAME/archive?path=/", "/containers/NAME/export", "/containers/NAME/attach/ws", "/containers/NAME/../NAME/export", "/images/" + fullImage + "/get", "/images/get?names=x",
		"/images/x/../../containers/NAME/export", "/distribution/x/json", "/exec/x/json", "/swarm", "/nodes", "/secrets", "/v/version", "/v../_ping", "/v1.41.2/_ping", "/images/a/../../secrets/json", "/images/x:/..//json", "/images/x//json", "/images/x/.y/json",
		"/v1.41/v1.41/containers/NAME/export",
		"-H Upgrade:tcp -H Connection:Upgrade /containers/NAME/logs?stdout=1", "-H X-HTTP-Method-Override:POST -X PATCH /containers/NAME/restart",
	} {
		args := []string{"curl", "--silent", "--path-as-is", "--max-time", "60", "--output", "/dev/null", "--write-out", "%{http_code}", "--unix-socket", "/run/docker-proxy/docker.sock"}
		fields := strings.Fields(strings.ReplaceAll(words, "NAME", name))
		args = append(args, fields[:len(fields)-1]...)
		if a := c.inside(append(args, "http://docker"+fields[len(fields)-1])...); a.out != "403" && a.out != "400" {
			t.Errorf("%s: %+v, want 403", words, a)
		}
	}
	if startedAt() != born {
		t.Error("the container was started again")
	}
}

// deploy/docker/dashboard.yaml runs the dashboard beside the schedule, for this machine only and with a token.
func (c *compose) dashboardIsServed(t *testing.T) {
	const token = "a-token-of-the-test-0123456789"
	file := filepath.Join(c.etc, "dashboard-token")
	must(t, os.WriteFile(file, []byte(token+"\n"), 0o400))
	must(t, os.Chown(file, 10001, 10001))
	for _, name := range c.env {
		if files, is := strings.CutPrefix(name, "COMPOSE_FILE=compose.yaml:"); is {
			c.env = append(c.env, "COMPOSE_FILE=compose.yaml:deploy/docker/dashboard.yaml:"+files)
		}
	}
	c.sh("docker compose up -d")
	name := c.project + "-claudeops-1"
	const format = `{{json .HostConfig.PortBindings}} {{.HostConfig.ReadonlyRootfs}}`
	equal(t, "the container is made", docker(t, "inspect", "--format", format, name), `{"8080/tcp":[{"HostIp":"127.0.0.1","HostPort":"8080"}]} true`)
	status := func(words ...string) []string {
		return slices.Concat([]string{"exec", name, "curl", "--silent", "--max-time", "60", "--output", "/dev/null", "--write-out", "%{http_code}"}, words)
	}
	awaitDocker(t, func(code string) bool { return code == "200" }, status("http://127.0.0.1:8080/healthz")...)
	bearer := "Authorization: Bearer " + token
	for want, words := range map[string][]string{
		"401": {"http://127.0.0.1:8080/api/v1/overview"},
		"200": {"-H", bearer, "http://127.0.0.1:8080/api/v1/overview"},
		"303": {"http://127.0.0.1:8080/"}, // redirected to the login
	} {
		if got := docker(t, status(words...)...); got != want {
			t.Errorf("curl %q: %s, want %s", words, got, want)
		}
	}
	if a := c.inside("curl", "--silent", "--max-time", "60", "-H", bearer, "http://127.0.0.1:8080/api/v1/overview"); !strings.Contains(a.out, `"healthy":1`) {
		t.Errorf("the first page's figures: %+v", a)
	}
	// The schedule continues in the same process.
	if a := c.inside("claudeops", "cron", "health"); a.code != 0 {
		t.Errorf("cron health: %+v", a)
	}
}

// The line of haproxy.cfg that docs/deploy.md warns of does permit everything.
func (c *compose) proxyGrantsEverything(t *testing.T) {
	name, _ := c.target(t)
	c.sh("sed -i 's/^  #http-request allow$/  http-request allow/' deploy/docker/haproxy.cfg && docker compose up -d --force-recreate docker-proxy")
	awaitDocker(t, func(string) bool { return true }, "exec", c.project+"-claudeops-1", "docker", "stop", "--time", "0", name)
	equal(t, "after docker stop the container", docker(t, "inspect", "--format", "{{.State.Status}}", name), "exited")
}

// Without its settings nothing starts, and the error names what is missing.
func TestComposeSaysWhatIsMissing(t *testing.T) {
	need.Full(t, "a Docker engine")
	c := newCompose(t)
	if out, err := c.try("unset DOCKER_GID; docker compose config --quiet"); err == nil || !strings.Contains(out, "DOCKER_GID") {
		t.Errorf("without DOCKER_GID: %v: %s", err, out)
	}
	out, err := c.try("DOCKER_GID=0 docker compose up -d --no-build")
	if err == nil || !strings.Contains(out, c.etc) {
		t.Errorf("without %s: %v: %s", c.etc, err, out)
	}
	if _, err := os.Stat(c.etc); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s was made: %v", c.etc, err)
	}
}
