package guard

import (
	"os"
	"path/filepath"
	"testing"
)

// planted is a folder with repositories, a scratch folder below a state folder, and what somebody who may commit has put there.
func planted(t *testing.T, tier int) (w World, dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"repos/app/.git/HEAD": "ref: refs/heads/main\n", "repos/app/.git/config": "[core]\n\tbare = false\n", "repos/app/x.conf": "a", "repos/app/.env": "A=1", "repos/app/sub/y.conf": "b",
		"repos/evil/.git/HEAD": "ref: x\n", "repos/evil/.git/config": "[core]\n", "repos/evil/fake/HEAD": "ref: x\n", "repos/evil/fake/config": "[core]\n\tfsmonitor = x\n",
		"repos/evil/fake/objects/k": "", "repos/evil/fake/deep/k": "", "repos/evil/common/HEAD": "x", "repos/evil/common/commondir": "../fake",
		"repos/led/.git": "gitdir: ../evil/fake\n", "repos/led/a": "", "repos/tree/.git": "gitdir: ../app/.git/worktrees/tree\n", "repos/tree/a": "",
		"repos/own/.git/HEAD": "ref: x\n", "repos/own/.git/config": "[Include]\n\tpath = ../more\n", "repos/own/more": "",
		"repos/conv/.git/HEAD": "ref: x\n", "repos/conv/.git/config": "[diff \"pdf\"]\n\ttextconv = pdftotext\n", "repos/conv/a.txt": "",
		"repos/app/kc": "users: []", "repos/app/supervisord.conf": "", "etc/gshadow": "x", "log/auth.log.2.gz": "", "log/app.log.2.gz": "", "log/old/app.log.1": "",
		"state/run/session-7-x/tmp/f.txt": "x", "state/run/session-7-x/tmp/a/b/c/g.txt": "x", "state/run/session-7-x/home/apikey": "k",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{os.Mkdir(filepath.Join(dir, "etc/ssl"), 0o700), os.Symlink(filepath.Join(dir, "etc/ssl"), filepath.Join(dir, "repos/app/m"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w = tableWorld(t, tier)
	p := *w.Policy
	p.Logs = []string{filepath.Join(dir, "log")}
	p.Secrets = append([]string{filepath.Join(dir, "etc/gshadow")}, p.Secrets...)
	w.Policy, w.Hypothetical, w.Cwd, w.ReposDir, w.StateDir = &p, false, filepath.Join(dir, "repos"), filepath.Join(dir, "repos"), filepath.Join(dir, "state")
	w.Scratch, w.Home = filepath.Join(dir, "state/run/session-7-x/tmp"), filepath.Join(dir, "state/run/session-7-x/home")
	return w, dir
}

func wantGranted(t *testing.T, w World, commands map[string]bool) {
	t.Helper()
	for command, granted := range commands {
		if v := w.Shell(command); v.Allow != granted {
			t.Errorf("Tier %d: %s: granted is %v; %s", w.Tier, command, v.Allow, v.Reason)
		}
	}
}

// Behind a link, and where folders can be moved, `..` leads elsewhere than it looks.
func TestNothingGoesUpBehindALink(t *testing.T) {
	w, _ := planted(t, 1)
	wantGranted(t, w, map[string]bool{
		"cat app/x.conf":                                                              true,
		"cd app/sub && cat ../x.conf":                                                 true,
		"cat app/sub/../x.conf":                                                       false,
		"cat app/m/../gshadow":                                                        false,
		"cd app/m && cat ../gshadow":                                                  false,
		"cd app/m && cat ../ssl":                                                      false,
		"cd app/m && cd .. && cat gshadow":                                            false,
		"cd app/m && cat ./../gshadow":                                                false,
		"cd app/m && cat ../*shadow":                                                  false,
		"find app/m/.. -name gshadow -exec cat {} +":                                  false,
		"cd app/m && find .. -exec cat {} +":                                          false,
		"cd app/m && head ../{gshadow,x}":                                             false,
		"cd app/m && cat < ../gshadow":                                                false,
		"cd app/m && grep -r x ..":                                                    false,
		"cd $TMPDIR/a/b/c && cat ../../f.txt":                                         false,
		"cd $TMPDIR/a/b/c && cat ../../../../home/apikey":                             false,
		"cd $TMPDIR/a/b/c && (mv $TMPDIR/a/b/c $TMPDIR/c) && rm -rf ../../../x":       false,
		"cd $TMPDIR/a/b/c && mv $TMPDIR/a/b $TMPDIR/e && cd ../.. && cat home/apikey": false,
		"mv $TMPDIR/a $TMPDIR/z":                                                      false,
		"mv $TMPDIR/f.txt $TMPDIR/z":                                                  true,
		"mkdir $TMPDIR/n && mv $TMPDIR/n $TMPDIR/o":                                   false,
		"while true; do mv $TMPDIR/n $TMPDIR/o; mkdir $TMPDIR/n; done":                false,
		"d=$(mktemp -d) && mv $TMPDIR/n $TMPDIR/o":                                    false,
		"f=$(mktemp) && echo x > $TMPDIR/t && mv $TMPDIR/t $CLAUDEOPS_STATE_DIR/handoff.json": true,
	})
}

// git runs what a configuration says: only that of a .git counts, which nobody can commit.
func TestOnlyRealRepositoriesAreLookedAt(t *testing.T) {
	w, _ := planted(t, 1)
	wantGranted(t, w, map[string]bool{
		"git -C app status":                                     true,
		"git -C app/sub log -1 --stat":                          true,
		"cd app && git diff --stat":                             true,
		"git -C tree status":                                    true,
		"git -C evil status":                                    true,
		"git -C evil/fake status":                               false,
		"git -C evil/fake/deep status":                          false,
		"git -C evil -C fake status":                            false,
		"git -C evil/common status":                             false,
		"cd evil/fake && git branch":                            false,
		"cd evil/fake && git ls-files":                          false,
		"cd evil/fake/deep && git describe":                     false,
		"cd evil && cd fake && git status":                      false,
		"(cd evil/fake; git log -1 --stat)":                     false,
		"find evil/fake -exec git -C {} status \\;":             false,
		"timeout 5 git -C evil/fake status":                     false,
		"git -C led status":                                     false,
		"git -C own status":                                     false,
		"git -C conv log -1 --stat":                             true,
		"git -C conv status":                                    true,
		"git -C conv diff -- a.txt":                             false,
		"git -C conv blame a.txt":                               false,
		"git -C conv diff --no-ext-diff --no-textconv -- a.txt": true,
		"git -C conv diff --no-textconv -- a.txt":               false,
		"cd evil/fake && gh pr list":                            false,
		"cd app && gh pr list":                                  true,
		"git -C app/m/.. status":                                false,
		"bash -c 'cd evil/fake && git status'":                  false,
	})
}

// What stands in a repository runs nothing at Tier 1.
func TestRepositoriesSettingsAreNotForTier1(t *testing.T) {
	commands := []string{"kubectl --kubeconfig=app/kc get pods", "cd app && supervisorctl status", "cd app && pm2 list", "cd app/sub && ceph -s", "cd app && npm --version", "cd app && php-fpm -t"}
	for tier := 1; tier <= 3; tier++ {
		w, _ := planted(t, tier)
		for _, command := range commands {
			wantGranted(t, w, map[string]bool{command: tier > 1})
		}
		wantGranted(t, w, map[string]bool{"supervisorctl status": true, "cd app && docker compose ps": true})
	}
}

// A pattern is what it means: logs that say who did what stay.
func TestEvidenceStaysBehindPatterns(t *testing.T) {
	w, dir := planted(t, 2)
	log := filepath.Join(dir, "log")
	wantGranted(t, w, map[string]bool{
		"rm -f " + log + "/*.gz":                          false,
		"rm -f " + log + "/app*.gz":                       true,
		"rm -f " + log + "/a*.gz":                         false,
		"find " + log + " -name '*.gz' -delete":           false,
		"find " + log + " -name 'app*.gz' -delete":        true,
		"find " + log + "/old -name '*.log.1' -delete":    true,
		"find " + log + "/../log -name 'app*.gz' -delete": false,
	})
}

// Without an inventory the policy's list says which units stay; with one, only its services are started and stopped.
func TestUnitsThatNobodyStarts(t *testing.T) {
	w := tableWorld(t, 2)
	wantGranted(t, w, map[string]bool{"systemctl restart redis": false, "systemctl start backup": false, "service redis restart": false, "pm2 restart other": false, "systemctl restart postgresql": true})
	w.Inventory = nil
	for command, granted := range map[string]bool{
		"systemctl restart redis": true, "service redis restart": true, "pm2 restart other": true,
		"systemctl stop bird": false, "systemctl restart frr": false, "rc-service net.eth0 restart": false, "systemctl start systemd-factory-reset": false, "systemctl stop cron": false,
		"systemctl start plymouth-halt": false, "systemctl stop zfs-mount": false, "pm2 restart default": false, "pm2 restart -": false, "systemctl stop openvpn@x.service": false,
		"systemctl start docker-prune.service": false, "service backup-restore start": false, "systemctl restart DB-Migrate": false,
	} {
		wantGranted(t, w, map[string]bool{command: granted})
	}
}
