package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

var forkCalls []uint32

var metadataOnly []uint32

// makeCalls maps calls that create files to the index of their mode argument.
var makeCalls = map[uint32]uint32{unix.SYS_MKNODAT: 2}

// openCalls maps calls that open files to the index of their flags argument; the mode is the next argument.
var openCalls = map[uint32]uint32{unix.SYS_OPENAT: 2}

// harmlessOnly are the harmless calls that only this architecture has.
var harmlessOnly []uint32
