package cycle

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/probe"
)

func TestWhatIsAFullDisk(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		left, all, inodes, allInodes uint64 // in MiB
		want                         bool
	}{
		"roomy":                {500, 1000, 50, 100, false},
		"1 %":                  {10, 1000, 50, 100, false},
		"less":                 {9, 1000, 50, 100, true},
		"less, of a large one": {1024, 4_000_000, 50, 100, false},
		"few inodes":           {500, 1000, 9, 1000, true},
		"inodes as one likes":  {500, 1000, 0, 0, false},
		"none at all":          {0, 0, 0, 0, false},
	} {
		disk := unix.Statfs_t{Bsize: mib, Bavail: c.left, Blocks: c.all, Ffree: c.inodes, Files: c.allInodes}
		if got := full(disk); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A service that is a disk is not held back because that disk is full; one that is something else is.
func TestAFullDiskDoesNotHoldItsOwnServiceBack(t *testing.T) {
	folder := t.TempDir()
	wantSame(t, checksDisk([]probe.Check{{Options: &probe.Disk{Path: folder}}}, folder+"/.."), true)
	wantSame(t, checksDisk([]probe.Check{{Options: &probe.Disk{Path: folder}}}, "/proc"), false)
	wantSame(t, checksDisk([]probe.Check{{Options: &probe.TCP{}}}, folder), false)
}
