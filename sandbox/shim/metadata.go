package shim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Landlock does not restrict changes of a file's mode, owner or times. If the caller owns the file, and it is in a writable directory,
// the shim makes the change of its mode or times. It changes the file that it has opened, because a path may lead elsewhere a moment later.

// place is a file as the arguments of a call name it.
type place struct {
	dir   int32  // a descriptor of the caller, or AT_FDCWD
	path  uint64 // address of a path; 0 means the descriptor itself
	flags uint64 // AT_ flags
}

func (s *supervisor) changeFile(n notification) answer {
	a := n.args
	named := place{unix.AT_FDCWD, a[0], 0}
	open := place{int32(a[0]), 0, 0}
	below := func(flags uint64) place { return place{int32(a[0]), a[1], flags} }
	switch n.nr {
	case sysChmod:
		return s.change(n, named, chmod(a[1]))
	case unix.SYS_FCHMOD:
		return s.change(n, open, chmod(a[1]))
	case unix.SYS_FCHMODAT:
		return s.change(n, below(0), chmod(a[2]))
	case unix.SYS_FCHMODAT2:
		return s.change(n, below(a[3]), chmod(a[2]))
	case sysChown:
		return s.change(n, named, chown(a[1], a[2]))
	case sysLchown:
		named.flags = unix.AT_SYMLINK_NOFOLLOW
		return s.change(n, named, chown(a[1], a[2]))
	case unix.SYS_FCHOWN:
		return s.change(n, open, chown(a[1], a[2]))
	case unix.SYS_FCHOWNAT:
		return s.change(n, below(a[4]), chown(a[2], a[3]))
	}
	times, err := readTimes(n.pid, a[2])
	if err != nil {
		return errno(unix.EFAULT)
	}
	return s.change(n, below(a[3]), func(file string, _ *unix.Stat_t) error { return unix.UtimesNanoAt(unix.AT_FDCWD, file, times, 0) })
}

// chmod sets a mode without set-id bits; a mode with one is refused.
func chmod(mode uint64) func(string, *unix.Stat_t) error {
	return func(file string, _ *unix.Stat_t) error {
		if mode&(unix.S_ISUID|unix.S_ISGID) != 0 {
			return unix.EPERM
		}
		return unix.Chmod(file, uint32(mode)&0o1777)
	}
}

// chown allows a file to keep its owner, because programs that copy and unpack files request that. No file gets another.
func chown(uid, gid uint64) func(string, *unix.Stat_t) error {
	same := func(want uint64, is uint32) bool { return int32(want) == -1 || uint32(want) == is }
	return func(_ string, stat *unix.Stat_t) error {
		if !same(uid, stat.Uid) || !same(gid, stat.Gid) {
			return unix.EPERM
		}
		return nil
	}
}

// change calls act on a file, with a path that leads to exactly that file.
func (s *supervisor) change(n notification, at place, act func(file string, stat *unix.Stat_t) error) answer {
	fd, err := openPlace(n.pid, at)
	if err == nil {
		defer func() { _ = unix.Close(fd) }()
		err = s.changeOpen(fd, act)
	}
	return outcome(err)
}

func (s *supervisor) changeOpen(fd int, act func(string, *unix.Stat_t) error) error {
	file := fmt.Sprintf("/proc/self/fd/%d", fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	path, err := os.Readlink(file)
	if err != nil {
		return err
	}
	holds := func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }
	if owner := os.Getuid(); owner != 0 && int(stat.Uid) != owner || !slices.ContainsFunc(s.spec.Scratch, holds) {
		return unix.EPERM
	}
	return act(file, &stat)
}

// openPlace opens a file without any access to its content. A /proc link that means "self" would lead to the shim, so files of the shim
// are refused: none of them belongs to the command. (openat2 could prevent this, but a unit with RestrictSUIDSGID= blocks it.)
func openPlace(pid uint32, at place) (int, error) {
	base := fmt.Sprintf("/proc/%d/fd/%d", pid, at.dir)
	if at.dir == unix.AT_FDCWD {
		base = fmt.Sprintf("/proc/%d/cwd", pid)
	}
	path := ""
	if at.path != 0 {
		text, err := readMemory(pid, at.path, unix.PathMax)
		if err != nil {
			return 0, unix.EFAULT
		}
		name, _, ended := bytes.Cut(text, []byte{0})
		if !ended {
			return 0, unix.ENAMETOOLONG
		}
		if path = string(name); path == "" && at.flags&unix.AT_EMPTY_PATH == 0 {
			return 0, unix.ENOENT
		}
	}
	if filepath.IsAbs(path) {
		base = "/"
	}
	dir, err := unix.Open(base, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil || path == "" {
		return dir, err
	}
	defer func() { _ = unix.Close(dir) }()
	flags := unix.O_PATH | unix.O_CLOEXEC
	if at.flags&unix.AT_SYMLINK_NOFOLLOW != 0 {
		flags |= unix.O_NOFOLLOW
	}
	return unix.Openat(dir, path, flags, 0)
}

// readTimes reads the two times of utimensat; address 0 means that both are now.
func readTimes(pid uint32, address uint64) ([]unix.Timespec, error) {
	if address == 0 {
		return []unix.Timespec{{Nsec: unix.UTIME_NOW}, {Nsec: unix.UTIME_NOW}}, nil
	}
	times := make([]unix.Timespec, 2)
	text, err := readMemory(pid, address, binary.Size(times))
	if err != nil {
		return nil, err
	}
	return times, binary.Read(bytes.NewReader(text), binary.NativeEndian, times)
}

// readMemory reads up to size bytes of a process's memory.
func readMemory(pid uint32, address uint64, size int) ([]byte, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text := make([]byte, size)
	n, err := file.ReadAt(text, int64(address))
	if n > 0 {
		err = nil
	}
	return text[:n], err
}
