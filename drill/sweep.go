package drill

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/internal/child"
)

const (
	markFile    = "drill"   // a random text that only the drill which made the folder knows
	outsideFile = "outside" // the names of the parts that have something outside of the homelab's processes and its folder
	mostMark    = 64        // bytes
	mostOutside = 4 << 10   // bytes
	removeIn    = time.Minute
)

var folderName = regexp.MustCompile(`^claudeops-drill-[0-9]+$`)

// checkFolder refuses a folder that no drill of this user has made.
func checkFolder(dir string) error {
	refused := func(why string) error { return fmt.Errorf("%s is no folder of a drill: %s", dir, why) }
	if !folderName.MatchString(filepath.Base(dir)) || filepath.Dir(dir) != filepath.Clean(os.TempDir()) {
		return refused("those are called claudeops-drill-NUMBER, in " + os.TempDir())
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir() || info.Mode().Perm()&0o066 != 0:
		return refused("those are folders that others can neither list nor write")
	case !known || int(stat.Uid) != os.Getuid():
		return refused("another user has made it")
	}
	if info, err = os.Lstat(filepath.Join(dir, markFile)); err != nil || !info.Mode().IsRegular() {
		return refused("it lacks the mark of one")
	}
	return nil
}

// checkMark refuses a folder whose mark is another one.
func checkMark(dir, mark string) error {
	if err := checkFolder(dir); err != nil {
		return err
	}
	text, err := readBounded(filepath.Join(dir, markFile), mostMark)
	if err != nil {
		return err
	}
	if mark == "" || subtle.ConstantTimeCompare(text, []byte(mark)) != 1 {
		return fmt.Errorf("%s is not the folder of the drill that asks", dir)
	}
	return nil
}

// sweepLater starts a process that removes the folder once the drill has ended, even if it was killed.
func (lab *Lab) sweepLater() error {
	mark := rand.Text()
	if err := lab.write(markFile, mark); err != nil {
		return err
	}
	cmd := exec.Command(lab.program, "drill", "sweep", lab.Dir)
	cmd.Env = append(lab.outsideEnviron(), "TMPDIR="+os.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	lab.sweeper, lab.sweeping = in, cmd
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = io.WriteString(in, mark+"\n")
	return err
}

// Sweep reads the mark of a drill's folder from the first line of in, waits for the end of in, and removes the folder.
func Sweep(in io.Reader, dir string) error {
	if err := checkFolder(dir); err != nil {
		return err
	}
	line, err := bufio.NewReader(io.LimitReader(in, mostMark)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	mark := strings.TrimSpace(line)
	if err := checkMark(dir, mark); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	if err := checkMark(dir, mark); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil // the drill has removed it
		}
		return err
	}
	return errors.Join(removeOutside(dir, os.Environ()), removeAll(dir))
}

// leavesOutside has the sweeper remove, too, what a part has outside of the homelab.
func (lab *Lab) leavesOutside(part string) error {
	return appendFile(lab.Path(outsideFile), part+"\n")
}

// outsideName begins the names of what a homelab has outside of its folder. The word claudeops is not in it: no agent may restart what is
// called so.
func outsideName(dir string) string { return strings.TrimPrefix(filepath.Base(dir), "claudeops-") }

// removals are the commands that remove what the parts of a homelab have outside of it. They are made of the folder's name alone.
func removals(dir string) (all [][]string, err error) {
	list, err := readBounded(filepath.Join(dir, outsideFile), mostOutside)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for name := range strings.Lines(string(list)) {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(parts, func(p Part) bool { return p.Name == name && p.Outside != nil })
		if i < 0 {
			return nil, fmt.Errorf("%s names %q, which is no part of a homelab that has something outside of it", filepath.Join(dir, outsideFile), name)
		}
		all = append(all, parts[i].Outside(outsideName(dir))...)
	}
	return all, err
}

// removeOutside removes what the parts of a homelab have outside of it. That may be gone.
func removeOutside(dir string, environ []string) error {
	all, err := removals(dir)
	for _, argv := range all {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = environ
		_, _ = child.Run(context.Background(), cmd, child.Limits{Within: removeIn})
	}
	return err
}

// removeAll removes a folder, in which processes may be ending.
func removeAll(dir string) (err error) {
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(4 * pace)
	}
	return err
}

// readBounded reads a small file.
func readBounded(path string, most int64) (text []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, most))
}
