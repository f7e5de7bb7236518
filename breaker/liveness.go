package breaker

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Whether the wrapper of a run is still there is told by a lock: it holds one on a file named like the run for as long as it waits for
// its hook, and the kernel gives that back however it ends. Process numbers would tell nothing across containers, or after a reboot.
// All of these files are made, looked at and removed under the state file's lock.

// liveness is the proof that a run's wrapper is there.
type liveness struct{ file *os.File }

// newID names a run.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails: crypto/rand ends the program first
	return hex.EncodeToString(b[:])
}

// isID keeps names out that would lead elsewhere: they come from a file that others may write.
func isID(id string) bool {
	b, err := hex.DecodeString(id)
	return err == nil && len(b) == 8
}

// live begins to prove that this process waits for the run.
func live(dir, id string) (*liveness, error) {
	if err := statedir.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, id)
	f, err := statedir.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	l := &liveness{f}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), l.end())
	}
	return l, nil
}

// end removes the proof: the run has ended.
func (l *liveness) end() error {
	err := os.Remove(l.file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, l.file.Close())
}

// leave gives the lock back and leaves in the file how the run ended: whoever looks next counts it.
func (l *liveness) leave(o Outcome) error {
	text, err := json.Marshal(o)
	if err == nil {
		_, err = l.file.Write(text)
	}
	return errors.Join(err, l.file.Close())
}

// left is how a run ended whose wrapper is gone: as it has left it, or else never.
func left(dir, id string) (o Outcome, ended bool) {
	text, err := statedir.ReadFile(filepath.Join(dir, id), maxLeft)
	if !isID(id) || err != nil || json.Unmarshal(text, &o) != nil {
		return Outcome{}, false
	}
	return o, true
}

// maxLeft bounds what is read of an outcome.
const maxLeft = 16 << 10

// alive reports whether somebody waits for the run.
func alive(dir, id string) (bool, error) {
	if !isID(id) {
		return false, nil
	}
	f, err := statedir.OpenFile(filepath.Join(dir, id), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, statedir.ErrNotRegular) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	held := errors.Is(err, unix.EWOULDBLOCK)
	if held {
		err = nil
	}
	return held, errors.Join(err, f.Close())
}

// sweep removes the files of runs whose wrappers are gone. That no file stands for a run says the same as one that nobody holds.
func sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !isID(e.Name()) {
			continue
		}
		lives, aerr := alive(dir, e.Name())
		if aerr == nil && !lives {
			aerr = os.Remove(filepath.Join(dir, e.Name()))
		}
		err = errors.Join(err, aerr)
	}
	return err
}
