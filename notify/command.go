package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

// program is the courier that runs the apprise program, once for each message and target.
type program struct {
	environ  []string
	routes   []Route
	places   chan struct{} // each holds a program that runs
	patience time.Duration // after which a program gives its place to another, and goes on
}

const (
	// maxPrograms is how many run at once: each is a Python of some 30 MB.
	maxPrograms = 8
	patience    = 5 * time.Second
)

// NewProgram makes a courier that runs the apprise program. It is an Opener.
func NewProgram(s Settings) Courier {
	return &program{
		environ: programEnvironment(s.Environ), routes: s.Routes(), places: make(chan struct{}, maxPrograms), patience: patience,
	}
}

func (p *program) Targets() []Target { return targets(p.routes) }

func targets(routes []Route) []Target {
	var all []Target
	for _, r := range routes {
		all = append(all, r.Target)
	}
	return all
}

// Send runs apprise. Its URL is in a file of mode 0600 that has no name and is gone with the program, so that neither ps nor the disk
// show it.
func (p *program) Send(ctx context.Context, to Target, m Message) error {
	i := slices.IndexFunc(p.routes, func(r Route) bool { return r.Hash == to.Hash })
	if i < 0 {
		return &SendError{Reason: "is configured no more"}
	}
	if reached, err := p.run(ctx, p.routes[i], m); err != nil {
		return &SendError{Reason: Line(err.Error()), Answered: reached}
	}
	return nil
}

// place waits until the program may run. leave gives its place to another, at once or when patience is over.
func (p *program) place(ctx context.Context) (leave func(), err error) {
	select {
	case p.places <- struct{}{}:
	case <-ctx.Done():
		return nil, errors.New("apprise was not started before the time for that was over, since others had not ended")
	}
	once := sync.OnceFunc(func() { <-p.places })
	impatient := time.AfterFunc(p.patience, once)
	return func() { impatient.Stop(); once() }, nil
}

// run brings a message to its target. reached is that the target may have been, where it failed.
func (p *program) run(ctx context.Context, r Route, m Message) (reached bool, err error) {
	const longest = 5 * time.Minute // whatever ctx says
	path, err := find("apprise", p.environ)
	if err != nil {
		return false, err
	}
	line, err := configLine(r.URL)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	leave, err := p.place(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	file, err := nameless(line)
	if err != nil {
		return false, fmt.Errorf("hand apprise its URL: %w", err)
	}
	defer func() { _ = file.Close() }() // it is of memory
	out := &output{}
	cmd := p.command(path, file, r, m, out)
	err = runGroup(ctx, cmd, out)
	switch code := cmd.ProcessState.ExitCode(); { // -1 where it did not start
	case code == 0:
		return false, nil
	case out.flooded():
		return false, errors.New("apprise wrote without end, and was ended")
	case ctx.Err() != nil:
		return false, errors.New("apprise had not sent it when the time for that was over, and was ended")
	case cmd.ProcessState == nil:
		return false, fmt.Errorf("apprise could not be started: %w", err)
	case code < 0:
		return false, fmt.Errorf("apprise was ended (%s)", cmd.ProcessState)
	default: // 1 is that it could not send the message; others are of how it was called
		return code == 1 && Reached(out.failures()...), fmt.Errorf("apprise ended with %d: %s", code, r.Mask.String(out.telling()))
	}
}

func (p *program) command(path string, config *os.File, r Route, m Message, out io.Writer) *exec.Cmd {
	form, format := r.Form(m)
	return &exec.Cmd{
		Path: path,
		Args: []string{
			"apprise", "--config=/proc/self/fd/3", "--input-format=" + format, "--notification-type=" + string(form.Type),
			"--title=" + form.Title, "-v",
		},
		Env: p.environ, Stdin: strings.NewReader(form.Body), Stdout: out, Stderr: out, ExtraFiles: []*os.File{config},
		WaitDelay: outputGrace,
	}
}

// programEnvironment is the operator's environment without what is claudeops' and the agent's own.
func programEnvironment(environ []string) []string {
	kept := []string{}
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); !ofOurs(name) {
			kept = append(kept, entry)
		}
	}
	return append(kept, "PYTHONUTF8=1", "PYTHONIOENCODING=utf-8") // cron's locale is C, and messages are UTF-8
}

func ofOurs(name string) bool {
	for _, prefix := range [...]string{"CLAUDEOPS_", "ANTHROPIC_", "CLAUDE_", "APPRISE_URLS", "APPRISE_CONFIG", "PYTHONUTF8", "PYTHONIOENCODING"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// find is a program's path. PATH is the environment's, which need not be that of this process.
func find(name string, environ []string) (string, error) {
	search := config.Lookup(environ, "PATH")
	if path, found := child.Find(name, search); found {
		return path, nil
	}
	return "", fmt.Errorf("%s is not installed: there is none in PATH (%s); install it (apt install apprise), "+
		"or name an Apprise API server in CLAUDEOPS_APPRISE_API_URL", name, search)
}

// configLine is an Apprise URL as a line of apprise's text configuration, in which several things have another meaning.
func configLine(text string) (string, error) {
	const fault = "the URL in CLAUDEOPS_APPRISE_URLS %s; see `apprise --details` for how to write it"
	scheme, rest, found := strings.Cut(text, "://")
	switch {
	case !found || scheme == "" || strings.Trim(lower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789") != "":
		return "", fmt.Errorf(fault, "does not begin as an Apprise URL does")
	case clean(text) != text || strings.Contains(text, "\n"):
		return "", fmt.Errorf(fault, "has a control character in it, or is not UTF-8")
	case strings.TrimSpace(rest) == "":
		return "", fmt.Errorf(fault, "ends after its scheme")
	}
	// "a=b://" would be URL b with the tag a, wherever it stands.
	return scheme + "://" + strings.ReplaceAll(rest, "://", "%3A//") + "\n", nil
}

// nameless makes a file of memory that holds a text, and can be changed by nobody.
func nameless(text string) (*os.File, error) {
	fd, err := unix.MemfdCreate("apprise", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("make a file of memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), "apprise")
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Chmod(0o600)
	}
	if err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SEAL|unix.F_SEAL_WRITE|unix.F_SEAL_GROW|unix.F_SEAL_SHRINK)
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("write a file of memory: %w", err)
	}
	return f, nil
}

// runGroup runs a program in a process group of its own, to its end or to that of ctx, and ends what it leaves behind. Where this process
// is killed, the kernel ends the program.
func runGroup(ctx context.Context, cmd *exec.Cmd, out *output) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := adopt(); err != nil {
		return fmt.Errorf("become the reaper of its orphans: %w", err)
	}
	mark := newMark()
	cmd.Env = append(slices.Clip(cmd.Env), mark)
	// The kernel ends the program when the thread that started it ends, so that thread is kept until the program has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	group, err := child.Start(cmd)
	if err != nil {
		return err
	}
	out.flood(group.Kill)
	defer context.AfterFunc(ctx, group.Kill)()
	return group.Wait(cmd, orphans{group.ID(), mark}.sweep)
}
