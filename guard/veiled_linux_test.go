package guard

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// Behind sudo is read what the guard itself, which runs as the agent's user, cannot look at.
func TestOtherUsersSeeMore(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("it plants folders of another user: run it as root")
	}
	w, dir := planted(t, 1)
	plant(t, dir, map[string]string{"srv/priv/.env": "x", "srv/priv/a.yml": "x", "srv/open/a.yml": "x", "srv/near/a.yml": "x", "srv/told/settings.py": "PASSWORD = 'hunter22'\n", "log/priv/app.log.3.gz": "x", "log/priv/deep/app.log.3.gz": "x", "var/log/priv/a.log": "x", "var/log/a.log": "x"}, map[string]string{
		"srv/priv/link.yml": filepath.Join(dir, "etc/gshadow"), "srv/near/link.yml": "../priv/link.yml",
	})
	for _, open := range []string{filepath.Dir(dir), dir, dir + "/srv", dir + "/srv/open", dir + "/srv/near", dir + "/srv/told", dir + "/var", dir + "/var/log", dir + "/repos", dir + "/log"} {
		if err := os.Chmod(open, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	srv, logs := dir+"/srv", dir+"/var/log"
	const root, nobody = 0, 65534
	runtime.LockOSThread() // whose user for files this is
	defer runtime.UnlockOSThread()
	become := func(user uintptr) { _, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, user, 0, 0) }
	become(nobody)
	defer become(root)
	if _, err := os.ReadDir(srv + "/priv"); !os.IsPermission(err) {
		t.Skipf("a folder of another user can be read: %v", err)
	}
	wantGranted(t, w, map[string]bool{
		"sudo grep -r x " + srv + "/priv":                                         false,
		"sudo grep -r x " + srv:                                                   false,
		"sudo rg x " + srv + "/open":                                              true,
		"sudo cat " + srv + "/priv/link.yml":                                      false,
		"sudo cat " + srv + "/priv/a.yml":                                         false,
		"sudo cat " + srv + "/near/link.yml":                                      false,
		"sudo cat " + srv + "/open/a.yml":                                         true,
		"sudo sh -c 'cat " + srv + "/priv/*.yml'":                                 false,
		"sudo sh -c 'cat " + srv + "/*/a.yml'":                                    false,
		"sudo sh -c 'cat " + srv + "/open/*.yml'":                                 true,
		"sudo sh -c 'head < " + srv + "/priv/link.yml'":                           false,
		"su root -c 'cat " + srv + "/priv/link.yml'":                              false,
		"runuser -u root -- timeout 5 cat " + srv + "/priv/link.yml":              false,
		"sudo find " + srv + " -type f -exec cat {} +":                            false,
		"sudo find " + srv + " -name '*.yml' -exec cat {} +":                      false,
		"find " + srv + " -name '*.yml' -print0 | sudo xargs -0 cat":              false,
		"sudo cat " + logs + "/priv/a.log":                                        true, // by its name, as elsewhere
		"sudo find " + logs + " -name '*.log' -exec grep -c x {} +":               true,
		"sudo sh -c 'tail -n 1 " + logs + "/priv/*.log'":                          true,
		"sudo grep -r x " + logs:                                                  false,
		"sudo ls -l " + srv + "/priv":                                             true,
		"grep -r x " + srv:                                                        true, // nobody reads it
		"timeout 5 cat " + srv + "/priv/link.yml":                                 true,
		"sudo cat " + srv + "/told/settings.py":                                   false,
		"cat " + srv + "/told/settings.py; sudo cat " + srv + "/told/settings.py": false,
	})
	w.Tier = 2
	wantGranted(t, w, map[string]bool{
		"sudo chmod 644 " + srv + "/priv/a.yml": false, "sudo rm " + dir + "/log/priv/app.log.3.gz": true, "sudo rm " + dir + "/log/priv/deep/app.log.3.gz": false, "sudo rm " + dir + "/log/app.log.2.gz": true,
	})
}
