package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

var forkCalls = []uint32{unix.SYS_FORK, unix.SYS_VFORK}

var metadataOnly = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN}

// makeCalls is which argument has the mode of what is made.
var makeCalls = map[uint32]uint32{unix.SYS_CREAT: 1, unix.SYS_MKNOD: 1, unix.SYS_MKNODAT: 2}

// openCalls is which argument has the flags; the mode is the next.
var openCalls = map[uint32]uint32{unix.SYS_OPEN: 1, unix.SYS_OPENAT: 2}

// harmlessOnly are harmless calls of this architecture alone.
var harmlessOnly = []uint32{
	unix.SYS_ACCESS, unix.SYS_ALARM, unix.SYS_ARCH_PRCTL, unix.SYS_DUP2, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD,
	unix.SYS_GETDENTS, unix.SYS_GETPGRP, unix.SYS_INOTIFY_INIT, unix.SYS_LINK, unix.SYS_LSTAT, unix.SYS_MKDIR, unix.SYS_PAUSE, unix.SYS_PIPE,
	unix.SYS_POLL, unix.SYS_READLINK, unix.SYS_RENAME, unix.SYS_RMDIR, unix.SYS_SELECT, unix.SYS_SIGNALFD, unix.SYS_STAT, unix.SYS_SYMLINK, unix.SYS_TIME,
	unix.SYS_UNLINK,
}
