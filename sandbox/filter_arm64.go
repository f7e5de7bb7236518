package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

var forkCalls []uint32

var metadataOnly []uint32

// makeCalls is which argument has the mode of what is made.
var makeCalls = map[uint32]uint32{unix.SYS_MKNODAT: 2}

// openCalls is which argument has the flags; the mode is the next.
var openCalls = map[uint32]uint32{unix.SYS_OPENAT: 2}

// harmlessOnly are harmless calls of this architecture alone.
var harmlessOnly []uint32
