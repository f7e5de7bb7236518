package cycle

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/probe"
)

// machineShort returns what this machine has run out of, which no restart mends, as a clause; empty if it has enough,
// or if that is not known. Its disks are those of / and of the state directory. One that a service's own checks look
// at does not hold that service back.
func machineShort(stateDir string, checks []probe.Check) string {
	for _, folder := range []string{"/", stateDir} {
		var disk unix.Statfs_t
		if unix.Statfs(folder, &disk) == nil && full(disk) && !checksDisk(checks, folder) {
			return "the disk of " + folder + " is full, which a restart does not mend"
		}
	}
	if left, all := memory(); left < all/50 {
		return "this machine is out of memory, which a restart does not mend"
	}
	return ""
}

// full reports whether less than 1 % of a disk and less than 1 GiB are left, or less than 1 % of its inodes, if their
// number is limited.
func full(disk unix.Statfs_t) bool {
	left, all := disk.Bavail*uint64(disk.Bsize), disk.Blocks*uint64(disk.Bsize)
	return left < min(all/100, 1<<30) || disk.Ffree < disk.Files/100
}

// checksDisk reports whether one of the checks looks at the disk of a folder.
func checksDisk(checks []probe.Check, folder string) bool {
	return slices.ContainsFunc(checks, func(k probe.Check) bool {
		disk, is := k.Options.(*probe.Disk)
		var a, b unix.Stat_t
		return is && unix.Stat(disk.Path, &a) == nil && unix.Stat(folder, &b) == nil && a.Dev == b.Dev
	})
}

// memory returns how much memory is available, and how much there is, in KiB; 0 if that is not known.
func memory() (left, all uint64) {
	info, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(info)) {
		_, _ = fmt.Sscanf(line, "MemTotal: %d", &all)
		_, _ = fmt.Sscanf(line, "MemAvailable: %d", &left)
	}
	return left, all
}
