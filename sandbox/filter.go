package sandbox

import (
	"fmt"
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/sandbox/shim"
)

// The answers of the filter to a system call. A call without a rule gets ENOSYS, so that calls of newer kernels are refused until their
// effects have been examined.
const (
	allow  = uint32(unix.SECCOMP_RET_ALLOW)
	notify = uint32(unix.SECCOMP_RET_USER_NOTIF)
	refuse = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EPERM)
	// As on a file system without extended attributes, which programs that copy files can handle.
	unsupported = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.ENOTSUP)
	absent      = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.ENOSYS)
	// For calls without which some programs stop: nothing is done, and success is reported.
	ignore = uint32(unix.SECCOMP_RET_ERRNO)
)

// rule is the answer to one system call. Of several rules for a call, the first whose conditions all hold applies.
type rule struct {
	call   uint32
	answer uint32
	when   []condition
}

// condition compares one half of an argument; both architectures are little-endian. The lower half, at 0, is all that the kernel reads of
// an int.
type condition struct {
	arg   uint32
	half  uint32
	mask  uint32 // 0 means all bits
	value uint32
	not   bool
}

func arg(n, value uint32) condition             { return condition{arg: n, value: value} }
func argMasked(n, mask, value uint32) condition { return condition{arg: n, mask: mask, value: value} }
func argAny(n, mask uint32) condition           { return condition{arg: n, mask: mask, not: true} }

func on(answer uint32, call uint32, when ...condition) rule { return rule{call, answer, when} }

// Flags and commands that x/sys does not define.
const (
	typeFlags  = unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK
	namespaces = unix.CLONE_NEWCGROUP | unix.CLONE_NEWIPC | unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUSER | unix.CLONE_NEWUTS

	tmpfile          = 0x400000 // O_TMPFILE without O_DIRECTORY
	setsig, setownEx = 10, 15   // fcntl commands
	ficlone          = 0x40049409
	ficlonerange     = 0x4020940d
	fiemap           = 0xc020660b
	figetbsz         = 2
	fionbio          = 0x5421
	fioclex          = 0x5451
	fionclex         = 0x5450
	fsgetxattr       = 0x801c581f
	sizeofNetlink    = 12 // struct sockaddr_nl
)

// ioctls are the requests that only read, or change only what the caller could write. Other requests, on a file that is merely open for
// reading, may change its flags, enable fs-verity, or create a btrfs subvolume, and Landlock restricts none of them.
var ioctls = []uint32{
	unix.TCGETS, unix.TCSETS, unix.TCSETSW, unix.TCSETSF, unix.TCGETS2, unix.TIOCGWINSZ, unix.TIOCGPGRP, unix.TIOCSPGRP, unix.TIOCGSID, unix.TIOCOUTQ,
	unix.TIOCINQ, fionbio, fioclex, fionclex, figetbsz, unix.FS_IOC_GETFLAGS, fsgetxattr, fiemap, ficlone, ficlonerange,
}

// rules returns the rules of a domain, with or without network access, for a kernel with the given Landlock version.
func rules(network bool, abi int) []rule {
	list := slices.Concat(socketRules(network), processRules(), fileRules(abi))
	if !network {
		list = append(list, memoryRules...)
	}
	if abi < 3 { // Landlock does not restrict truncation
		list = append(list, on(refuse, unix.SYS_TRUNCATE))
	}
	list = append(list, each(notify, signalCalls, metadataCalls, metadataOnly)...)
	if network {
		list = append(list, each(allow, []uint32{unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_FLOCK})...)
	}
	return slices.Concat(list, each(allow, harmlessCalls, harmlessOnly), each(unsupported, attributeCalls), each(refuse, refusedCalls))
}

// each gives calls the same answer, whatever their arguments.
func each(answer uint32, calls ...[]uint32) (list []rule) {
	for _, call := range slices.Concat(calls...) {
		list = append(list, on(answer, call))
	}
	return list
}

// signalCalls are sent to the shim on every kernel. The scope of Landlock 6 would allow signals to the shim, because one of its threads
// is in the domain.
var signalCalls = []uint32{unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO}

// attributeCalls change extended attributes.
var attributeCalls = []uint32{
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
}

// metadataCalls change metadata that Landlock does not restrict. The shim permits them for files that the caller could write anyway.
var metadataCalls = []uint32{unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT}

// socketRules returns the rules for sockets. Without network access these are the broker's socket, the netlink sockets that ip and ss
// read from, and stream socket pairs. A pair of datagram sockets could reach any path, through the address in sendmsg.
func socketRules(network bool) []rule {
	list := []rule{
		on(notify, unix.SYS_SOCKET, arg(0, unix.AF_UNIX), argMasked(1, ^uint32(typeFlags), unix.SOCK_STREAM), arg(2, shim.BrokerProtocol)),
		on(allow, unix.SYS_SOCKET, arg(0, unix.AF_NETLINK), arg(2, unix.NETLINK_ROUTE)),
		on(allow, unix.SYS_SOCKET, arg(0, unix.AF_NETLINK), arg(2, unix.NETLINK_SOCK_DIAG)),
	}
	if network {
		return append(list,
			on(allow, unix.SYS_SOCKET, arg(0, unix.AF_UNIX)), on(allow, unix.SYS_SOCKET, arg(0, unix.AF_INET)),
			on(allow, unix.SYS_SOCKET, arg(0, unix.AF_INET6)), on(allow, unix.SYS_SOCKETPAIR))
	}
	return append(list,
		on(allow, unix.SYS_SOCKETPAIR, arg(0, unix.AF_UNIX), argMasked(1, ^uint32(typeFlags), unix.SOCK_STREAM)),
		on(allow, unix.SYS_SOCKETPAIR, arg(0, unix.AF_UNIX), argMasked(1, ^uint32(typeFlags), unix.SOCK_SEQPACKET)),
		// Netlink sockets are bound. A socket pair can be bound too, to an abstract name that a service may want; names of this length are
		// rare.
		on(allow, unix.SYS_BIND, arg(2, sizeofNetlink)),
	)
}

// processRules returns the rules for processes: no new namespaces, every new process and thread is counted, and a caller can change only
// its own priority and limits.
func processRules() []rule {
	list := []rule{
		on(refuse, unix.SYS_CLONE, argAny(0, namespaces)),
		on(notify, unix.SYS_CLONE),
		on(allow, unix.SYS_PRLIMIT64, arg(2, 0), condition{arg: 2, half: 4}), // only reads the limit
		on(refuse, unix.SYS_PRLIMIT64, arg(0, 0), arg(1, shim.MarkLimit)),
		on(ignore, unix.SYS_PRLIMIT64, arg(0, 0), arg(1, unix.RLIMIT_CORE)),
		on(allow, unix.SYS_PRLIMIT64, arg(0, 0)),
		on(refuse, unix.SYS_SETRLIMIT, arg(0, shim.MarkLimit)),
		on(ignore, unix.SYS_SETRLIMIT, arg(0, unix.RLIMIT_CORE)),
		on(allow, unix.SYS_SETRLIMIT),
		on(allow, unix.SYS_SETPRIORITY, arg(0, unix.PRIO_PROCESS), arg(1, 0)),
		on(allow, unix.SYS_IOPRIO_SET, arg(0, 1), arg(1, 0)),
		on(allow, unix.SYS_PERSONALITY, arg(0, 0)),
		on(allow, unix.SYS_PERSONALITY, arg(0, ^uint32(0))), // only reads the personality
	}
	for _, call := range []uint32{unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETSCHEDULER} {
		list = append(list, on(allow, call, arg(0, 0)))
	}
	return append(list, each(notify, forkCalls)...)
}

// memoryRules refuse memory that persists when no process has it mapped, and huge pages, which the machine has reserved.
var memoryRules = []rule{
	on(refuse, unix.SYS_MMAP, argMasked(3, unix.MAP_SHARED|unix.MAP_ANONYMOUS, unix.MAP_SHARED|unix.MAP_ANONYMOUS)),
	on(refuse, unix.SYS_MMAP, argAny(3, unix.MAP_HUGETLB)),
}

// fileRules returns the rules for file operations that Landlock does not restrict.
func fileRules(abi int) []rule {
	var list []rule
	for call, flags := range openCalls {
		// Access mode 3 opens a device for ioctls, and requires neither of the rights that Landlock checks.
		list = append(list, on(refuse, call, argMasked(flags, unix.O_ACCMODE, unix.O_ACCMODE)))
		if abi < 3 {
			list = append(list, on(refuse, call, argMasked(flags, unix.O_TRUNC|unix.O_ACCMODE, unix.O_TRUNC)))
		}
		// A new file must not be set-id.
		list = append(list, on(refuse, call, argAny(flags, unix.O_CREAT|tmpfile), argAny(flags+1, unix.S_ISUID|unix.S_ISGID)), on(allow, call))
	}
	for call, mode := range makeCalls {
		list = append(list, on(refuse, call, argAny(mode, unix.S_ISUID|unix.S_ISGID)), on(refuse, call, argMasked(mode, unix.S_IFMT, unix.S_IFCHR)), on(allow, call))
	}
	// A whiteout is a character device that needs no privilege, and older Landlock versions do not restrict it.
	list = append(list, on(refuse, unix.SYS_RENAMEAT2, argAny(4, unix.RENAME_WHITEOUT)))
	// Signals to other processes, and leases and notifications on files that others use.
	for _, command := range []uint32{unix.F_SETOWN, setsig, setownEx, unix.F_SETLEASE, unix.F_NOTIFY} {
		list = append(list, on(refuse, unix.SYS_FCNTL, arg(1, command)))
	}
	list = append(list, on(allow, unix.SYS_FCNTL))
	for _, request := range ioctls {
		list = append(list, on(allow, unix.SYS_IOCTL, arg(1, request)))
	}
	return append(list, on(refuse, unix.SYS_IOCTL))
}

// Offsets in the kernel's struct seccomp_data.
const (
	offCall = 0
	offArch = 4
	offArgs = 16
)

// assemble compiles the rules to a BPF program.
func assemble(list []rule) ([]bpf.RawInstruction, error) {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		bpf.RetConstant{Val: absent}, // 32-bit programs use other call numbers; those of x32 are in no rule
	}
	for _, r := range list {
		block := []bpf.Instruction{}
		for i := len(r.when) - 1; i >= 0; i-- {
			c := r.when[i]
			test := []bpf.Instruction{bpf.LoadAbsolute{Off: offArgs + 8*c.arg + c.half, Size: 4}}
			if c.mask != 0 {
				test = append(test, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: c.mask})
			}
			jump := bpf.JumpIf{Cond: bpf.JumpEqual, Val: c.value, SkipFalse: uint8(len(block) + 1)}
			if c.not {
				jump.SkipTrue, jump.SkipFalse = jump.SkipFalse, 0
			}
			block = append(append(test, jump), block...)
		}
		program = append(program, bpf.LoadAbsolute{Off: offCall, Size: 4}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: r.call, SkipFalse: uint8(len(block) + 1)})
		program = append(append(program, block...), bpf.RetConstant{Val: r.answer})
	}
	raw, err := bpf.Assemble(append(program, bpf.RetConstant{Val: absent}))
	if err != nil {
		return nil, fmt.Errorf("assemble the filter of system calls: %w", err)
	}
	return raw, nil
}
