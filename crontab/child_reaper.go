package crontab

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Reaper waits for the processes that a process 1 is given when their parents end: whoever does not leaves zombies behind. It never
// takes the exit status of the one child that somebody else waits for.
type Reaper struct {
	mu    sync.Mutex
	own   int // the process id of that child; 0 where there is none
	ended chan os.Signal
	done  chan struct{}
}

// StartReaper begins to reap, if this process is process 1; otherwise it gives nil, which is a Reaper too.
func StartReaper() *Reaper {
	if os.Getpid() != 1 {
		return nil
	}
	r := &Reaper{ended: make(chan os.Signal, 1), done: make(chan struct{})}
	signal.Notify(r.ended, syscall.SIGCHLD)
	go func() {
		defer close(r.done)
		for range r.ended {
			r.reap()
		}
	}()
	return r
}

// Stop ends the reaping.
func (r *Reaper) Stop() {
	if r == nil {
		return
	}
	signal.Stop(r.ended)
	close(r.ended)
	<-r.done
}

// exclude runs start, which starts the one child that is not to be reaped here. Until its process id is known nothing is reaped.
func (r *Reaper) exclude(start func() (pid int, err error)) error {
	if r == nil {
		_, err := start()
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	pid, err := start()
	if err != nil {
		return err
	}
	r.own = pid
	return nil
}

// include says that the child has been waited for, and reaps what had to wait behind it.
func (r *Reaper) include() {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.own = 0
	r.mu.Unlock()
	r.reap()
}

// reap waits for each process that has ended, up to the one child: as long as that one has not been waited for, the kernel may go on
// naming it first. include goes on from there.
func (r *Reaper) reap() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		pid, err := peek()
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || pid == 0 || pid == r.own {
			return
		}
		if _, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// peek is the process id of a child that has ended, which stays as it is; 0 where none has.
func peek() (int, error) {
	var info unix.Siginfo
	if err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err != nil {
		return 0, err
	}
	// Behind three numbers begins, aligned like a pointer, what is different for each kind of signal: for an ended child its id.
	const behind = 2*4 + unsafe.Sizeof(uintptr(0))
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), behind))), nil //nolint:gosec // the package unix has no name for the field
}
