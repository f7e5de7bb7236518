package statedir

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestHolderIsTheProcessThatHoldsALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if pid, held := holder(path); held {
		t.Errorf("process %d is said to hold a lock that is free", pid)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if pid, held := holder(path); !held || pid != os.Getpid() {
		t.Errorf("held %v, by process %d, want ours, %d", held, pid, os.Getpid())
	}
	if _, held := holder(path + "2"); held {
		t.Error("a lock on a file that is not there is held")
	}
}

// Inode numbers are only unique within a file system.
func TestAFileOfTheSameNumberElsewhereIsNotTheLock(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var is syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &is); err != nil {
		t.Fatal(err)
	}
	if open, known := hasOpen(os.Getpid(), &is); !open || !known {
		t.Errorf("open %v, known %v", open, known)
	}
	is.Dev++
	if open, known := hasOpen(os.Getpid(), &is); open || !known {
		t.Errorf("on another file system: open %v, known %v", open, known)
	}
}

func TestHowLongAProcessRunsIsKnown(t *testing.T) {
	var machine syscall.Sysinfo_t
	if err := syscall.Sysinfo(&machine); err != nil {
		t.Fatal(err)
	}
	if got, uptime := ageOf(os.Getpid()), time.Duration(machine.Uptime+1)*time.Second; got <= 0 || got > uptime {
		t.Errorf("this process runs for %v, the machine for %v", got, uptime)
	}
	if got := ageOf(1 << 30); got != 0 {
		t.Errorf("no process runs for %v", got)
	}
}

func ageOf(pid int) time.Duration {
	_, began := runs(pid)
	return Holder{Began: began}.Age(time.Now())
}
