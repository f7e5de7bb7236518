package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// How often memory and folders are looked at, at most. A look that takes long is taken less often: a tenth of the time is spent looking, unless
// an eighth of what the call may have has gone since the last one.
const (
	memoryInterval  = 100 * time.Millisecond
	scratchInterval = 250 * time.Millisecond
)

// watch ends the call where it has more memory, or leaves more on the disk, than it may. It never returns.
func (s *supervisor) watch() {
	if s.spec.Limits.Scratch < NoLimit {
		go every(scratchInterval, s.freeScratch, s.spec.Limits.Scratch/8, s.watchScratch())
	}
	every(memoryInterval, func() int64 { left, _ := freeMemory(); return left }, s.spec.Limits.Memory/8, s.watchMemory())
}

func every(interval time.Duration, free func() int64, step int64, look func()) {
	var rest time.Duration
	for looked, had := time.Now(), free(); ; {
		time.Sleep(interval)
		if time.Since(looked) < rest && had-free() <= step {
			continue
		}
		began := time.Now()
		had = free()
		look()
		looked = time.Now()
		rest = 10 * looked.Sub(began)
	}
}

// watchMemory looks what all processes have. What the kernel holds for them besides, as buffers of sockets and pipes, is seen only in what the
// machine has left.
func (s *supervisor) watchMemory() func() {
	free, _ := freeMemory()
	return func() {
		if left, low := freeMemory(); low && free-left > s.spec.Limits.Memory {
			s.end("memory")
		}
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
}

// watchScratch looks for folders that hold more than they may. Where they did when the call began it may add nothing, but remove. A file
// that is open and has no name is seen only in what the file system has left.
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

func (s *supervisor) freeScratch() (left int64) {
	for _, folder := range s.spec.Scratch {
		free, _ := freeSpace(folder)
		left += free
	}
	return left
}

// scratchSize is how many bytes the folders take. Each entry counts as one block at least, deep ones as more, because they take longer to look
// at; a folder that cannot be read counts as all that there may be. It stops looking where the size is more than limit.
func (s *supervisor) scratchSize(limit int64) (size int64) {
	const block = 4096
	var look fs.WalkDirFunc
	look = func(path string, entry fs.DirEntry, err error) error {
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
			err = walkFrom(filepath.Dir(path), entry.Name(), look)
			if err == nil && size <= limit && entry.IsDir() {
				return filepath.SkipDir
			}
		} // else it is gone
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

// walkFrom walks through what has a name in a folder whose path leaves no room for it.
func walkFrom(folder, name string, look fs.WalkDirFunc) error {
	fd, err := unix.Open(folder, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return filepath.WalkDir(fmt.Sprintf("/proc/self/fd/%d/%s", fd, name), look)
}

// open makes a folder that the command has closed, to hide what it holds, readable for its owner.
func (s *supervisor) open(path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return s.changeOpen(fd, func(folder string, stat *unix.Stat_t) error { return unix.Chmod(folder, stat.Mode&0o1777|0o700) })
}

// freeSpace is how many bytes a folder's file system has left, and whether that is less than a twentieth of it.
func freeSpace(folder string) (left int64, low bool) {
	var stat unix.Statfs_t
	if unix.Statfs(folder, &stat) != nil {
		return 0, false
	}
	return int64(stat.Bavail) * stat.Frsize, stat.Bavail < stat.Blocks/20
}

// freeMemory is how many bytes the machine has left, and whether that is less than a twentieth of all.
func freeMemory() (left int64, low bool) {
	text, _ := os.ReadFile("/proc/meminfo")
	left = bytesIn(string(text), "MemAvailable:")
	return left, left < bytesIn(string(text), "MemTotal:")/20
}

// preferForOOM lets the kernel take the command, and what it starts from now on, before anything else where memory runs out.
func preferForOOM(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0) // it may have ended
}
