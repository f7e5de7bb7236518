package shim

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// The minimum intervals between two measurements of memory and directories. Slow measurements are made less often.
const (
	memoryInterval  = 100 * time.Millisecond
	scratchInterval = 250 * time.Millisecond
)

// every calls look again and again. It never returns.
func every(interval time.Duration, look func()) {
	for took := time.Duration(0); ; {
		time.Sleep(max(interval, 3*took))
		began := time.Now()
		look()
		took = time.Since(began)
	}
}

// watchMemory ends the call if its processes have too much memory.
func (s *supervisor) watchMemory() {
	list, err := procfs.Below(nil)
	if err != nil {
		return
	}
	for _, precise := range []bool{false, true} {
		var total int64
		for _, p := range list {
			total += memory(p.PID, precise)
		}
		if total <= s.spec.Limits.Memory {
			return
		}
	}
	s.end("memory")
}

// watchScratch returns a function that checks the size of the scratch directories. If they exceeded the limit when the call began, the
// call may remove files but not add any. An open file without a name only shows in the file system's free space.
func (s *supervisor) watchScratch() func() {
	limit, free := max(s.spec.Limits.Scratch, s.held), map[string]int64{}
	for _, folder := range s.spec.Scratch {
		free[folder], _ = freeSpace(folder)
	}
	return func() {
		if s.scratchSize(limit) > limit {
			s.end("scratch")
		}
		for _, folder := range s.spec.Scratch {
			if left, low := freeSpace(folder); low && free[folder]-left > s.spec.Limits.Scratch {
				s.end("scratch")
			}
		}
	}
}

// scratchSize returns how many bytes the directories take. Each entry counts as at least one block, and deep ones as more, because
// examining them takes longer. An unreadable directory, or a path that is too long, counts as the whole limit. Counting stops once the
// size exceeds limit.
func (s *supervisor) scratchSize(limit int64) (size int64) {
	const block = 4096
	var look fs.WalkDirFunc
	look = func(path string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) && size <= limit {
			if s.open(path) == nil {
				return filepath.WalkDir(path, look)
			}
			size += s.spec.Limits.Scratch
		}
		var stat unix.Stat_t
		if err == nil {
			err = unix.Lstat(path, &stat)
		}
		switch {
		case err == nil:
			size += block*int64(1+strings.Count(path, "/")/16) + stat.Blocks*512
		case errors.Is(err, unix.ENAMETOOLONG):
			size += s.spec.Limits.Scratch
		} // otherwise it is gone
		if size > limit {
			return filepath.SkipAll
		}
		return nil
	}
	for _, folder := range s.spec.Scratch {
		_ = filepath.WalkDir(folder, look)
	}
	return size
}

// open makes a directory readable for its owner. The command may have removed that right to hide the content.
func (s *supervisor) open(path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return s.changeOpen(fd, func(folder string, stat *unix.Stat_t) error { return unix.Chmod(folder, stat.Mode&0o1777|0o700) })
}

// freeSpace returns how many bytes a directory's file system has left, and whether that is less than a twentieth of it.
func freeSpace(folder string) (left int64, low bool) {
	var stat unix.Statfs_t
	if unix.Statfs(folder, &stat) != nil {
		return 0, false
	}
	return int64(stat.Bavail) * stat.Frsize, stat.Bavail < stat.Blocks/20
}
