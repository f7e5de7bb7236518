package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/internal/child"
)

// Program is one process of the homelab that its supervisor keeps: started once, and again by `labctl restart NAME`.
type Program struct {
	Name string // of its service
	Argv []string
	Dir  string
	Env  []string
	As   *syscall.Credential // nil for the user of the drill
	Log  string              // path of its output, appended to
	// Ready returns nil once it works; it is called until then, and may be nil.
	Ready func(ctx context.Context) error
	// Before, which may be nil, is called before each start, as what a manager of services does there: it clears the run folder.
	Before func() error
	// Deploy, which may be nil, puts the program's files back as its release has them. `labctl redeploy NAME` calls it.
	Deploy    func() error
	Stop      syscall.Signal // asks it to end; SIGTERM if 0
	Orphaned  syscall.Signal // ends it when the drill was killed; SIGKILL if 0
	Apart     bool           // it has mounts of its own
	MemoryMax int64          // bytes of resident memory beyond which it is killed, as by a control group; 0 is no limit
	Always    bool           // it is started again whenever it ends
}

const (
	readyWithin = 20 * time.Second
	stopWithin  = 2 * time.Second        // then it is killed
	early       = 500 * time.Millisecond // a program that ends so soon after its start has failed to start
	pace        = 50 * time.Millisecond  // between two looks at a process

	restartAtMost = 10 * time.Second // what is started again whenever it ends waits longer each time, up to this
)

// supervisor starts and ends the programs of the homelab.
type supervisor struct {
	mu       sync.Mutex
	programs map[string]*supervised
}

// supervised is a program with the process that runs it, if any.
type supervised struct {
	Program
	turn     sync.Mutex // held while it is started or stopped
	mu       sync.Mutex
	process  *process
	requests int // of restart, redeploy, start and stop
	starts   int
	ends     int // of its process by itself, since it was last started on request
}

// process is one run of a program.
type process struct {
	pid   int
	group *child.Group
	ended chan struct{}
	state string // how it ended; set before ended is closed
	asked bool   // the supervisor ended it
}

func newSupervisor() *supervisor { return &supervisor{programs: map[string]*supervised{}} }

func (s *supervisor) add(p Program) *supervised {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := &supervised{Program: p}
	s.programs[p.Name] = added
	return added
}

func (s *supervisor) find(name string) (*supervised, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.programs[name]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no service is called %q", name)
}

func (s *supervisor) all() (list []*supervised) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.programs {
		list = append(list, p)
	}
	return list
}

// stopAll ends all programs.
func (s *supervisor) stopAll() {
	var wait sync.WaitGroup
	for _, p := range s.all() {
		wait.Go(func() { p.stop() })
	}
	wait.Wait()
}

func (p *supervised) running() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil {
		return nil
	}
	select {
	case <-p.process.ended:
		return nil
	default:
		return p.process
	}
}

// note writes a line of the supervisor into the program's log.
func (p *supervised) note(format string, values ...any) error {
	return appendFile(p.Log, fmt.Sprintf("%s supervisor: %s\n", time.Now().UTC().Format(time.RFC3339), fmt.Sprintf(format, values...)))
}

func appendFile(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// start starts the program, unless it runs, and waits until it is ready or has ended.
func (p *supervised) start(ctx context.Context) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	return p.startNow(ctx)
}

func (p *supervised) startNow(ctx context.Context) error {
	if p.running() != nil {
		return nil
	}
	if p.Before != nil {
		if err := p.Before(); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	p.mu.Lock()
	p.ends = 0
	p.mu.Unlock()
	run, err := p.launch()
	if err != nil {
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	ctx, stop := context.WithTimeout(ctx, readyWithin)
	defer stop()
	began, late := time.Now(), time.After(early)
	for ready := p.Ready == nil; ; {
		if !ready {
			ready = p.Ready(ctx) == nil
		}
		if ready && p.Ready != nil || ready && time.Since(began) >= early {
			return nil
		}
		select {
		case <-run.ended:
			return fmt.Errorf("%s ended at once: %s; its log is %s", p.Name, run.state, p.Log)
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready after %v; its log is %s", p.Name, readyWithin, p.Log)
		case <-late:
		case <-time.After(pace):
		}
	}
}

// launch starts the process. Its thread lives as long as the process, because the kernel kills the process when the thread ends.
func (p *supervised) launch() (*process, error) {
	log, err := os.OpenFile(p.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	cmd := &exec.Cmd{Path: p.Argv[0], Args: p.Argv, Dir: p.Dir, Env: p.Env, Stdout: log, Stderr: log, SysProcAttr: &syscall.SysProcAttr{}}
	if !filepath.IsAbs(cmd.Path) {
		return nil, fmt.Errorf("%s: not an absolute path", cmd.Path)
	}
	if p.As != nil {
		cmd.SysProcAttr.Credential = p.As
		if err := os.Chown(p.Log, int(p.As.Uid), int(p.As.Gid)); err != nil {
			return nil, err
		}
	}
	if p.Apart {
		diskNamespaces(cmd.SysProcAttr)
	}
	run, started := &process{ended: make(chan struct{})}, make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		group, err := child.StartUntil(cmd, cmp.Or(p.Orphaned, syscall.SIGKILL))
		if err == nil {
			run.group, run.pid = group, group.ID()
		}
		started <- err
		if err != nil {
			return
		}
		run.state = "exited with 0"
		if err := group.Wait(cmd, nil); err != nil {
			run.state = err.Error()
		}
		close(run.ended)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.process = run
	p.starts++
	p.mu.Unlock()
	go p.keep(run)
	return run, nil
}

// keep watches a process's memory, and starts the program again where it has ended and is to run always.
func (p *supervised) keep(run *process) {
	for {
		select {
		case <-run.ended:
			_ = p.note("%s (process %d): %s", p.Name, run.pid, run.state) // the homelab may be ending
			p.mu.Lock()
			again := p.Always && !run.asked && p.process == run
			delay := min(4*pace<<min(p.ends, 10), restartAtMost)
			if again {
				p.ends++
			}
			p.mu.Unlock()
			if again {
				time.Sleep(delay)
				p.turn.Lock()
				p.mu.Lock()
				again = p.process == run && !run.asked
				p.mu.Unlock()
				if again {
					_ = p.note("%s: restart counter is at %d", p.Name, p.starts)
					_, _ = p.launch()
				}
				p.turn.Unlock()
			}
			return
		case <-time.After(pace):
			if used := resident(run.pid); p.MemoryMax > 0 && used > p.MemoryMax {
				_ = p.note("%s (process %d): out of memory: %d MiB resident, limit %d MiB; killed", p.Name, run.pid, used>>20, p.MemoryMax>>20)
				run.group.Kill()
				<-run.ended
			}
		}
	}
}

// resident returns a process's resident memory in bytes; 0 if it is gone.
func resident(pid int) int64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// stop ends the program.
func (p *supervised) stop() {
	p.turn.Lock()
	defer p.turn.Unlock()
	p.stopNow()
}

func (p *supervised) stopNow() {
	p.mu.Lock()
	run := p.process
	if run != nil {
		run.asked = true
	}
	p.mu.Unlock()
	if run == nil {
		return
	}
	signal := p.Stop
	if signal == 0 {
		signal = syscall.SIGTERM
	}
	select {
	case <-run.ended:
		return
	default:
		_ = syscall.Kill(run.pid, signal) // it may be ending
	}
	select {
	case <-run.ended:
	case <-time.After(stopWithin):
		run.group.Kill()
		<-run.ended
	}
}

// restart stops and starts the program; deploy puts its files back in between.
func (p *supervised) restart(ctx context.Context, deploy bool) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	p.stopNow()
	if deploy && p.Deploy != nil {
		if err := p.Deploy(); err != nil {
			return fmt.Errorf("redeploy %s: %w", p.Name, err)
		}
	}
	return p.startNow(ctx)
}

// requested counts a request, by which acts on the program are known.
func (p *supervised) requested() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests++
}

// identity changes with every act on the program, and with every start of its process.
func (p *supervised) identity() string {
	p.mu.Lock()
	text := fmt.Sprintf("%d requests, %d starts", p.requests, p.starts)
	p.mu.Unlock()
	run := p.running()
	if run == nil {
		return text + ", not running"
	}
	return fmt.Sprintf("%s, process %d", text, run.pid)
}

// status is how `labctl status` shows it.
func (p *supervised) status() string {
	if run := p.running(); run != nil {
		return fmt.Sprintf("%-12s running, process %d", p.Name, run.pid)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil {
		return fmt.Sprintf("%-12s not started", p.Name)
	}
	return fmt.Sprintf("%-12s ended: %s", p.Name, p.process.state)
}
