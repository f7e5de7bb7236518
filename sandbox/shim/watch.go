package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// How often memory and folders are looked at, at most. A look that takes long is taken less often: a tenth of the time is spent looking.
const (
	memoryInterval  = 100 * time.Millisecond
	scratchInterval = 250 * time.Millisecond
)

// watch ends the call where it has more memory, or leaves more on the disk, than it may. It never returns.
func (s *supervisor) watch() {
	go every(scratchInterval, s.watchScratch())
	every(memoryInterval, s.watchMemory)
}

func every(interval time.Duration, look func()) {
	for {
		time.Sleep(interval)
		began := time.Now()
		look()
		interval = max(interval, 10*time.Since(began))
	}
}

func (s *supervisor) watchMemory() {
	list, err := descendants()
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

// watchScratch looks for folders that hold more than they may. Where they did when the call began it may add nothing, but remove. A file
// that is open and has no name is seen only in what the file system has left.
func (s *supervisor) watchScratch() func() {
	limit, free := max(s.spec.Limits.Scratch, s.scratchSize(math.MaxInt64)), map[string]int64{}
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

// scratchSize is how many bytes the folders take, each entry counted as one block at least. It stops looking where that is more than limit.
func (s *supervisor) scratchSize(limit int64) (size int64) {
	const block = 4096
	var look fs.WalkDirFunc
	look = func(path string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) && size <= limit && s.open(path) == nil {
			return filepath.WalkDir(path, look)
		}
		var stat unix.Stat_t
		if err == nil && unix.Lstat(path, &stat) == nil { // else it is gone
			size += block + stat.Blocks*512
		}
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

// open makes a folder that the command has closed, so that nobody sees what it holds, one that its owner lists.
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

// preferForOOM lets the kernel take the command, and what it starts from now on, before anything else where memory runs out.
func preferForOOM(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0) // it may have ended
}
