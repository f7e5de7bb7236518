package shim

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// The kernel's structures: a notification, its answer, and the addition of a descriptor to the caller.
type notification struct {
	id    uint64
	pid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

type answer struct {
	id    uint64
	value int64
	error int32
	flags uint32
}

type addition struct {
	id       uint64
	flags    uint32
	source   uint32
	fd       uint32
	newFlags uint32
}

// goOn lets the kernel perform the call. It may be used only for calls without pointers, because memory can change after it was judged.
var goOn = answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}

func errno(e unix.Errno) answer { return answer{error: -int32(e)} }

// answer answers the calls that the filter forwards, until the process ends.
func (s *supervisor) answer() {
	for {
		var n notification
		switch _, e := ioctl(s.listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)); e {
		case 0:
		case unix.ENOENT: // the caller is gone
			continue
		default:
			return
		}
		var a answer
		switch n.nr {
		case unix.SYS_SOCKET:
			a = s.connect(n)
		case unix.SYS_CLONE, sysFork, sysVfork:
			a = s.fork()
		case unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO:
			a = s.signal(n)
		default:
			a = s.changeFile(n)
		}
		a.id = n.id
		_, _ = ioctl(s.listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&a)) // the caller may be gone
	}
}

// fork permits a new process or thread, unless the call is ending. If the limit is reached, the call ends.
func (s *supervisor) fork() answer {
	s.mu.Lock()
	ending := s.ending
	s.mu.Unlock()
	if ending {
		return errno(unix.EAGAIN)
	}
	// Forks are counted up here. Because exits are not reported, the tasks are counted again when the limit seems to be reached.
	if s.tasks >= s.spec.Limits.Processes {
		list, err := procfs.Below(nil)
		if err != nil {
			return errno(unix.EAGAIN)
		}
		s.tasks = 0
		for _, p := range list {
			s.tasks += max(p.Threads, 1) // a zombie counts too
		}
	}
	if s.tasks >= s.spec.Limits.Processes {
		s.end("processes")
		return errno(unix.EAGAIN)
	}
	s.tasks++
	return goOn
}

// signal permits signals between processes of the call.
func (s *supervisor) signal(n notification) answer {
	caller, err := threadGroup(int(n.pid))
	if err != nil {
		return errno(unix.ESRCH)
	}
	target, signal := int(int32(n.args[0])), unix.Signal(n.args[1])
	switch n.nr {
	case unix.SYS_TKILL:
		thread := target
		if target, err = threadGroup(thread); err != nil {
			return errno(unix.ESRCH)
		}
		if target == caller && thread != int(n.pid) { // if the kernel performed the call, a reused number could be meant by then
			return outcome(unix.Tgkill(caller, thread, signal))
		}
	case unix.SYS_TGKILL, unix.SYS_RT_TGSIGQUEUEINFO:
		signal = unix.Signal(n.args[2])
	}
	if target <= 0 && n.nr == unix.SYS_KILL {
		return signalGroup(caller, target, signal)
	}
	if target == caller { // the caller waits for this answer, so its number is not reused
		return goOn
	}
	return signalProcess(target, signal)
}

// signalProcess sends the signal itself: if the kernel performed the call, a reused number could be meant by then.
func signalProcess(pid int, signal unix.Signal) answer {
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return errno(unix.ESRCH)
	}
	defer func() { _ = unix.Close(process) }()
	if !procfs.Descends(pid, os.Getpid()) {
		return errno(unix.EPERM)
	}
	return outcome(unix.PidfdSendSignal(process, signal, nil, 0))
}

// outcome returns the answer for a call that the shim has performed itself.
func outcome(err error) answer {
	var e unix.Errno
	switch {
	case err == nil:
		return answer{}
	case errors.As(err, &e):
		return errno(e)
	}
	return errno(unix.EPERM)
}

// signalGroup sends a signal to the targets that kill denotes by numbers below 1: the caller's group, another group, or everything except
// the caller.
func signalGroup(caller, target int, signal unix.Signal) answer {
	list, err := procfs.Below(nil)
	if err != nil {
		return errno(unix.EPERM)
	}
	if target == 0 {
		for _, p := range list {
			if p.PID == caller {
				target = -p.Group
			}
		}
	}
	result := errno(unix.ESRCH)
	for _, p := range list {
		if p.Group == -target || target == -1 && p.PID != caller {
			if a := signalProcess(p.PID, signal); a.error == 0 {
				result = a
			}
		}
	}
	return result
}

// threadGroup returns the process that a thread belongs to.
func threadGroup(thread int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", thread))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if id, found := strings.CutPrefix(line, "Tgid:"); found {
			return strconv.Atoi(strings.TrimSpace(id))
		}
	}
	return 0, errors.New("no Tgid")
}

// connect gives one end of a new connection to the caller, and the other to the cycle.
func (s *supervisor) connect(n notification) answer {
	if !s.spec.Broker {
		return errno(unix.ECONNREFUSED)
	}
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return errno(unix.ENOBUFS)
	}
	defer func() { _, _ = unix.Close(ends[0]), unix.Close(ends[1]) }()
	if err := unix.Sendmsg(ControlFD, []byte{Connection}, unix.UnixRights(ends[1]), nil, unix.MSG_NOSIGNAL); err != nil {
		return errno(unix.ECONNREFUSED)
	}
	add := addition{id: n.id, source: uint32(ends[0]), newFlags: uint32(n.args[1]) & unix.SOCK_CLOEXEC}
	fd, e := ioctl(s.listener, unix.SECCOMP_IOCTL_NOTIF_ADDFD, unsafe.Pointer(&add))
	if e != 0 {
		return errno(e)
	}
	return answer{value: int64(fd)}
}

func ioctl(fd int, request uint, argument unsafe.Pointer) (result uintptr, e unix.Errno) {
	for e = unix.EINTR; e == unix.EINTR; {
		result, _, e = unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(argument))
	}
	return result, e
}
