package shim

import (
	"cmp"
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// Limits bound one call with all its descendants, root's too. A field that is zero has the default beside it.
type Limits struct {
	Processes int   // processes and threads at once, 256: one more ends the call
	Memory    int64 // bytes, 1 GiB, of all processes together: more ends the call; no process alone gets more
	Files     int   // open files of each process, 1024
	FileSize  int64 // bytes, 256 MiB, of each file that is written
	Scratch   int64 // bytes, 1 GiB, of what lies in the folders that can be written: more ends the call; NoLimit is none
}

// NoLimit is a Scratch that nothing exceeds.
const NoLimit = math.MaxInt64

// WithDefaults is l without zeros.
func (l Limits) WithDefaults() Limits {
	return Limits{cmp.Or(l.Processes, 256), cmp.Or(l.Memory, 1<<30), cmp.Or(l.Files, 1024), cmp.Or(l.FileSize, 256<<20), cmp.Or(l.Scratch, 1<<30)}
}

// coreLimit is the one limit with which the kernel starts no program that collects core dumps, either (core(5)).
const coreLimit = 1

// set limits this process, whose children inherit it.
func (l Limits) set(mark uint64) error {
	for resource, limit := range map[int]uint64{
		unix.RLIMIT_CORE: coreLimit, unix.RLIMIT_DATA: uint64(l.Memory), unix.RLIMIT_FSIZE: uint64(l.FileSize), unix.RLIMIT_NOFILE: uint64(l.Files), MarkLimit: mark,
	} {
		var had syscall.Rlimit
		if err := syscall.Getrlimit(resource, &had); err != nil {
			return fault(StepLimits, err)
		}
		if resource != MarkLimit { // where less is permitted already, that stays
			limit = min(limit, had.Max)
		}
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fault(StepLimits, err)
		}
	}
	return nil
}
