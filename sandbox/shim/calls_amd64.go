package shim

import "golang.org/x/sys/unix"

// Calls that newer architectures do not have.
const (
	sysFork   = unix.SYS_FORK
	sysVfork  = unix.SYS_VFORK
	sysChmod  = unix.SYS_CHMOD
	sysChown  = unix.SYS_CHOWN
	sysLchown = unix.SYS_LCHOWN
)
