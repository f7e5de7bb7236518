package probe

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/container"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

func init() {
	register(Type{Name: "container", What: "a container check", Doc: "Looks at a container of Docker or podman.", Recorded: check.Container,
		Called: "docker podman container", Written: "a container is written type: container, container: NAME",
		Options: func() Options { return &Container{} }})
}

// Container checks a container of Docker or podman.
type Container struct {
	Name   string // empty for the name of the service
	Engine string // URL of the engine; empty for DOCKER_HOST, or else the local socket
	Job    bool   // one that ends: it is healthy while it runs, and once it has exited with 0
}

// Fields returns the keys of the services file.
func (o *Container) Fields() []strict.Field {
	return []strict.Field{
		{Name: "container", Default: "the service's `name`", Doc: "the container's name",
			Takes: strict.Matching(&o.Name, containerNames, " is no container's name; must be letters, digits, _, . and -, like shop-web-1")},
		{Name: "engine", Default: "`DOCKER_HOST`, else the local socket of Docker or podman", Doc: "`unix:///PATH`, `tcp://HOST:PORT`, `http://…` or `https://…`",
			Takes: reachedURL(&o.Engine, `"pattern":"^(unix:///[^\\x00-\\x1f\\x7f]+|(tcp|https?)://[^\\s/?#]+.*)$"`, engineURL)},
		{Name: "job", Doc: "`true` for one that ends: it is well while it runs, and once it has exited with 0", Takes: strict.Bool(&o.Job)},
	}
}

// containerNames matches the names that Docker and podman allow, and ids; docker inspect puts a slash first.
var containerNames = regexp.MustCompile(`^/?[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$`)

// Finish sets the container's name to the service's if the check does not name one.
func (o *Container) Finish(r *strict.Reader, n *strict.Node, service string) {
	if n.Member("container") == nil && service != "" {
		if o.Name = service; !containerNames.MatchString(service) {
			r.Fault(n, "container", "missing, and the service's name is not a valid container name; must be the name of the container")
		}
	}
	o.Name = strings.TrimPrefix(o.Name, "/")
}

// About describes the check.
func (o *Container) About() About {
	about := About{Target: o.Name, Asked: "the engine of container " + o.Name, Host: localEngine + hostOfURL(o.Engine), Needs: o.Engine,
		NamesKey: "container", Secrets: func([]string) []string { return inURL(o.Engine) }}
	if o.Name != "" {
		about.Names = []string{o.Name}
	}
	return about
}

// Prepare returns the attempt.
func (o *Container) Prepare(c *Client, k *Check, service string) Try {
	name := cmp.Or(o.Name, service)
	address := cmp.Or(o.Engine, engineOf(c.settings.Environ))
	e, err := c.engines.get(address, func() (*engine, error) { return openEngine(address, c.settings.Environ) })
	if err != nil {
		return always(err.Error())
	}
	as := ""
	if bare := strings.TrimPrefix(name, "/"); bare != service {
		as = bare + ": "
	}
	return func(ctx context.Context) (r check.Result) {
		began := time.Now()
		found, err := e.inspect(ctx, name)
		switch {
		case err == nil:
			r = c.look(found, o.Job, as)
		case errdefs.IsNotFound(err) && strings.Contains(strings.ToLower(err.Error()), "no such container"):
			r = down(fmt.Sprintf("no container named %s on %s", name, e.address))
		default:
			return unmade(e.fault(err, k.Timeout))
		}
		r.ResponseTimeMS = milliseconds(time.Since(began))
		return r
	}
}

// look judges a container. as begins its fault.
func (c *Client) look(found container.InspectResponse, job bool, as string) check.Result {
	seen := sighting{found: &found, job: job, now: c.settings.Now(), recent: justRestarted}
	if last := c.settings.Since; !last.IsZero() {
		seen.recent = seen.now.Sub(last)
	}
	status, text := seen.judge()
	starts := status == check.Degraded && found.State.Health != nil && found.State.Health.Status == container.Starting
	if starts && seen.unstable() == "" {
		return asks(as + text)
	}
	return check.Result{Status: status, Error: as + text}
}

// sighting is a container as it was found.
type sighting struct {
	found  *container.InspectResponse
	job    bool
	now    time.Time
	recent time.Duration // what restarted within it is not well
}

func (s sighting) judge() (check.Status, string) {
	state := s.found.State
	if state == nil {
		return check.Down, "the Docker engine does not report its state"
	}
	switch state.Status {
	case container.StateRunning:
		if state.Dead {
			return check.Down, "the engine says that it runs, and that it is dead"
		}
		return s.running()
	case container.StateRestarting:
		return check.Down, fmt.Sprintf("restarting again and again: %s, %s", s.exited(), text.Count(s.found.RestartCount, "restart"))
	case container.StatePaused:
		return check.Down, "paused; `docker unpause` lets it go on"
	case container.StateCreated:
		if state.Error != "" {
			return check.Down, "could not be started: " + firstLine(state.Error)
		}
		return check.Down, "was made but never started"
	case container.StateRemoving:
		return check.Down, "is being removed"
	case container.StateDead:
		return check.Down, "dead (the engine could not remove it), " + s.ended()
	case container.StateExited, "stopped": // podman's name for it
		if s.job && state.ExitCode == 0 && !state.OOMKilled {
			return check.Healthy, ""
		}
		text := s.ended()
		if state.Error != "" {
			text += ": " + firstLine(state.Error)
		}
		return check.Down, text
	}
	return check.Down, fmt.Sprintf("is in no state that we know: %q", firstLine(string(state.Status)))
}

// running judges a running container: by its health check, and by its restarts.
func (s sighting) running() (check.Status, string) {
	status, text := s.health()
	unstable := s.unstable()
	switch {
	case unstable == "":
		return status, text
	case text == "":
		return check.Degraded, unstable
	}
	return status, text + "; " + unstable
}

// unstable describes recent restarts of a running container by its restart policy; empty if there were none. The engine
// counts anew when it is started by hand.
func (s sighting) unstable() string {
	up, known := s.since(s.found.State.StartedAt)
	if n := s.found.RestartCount; n > 0 && known && up < s.recent {
		return fmt.Sprintf("restarted %s, the last time %s", times(n), text.Ago(max(up, 0)))
	}
	return ""
}

func (s sighting) health() (check.Status, string) {
	health := s.found.State.Health
	if health == nil {
		return check.Healthy, ""
	}
	switch health.Status {
	case container.Starting:
		text := "its health check has not passed yet"
		if up, known := s.since(s.found.State.StartedAt); known {
			text += fmt.Sprintf(" (starting for %s)", max(0, up).Round(time.Second))
		}
		return check.Degraded, text
	case container.Unhealthy:
		text := fmt.Sprintf("unhealthy: its health check failed %s in a row", times(health.FailingStreak))
		if n := len(health.Log); n > 0 && health.Log[n-1] != nil {
			last := health.Log[n-1]
			text += fmt.Sprintf(", at last with %d", last.ExitCode)
			if said := firstLine(last.Output); said != "" {
				text += ": " + said
			}
		}
		return check.Down, text
	case container.Healthy, container.NoHealthcheck, "":
		return check.Healthy, ""
	}
	return check.Degraded, fmt.Sprintf("its health is none that we know: %q", firstLine(string(health.Status)))
}

// exited describes how the container's last run ended: "exited with 137 (out of memory)".
func (s sighting) exited() string {
	const signalled = 128 // added by shells to the number of the signal that ended a program
	code := s.found.State.ExitCode
	switch {
	case s.found.State.OOMKilled:
		return fmt.Sprintf("exited with %d (out of memory)", code)
	case code > signalled && unix.SignalName(syscall.Signal(code-signalled)) != "":
		return fmt.Sprintf("exited with %d (%s)", code, unix.SignalName(syscall.Signal(code-signalled)))
	}
	return fmt.Sprintf("exited with %d", code)
}

// ended is like exited, with the time: "exited with 1, 4 min ago".
func (s sighting) ended() string {
	how := s.exited()
	past, known := s.since(s.found.State.FinishedAt)
	switch {
	case !known:
		return how
	case strings.HasSuffix(how, ")"):
		return how + " " + text.Ago(max(past, 0))
	}
	return how + ", " + text.Ago(max(past, 0))
}

// since returns how long ago a time of the engine was.
func (s sighting) since(engineTime string) (past time.Duration, known bool) {
	t, err := time.Parse(time.RFC3339Nano, engineTime)
	if err != nil || t.Year() < 1970 { // the engine uses year 1 for unknown
		return 0, false
	}
	return s.now.Sub(t), true
}

// times formats a count: "once", "7 times".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return text.Count(n, "time")
}
