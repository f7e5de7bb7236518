package shim

import (
	"cmp"
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// Limits apply to one call with all its descendants, including those of root. A zero field has the default noted there.
type Limits struct {
	Processes int   // concurrent processes and threads, default 256; exceeding it ends the call
	Memory    int64 // bytes of all processes together, default 1 GiB; exceeding it ends the call; also the limit of each process
	Files     int   // open files per process, default 1024
	FileSize  int64 // bytes of each file that is written, default 256 MiB
	Scratch   int64 // bytes in the writable directories, default 1 GiB; exceeding it ends the call; NoLimit means none
}

// NoLimit is a Scratch that cannot be exceeded.
const NoLimit = math.MaxInt64

// WithDefaults returns l with its zero fields set to the defaults.
func (l Limits) WithDefaults() Limits {
	return Limits{cmp.Or(l.Processes, 256), cmp.Or(l.Memory, 1<<30), cmp.Or(l.Files, 1024), cmp.Or(l.FileSize, 256<<20), cmp.Or(l.Scratch, 1<<30)}
}

// set applies the limits to this process; its children inherit them.
func (l Limits) set(mark uint64) error {
	const coreLimit = 1 // with this one, the kernel also skips programs that collect core dumps (core(5))
	for resource, limit := range map[int]uint64{
		unix.RLIMIT_CORE: coreLimit, unix.RLIMIT_DATA: uint64(l.Memory), unix.RLIMIT_FSIZE: uint64(l.FileSize), unix.RLIMIT_NOFILE: uint64(l.Files), MarkLimit: mark,
	} {
		var had syscall.Rlimit
		if err := syscall.Getrlimit(resource, &had); err != nil {
			return fault(StepLimits, err)
		}
		if resource != MarkLimit { // a lower existing limit stays
			limit = min(limit, had.Max)
		}
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fault(StepLimits, err)
		}
	}
	return nil
}
