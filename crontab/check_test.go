package crontab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/testkit/need"
)

// tree creates files and, for names that end in a slash, directories with these modes. A directory must precede its contents.
func tree(t *testing.T, entries ...any) (root string) {
	t.Helper()
	root = t.TempDir()
	for dir := root; dir != "/"; dir = filepath.Dir(dir) {
		if is, err := os.Stat(dir); err != nil || is.Mode().Perm()&0o001 == 0 && dir != root {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := 0; i < len(entries); i += 2 {
		name, mode := entries[i].(string), os.FileMode(entries[i+1].(int))
		path := filepath.Join(root, name)
		err := os.MkdirAll(path, 0o755)
		if !strings.HasSuffix(name, "/") {
			err = errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600))
		}
		if err = errors.Join(err, os.Chmod(path, mode&0o777|map[bool]os.FileMode{true: os.ModeSticky}[mode&0o1000 != 0])); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestWhatKeepsAUserFromAFileIsFound(t *testing.T) {
	root := tree(t, "closed/", 0o700, "closed/program", 0o755, "open/", 0o755, "open/program", 0o755, "open/secret", 0o600, "open/script", 0o644)
	stranger, group := Account{Name: "stranger", UID: 54321}, Account{Name: "member", UID: 54321, Groups: []int{os.Getgid()}}
	for _, c := range []struct {
		who      Account
		path     string
		want     os.FileMode
		obstacle string
	}{
		{stranger, "open/program", 1, ""},
		{stranger, "closed/program", 1, "closed"},
		{stranger, "open/secret", 4, "open/secret"},
		{stranger, "open/script", 1, "open/script"},
		{group, "open/secret", 4, "open/secret"},
		{Account{Name: "owner", UID: os.Getuid()}, "open/secret", 4, ""},
		{Account{Name: "root"}, "closed/program", 1, ""},
		{Account{Name: "root"}, "open/script", 1, "open/script"},
		{stranger, "open/none", 4, ""},
	} {
		want := ""
		if c.obstacle != "" {
			want = filepath.Join(root, c.obstacle)
		}
		if got := c.who.obstacle(filepath.Join(root, c.path), c.want); got != want {
			t.Errorf("%s, %s: %q, want %q", c.who.Name, c.path, got, want)
		}
	}
}

func TestWhatOthersCanReplaceIsFoundWithItsLinksAndFolders(t *testing.T) {
	need.Full(t, "root")
	if os.Geteuid() != 0 {
		t.Fatal("files of several users are needed: run this as root")
	}
	const bob = 54321
	root := tree(t, "open/", 0o777, "open/bin/", 0o755, "open/bin/program", 0o755, "sticky/", 0o1777, "sticky/program", 0o755, "sticky/his/", 0o755, "sticky/his/program", 0o755,
		"bin/", 0o755, "bin/program", 0o757, "bin/good", 0o755, "bin/his", 0o600, "team/", 0o775, "team/program", 0o755, "staff/", 0o775, "staff/program", 0o755)
	at := func(name string) string { return filepath.Join(root, name) }
	for _, err := range []error{
		os.Chown(at("sticky/his"), bob, bob), os.Chown(at("bin/his"), bob, bob), os.Chown(at("team"), 0, bob), os.Chown(at("staff"), 0, 0),
		os.Symlink("../../bin/good", at("sticky/his/link")), os.Symlink("../bin/good", at("staff/link")), os.Symlink(at("sticky/his"), at("staff/to-his")), os.Symlink("loop", at("staff/loop")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		who             Account
		path, where, by string
	}{
		{Account{}, "open/bin/program", "open", "everybody"},
		{Account{}, "sticky/program", "", ""},
		{Account{}, "sticky/none", "sticky", "everybody"},
		{Account{}, "bin/none", "", ""},
		{Account{}, "bin/program", "bin/program", "everybody"},
		{Account{}, "bin/good", "", ""},
		{Account{}, "bin/his", "bin/his", "the user 54321"},
		{Account{UID: bob, GID: bob}, "bin/his", "", ""},
		{Account{UID: bob + 1}, "bin/his", "bin/his", "the user 54321"},
		{Account{}, "sticky/his/link", "sticky/his", "the user 54321"},
		{Account{}, "staff/link", "", ""},
		{Account{}, "staff/to-his/program", "sticky/his", "the user 54321"},
		{Account{UID: bob, GID: bob}, "staff/to-his/link", "", ""},
		{Account{}, "team/program", "team", "the group 54321"},
		{Account{UID: bob, GID: bob}, "team/program", "", ""},
		{Account{UID: bob, GID: 1}, "team/program", "team", "the group 54321"},
		{Account{}, "staff/program", "", ""},
		{Account{}, "staff/loop", "", ""},
	} {
		want := ""
		if c.where != "" {
			want = at(c.where)
		}
		if got, by := Replaceable(at(c.path), c.who); got != want || by != c.by {
			t.Errorf("%s for %d: %q by %q, want %q by %q", c.path, c.who.UID, got, by, want, c.by)
		}
	}
}

func TestTheNextRunGoesByTheMachinesClock(t *testing.T) {
	var j Job
	for _, text := range []string{"0 6 * * *", "0 7 * * *", "0 0 29 2 *", "CRON_TZ=Asia/Tokyo 30 13 * * *"} {
		j.Schedule = append(j.Schedule, expression(t, text))
	}
	j.Now = time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)
	for zone, want := range map[string]string{"America/New_York": "2026-01-16T23:30:00-05:00", "UTC": "2026-01-17T04:30:00Z", "": "2026-01-17T04:30:00Z", "Asia/Tokyo": "2026-01-17T06:00:00+09:00"} {
		if got, err := j.next(zone); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%s: %s, %v, want %s", zone, got, err, want)
		}
	}
}

// A user that does not exist yet may run what everyone may run.
func TestANewUserMayWhatEverybodyMay(t *testing.T) {
	j := Job{System: true, NewUser: true}
	who, err := j.account()
	if err != nil || who.Name != DefaultUser {
		t.Fatalf("%+v, %v", who, err)
	}
	root := tree(t, "closed/", 0o700, "closed/program", 0o755, "open/", 0o755, "open/program", 0o755)
	for _, c := range []struct{ program, obstacle string }{{"closed/program", "closed"}, {"open/program", ""}} {
		want := ""
		if c.obstacle != "" {
			want = filepath.Join(root, c.obstacle)
		}
		if got := who.obstacle(filepath.Join(root, c.program), execute); got != want {
			t.Errorf("%s: kept away by %q, want %q", c.program, got, want)
		}
	}
}

// printed is a target that the operator installs, and that runs the program.
type printed struct{ kubernetesCluster }

func (*printed) RunsProgram() bool { return true }

func TestProgramIsDoubtedWhereTheTargetRunsIt(t *testing.T) {
	j := Job{Program: "/tmp/claudeops", Environment: &config.Environment{}}
	for target, want := range map[Target]bool{&cronProgram{}: true, &printed{}: true, &kubernetesCluster{}: false} {
		if said := strings.Join(Doubts(target, j), "\n"); strings.Contains(said, "below /tmp") != want {
			t.Errorf("%T: %q", target, said)
		}
	}
}
