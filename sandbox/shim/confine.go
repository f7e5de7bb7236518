package shim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Descriptors that the shim of a call inherits, besides the standard ones.
const (
	ControlFD = 3 // a stream socket: it receives a Spec, and sends broker connections and a Report; when the peer closes it, the call ends
	RulesetFD = 4 // the Landlock ruleset
)

// Connection is the byte with which a connection to the broker is sent over the control socket, as SCM_RIGHTS. No Report starts with it.
const Connection = 'c'

// MarkLimit is a resource limit that has had no effect since Linux 2.4.25 (RLIMIT_LOCKS). Each call sets a unique number. Its processes
// inherit the number and cannot change it, so that they can be found if the shim has been killed.
const MarkLimit = 10

// Spec describes one call.
type Spec struct {
	Argv, Env []string // in UTF-8: JSON changes other text
	Path, Dir string
	Filter    []byte // the seccomp program in the kernel's format
	Broker    bool   // connections to the broker are served
	Limits    Limits
	Scratch   []string // directories whose total size is limited
	Mark      uint64
}

// Report is the outcome of a call.
type Report struct {
	Exit  int    // of the command; 128+n if signal n ended it
	Limit string // the limit that ended the call
	Fault *Fault `json:",omitempty"` // why the command did not run
}

// Fault is a failed step of confining or starting a command.
type Fault struct {
	Step  string
	Errno syscall.Errno
}

func (f *Fault) Error() string { return f.Step + ": " + f.Errno.Error() }

// Steps of confining or starting a command that can fail.
const (
	StepCapabilities = "drop capabilities"
	StepPrivileges   = "forbid new privileges"
	StepLandlock     = "enter the Landlock domain"
	StepSeccomp      = "install the seccomp filter"
	StepLimits       = "set limits"
	StepStart        = "start the command"
)

// supervisor runs the one call of this process.
type supervisor struct {
	spec     Spec
	listener int   // for the filter's notifications
	command  int   // a pidfd
	tasks    int   // an upper bound of the call's processes and threads
	held     int64 // bytes in the scratch directories when the call began

	mu     sync.Mutex
	ending bool
	limit  string
}

// confine runs one call. It stays outside the sandbox itself, and is the subreaper of all processes of the call.
func confine() error {
	if err := unix.CloseRange(ControlFD, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("keep descriptors from the command: %w", err)
	}
	// One thread of this process will be in the domain, so the process must not be traceable from there.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("close this process to others: %w", err)
	}
	control := os.NewFile(ControlFD, "control")
	s := &supervisor{}
	if err := json.NewDecoder(control).Decode(&s.spec); err != nil {
		return fmt.Errorf("read the command: %w", err)
	}
	report, err := s.run(control)
	var fault *Fault
	if errors.As(err, &fault) {
		report.Fault, err = fault, nil
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(control).Encode(report)
}

func (s *supervisor) run(control *os.File) (Report, error) {
	// The confining thread may wait for an answer to its own first fork.
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return Report{}, fmt.Errorf("become the parent of orphans: %w", err)
	}
	if s.spec.Limits.Scratch < NoLimit {
		if s.held = s.scratchSize(math.MaxInt64); s.held >= s.spec.Limits.Scratch {
			s.spec.Limits.FileSize = 0
		}
	}
	if err := s.spec.Limits.set(s.spec.Mark); err != nil {
		return Report{}, err
	}
	if err := unix.Chdir(s.spec.Dir); err != nil {
		return Report{}, fault(StepStart, err)
	}
	confined, started := make(chan error), make(chan int)
	go s.start(confined, started)
	if err := <-confined; err != nil {
		return Report{}, err
	}
	go s.answer()
	pid := <-started
	if err := <-confined; err != nil {
		return Report{}, err
	}
	// If memory runs out, the kernel kills the command, and everything it starts from now on, first.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0) // it may have ended
	go every(memoryInterval, s.watchMemory)
	if s.spec.Limits.Scratch < NoLimit {
		go every(scratchInterval, s.watchScratch())
	}
	go func() {
		_, _ = io.Copy(io.Discard, control)
		s.end("") // the cycle closed the socket, or is gone
	}()
	status, err := s.reap(pid)
	s.end("")
	return Report{Exit: status, Limit: s.limit}, errors.Join(err, reapAll())
}

// start confines a thread, which from then on only starts the command and is its parent. It sends on failed once the thread is confined,
// and again once the command runs.
func (s *supervisor) start(failed chan<- error, started chan<- int) {
	runtime.LockOSThread() // never unlocked: nothing else may run on this thread, and the command dies with it
	if err := s.confineThread(); err != nil {
		failed <- err
		return
	}
	failed <- nil
	pid, err := syscall.ForkExec(s.spec.Path, s.spec.Argv, &syscall.ProcAttr{
		Env: s.spec.Env, Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: unix.SIGKILL, PidFD: &s.command},
	})
	if err != nil {
		err = fault(StepStart, err)
	}
	started <- pid
	failed <- err
	select {}
}

// confineThread limits the calling thread, and what it starts, to what the call may reach.
func (s *supervisor) confineThread() error {
	if err := dropCapabilities(); err != nil {
		return fault(StepCapabilities, err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fault(StepPrivileges, err)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, RulesetFD, 0, 0); errno != 0 {
		return fault(StepLandlock, errno)
	}
	listener, err := installFilter(s.spec.Filter)
	if err != nil {
		return fault(StepSeccomp, err)
	}
	s.listener = listener
	return nil
}

func fault(step string, err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		errno = unix.EINVAL
	}
	return &Fault{Step: step, Errno: errno}
}

// dropCapabilities leaves root only the capability to read files of others, and other users at most that one.
func dropCapabilities() error {
	const kept = 1 << unix.CAP_DAC_READ_SEARCH
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var had [2]unix.CapUserData
	if err := unix.Capget(&header, &had[0]); err != nil {
		return err
	}
	if had[0].Effective&(1<<unix.CAP_SETPCAP) != 0 { // others cannot drop from the bounding set, but new privileges are forbidden to all
		for capability := uintptr(0); ; capability++ {
			if capability == unix.CAP_DAC_READ_SEARCH {
				continue
			}
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); errors.Is(err, unix.EINVAL) {
				break // past the kernel's last capability
			} else if err != nil {
				return err
			}
		}
	}
	keep := [2]unix.CapUserData{{Effective: had[0].Effective & kept, Permitted: had[0].Permitted & kept}}
	if keep == had {
		return nil // a hardened unit forbids the call
	}
	return unix.Capset(&header, &keep[0])
}

// installFilter installs a filter for the calling thread, and returns the listener for its notifications.
func installFilter(filter []byte) (listener int, err error) {
	size := int(unsafe.Sizeof(unix.SockFilter{}))
	program := unix.SockFprog{Len: uint16(len(filter) / size), Filter: (*unix.SockFilter)(unsafe.Pointer(&filter[0]))}
	// Since Linux 5.19, signals need not interrupt a call that is being answered.
	for _, flags := range []uintptr{unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER} {
		fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
		if errno == 0 {
			return int(fd), nil
		}
		if err = errno; errno != unix.EINVAL {
			break
		}
	}
	return 0, err
}
