package cycle

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/probe"
)

// Below this part of a disk, of its inodes or of the memory, in percent, a restart would not help: the machine itself is in trouble. A disk
// with enoughDisk bytes left is not full, however large it is.
const (
	leastDisk   = 1
	leastMemory = 2
	enoughDisk  = 1 << 30
)

// machineShort returns what this machine has run out of, as a clause; empty if it has enough of everything, or if that is not known.
// folders are on the disks that are looked at.
func machineShort(folders []string) string {
	for _, folder := range folders {
		var fs unix.Statfs_t
		if unix.Statfs(folder, &fs) != nil {
			continue
		}
		if scarce(fs.Bavail, fs.Blocks, leastDisk) && fs.Bavail*uint64(fs.Bsize) < enoughDisk || scarce(fs.Ffree, fs.Files, leastDisk) {
			return "the disk of " + folder + " is full, which a restart does not mend"
		}
	}
	if left, all := memory(); scarce(left, all, leastMemory) {
		return "this machine is out of memory, which a restart does not mend"
	}
	return ""
}

// without returns the folders that are on no disk which checks look at: a service that is a disk is not held back because that is full.
func without(folders []string, checks []probe.Check) []string {
	for _, k := range checks {
		if of, is := k.Options.(*probe.Disk); is {
			folders = slices.DeleteFunc(folders, func(folder string) bool { return sameDisk(folder, of.Path) })
		}
	}
	return folders
}

func sameDisk(a, b string) bool {
	var of, other unix.Stat_t
	return unix.Stat(a, &of) == nil && unix.Stat(b, &other) == nil && of.Dev == other.Dev
}

// disksOf returns the mount points of disks among lines of mountinfo, each disk once: ID PARENT DEVICE ROOT POINT OPTIONS… - KIND SOURCE
// OPTIONS. Not among them are images, network and FUSE file systems, which may never answer, and what no service writes to. What a file
// system is counts, not the mount: a hardened unit sees all of them read-only.
func disksOf(mounts string) (points []string) {
	known := map[string]bool{}
	for line := range strings.Lines(mounts) {
		left, right, _ := strings.Cut(line, " - ")
		mount, system := strings.Fields(left), strings.Fields(right)
		if len(mount) < 6 || len(system) < 3 {
			continue
		}
		device, point, kind, source := mount[2], mount[4], system[0], system[1]
		disk := kind == "zfs" || strings.HasPrefix(source, "/dev/") && !strings.HasPrefix(source, "/dev/loop") && !strings.HasPrefix(kind, "fuse")
		boot := point == "/efi" || strings.HasPrefix(point+"/", "/boot/")
		if disk && !boot && !known[device] && slices.Contains(strings.Split(system[2], ","), "rw") {
			known[device] = true
			points = append(points, strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(point))
		}
	}
	return points
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

// scarce reports whether less than a part of all is left, in percent. A file system without a fixed number of inodes has none at all.
func scarce(left, all, percent uint64) bool { return all > 0 && left < all/100*percent }
