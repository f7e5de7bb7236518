package crontab

import (
	"bufio"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Slim gives back to the system the memory that a waiting process does not need: what is free of the heap, and the pages of the
// program's own file that its start has touched. Those are read again, from the page cache, when they are used.
func Slim() {
	debug.FreeOSMemory()
	program, err := os.Executable()
	if err != nil {
		return
	}
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return // where there is no /proc, the memory is not given back
	}
	defer smaps.Close() //nolint:errcheck // it was only read
	for _, m := range cleanMappings(smaps, program) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.start, m.end-m.start, unix.MADV_DONTNEED) // what is not given back stays
	}
}

// mapping is a range of addresses.
type mapping struct{ start, end uintptr }

// cleanMappings are the mappings of a file of which every page is as it stands in the file and which cannot be written to: the machine
// code and the constants of a program, which may be forgotten at any time. A page that was ever written to (the loader's relocations, a
// debugger's breakpoints) exists in memory alone; a mapping with such a one is none of them.
func cleanMappings(smaps io.Reader, file string) (clean []mapping) {
	lines := bufio.NewScanner(smaps)
	var at mapping
	candidate, own := false, uint64(0)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) < 2:
		case !strings.HasSuffix(fields[0], ":"): // the first line of a mapping: addresses, rights, offset, device, inode, path
			at, candidate = addresses(fields[0])
			candidate = candidate && len(fields) == 6 && fields[5] == file && fields[1][1] == '-' && fields[1][3] == 'p'
			own = 0
		case fields[0] == "Anonymous:" || fields[0] == "Swap:" || fields[0] == "Locked:":
			kilobytes, err := strconv.ParseUint(fields[1], 10, 64)
			candidate = candidate && err == nil
			own += kilobytes
		case fields[0] == "VmFlags:": // the last line
			if candidate && own == 0 {
				clean = append(clean, at)
			}
			candidate = false
		}
	}
	return clean
}

func addresses(text string) (mapping, bool) {
	low, high, found := strings.Cut(text, "-")
	start, startErr := strconv.ParseUint(low, 16, strconv.IntSize)
	end, endErr := strconv.ParseUint(high, 16, strconv.IntSize)
	return mapping{uintptr(start), uintptr(end)}, found && startErr == nil && endErr == nil && start < end
}
