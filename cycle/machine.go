package cycle

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Below this part of a disk, of its inodes or of the memory, in percent, a restart would not help: the machine itself is in trouble.
const (
	leastDisk   = 1
	leastMemory = 2
)

// machineShort returns what this machine has run out of, as a clause; empty if it has enough of everything, or if that is not known.
func machineShort(folders ...string) string {
	for _, folder := range folders {
		var fs unix.Statfs_t
		if unix.Statfs(folder, &fs) != nil {
			continue
		}
		if scarce(fs.Bavail, fs.Blocks, leastDisk) || scarce(fs.Ffree, fs.Files, leastDisk) {
			return "the disk of " + folder + " is full, which a restart does not mend"
		}
	}
	if left, all := memory(); scarce(left, all, leastMemory) {
		return "this machine is out of memory, which a restart does not mend"
	}
	return ""
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
