package wrapper

import "syscall"

// hookAttr gives a hook its own process group, and has the kernel end it where the wrapper is killed: it would not be counted, and the
// agent program, which ends its hooks by group, would not find it.
func hookAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
