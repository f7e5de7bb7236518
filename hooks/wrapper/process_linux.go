package wrapper

import "syscall"

// hookAttr gives a hook its own process group, and makes the kernel end it if the wrapper is killed. Otherwise the run would not be
// counted, and the agent program, which ends its hooks by group, would not find it.
func hookAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
