package cycle

import (
	"bufio"
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
	device := func(path string) (uint64, bool) {
		var st unix.Stat_t
		err := unix.Stat(path, &st)
		return st.Dev, err == nil
	}
	for _, k := range checks {
		if of, is := k.Options.(*probe.Disk); is {
			own, known := device(of.Path)
			folders = slices.DeleteFunc(folders, func(folder string) bool {
				on, found := device(folder)
				return known && found && on == own
			})
		}
	}
	return folders
}

// disks returns where local disks are mounted that services may write to. What a file system is counts, not the mount: a hardened unit sees
// all of them read-only.
func disks() []string {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	return disksOf(string(mounts))
}

// disksOf returns the mount points of disks among lines of mountinfo, each disk once: ID PARENT DEVICE ROOT POINT OPTIONS… - KIND SOURCE
// OPTIONS. Not among them are images, network and FUSE file systems, which may never answer, and what no service writes to.
func disksOf(mounts string) (points []string) {
	known := map[string]bool{}
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line)
		end := slices.Index(fields, "-")
		if end < 6 || end+3 >= len(fields) {
			continue
		}
		device, point, kind, source, options := fields[2], fields[4], fields[end+1], fields[end+2], fields[end+3]
		disk := kind == "zfs" || strings.HasPrefix(source, "/dev/") && !strings.HasPrefix(source, "/dev/loop") && !strings.HasPrefix(kind, "fuse")
		boot := point == "/boot" || strings.HasPrefix(point, "/boot/") || point == "/efi"
		if !disk || boot || known[device] || !slices.Contains(strings.Split(options, ","), "rw") {
			continue
		}
		known[device] = true
		points = append(points, strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(point))
	}
	return points
}

// memory returns how much memory is available, and how much there is, in KiB; 0 if that is not known.
func memory() (left, all uint64) {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, 0
	}
	defer func() { _ = file.Close() }()
	figures := map[string]uint64{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		var kib uint64
		if _, err := fmt.Sscan(rest, &kib); err == nil {
			figures[name] = kib
		}
	}
	return figures["MemAvailable"], figures["MemTotal"]
}

// scarce reports whether less than a part of all is left, in percent. A file system without a fixed number of inodes has none at all.
func scarce(left, all, percent uint64) bool { return all > 0 && left < all/100*percent }
