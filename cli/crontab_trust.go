package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
)

// maxLinks is how many symbolic links Linux follows in a path.
const maxLinks = 40

// replaceable is what others than root and a trusted account can change of what a path leads to, and who: of the file, its folders and the links
// on the way. Both are empty where there is nothing.
func replaceable(path string, trusted account) (at, by string) {
	at, rest := "/", path
	for links := 0; links <= maxLinks; {
		is, err := os.Lstat(at)
		if err != nil {
			if dir, err := os.Stat(filepath.Dir(at)); err == nil && dir.Mode()&0o002 != 0 {
				return filepath.Dir(at), "everybody" // who may make it
			}
			return "", ""
		}
		if by = trusted.others(is); by != "" {
			return at, by
		}
		if is.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(at)
			if err != nil {
				return "", ""
			}
			links, rest = links+1, target+"/"+rest
			if at = filepath.Dir(at); filepath.IsAbs(target) {
				at = "/"
			}
		}
		if rest = strings.TrimLeft(rest, "/"); rest == "" {
			return "", ""
		}
		name, behind, _ := strings.Cut(rest, "/")
		at, rest = filepath.Join(at, name), behind
	}
	return "", ""
}

// others says who but root and this account can change a file, or what is in a folder; empty for nobody.
func (who account) others(is fs.FileInfo) string {
	owner, ok := is.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	if id := int(owner.Uid); id != 0 && id != who.uid {
		return userOf(id)
	}
	open := is.Mode() & 0o022
	switch sticky := is.IsDir() && is.Mode()&fs.ModeSticky != 0; {
	case sticky || is.Mode()&fs.ModeSymlink != 0:
		return ""
	case open&0o002 != 0:
		return "everybody"
	case open&0o020 != 0 && owner.Gid != 0 && (who.uid == 0 || int(owner.Gid) != who.gid):
		return "the group " + groupOf(int(owner.Gid))
	}
	return ""
}

func userOf(id int) string {
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return u.Username
	}
	return fmt.Sprintf("the user %d", id)
}

func groupOf(id int) string {
	if g, err := user.LookupGroupId(strconv.Itoa(id)); err == nil {
		return g.Name
	}
	return strconv.Itoa(id)
}

// untrusted warns of a program or environment that others than they should can change, and refuses such credentials, which systemd reads as
// root wherever a link leads. The agents of a job of the system's run as its user: they must not be able to change the guard either.
func (f *crontabFlags) untrusted(j crontab.Job, who account) (warnings []string, err error) {
	owner := who
	if j.System {
		owner = account{}
	}
	for _, given := range f.credentials {
		name, path, _ := strings.Cut(given, "=")
		if is, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && !is.Mode().IsRegular() {
			return nil, fmt.Errorf("--credential %s: there is no file %s, without which systemd starts no run: write the secret into it", name, path)
		}
		if at, by := replaceable(path, owner); at != "" {
			return nil, fmt.Errorf("--credential %s: %s can change %s, and would have systemd read any file of the machine's: keep the file in a folder of root's, such as /etc/claudeops", name, by, at)
		}
	}
	if at, by := replaceable(j.Program, owner); at != "" {
		warnings = append(warnings, fmt.Sprintf("%s can change %s, and so have %s run another program than %s: install it in /usr/local/bin, as root", by, at, who.name, j.Program))
	}
	file := j.EnvFile
	if file == "" {
		file = config.EnvFile
	}
	if f.target.word == cronTarget {
		owner = who // who reads it
	}
	if at, by := replaceable(file, owner); at != "" {
		warnings = append(warnings, fmt.Sprintf("%s can change %s, and so what %s runs by %s: make it root's", by, at, who.name, file))
	}
	return warnings, nil
}

// unknownUnits warns of services that are allowed and that this machine's systemd does not know by that name.
func (f *crontabFlags) unknownUnits(ctx context.Context) (warnings []string) {
	program, found := child.Find("systemctl", os.Getenv("PATH"))
	if len(f.allowUnits) == 0 || !found || !systemdRuns() {
		return nil
	}
	for _, name := range f.allowUnits {
		if !strings.Contains(name, ".") {
			name += ".service"
		}
		out, err := crontab.RunProgram(ctx, nil, program, "show", "--property=Id,LoadState", "--", name)
		if err != nil {
			continue // startTimer says what is wrong with systemctl
		}
		lines := strings.Split(string(out), "\n")
		switch {
		case slices.Contains(lines, "LoadState=not-found"):
			warnings = append(warnings, fmt.Sprintf("--allow-unit %s: systemd knows no such unit here; `systemctl list-units --type=service` has their names", name))
		case !slices.Contains(lines, "Id="+name):
			warnings = append(warnings, fmt.Sprintf("--allow-unit %s is another name of a unit, by which polkit does not know it: allow the one that `systemctl show --property=Id %s` says", name, shellWord(name)))
		}
	}
	return warnings
}
