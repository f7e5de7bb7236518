package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// abiVersion returns the version of Landlock that the kernel supports, 1 or more.
func abiVersion() (int, error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, errno
	}
	return int(version), nil
}

const (
	accessRead = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	// No devices; sockets only with network access.
	accessWrite = accessRead | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM

	// The rights that a rule for a file, as opposed to a directory, may grant.
	accessFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE

	accessDevice = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// devices are open to every command. /dev/zero is not writable: mapped shared, it would be memory that no limit counts.
var devices = []string{"/dev/null", "/dev/full", "/dev/random", "/dev/urandom"}

// handled returns the rights that a ruleset of the given version denies unless a rule grants them.
func handled(abi int) unix.LandlockRulesetAttr {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1}
	if abi >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return attr
}

// newRuleset returns a ruleset that permits access and nothing else.
func newRuleset(access Access, abi int) (*os.File, error) {
	attr := handled(abi)
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return nil, fmt.Errorf("make a Landlock ruleset: %w", errno)
	}
	ruleset := os.NewFile(fd, "landlock")
	write := uint64(accessWrite)
	if access.Network {
		write |= unix.LANDLOCK_ACCESS_FS_MAKE_SOCK
	}
	for _, open := range []struct {
		paths  []string
		rights uint64
	}{
		{devices, accessDevice}, {[]string{"/dev/zero"}, unix.LANDLOCK_ACCESS_FS_READ_FILE},
		{access.Read, accessRead}, {access.Write, write}, {access.List, unix.LANDLOCK_ACCESS_FS_READ_DIR},
	} {
		for _, path := range open.paths {
			if err := permit(int(fd), path, open.rights&attr.Handled_access_fs); err != nil {
				return nil, errors.Join(fmt.Errorf("permit %s: %w", path, err), ruleset.Close())
			}
		}
	}
	return ruleset, nil
}

// openExact opens an absolute path that contains no link. The kernel's own way, openat2, is blocked by a unit with RestrictSUIDSGID=.
func openExact(path string) (file int, err error) {
	file, err = unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	opened, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", file))
	if err == nil && opened != filepath.Clean(path) {
		err = unix.ENOTDIR
	}
	if err != nil {
		_ = unix.Close(file)
	}
	return file, err
}

// permit adds one rule. A path that no longer exists needs none. A path that is or contains a link gets none, because whoever created the
// link chose its target.
func permit(ruleset int, path string, rights uint64) error {
	file, err := openExact(path)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(file) }()
	var stat unix.Stat_t
	if err := unix.Fstat(file, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= accessFile
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(file)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
