// Package e2e tests the whole program: the built binary, with a fast fake agent if misbehaviour is needed, and with the real agent program
// and a scripted model.
package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/fakeagent"
	"github.com/claudeops/claudeops/testkit/need"
)

// The programs under test, built once. The first three are in one directory, as installed.
var claudeopsBin, shimBin, hooksBin, fakeBin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "claudeops-e2e")
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), buildAll(dir)) // other users run the programs, too
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	heedSignals()
	code := m.Run()
	stopBrowser()
	if err := errors.Join(os.RemoveAll(dir), removeImage()); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// heedSignals makes the programs that tests start react to signals, however the tests were started. An ignored signal is inherited: a shell
// ignores SIGINT in background jobs, and nohup SIGHUP. A caught signal is reset to its default in started programs.
func heedSignals() {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
}

func buildAll(dir string) (err error) {
	claudeopsBin, shimBin = filepath.Join(dir, "claudeops"), filepath.Join(dir, "claudeops-shim")
	hooksBin = filepath.Join(dir, "claude-hooks")
	const module = "github.com/claudeops/claudeops"
	if out, err := exec.Command("go", "build", "-o", dir+"/", module, module+"/cmd/...").CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs: %w: %s", err, out)
	}
	fakeBin, err = fakeagent.Build(dir)
	return err
}

// deadline limits any command of a test; only a hang reaches it.
const deadline = 5 * time.Minute

// world is one operator's machine: directories, an environment, and an agent that follows scripts.
type world struct {
	t   *testing.T
	dir string
	bin string // the program to run: claudeops
	env map[string]string
	as  *syscall.Credential // the user to run as; nil for the user of the tests
}

// nobody is the user nobody of Linux distributions.
const nobody = 65534

// asUser makes the operator an ordinary user, whose access is restricted.
func (w *world) asUser() {
	w.t.Helper()
	if os.Geteuid() != 0 {
		return // the user of the tests is one
	}
	must(w.t, filepath.WalkDir(filepath.Dir(w.dir), func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, nobody, nobody))
	}))
	w.as = &syscall.Credential{Uid: nobody, Gid: nobody}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	return makeWorld(t)
}

// makeWorld is for tests that need a second world, or must not run in parallel.
func makeWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), bin: claudeopsBin}
	for _, dir := range []string{"state", "results", "repos", "agent", "home"} {
		must(t, os.Mkdir(w.path(dir), 0o700))
	}
	w.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": w.path("home"), "TZ": "UTC",
		"CLAUDEOPS_STATE_DIR": w.path("state"), "CLAUDEOPS_RESULTS_DIR": w.path("results"), "CLAUDEOPS_REPOS_DIR": w.path("repos"),
		"CLAUDEOPS_CLAUDE_BIN": fakeBin, "CLAUDEOPS_TIER1_AGENT": "claude",
		"CLAUDEOPS_AGENT_ENV": "FAKE_AGENT_DIR", "FAKE_AGENT_DIR": w.path("agent"),
	}
	return w
}

func (w *world) path(parts ...string) string {
	return filepath.Join(append([]string{w.dir}, parts...)...)
}

func (w *world) environ() []string {
	list := make([]string, 0, len(w.env))
	for name, value := range w.env {
		list = append(list, name+"="+value)
	}
	return list
}

// agent scripts what the agent of a tier does.
func (w *world) agent(tier int, lines ...string) {
	w.t.Helper()
	w.needs(lines...)
	must(w.t, os.WriteFile(w.path("agent", "tier"+strconv.Itoa(tier)), []byte(strings.Join(lines, "\n")), 0o644))
}

// needs restricts tests whose agents need programs that a minimal machine lacks to make test-all.
func (w *world) needs(lines ...string) {
	w.t.Helper()
	if program := regexp.MustCompile(`\b(jq|python3|sqlite3|curl|perl)\b`).FindString(strings.Join(lines, "\n")); program != "" {
		need.Full(w.t, program)
	}
}

// program puts a shell script of this name first in PATH.
func (w *world) program(name, script string) {
	w.t.Helper()
	must(w.t, errors.Join(os.MkdirAll(w.path("bin"), 0o755), os.WriteFile(w.path("bin", name), []byte("#!/bin/sh\n"+script+"\n"), 0o755)))
	w.env["PATH"] = w.path("bin") + ":" + os.Getenv("PATH")
}

// hangs makes a program that runs a script and then hangs, even if it may write nothing. At that moment running is closed.
func (w *world) hangs(name, script string) (running chan struct{}) {
	w.t.Helper()
	fifo := w.path("hangs-" + name)
	must(w.t, syscall.Mkfifo(fifo, 0o644))
	w.program(name, script+"\nread line < "+fifo)
	running = make(chan struct{})
	go func() {
		held, err := os.OpenFile(fifo, os.O_WRONLY, 0) // returns when the program reads
		if err != nil {
			return // the test has ended first
		}
		close(running)
		<-w.t.Context().Done()
		_ = held.Close() // nothing reads any more
	}()
	return running
}

// read returns the content of a file of the world.
func (w *world) read(path ...string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{w.dir}, path...)...))
	must(w.t, err)
	return string(text)
}

// given returns the input of the last run of a tier's agent.
func (w *world) given(tier int) fakeagent.Record {
	w.t.Helper()
	record, err := fakeagent.ReadRecord(w.path("agent"), strconv.Itoa(tier))
	must(w.t, err)
	return record
}

// ran reports whether the agent of a tier was started.
func (w *world) ran(tier int) bool {
	_, err := os.Stat(w.path("agent", "record-tier"+strconv.Itoa(tier)+".json"))
	return err == nil
}

// by returns the same world with another program.
func (w *world) by(program string) *world {
	other := *w
	other.bin = program
	return &other
}

// answer is the result of a command.
type answer struct {
	code     int
	out, err string
}

// run runs a command of the program until it ends.
func (w *world) run(args ...string) answer {
	w.t.Helper()
	return w.feed("", args...)
}

func (w *world) feed(stdin string, args ...string) answer {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.bin, args...)
	cmd.Env, cmd.Dir, cmd.Stdin = w.environ(), w.dir, strings.NewReader(stdin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: w.as}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		w.t.Fatalf("%s %q did not end within %v\n%s", filepath.Base(w.bin), args, deadline, errs.String())
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return answer{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// cycle runs a cycle, which must exit with code.
func (w *world) cycle(code int, args ...string) answer {
	w.t.Helper()
	return w.exits(code, append([]string{"run-once"}, args...)...)
}

// exits runs a command of the program, which must exit with code.
func (w *world) exits(code int, args ...string) answer {
	w.t.Helper()
	a := w.run(args...)
	if a.code != code {
		w.t.Fatalf("%q exited with %d, want %d\n%s%s", args, a.code, code, a.out, a.err)
	}
	return a
}

// start starts a command that the test signals later. If it does not end, it is killed, and the test fails.
func (w *world) start(args ...string) *exec.Cmd {
	w.t.Helper()
	cmd := exec.Command(w.bin, args...)
	cmd.Env, cmd.Dir = w.environ(), w.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: w.as}
	must(w.t, cmd.Start())
	killInTime(w.t, cmd)
	return cmd
}

// killInTime kills a command that outlives the deadline or the test.
func killInTime(t *testing.T, cmd *exec.Cmd) {
	hangs := time.AfterFunc(deadline, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		hangs.Stop()
		_ = cmd.Process.Kill()
	})
}

// database returns the program's records.
func (w *world) database(read func(context.Context, *store.Store)) {
	w.t.Helper()
	s, err := store.Open(w.t.Context(), w.path("state", store.FileName), store.ReadOnly)
	must(w.t, err)
	read(w.t.Context(), s)
	must(w.t, s.Close())
}

// sessions returns all sessions, oldest first.
func (w *world) sessions() (list []store.Session) {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		newest, err := s.Sessions(ctx, store.SessionFilter{Limit: 10_000})
		must(w.t, err)
		for i := range newest {
			list = append(list, newest[len(newest)-1-i])
		}
	})
	return list
}

// events returns the messages of all events of a level, or of all levels, oldest first.
func (w *world) events(level store.Level) (messages []string) {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		list, err := s.Events(ctx, store.EventFilter{Level: level, Limit: 10_000})
		must(w.t, err)
		for i := range list {
			messages = append(messages, list[len(list)-1-i].Message)
		}
	})
	return messages
}

// notified returns the notifications of a kind, delivered or not, oldest first.
func (w *world) notified(kind string) (list []store.Notification) {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		newest, err := s.Notifications(ctx, store.NotificationFilter{Limit: 10_000})
		must(w.t, err)
		for i := range newest {
			if n := newest[len(newest)-1-i]; string(n.Kind) == kind {
				list = append(list, n)
			}
		}
	})
	return list
}

// incidents returns all incidents, newest first.
func (w *world) incidents() (list []store.Incident) {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		var err error
		list, err = s.Incidents(ctx, store.IncidentFilter{Limit: 1000})
		must(w.t, err)
	})
	return list
}

// cooldowns returns cooldown.json.
func (w *world) cooldowns() *statefile.State {
	w.t.Helper()
	text, err := os.ReadFile(w.path("state", statefile.FileName))
	must(w.t, err)
	st, err := statefile.Parse(text)
	must(w.t, err)
	return st
}

func (w *world) writeCooldowns(text string) {
	w.t.Helper()
	must(w.t, os.WriteFile(w.path("state", statefile.FileName), []byte(text), 0o644))
}

// noHandoff fails if there is a handoff.
func (w *world) noHandoff() {
	w.t.Helper()
	if _, err := os.Lstat(w.path("state", "handoff.json")); err == nil {
		w.t.Error("handoff.json is still there after the cycle")
	}
}

// statuses returns "tier status" for each session.
func (w *world) statuses() (list []string) {
	w.t.Helper()
	for _, s := range w.sessions() {
		list = append(list, fmt.Sprintf("%d %s", s.Tier, s.Status))
	}
	return list
}

func (w *world) wantStatuses(want ...string) {
	w.t.Helper()
	if got := w.statuses(); strings.Join(got, ", ") != strings.Join(want, ", ") {
		w.t.Errorf("sessions are %q, want %q", got, want)
	}
}

func (w *world) wantEvent(level store.Level, text string) {
	w.t.Helper()
	for _, message := range w.events(level) {
		if strings.Contains(message, text) {
			return
		}
	}
	w.t.Errorf("no %s event says %q: %q", level, text, w.events(level))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[V comparable](t testing.TB, what string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// counted fails unless a list has n elements.
func counted[L ~[]E, E any](t testing.TB, what string, list L, want int) {
	t.Helper()
	if len(list) != want {
		t.Fatalf("%s: %d, want %d: %+v", what, len(list), want, list)
	}
}

// says fails for each of these words that a text does not contain.
func says(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// Lines of agent scripts.
const (
	finish       = "result 0.01 3"
	reportDown   = `bash echo '[{"service":"shop","check_type":"http","status":"down","error":"502 Bad Gateway","response_time_ms":31}]' | claudeops report`
	reportFine   = `bash echo '[{"service":"shop","check_type":"http","status":"healthy"}]' | claudeops report`
	askForTier3  = `bash echo '{"services_affected":["shop"],"investigation_findings":"the upstream is out of memory","remediation_attempted":"restarted it, it died again"}' | claudeops handoff write --tier 3`
	writeGarbage = `sh echo '{"schema_version":1}' > "$CLAUDEOPS_STATE_DIR/handoff.json"`
)

// alive reports whether a process exists and is not a zombie.
func alive(pid int) bool {
	p, err := procfs.Read(pid)
	return err == nil && !p.Dead()
}

// escaped returns the pids of processes that agents left behind.
func (w *world) escaped() (pids []int) {
	w.t.Helper()
	text, err := os.ReadFile(w.path("agent", "escaped"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	must(w.t, err)
	for _, field := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(field)
		must(w.t, err)
		pids = append(pids, pid)
	}
	return pids
}
