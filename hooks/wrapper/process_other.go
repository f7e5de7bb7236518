//go:build !linux

package wrapper

import "syscall"

// hookAttr gives a hook its own process group.
func hookAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
