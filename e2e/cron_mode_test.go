package e2e

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/testkit/need"
)

// cronProcess is a running claudeops cron and its log.
type cronProcess struct {
	w    *world
	cmd  *exec.Cmd
	mu   sync.Mutex
	text bytes.Buffer
}

func (c *cronProcess) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(p)
}

func (c *cronProcess) log() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// stays starts a command that keeps running, with wrapped in front of it.
func (w *world) stays(wrapped []string, args ...string) *cronProcess {
	w.t.Helper()
	c := &cronProcess{w: w}
	line := append(append(wrapped, w.bin), args...)
	c.cmd = exec.Command(line[0], line[1:]...)
	c.cmd.Env, c.cmd.Dir, c.cmd.Stdout, c.cmd.Stderr = w.environ(), w.dir, io.Discard, c
	c.cmd.WaitDelay = deadline
	must(w.t, c.cmd.Start())
	w.t.Cleanup(func() { _ = c.cmd.Wait() })
	killInTime(w.t, c.cmd)
	return c
}

// says waits until the log contains a text n times.
func (c *cronProcess) says(text string, times int) {
	c.w.t.Helper()
	for end := time.Now().Add(deadline); strings.Count(c.log(), text) < times; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			c.w.t.Fatalf("the log does not say %q %d times:\n%s", text, times, c.log())
		}
	}
}

func (c *cronProcess) signal(s syscall.Signal) { must(c.w.t, c.cmd.Process.Signal(s)) }

// ends waits for the end, with the expected exit code.
func (c *cronProcess) ends(code int) {
	c.w.t.Helper()
	_ = c.cmd.Wait() // its exit code is checked
	if got := c.cmd.ProcessState.ExitCode(); got != code {
		c.w.t.Fatalf("exit code %d, want %d\n%s", got, code, c.log())
	}
}

// waiting is an agent that reports when it runs, and continues when the test permits it.
func (w *world) waiting() (running, let string) {
	w.agent(1, "init", "on-sigint result 0.5", `sh touch "$FAKE_AGENT_DIR/running"`, "wait-for "+w.path("agent", "go"), finish)
	return w.path("agent", "running"), w.path("agent", "go")
}

func TestCronRunsCyclesAndSkipsWhatOverlaps(t *testing.T) {
	w := newWorld(t)
	running, let := w.waiting()
	w.env["CLAUDEOPS_SCHEDULE"] = "@every 1s; @every 2s"
	w.env["CLAUDEOPS_LOG_FORMAT"] = "json"
	c := w.stays(nil, "cron", "--run-on-start")
	waitFor(t, running)
	c.says("skipped: the cycle before still runs", 2)
	if n := strings.Count(c.log(), `"msg":"cycle started"`); n != 1 {
		t.Errorf("%d cycles were started, want 1", n)
	}
	must(t, os.WriteFile(let, nil, 0o600))
	c.says(`"msg":"cycle ended","exit":0,"meaning":"the cycle ran to its end"`, 2)
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
	for _, s := range w.sessions() {
		if s.Trigger != "cron" {
			t.Errorf("a session's trigger is %q, want cron", s.Trigger)
		}
	}
	if a := w.run("cron", "health"); a.code != 0 || !strings.HasPrefix(a.out, "healthy: the last cycle ended ") {
		t.Errorf("health: %+v", a)
	}
}

func TestACycleEndsInOrderWhenCronIsKilled(t *testing.T) {
	w := newWorld(t)
	running, _ := w.waiting()
	c := w.stays(nil, "cron", "--run-on-start")
	waitFor(t, running)
	c.signal(syscall.SIGKILL)
	c.ends(-1)
	for end := time.Now().Add(deadline); w.cooldowns().LastRun == nil; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the cycle goes on")
		}
	}
	w.wantStatuses("1 interrupted")
}

// An invalid file changes nothing: later cycles use what was read before, and no agent may read that file.
func TestCronGivesItsCyclesWhatItHasRead(t *testing.T) {
	w := newWorld(t)
	file, secret := w.path("repos", "notes"), w.path("repos", "motd")
	w.agent(1, "bash cat /etc/hosts "+file+" "+secret, finish)
	write := func(text string) { must(t, os.WriteFile(file, []byte(text), 0o600)) }
	must(t, os.WriteFile(secret, []byte("sk-ant-of-the-file"), 0o600))
	delete(w.env, "CLAUDEOPS_STATE_DIR")
	settings := "CLAUDEOPS_STATE_DIR=" + w.path("state") + "\nANTHROPIC_API_KEY_FILE=" + secret + "\n"
	write(settings + "CLAUDEOPS_SCHEDULE=@every 1s\nCLAUDEOPS_TIER1_MODEL=first\n")
	c := w.stays(nil, "cron", "--run-on-start", "--env-file", file)
	c.says("cycle ended", 1)
	write(settings + "CLAUDEOPS_TIER1_MODEL=second\nCLAUDEOPS_SCHEDULE=61 * * * *\n")
	must(t, os.Remove(secret))
	c.signal(syscall.SIGHUP)
	c.says("the schedule stays as it was", 1)
	before := strings.Count(c.log(), "cycle ended")
	c.says("cycle ended", before+2) // one of them began after the change
	if log := c.log(); strings.Count(log, "exit=0") != strings.Count(log, "cycle ended") {
		t.Errorf("a cycle failed:\n%s", log)
	}
	for _, s := range w.sessions() {
		if s.Model != "first" {
			t.Errorf("a session's model is %q", s.Model)
		}
	}
	must(t, os.WriteFile(secret, []byte("sk-ant-of-the-file"), 0o600))
	write(settings + "CLAUDEOPS_SCHEDULE=@every 1s\nCLAUDEOPS_TIER1_MODEL=second\n")
	c.signal(syscall.SIGHUP)
	c.says("the configuration was read again", 1)
	before = strings.Count(c.log(), "cycle ended")
	c.says("cycle ended", before+2)
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
	if list := w.sessions(); list[len(list)-1].Model != "second" {
		t.Errorf("what was read again does not count: %q", list[len(list)-1].Model)
	}
	if read := w.kept("answer"); !strings.Contains(read, "localhost") || strings.Contains(read, "SCHEDULE") || strings.Contains(read, "sk-ant") {
		t.Errorf("of /etc/hosts and the operator's two files an agent reads %q", read)
	}
}

func TestTwoCronsOnOneStateDirectory(t *testing.T) {
	w := newWorld(t)
	running, _ := w.waiting()
	first := w.stays(nil, "cron", "--run-on-start")
	waitFor(t, running)
	second := w.stays(nil, "cron", "--run-on-start")
	second.says("exit=75 meaning=\"another cycle was running on the state directory; nothing was started\"", 1)
	for _, c := range []*cronProcess{second, first} {
		c.signal(syscall.SIGTERM)
		c.ends(128 + int(syscall.SIGTERM))
	}
	w.wantStatuses("1 interrupted")
}

func TestCronRefusesABadConfiguration(t *testing.T) {
	w := newWorld(t)
	for schedule, want := range map[string]string{"61 * * * *": "minute", "CRON_TZ=Mars/Base 0 * * * *": "Mars/Base", "@every 10ms": "@every"} {
		w.env["CLAUDEOPS_SCHEDULE"] = schedule
		if a := w.run("cron"); a.code != 2 || !strings.Contains(a.err, "CLAUDEOPS_SCHEDULE=") || !strings.Contains(a.err, want) {
			t.Errorf("%s: %+v", schedule, a)
		}
	}
	delete(w.env, "CLAUDEOPS_SCHEDULE")
	for _, args := range [][]string{{"--max-late", "-1h"}, {"--jitter", "soon"}, {"now"}} {
		w.exits(2, append([]string{"cron"}, args...)...)
	}
}

func TestCronHealth(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_SCHEDULE"] = "0 * * * *"
	want := func(code int, text string, args ...string) {
		t.Helper()
		if a := w.run(append([]string{"cron", "health"}, args...)...); a.code != code || !strings.Contains(a.out, text) || strings.Count(a.out, "\n") != 1 {
			t.Errorf("health %q: %+v, want %d and %q", args, a, code, text)
		}
	}
	want(1, "unhealthy: no cycle has ended yet in "+w.path("state"))
	for _, test := range []struct {
		ago  time.Duration
		code int
		text string
		args []string
	}{
		{10 * time.Minute, 0, "healthy: the last cycle ended 10m", nil},
		{10 * time.Hour, 1, "one was due at ", nil},
		{10 * time.Hour, 0, "healthy: ", []string{"--jitter", "12h"}},
		{-10 * time.Hour, 0, "healthy: ", nil},
	} {
		w.writeCooldowns(fmt.Sprintf(`{"services":{},"last_run":%q,"last_daily_digest":null}`, time.Now().Add(-test.ago).UTC().Format(time.RFC3339)))
		want(test.code, test.text, test.args...)
	}
	if a := w.run("cron", "health", "--json"); a.code != 0 || !strings.Contains(a.out, `"healthy": true`) || !strings.Contains(a.out, `"last_run": "`) {
		t.Errorf("%+v", a)
	}
	must(t, os.Remove(w.path("state", statefile.FileName)))
	running, let := w.waiting()
	cycle := w.start("run-once")
	waitFor(t, running)
	want(0, "healthy: the first cycle is running")
	must(t, os.WriteFile(let, nil, 0o600))
	must(t, cycle.Wait())
	want(0, "healthy: the last cycle ended")
}

// asRoot is the prefix for a command that only root may run.
func asRoot(command ...string) []string {
	if os.Geteuid() == 0 {
		return command
	}
	return append([]string{"sudo", "-n", "--preserve-env"}, command...)
}

func TestCronReapsAsProcess1(t *testing.T) {
	need.Full(t, "root")
	w := newWorld(t)
	running, let := w.waiting()
	// A process beside cron, which becomes process 1: its parent ends, so that it becomes a child of process 1.
	orphan := w.path("orphan")
	script := `(sh -c 'sleep 0.3; readlink /proc/self >/dev/null; touch "$1"; exit 7' sh "$2" & ) ; shift 2; exec "$@"`
	c := w.stays(asRoot("unshare", "--pid", "--fork", "--mount-proc", "--kill-child=SIGTERM", "sh", "-c", script, "sh", "x", orphan), "cron", "--run-on-start")
	waitFor(t, running)
	waitFor(t, orphan)
	init := onlyChild(t, c.cmd.Process.Pid)
	for end := time.Now().Add(deadline); zombies(t, init) > 0; time.Sleep(2 * time.Millisecond) { // while its cycle runs
		if time.Now().After(end) {
			t.Fatalf("process 1 has %d zombies", zombies(t, init))
		}
	}
	must(t, os.WriteFile(let, nil, 0o600))
	c.says(`msg="cycle ended" exit=0`, 1) // reaping did not take its status
	must(t, exec.Command(asRoot("kill")[0], append(asRoot("kill")[1:], "-TERM", strconv.Itoa(init))...).Run())
	c.ends(128 + int(syscall.SIGTERM))
}

// onlyChild returns the last process of a chain of only children.
func onlyChild(t *testing.T, pid int) int {
	t.Helper()
	for {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		must(t, err)
		comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		must(t, err)
		if strings.TrimSpace(string(comm)) == filepath.Base(claudeopsBin) {
			return pid
		}
		fields := strings.Fields(string(text))
		if len(fields) != 1 {
			t.Fatalf("process %d (%s) has the children %q, want one", pid, comm, fields)
		}
		pid, err = strconv.Atoi(fields[0])
		must(t, err)
	}
}

// zombies counts the ended children of a process that were not waited for.
func zombies(t *testing.T, pid int) (n int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	must(t, err)
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		for _, child := range strings.Fields(string(text)) {
			stat, err := os.ReadFile("/proc/" + child + "/stat")
			if err == nil && strings.Contains(string(stat), ") Z ") {
				n++
			}
		}
	}
	return n
}

// The commands of docs/deploy.md as typed: in one shell, in the directory of the programs.
func TestDeployBuiltInCronMode(t *testing.T) {
	w := newWorld(t)
	for _, program := range []string{claudeopsBin, shimBin} {
		must(t, exec.Command("cp", program, w.dir).Run())
	}
	for name := range w.env {
		if strings.HasPrefix(name, "CLAUDEOPS_") {
			delete(w.env, name)
		}
	}
	commands := deployCommands(t, "Built-in cron mode")
	last := len(commands) - 1
	commands[last] = "exec " + commands[last] // the signal is for cron, not for the shell
	c := w.by("sh").stays(nil, "-ec", strings.Join(commands, "\n"))
	c.says("waiting for the next run", 1)
	c.says(`meaning="the cycle ran to its end"`, 1)
	w.env["CLAUDEOPS_STATE_DIR"] = w.path("home", ".local", "state", "claudeops")
	w.exits(0, "cron", "health")
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
}
