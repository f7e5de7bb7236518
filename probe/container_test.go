package probe

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/moby/moby/api/types/container"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/port"
	"github.com/claudeops/claudeops/testkit/servers"
)

// containers is the engine that the tests share.
var containers = servers.Share(&suite, servers.Containers)

// containerCheck returns a check of a container; an empty engine means that of the environment.
func containerCheck(name, engine string) *Check {
	return &Check{
		Type: check.Container, Timeout: time.Minute, Attempts: 1,
		Options: &Container{Name: name, Engine: engine},
	}
}

// look makes one attempt of a container check of service shop, with this process's environment, after checks at a time.
func look(t *testing.T, k *Check, since time.Time) check.Result {
	t.Helper()
	return lookIn(t, k, Settings{Environ: os.Environ(), Since: since})
}

func lookIn(t *testing.T, k *Check, s Settings) check.Result {
	t.Helper()
	c := newClient(s)
	t.Cleanup(c.close)
	return attemptBy(t, c, k)
}

func wantFinding(t *testing.T, got check.Result, status check.Status, parts ...string) {
	t.Helper()
	if got.Status != status {
		t.Errorf("%+v; want %s", got, status)
	}
	at := 0
	for _, part := range parts {
		i := strings.Index(got.Error[at:], part)
		if i < 0 {
			t.Errorf("%q; want %q in that order", got.Error, parts)
			return
		}
		at += i + len(part)
	}
}

func TestContainerThatRunsIsHealthy(t *testing.T) {
	e := containers(t)
	name := e.Run(t, "runs", nil)
	id := e.Docker(t, "inspect", "--format", "{{.Id}}", name)
	for _, called := range []string{name, "/" + name, id, id[:12]} {
		f := look(t, containerCheck(called, ""), time.Time{})
		wantFinding(t, f, check.Healthy)
		if f.ResponseTimeMS == nil {
			t.Errorf("%s: %+v; want the time that the engine took", called, f)
		}
	}
	f := look(t, containerCheck(id[:11], ""), time.Time{})
	wantFinding(t, f, check.Down, "no container named "+id[:11]+" on ")
}

func TestContainerIsAsItsHealthCheckSays(t *testing.T) {
	e := containers(t)
	health := func(command string) []string {
		return []string{"--health-cmd", command, "--health-interval", "200ms", "--health-retries", "2"}
	}
	const status = "{{.State.Health.Status}}"
	is := func(wanted string) func(string) bool { return func(text string) bool { return text == wanted } }

	well := e.Run(t, "healthy", health("say 0 fine"))
	e.Await(t, well, status, is("healthy"))
	f := look(t, containerCheck(well, ""), time.Time{})
	wantFinding(t, f, check.Healthy)

	ill := e.Run(t, "unhealthy", health("say 1 the cellar is full of water"))
	e.Await(t, ill, status, is("unhealthy"))
	f = look(t, containerCheck(ill, ""), time.Time{})
	wantFinding(t, f, check.Down, ill+": unhealthy: its health check failed ", " in a row, at last with 1: the cellar is full of water")

	new := e.Run(t, "starting", []string{"--health-cmd", "say 0 fine", "--health-interval", "1h"})
	f = look(t, containerCheck(new, ""), time.Time{})
	wantFinding(t, f, check.Degraded, new+": its health check has not passed yet (starting for ")
	if !strings.HasPrefix(f.Error, check.AsksForTime) {
		t.Error("a container that starts does not ask for time")
	}
}

func TestContainerThatDoesNotRunIsDown(t *testing.T) {
	e := containers(t)
	exited := e.Run(t, "exited", nil, "exit", "3")
	e.AwaitState(t, exited, "exited")
	f := look(t, containerCheck(exited, ""), time.Time{})
	wantFinding(t, f, check.Down, exited+": exited with 3, ")

	killed := e.Run(t, "killed", nil)
	e.Docker(t, "kill", killed)
	e.AwaitState(t, killed, "exited")
	f = look(t, containerCheck(killed, ""), time.Time{})
	wantFinding(t, f, check.Down, killed+": exited with 137 (SIGKILL) ")

	stopped := e.Run(t, "stopped", nil)
	e.Docker(t, "stop", stopped)
	f = look(t, containerCheck(stopped, ""), time.Time{})
	wantFinding(t, f, check.Down, stopped+": exited with 0, ")

	paused := e.Run(t, "paused", nil)
	e.Docker(t, "pause", paused)
	t.Cleanup(func() { e.Docker(t, "unpause", paused) })
	f = look(t, containerCheck(paused, ""), time.Time{})
	wantFinding(t, f, check.Down, paused+": paused")

	made := e.Create(t, "created", nil)
	f = look(t, containerCheck(made, ""), time.Time{})
	wantFinding(t, f, check.Down, made+": was made but never started")

	f = look(t, containerCheck(e.Name("none"), ""), time.Time{})
	wantFinding(t, f, check.Down, "no container named "+e.Name("none")+" on ")
}

func TestContainerJobIsWellWhenItIsDone(t *testing.T) {
	e := containers(t)
	done := e.Run(t, "job-done", nil, "exit", "0")
	e.AwaitState(t, done, "exited")
	failed := e.Run(t, "job-failed", nil, "exit", "4")
	e.AwaitState(t, failed, "exited")
	running := e.Run(t, "job-running", nil)
	for name, status := range map[string]check.Status{done: check.Healthy, failed: check.Down, running: check.Healthy} {
		k := containerCheck(name, "")
		k.Options.(*Container).Job = true
		f := look(t, k, time.Time{})
		wantFinding(t, f, status)
	}
}

func TestContainerThatCrashesAgainAndAgainIsNotHealthy(t *testing.T) {
	e := containers(t)
	name := e.Run(t, "crash", []string{"--restart", "always"}, "crash", "1", "20ms")
	e.Await(t, name, "{{.RestartCount}}", func(text string) bool { return len(text) > 1 || text >= "3" })
	e.AwaitState(t, name, "restarting") // the engine waits longer each time
	f := look(t, containerCheck(name, ""), time.Time{})
	if strings.Contains(f.Error, "restarting again and again") {
		wantFinding(t, f, check.Down, name+": restarting again and again: exited with 1, ", " restarts")
	} else {
		wantFinding(t, f, check.Degraded, name+": restarted ", " times, the last time ")
	}
}

func TestContainerThatHasRestartedSinceTheLastCycleIsDegraded(t *testing.T) {
	e := containers(t)
	name := e.Run(t, "grown", []string{"--restart", "always"}, "recover", "2")
	e.Await(t, name, "{{.RestartCount}} {{.State.Status}}", func(text string) bool { return text == "2 running" })
	wantFinding(t, look(t, containerCheck(name, ""), time.Time{}), check.Degraded, name+": restarted 2 times, the last time ")
	wantFinding(t, look(t, containerCheck(name, ""), time.Now().Add(-time.Hour)), check.Degraded, name+": restarted 2 times, the last time ")
	wantFinding(t, look(t, containerCheck(name, ""), time.Now()), check.Healthy)
	e.Docker(t, "restart", "--time", "0", name) // by hand: the engine counts anew
	e.AwaitState(t, name, "running")
	wantFinding(t, look(t, containerCheck(name, ""), time.Now().Add(-time.Hour)), check.Healthy)
}

// state returns a container in a state, as an engine reports it.
func state(change func(c *container.InspectResponse)) *container.InspectResponse {
	c := &container.InspectResponse{ID: "abc", Name: "/shop", State: &container.State{
		Status: container.StateRunning, Running: true,
		StartedAt: "2026-11-21T11:00:00.5Z", FinishedAt: "0001-01-01T00:00:00Z",
	}}
	change(c)
	return c
}

func TestContainerIsJudgedByItsStateAndItsRestarts(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name    string
		found   *container.InspectResponse
		minutes int // since the last cycle; -1 if unknown
		job     bool
		status  check.Status
		text    string
	}{
		{"runs", state(func(*container.InspectResponse) {}), -1, false, check.Healthy, ""},
		{"no state", state(func(c *container.InspectResponse) { c.State = nil }), -1, false, check.Down,
			"the Docker engine does not report its state"},
		{
			"restarted since", state(func(c *container.InspectResponse) { c.RestartCount = 7 }), 61, false,
			check.Degraded, "restarted 7 times, the last time 59 min ago",
		},
		{"restarted before", state(func(c *container.InspectResponse) { c.RestartCount = 7 }), 59, false, check.Healthy, ""},
		{"restarted some time", state(func(c *container.InspectResponse) { c.RestartCount = 7 }), -1, false, check.Healthy, ""},
		{
			"restarted just now", state(func(c *container.InspectResponse) {
				c.RestartCount, c.State.StartedAt = 7, "2026-11-21T11:59:48Z"
			}), -1, false,
			check.Degraded, "restarted 7 times, the last time 12 s ago",
		},
		{
			"restarted just now, which was seen", state(func(c *container.InspectResponse) {
				c.RestartCount, c.State.StartedAt = 7, "2026-11-21T11:59:48Z"
			}), 0, false,
			check.Healthy, "",
		},
		{
			"unhealthy and restarted", state(func(c *container.InspectResponse) {
				c.RestartCount = 1
				c.State.Health = &container.Health{Status: container.Unhealthy, FailingStreak: 1, Log: []*container.HealthcheckResult{
					{ExitCode: 0, Output: "fine"}, {ExitCode: 1, Output: "\r\n \n  no\x00 way\x1b[31m \nmore"},
				}}
			}), 61, false,
			check.Down,
			"unhealthy: its health check failed once in a row, at last with 1: no way; restarted once, the last time 59 min ago",
		},
		{
			"unhealthy, who knows why", state(func(c *container.InspectResponse) {
				c.State.Health = &container.Health{Status: container.Unhealthy, FailingStreak: 3, Log: []*container.HealthcheckResult{nil}}
			}), -1, false,
			check.Down, "unhealthy: its health check failed 3 times in a row",
		},
		{
			"starting", state(func(c *container.InspectResponse) {
				c.State.StartedAt = "2026-11-21T11:59:48Z"
				c.State.Health = &container.Health{Status: container.Starting}
			}), -1, false,
			check.Degraded, "its health check has not passed yet (starting for 12s)",
		},
		{"no health check", state(func(c *container.InspectResponse) {
			c.State.Health = &container.Health{Status: container.NoHealthcheck}
		}), -1, false, check.Healthy, ""},
		{"a health that there is not", state(func(c *container.InspectResponse) {
			c.State.Health = &container.Health{Status: "UNHEALTHY?"}
		}), -1, false, check.Degraded, `its health is none that we know: "UNHEALTHY?"`},
		{"no health", state(func(c *container.InspectResponse) { c.State.Health = &container.Health{} }), -1, false, check.Healthy, ""},
		{"runs and is dead", state(func(c *container.InspectResponse) { c.State.Dead = true }), -1, false,
			check.Down, "the engine says that it runs, and that it is dead"},
		{
			"crash loop", state(func(c *container.InspectResponse) {
				c.RestartCount, c.State.Status, c.State.ExitCode = 7, container.StateRestarting, 1
			}), 2, false,
			check.Down, "restarting again and again: exited with 1, 7 restarts",
		},
		{
			"out of memory", state(func(c *container.InspectResponse) {
				c.State.Status, c.State.ExitCode, c.State.OOMKilled = container.StateExited, 137, true
				c.State.FinishedAt = "2026-11-21T11:55:59.9Z"
			}), -1, false,
			check.Down, "exited with 137 (out of memory) 4 min ago",
		},
		{
			"a job out of memory whose shell said 0", state(func(c *container.InspectResponse) {
				c.State.Status, c.State.OOMKilled = container.StateExited, true
			}), -1, true,
			check.Down, "exited with 0 (out of memory)",
		},
		{
			"no longer startable", state(func(c *container.InspectResponse) {
				c.State.Status, c.State.ExitCode, c.State.Error = container.StateExited, 128, "no such network: shop\nx"
				c.State.FinishedAt = "2026-11-21T12:00:05Z" // the engine's clock is ahead of this one
			}), -1, false,
			check.Down, "exited with 128, just now: no such network: shop",
		},
		{
			"never startable", state(func(c *container.InspectResponse) {
				c.State.Status, c.State.ExitCode, c.State.Error = container.StateCreated, 127, "exec: \"shop\": not found"
			}), -1, false,
			check.Down, "could not be started: exec: \"shop\": not found",
		},
		{
			"dead", state(func(c *container.InspectResponse) {
				c.State.Status, c.State.ExitCode, c.State.FinishedAt = container.StateDead, 139, "2026-11-21T09:00:00Z"
			}), -1, false,
			check.Down, "dead (the engine could not remove it), exited with 139 (SIGSEGV) 3 h ago",
		},
		{"removing", state(func(c *container.InspectResponse) { c.State.Status = container.StateRemoving }), -1, false, check.Down,
			"is being removed"},
		{"podman's stopped", state(func(c *container.InspectResponse) { c.State.Status = "stopped" }), -1, false, check.Down, "exited with 0"},
		{"a new word", state(func(c *container.InspectResponse) { c.State.Status = "melted" }), -1, false, check.Down,
			`is in no state that we know: "melted"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			recent := justRestarted
			if test.minutes >= 0 {
				recent = time.Duration(test.minutes) * time.Minute
			}
			status, text := sighting{found: test.found, job: test.job, now: now, recent: recent}.judge()
			if status != test.status || text != test.text {
				t.Errorf("%s %q; want %s %q", status, text, test.status, test.text)
			}
		})
	}
}

func TestContainerSaysWhyTheEngineWasNotReached(t *testing.T) {
	dir := t.TempDir()
	closed := "tcp://" + port.Keep(t)
	silent, err := net.Listen("unix", filepath.Join(dir, "silent"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, test := range []struct {
		engine string
		want   []string
	}{
		{"unix://" + dir + "/none", []string{"no answer from the Docker engine at unix://" + dir + "/none: is it running?"}},
		{closed, []string{"no answer from the Docker engine at " + closed + ": is it running?"}},
		{"unix://" + dir + "/silent", []string{"no answer from the Docker engine at unix://" + dir + "/silent within TIME"}},
		{"tcp://user:hunter22@no-such-host.invalid:2375", []string{
			"the Docker engine at tcp://no-such-host.invalid:2375 was not reached: the name no-such-host.invalid was not found",
		}},
		{"ssh://root@db1", []string{"the engine ssh://db1 is not asked by ssh; name a socket or a tcp:// address"}},
		{"npipe:////./pipe/docker", []string{"cannot be asked; write it like unix:///var/run/docker.sock"}},
		{"db1:2375", []string{"the engine's URL cannot be read; write it like unix:///var/run/docker.sock or tcp://host:2376"}},
	} {
		f := lookFor(t, test.engine, check.Unknown, test.want, Settings{Environ: os.Environ()})
		if strings.Contains(f.Error, "hunter22") {
			t.Errorf("%q has the password in it", f.Error)
		}
	}
}

// lookFor asks an engine for a container and expects these parts in the finding. In them, TIME stands for the timeout of the attempt,
// which is increased until the finding is about a missing answer.
func lookFor(t *testing.T, engine string, status check.Status, want []string, s Settings) check.Result {
	t.Helper()
	k := containerCheck("web", engine)
	if text := strings.Join(want, "*"); strings.Contains(text, "TIME") {
		return wantLateAs(t, status, func(timeout time.Duration) check.Result {
			k.Timeout = timeout
			f := lookIn(t, k, s)
			return f
		}, "*"+text+"*")
	}
	f := lookIn(t, k, s)
	wantFinding(t, f, status, want...)
	return f
}

func TestContainerSaysWhoMayAskTheEngine(t *testing.T) {
	got := (&engine{address: "unix:///s", socket: "/no/such/socket"}).unreached(os.ErrPermission)
	if !strings.HasPrefix(got, "not allowed to ask the Docker engine at unix:///s (permission denied): the user ") ||
		!strings.HasSuffix(got, " may not enter the folder /no/such; name an engine that it may ask in DOCKER_HOST") {
		t.Errorf("%q", got)
	}
}

// engineThat starts an engine that answers in this way, and returns its URL.
func engineThat(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.41")
		if !strings.HasSuffix(r.URL.Path, "/_ping") {
			answer(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return "tcp://" + s.Listener.Addr().String()
}

func TestContainerSurvivesHostileEngines(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   []string
	}{
		{"not JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
			[]string{"the Docker engine at tcp://", " says: "}},
		{"another container", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"Id":"deb00","Name":"/other","State":{"Status":"running"}}`)
		}, []string{"no container named web on tcp://"}},
		{"no state", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"Id":"1","Name":"/web"}`) },
			[]string{"web: the Docker engine does not report"}},
		{"404 that is none of an engine", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "404 page not found", http.StatusNotFound)
		}, []string{"the Docker engine at tcp://", " says: 404 page not found"}},
		{"500", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusInternalServerError)
			_ = json.NewEncoder(w).Encode(map[string]string{"message": "the disk is full"})
		}, []string{"the Docker engine at tcp://", " says: the disk is full"}},
		{"too much", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"Id":"`)
			for block := strings.Repeat("x", 1<<20); ; {
				if _, err := fmt.Fprint(w, block); err != nil {
					return
				}
			}
		}, []string{"the Docker engine at tcp://", " gave an answer of more than 4 MiB"}},
		{"never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			[]string{"no answer from the Docker engine at tcp://", " within TIME"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			status := check.Unknown // no answer of an engine says anything about its containers
			if test.name == "another container" || test.name == "no state" {
				status = check.Down
			}
			lookFor(t, engineThat(t, test.answer), status, test.want, Settings{})
		})
	}
}

func TestContainerChecksShareOneConnectionlessClient(t *testing.T) {
	var mu sync.Mutex
	pings := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.41")
		if strings.HasSuffix(r.URL.Path, "/_ping") {
			mu.Lock()
			defer mu.Unlock()
			pings++
			return
		}
		if !strings.HasPrefix(r.URL.Path, "/v1.41/") {
			t.Errorf("asked for %s; want the engine's version of the API", r.URL.Path)
		}
		fmt.Fprint(w, `{"Id":"1","Name":"/web","RestartCount":3,"State":{"Status":"running"}}`)
	}))
	defer s.Close()
	c := newClient(Settings{})
	defer c.close()
	k := containerCheck("web", "tcp://"+s.Listener.Addr().String())
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if f := attempt(t.Context(), c, k); f.Status != check.Healthy {
				t.Errorf("%+v; want healthy", f)
			}
		})
	}
	wg.Wait()
	if pings != 1 {
		t.Errorf("the version was asked for %d times; want once", pings)
	}
}

func TestEngineIsAskedWithTheCertificatesOfTheEnvironment(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) == 0 {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Api-Version", "1.41")
		fmt.Fprint(w, `{"Id":"1","Name":"/web","State":{"Status":"running"}}`)
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	defer s.Close()
	ours, stranger := t.TempDir(), t.TempDir()
	key, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	other := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: selfSigned(t)})
	for _, file := range []struct {
		path string
		text []byte
	}{
		{ours + "/ca.pem", certificate}, {ours + "/cert.pem", certificate},
		{ours + "/key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})},
		{stranger + "/ca.pem", other}, {stranger + "/cert.pem", certificate},
		{stranger + "/key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})},
	} {
		if err := os.WriteFile(file.path, file.text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := "tcp://" + s.Listener.Addr().String()
	for _, test := range []struct {
		environ []string
		status  check.Status
		want    string
	}{
		{[]string{"DOCKER_TLS_VERIFY=1", "DOCKER_CERT_PATH=" + ours}, check.Healthy, ""},
		{[]string{"DOCKER_CERT_PATH=" + stranger}, check.Healthy, ""},
		{
			[]string{"DOCKER_TLS_VERIFY=1", "DOCKER_CERT_PATH=" + stranger}, check.Unknown,
			"the certificate of the Docker engine at " + address + " is not believed: x509: certificate signed by unknown authority",
		},
		{[]string{"DOCKER_TLS_VERIFY=1", "HOME=/nowhere"}, check.Unknown,
			"the engine's TLS certificate (DOCKER_CERT_PATH=/nowhere/.docker) cannot be read: "},
		{nil, check.Unknown, "the Docker engine at " + address + " says: Client sent an HTTP request to an HTTPS server."},
	} {
		f := lookIn(t, containerCheck("web", ""), Settings{Environ: append(test.environ, "DOCKER_HOST="+address)})
		if f.Status != test.status || !strings.Contains(f.Error, test.want) {
			t.Errorf("%q: %+v; want %s, %q", test.environ, f, test.status, test.want)
		}
	}
}

// selfSigned returns a self-signed certificate.
func selfSigned(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func TestEngineIsThatOfTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	if got := engineOf([]string{"DOCKER_HOST=tcp://db1:2376", "XDG_RUNTIME_DIR=" + dir}); got != "tcp://db1:2376" {
		t.Errorf("%q; want DOCKER_HOST", got)
	}
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	if got := firstSocket(first, second); got != first {
		t.Errorf("%q; want the first where there is none", got)
	}
	if err := os.WriteFile(first, nil, 0o600); err != nil { // a file is not a socket
		t.Fatal(err)
	}
	l, err := net.Listen("unix", second)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := firstSocket(first, second); got != second {
		t.Errorf("%q; want the one that is a socket", got)
	}
}
