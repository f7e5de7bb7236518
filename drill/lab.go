package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Lab is the homelab of one drill.
type Lab struct {
	Dir     string // private, and gone at the end
	program string // of claudeops
	self    string // of the drill, which is also the program of the small services
	environ []string
	budget  float64 // 0 is no limit
	spent   float64 // by the cases until now

	noFirstAid bool // the services file has none

	supervisor *supervisor
	control    net.Listener
	sweeper    io.Closer // its end tells the sweeper that the drill has ended
	sweeping   *exec.Cmd
	ports      map[string]int
	parts      []Part
	needed     []string          // names of the parts that the cases need
	missing    map[string]string // reason by name of a part that this machine lacks something for
	held       []io.Closer       // what Hold keeps open
	current    string            // folder of the records of the case that runs
	left       error             // what kept the case before from being reset
	authority  *authority        // of the part tls
}

// newLab makes a homelab with the parts of these names, and starts it. The caller must close it, after an error, too.
func newLab(ctx context.Context, o Options, needed []string) (*Lab, error) {
	lab := &Lab{
		program: o.Program, self: o.Self, environ: o.Environ, budget: o.DailyBudgetUSD, needed: needed,
		noFirstAid: o.noFirstAid, supervisor: newSupervisor(), ports: map[string]int{}, missing: map[string]string{},
	}
	if err := checkTemp(os.TempDir()); err != nil {
		return lab, err
	}
	dir, err := os.MkdirTemp("", "claudeops-drill-")
	if err != nil {
		return lab, err
	}
	lab.Dir = dir
	if err := lab.prepare(); err != nil {
		return lab, fmt.Errorf("make the homelab: %w", err)
	}
	for _, p := range parts {
		if !slices.Contains(needed, p.Name) {
			continue
		}
		err := p.Start(ctx, lab)
		if reason, is := isMissing(err); is {
			lab.missing[p.Name] = reason
			err = lab.stopPart(ctx, p)
		} else {
			lab.parts = append(lab.parts, p)
		}
		if err != nil {
			return lab, fmt.Errorf("start %s of the homelab: %w", p.Name, err)
		}
	}
	for _, name := range needed {
		if !slices.ContainsFunc(parts, func(p Part) bool { return p.Name == name }) {
			lab.missing[name] = "no part of the homelab is called " + name
		}
	}
	return lab, errors.Join(lab.write("policy.yaml", labTable), lab.write("services.yaml", servicesFile(lab, lab.services())))
}

// longestTemp is the longest path of a folder of temporary files, in bytes: the longest of a socket is 107.
const longestTemp = 107 - len("/claudeops-drill-4294967295/"+controlSocket)

var plainPath = regexp.MustCompile(`^/[\pL\pN/._+-]*$`)

// checkTemp refuses a folder of temporary files in which no homelab works.
func checkTemp(dir string) error {
	refused := func(why string) error {
		return fmt.Errorf("TMPDIR=%q: the homelab of the drill would be there, and it %s; name another folder", dir, why)
	}
	var system unix.Statfs_t
	switch err := unix.Statfs(dir, &system); {
	case !plainPath.MatchString(dir):
		return refused("is no absolute path of letters, digits and . _ + - only")
	case len(dir) > longestTemp:
		return refused(fmt.Sprintf("is longer than %d bytes, too long for a socket", longestTemp))
	case err != nil:
		return refused("cannot be used: " + err.Error())
	case system.Flags&unix.ST_NOEXEC != 0:
		return refused("is on a file system without programs (noexec)")
	}
	return nil
}

func (lab *Lab) prepare() error {
	for _, dir := range []string{"bin", "home", "srv", "vault", "cycles"} {
		if err := os.Mkdir(lab.Path(dir), 0o700); err != nil {
			return err
		}
	}
	if err := errors.Join(lab.write("srv/README.md", readmeText), lab.sweepLater(), lab.listen()); err != nil {
		return err
	}
	labctl := fmt.Sprintf("#!/bin/sh\nexec '%s' control '%s' \"$@\"\n", lab.self, lab.Dir)
	return os.WriteFile(lab.Labctl(), []byte(labctl), 0o700)
}

// readmeText is what whoever works in the homelab finds there.
const readmeText = `# This machine

Its small services are kept by labctl: labctl status, labctl log NAME. Each has a folder
here: config.json, the log, data.

services.yaml beside this folder says what is watched, and what restarts and redeploys it. A redeployment puts the files of the last good
release back (configuration, credentials from the vault, no locks), or makes the container anew. labctl stop NAME ends a program; somebody
has to permit that.
`

// Close ends all of the homelab, and removes it.
func (lab *Lab) Close(ctx context.Context) (err error) {
	lab.release()
	for _, p := range slices.Backward(lab.parts) {
		err = errors.Join(err, lab.stopPart(ctx, p))
	}
	lab.supervisor.stopAll()
	if lab.control != nil {
		err = errors.Join(err, lab.control.Close())
	}
	if lab.Dir != "" {
		err = errors.Join(err, removeOutside(lab.Dir, lab.outsideEnviron()), removeAll(lab.Dir))
	}
	if lab.sweeping != nil && lab.sweeping.Process != nil {
		err = errors.Join(err, lab.sweeper.Close(), lab.sweeping.Wait())
	}
	return err
}

func (lab *Lab) stopPart(ctx context.Context, p Part) error {
	if p.Stop == nil {
		return nil
	}
	return p.Stop(ctx, lab)
}

// services are those of all parts that are there.
func (lab *Lab) services() (all []Service) {
	for _, p := range lab.parts {
		all = append(all, p.Services(lab)...)
	}
	return all
}

// identities returns what changes with an act, by service.
func (lab *Lab) identities(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	for _, p := range lab.supervisor.all() {
		all[p.Name] = p.identity()
	}
	for _, p := range lab.parts {
		if p.Identities == nil {
			continue
		}
		more, err := p.Identities(ctx, lab)
		if err != nil {
			return nil, fmt.Errorf("look at %s of the homelab: %w", p.Name, err)
		}
		for name, text := range more {
			all[name] += " " + text
		}
	}
	return all, nil
}

// reset puts the parts that a case used back.
func (lab *Lab) reset(ctx context.Context, c Case) error {
	lab.release()
	var undone error
	if c.Undo != nil {
		undone = c.Undo(ctx, lab)
	}
	return errors.Join(undone, lab.putBack(ctx, slices.DeleteFunc(slices.Clone(lab.parts), func(p Part) bool { return p.Name != processes && !slices.Contains(c.Needs, p.Name) })))
}

// putBack puts parts back into the state after their start.
func (lab *Lab) putBack(ctx context.Context, list []Part) (err error) {
	for _, p := range list {
		if p.Reset == nil {
			continue
		}
		if failed := p.Reset(ctx, lab); failed != nil {
			err = errors.Join(err, fmt.Errorf("put %s of the homelab back: %w", p.Name, failed))
		}
	}
	return err
}

// Path returns a path below the homelab's folder.
func (lab *Lab) Path(parts ...string) string {
	return filepath.Join(append([]string{lab.Dir}, parts...)...)
}

// Labctl is the path of the command that people and the services file restart services with.
func (lab *Lab) Labctl() string { return lab.Path("bin", "labctl") }

// uses reports whether a part of this name is needed, and this machine has what it takes.
func (lab *Lab) uses(part string) bool {
	_, missing := lab.missing[part]
	return slices.Contains(lab.needed, part) && !missing
}

func (lab *Lab) write(path, text string) error {
	return os.WriteFile(lab.Path(path), []byte(text), 0o600)
}

// Port returns the port of loopback for something of this name, the same in the whole drill. It is outside of the range that the kernel
// gives to connections.
func (lab *Lab) Port(name string) int {
	if lab.ports[name] == 0 {
		for port := firstPort + os.Getpid()%portRange; port < lastPort; port++ {
			if !slices.Contains(lab.usedPorts(), port) && isFree(port) {
				lab.ports[name] = port
				break
			}
		}
	}
	return lab.ports[name]
}

// Ports of the homelab; the kernel gives none of these to connections, unless told to. Two drills begin at different ones.
const (
	firstPort, portRange = 20000, 8000
	lastPort             = 32000
)

func (lab *Lab) usedPorts() (used []int) {
	for _, port := range lab.ports {
		used = append(used, port)
	}
	return used
}

// Address is Port as 127.0.0.1:PORT.
func (lab *Lab) Address(name string) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(lab.Port(name)))
}

func isFree(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	return err == nil && l.Close() == nil
}

// Add adds a program to those that the supervisor keeps, and starts it.
func (lab *Lab) Add(ctx context.Context, p Program) error { return lab.supervisor.add(p).start(ctx) }

// Restart restarts a program, which does not count as an act.
func (lab *Lab) Restart(ctx context.Context, name string) error {
	return lab.do(name, func(p *supervised) error { return p.restart(ctx, false) })
}

// Redeploy puts a program's files back and restarts it, which does not count as an act.
func (lab *Lab) Redeploy(ctx context.Context, name string) error {
	return lab.do(name, func(p *supervised) error { return p.restart(ctx, true) })
}

// StopProgram ends a program, which stays ended.
func (lab *Lab) StopProgram(name string) error {
	return lab.do(name, func(p *supervised) error { p.stop(); return nil })
}

// remove ends a program, and forgets it.
func (lab *Lab) remove(name string) error {
	if err := lab.StopProgram(name); err != nil {
		return err
	}
	lab.supervisor.mu.Lock()
	defer lab.supervisor.mu.Unlock()
	delete(lab.supervisor.programs, name)
	return nil
}

// Signal sends a signal to a program's process, and waits for the process's end if it is SIGKILL.
func (lab *Lab) Signal(name string, signal syscall.Signal) error {
	return lab.do(name, func(p *supervised) error {
		run := p.running()
		if run == nil {
			return fmt.Errorf("%s does not run", name)
		}
		if err := syscall.Kill(run.pid, signal); err != nil {
			return err
		}
		if signal == syscall.SIGKILL {
			<-run.ended
		}
		return nil
	})
}

// Ended waits until a program's process has ended.
func (lab *Lab) Ended(ctx context.Context, name string) error {
	return lab.do(name, func(p *supervised) error {
		if run := p.running(); run != nil {
			select {
			case <-run.ended:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
}

// endedBySelf returns whether a program's process has ended this often without being asked, and how often it has.
func (lab *Lab) endedBySelf(name string, often int) func(context.Context) (bool, string, error) {
	return func(context.Context) (is bool, now string, err error) {
		err = lab.do(name, func(p *supervised) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			is, now = p.ends >= often, fmt.Sprintf("%s has ended %d times, not %d", name, p.ends, often)
			return nil
		})
		return is, now, err
	}
}

func (lab *Lab) do(name string, f func(*supervised) error) error {
	p, err := lab.supervisor.find(name)
	if err != nil {
		return err
	}
	return f(p)
}

// AppendLog writes a line into a program's log.
func (lab *Lab) AppendLog(name, line string) error {
	return lab.do(name, func(p *supervised) error { return appendFile(p.Log, line+"\n") })
}

// Hold keeps something open until the case has ended.
func (lab *Lab) Hold(c io.Closer) { lab.held = append(lab.held, c) }

func (lab *Lab) release() {
	for _, c := range lab.held {
		_ = c.Close() // its other end may be gone
	}
	lab.held = nil
}
