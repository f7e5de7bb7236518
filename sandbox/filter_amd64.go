package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

var forkCalls = []uint32{unix.SYS_FORK, unix.SYS_VFORK}

var metadataOnly = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN}

// makeCalls maps calls that create files to the index of their mode argument.
var makeCalls = map[uint32]uint32{unix.SYS_CREAT: 1, unix.SYS_MKNOD: 1, unix.SYS_MKNODAT: 2}

// openCalls maps calls that open files to the index of their flags argument; the mode is the next argument.
var openCalls = map[uint32]uint32{unix.SYS_OPEN: 1, unix.SYS_OPENAT: 2}

// harmlessOnly are the harmless calls that only this architecture has.
var harmlessOnly = []uint32{
	unix.SYS_ACCESS, unix.SYS_ALARM, unix.SYS_ARCH_PRCTL, unix.SYS_DUP2, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD,
	unix.SYS_GETDENTS, unix.SYS_GETPGRP, unix.SYS_INOTIFY_INIT, unix.SYS_LINK, unix.SYS_LSTAT, unix.SYS_MKDIR, unix.SYS_PAUSE, unix.SYS_PIPE,
	unix.SYS_POLL, unix.SYS_READLINK, unix.SYS_RENAME, unix.SYS_RMDIR, unix.SYS_SELECT, unix.SYS_SIGNALFD, unix.SYS_STAT, unix.SYS_SYMLINK, unix.SYS_TIME,
	unix.SYS_UNLINK,
}
