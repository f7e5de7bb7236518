package main

import (
	"context"
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
	outsideFile = "outside" // the names of the parts that have something outside of the homelab's processes and its folder
	mostOutside = 4 << 10   // bytes
	removeIn    = time.Minute
)

var folderName = regexp.MustCompile(`^claudeops-drill-[0-9]+$`)

// sweepLater starts a process that removes the folder once the drill has ended, even if it was killed.
func (lab *Lab) sweepLater() error {
	cmd := exec.Command(lab.self, "sweep", lab.Dir)
	cmd.Env = lab.outsideEnviron()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	lab.sweeper, lab.sweeping = in, cmd
	return cmd.Start()
}

// sweep waits for the end of in, and removes the folder of a drill.
func sweep(in io.Reader, dir string) error {
	if !folderName.MatchString(filepath.Base(dir)) {
		return fmt.Errorf("%s is no folder of a drill: those are called claudeops-drill-NUMBER", dir)
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
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
