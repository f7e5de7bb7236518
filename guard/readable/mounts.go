package readable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard/policy"
)

// mountTable is the list of mounts. A directory of secrets may be mounted a second time, under a path that does not reveal it. A rule for
// that path would open the directory.
type mountTable struct {
	file   *os.File
	mounts []mount
}

// mount is one line of /proc/self/mountinfo.
type mount struct{ device, root, point, kind string }

// maxMounts limits the table, in bytes.
const maxMounts = 16 << 20

func openMounts() (*mountTable, error) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("read the mount points: %w", err)
	}
	t := &mountTable{file: f}
	_, _ = t.remounted() // resets the state, so that only later mounts are reported
	return t, t.readAll()
}

// remounted reports whether something was mounted since the last call.
func (t *mountTable) remounted() (bool, error) {
	fds := []unix.PollFd{{Fd: int32(t.file.Fd()), Events: unix.POLLPRI}}
	for {
		_, err := unix.Poll(fds, 0)
		if !errors.Is(err, unix.EINTR) {
			return fds[0].Revents&(unix.POLLPRI|unix.POLLERR) != 0, err
		}
	}
}

// refresh reads the table again if something was mounted.
func (t *mountTable) refresh() (changed bool, err error) {
	if changed, err = t.remounted(); err != nil || !changed {
		return false, err
	}
	return true, t.readAll()
}

func (t *mountTable) readAll() error {
	content, err := io.ReadAll(io.NewSectionReader(t.file, 0, maxMounts))
	if err != nil {
		return fmt.Errorf("read the mount points: %w", err)
	}
	t.mounts = parseMounts(content)
	return nil
}

func (t *mountTable) close() { _ = t.file.Close() }

// parseMounts parses lines of mountinfo: ID PARENT DEVICE ROOT POINT OPTIONS… - KIND SOURCE OPTIONS. Malformed lines are skipped.
func parseMounts(content []byte) (all []mount) {
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range bytes.Lines(content) {
		fields := strings.Fields(string(line))
		end := slices.Index(fields, "-")
		if end < 6 || end+1 >= len(fields) {
			continue
		}
		all = append(all, mount{fields[2], unescape.Replace(fields[3]), unescape.Replace(fields[4]), fields[end+1]})
	}
	return all
}

// distant reports whether a file system may block on another machine or another program.
func distant(kind string) bool {
	return slices.Contains([]string{"nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs", "autofs", "glusterfs", "davfs"}, kind) || strings.HasPrefix(kind, "fuse.")
}

// closed returns the places that are closed because of what is mounted there.
func (t *mountTable) closed(w World) (all []place) {
	known := placesOf(w)
	for _, m := range t.mounts {
		at := slices.IndexFunc(known, func(p place) bool { return p.path != "/" && within(m.point, p.path) && p.manner != never })
		if at < 0 || slices.ContainsFunc(known, func(p place) bool { return p.path == m.point }) {
			continue
		}
		why := ""
		for _, origin := range t.origins(m) {
			if found := secretOrigin(w, known, origin); found != "" {
				why = "it is " + origin + ", mounted here: " + found
			}
		}
		if why != "" {
			all = append(all, place{m.point, never, why})
			continue
		}
		if distant(m.kind) && known[at].manner != whole {
			all = append(all, place{m.point, never, "a file system of another machine or program, which may never answer; read: of the policy opens it"})
		}
	}
	return all
}

// origins returns the other paths of what is mounted at m.
func (t *mountTable) origins(m mount) (all []string) {
	for _, other := range t.mounts {
		if other.device == m.device && other.point != m.point && within(m.root, other.root) {
			all = append(all, filepath.Join(other.point, strings.TrimPrefix(m.root, other.root)))
		}
	}
	return all
}

// secretOrigin returns why a path is closed at its original place, as far as names and places decide; empty if it is not.
func secretOrigin(w World, known []place, full string) string {
	for at := strings.TrimPrefix(full, w.root); at != "/" && at != "."; at = path.Dir(at) {
		if folder(at) == closed || named(at) == closed || inList("unmarked", at) {
			return "its name is that of a credential"
		}
	}
	if slices.ContainsFunc(w.Secrets, func(pattern string) bool { return policy.Matches(pattern, full) }) {
		return closedByOperator
	}
	for _, p := range known {
		if p.manner == never && within(full, p.path) {
			return p.why
		}
	}
	return ""
}
