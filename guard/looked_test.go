package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/inventory"
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

// Of what a file held once nothing is looked into, whatever it holds now.
func TestEarlierCommitsAreNotLookedInto(t *testing.T) {
	w, dir := planted(t, 1)
	p := *w.Policy
	p.Looked = append([]string{filepath.Join(dir, "repos/app/cron.d/*")}, p.Looked...)
	w.Policy = &p
	plant(t, dir, map[string]string{
		"repos/app/settings.py": "DEBUG = False\n", "repos/app/config/database.php": "<?php\n", "repos/app/views.py": "x\n", "repos/app/settings.py.bak": "DEBUG = True\n", "repos/app/cron.d/b.conf": "x\n",
	}, nil)
	wantGranted(t, w, map[string]bool{
		"cat app/settings.py": true, "grep DEBUG app/settings.py": true, "cat app/config/database.php": true, "cat app/cron.d/b.conf": true,
		"git -C app show HEAD~3:settings.py": false, "git -C app show HEAD:./settings.py": false, "cd app/config && git show HEAD~3:config/database.php": false, "cd app/config && git show HEAD:./database.php": false,
		"cd app/config && git show HEAD~3:../settings.py": false, "git -C app show HEAD~3:SETTINGS.py": false, "git -C app show HEAD~3:settings.py.bak": false, "git -C app show HEAD:views.py HEAD~3:settings.py": false,
		"git -C app log -p -- settings.py": false, "git -C app log -p -- views.py settings.py": false, "git -C app log -S hunter2 -- settings.py": false, "git -C app log -Ghunter2 --oneline -- settings.py": false,
		"git -C app diff HEAD~3 -- settings.py": false, "git -C app diff -- settings.py": false, "git -C app diff HEAD~3:settings.py HEAD:views.py": false, "git -C app diff-tree -p HEAD~3 HEAD -- settings.py": false,
		"git -C app blame settings.py": false, "git -C app blame HEAD~3 -- settings.py": false, "git -C app grep KEY HEAD~3 -- settings.py": false, "git -C app grep --cached KEY -- settings.py": false,
		"git -C app show HEAD~3:cron.d/b.conf": false, "git -C app log -p -- cron.d/b.conf": false, "git -C app stash show -p": false, "git -C app show HEAD~3": false, "git -C app log -p": false,
		"git -C app log --stat -I ^KEY=h": false, "git -C app diff --stat --ignore-matching-lines=^KEY=h HEAD~3": false,
		"git -C app log --oneline --stat -- settings.py": true, "git -C app diff --stat HEAD~3 -- settings.py": true, "git -C app show HEAD~3:views.py": true, "git -C app log -p -- views.py": true,
		"git -C app blame views.py": true, "git -C app grep KEY -- views.py": true, "git -C app show --stat HEAD~3": true,
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
		wantGranted(t, w, map[string]bool{"supervisorctl status": true, "cd app && docker compose ps": tier > 1})
	}
}

// A pattern is what it means: logs that say who did what stay.
func TestEvidenceStaysBehindPatterns(t *testing.T) {
	w, dir := planted(t, 2)
	log := filepath.Join(dir, "log")
	plant(t, dir, map[string]string{"log/app.log": "x", "log/auth.log": "x", "log/debug/x.log": "x", "target.data": "x"}, map[string]string{
		"log/led.log": "../target.data", "log/near.log": "app.log", "log/dir": "debug",
	})
	wantGranted(t, w, map[string]bool{
		"truncate -s 0 " + log + "/app.log":               true,
		": > " + log + "/app.log":                         true,
		"truncate -s 0 " + log + "/*.log":                 false,
		"truncate -s 0 " + log + "/app*.log":              false,
		"truncate -s 0 " + log + "/auth.log":              false,
		"truncate -s 0 " + log + "/led.log":               false,
		"truncate -s 0 " + log + "/near.log":              false,
		": > " + log + "/led.log":                         false,
		"truncate -s 0 " + log + "/gone.log":              false,
		"truncate -s 0 " + log + "/debug":                 false,
		"truncate -s 0 " + log + "/debug/x.log":           true,
		"truncate -s 0 " + log + "/dir/x.log":             false,
		"rm -f " + log + "/*.gz":                          false,
		"rm -f " + log + "/app*.gz":                       true,
		"rm -f " + log + "/a*.gz":                         false,
		"find " + log + " -name '*.gz' -delete":           false,
		"find " + log + " -name 'app*.gz' -delete":        true,
		"find " + log + "/old -name '*.log.1' -delete":    true,
		"find " + log + "/../log -name 'app*.gz' -delete": false,
	})
}

// Only what the inventory names is started and stopped by a manager of services, and of that nothing of the machine's.
func TestUnitsThatNobodyStarts(t *testing.T) {
	w := tableWorld(t, 2)
	wantGranted(t, w, map[string]bool{
		"systemctl restart redis": false, "systemctl start backup": false, "service redis restart": false, "pm2 restart other": false, "supervisorctl restart redis": false,
		"systemctl restart nginx@1": false, "systemctl restart postgresql": true, "service nginx restart": true, "supervisorctl restart nginx": true, "pm2 restart shop": true,
	})
	inv, err := inventory.Parse([]byte("services:\n  - name: cron\n  - name: network\n    aliases: [net.eth0, systemd-networkd]\n  - name: zfs-mount\n  - name: web\n"))
	if err != nil {
		t.Fatal(err)
	}
	w.Inventory = func() (*inventory.Inventory, error) { return inv, nil }
	wantGranted(t, w, map[string]bool{
		"systemctl stop cron": false, "systemctl restart network": false, "rc-service net.eth0 restart": false, "systemctl restart systemd-networkd": false, "systemctl stop zfs-mount.service": false,
		"systemctl restart web": true, "snap restart network": false, "sv restart cron": false,
	})
	w.Inventory = nil
	for _, command := range []string{"systemctl restart redis", "systemctl stop network", "service redis start", "sv restart web", "supervisorctl stop web", "snap restart web", "pm2 restart web"} {
		wantGranted(t, w, map[string]bool{command: false})
	}
	wantGranted(t, w, map[string]bool{"docker restart web": true, "systemctl status redis": true, "systemctl reset-failed redis": true})
}

// plant adds files and links to a planted folder.
func plant(t *testing.T, dir string, files, links map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// A project counts under one name, whichever folder it is called from.
func TestComposeProjectsHaveOneName(t *testing.T) {
	w, dir := planted(t, 3)
	w.Inventory = nil
	plant(t, dir, map[string]string{
		"repos/one/compose.yml": "services: {}\n", "repos/one/src/a": "", "repos/named/compose.yml": "services: {}\n'name' : two\n", "repos/late/compose.yml": "name: a\n---\nname: three\n",
		"repos/over/compose.yml": "name: a\n", "repos/over/compose.override.yml": "name: four\n", "repos/var/compose.yml": "name: ${X}\n", "repos/broken/compose.yml": "name: [\n",
		"repos/five/.env": "A=1\nCOMPOSE_PROJECT_NAME=five\n", "repos/five/compose.yml": "name: a\n", "repos/led2/.env": "COMPOSE_FILE=../one/compose.yml\n", "repos/led2/compose.yml": "",
		"repos/twice/.env": "COMPOSE_PROJECT_NAME=a\nexport COMPOSE_PROJECT_NAME=b\n", "repos/twice/compose.yml": "",
	}, nil)
	for command, want := range map[string]string{
		"cd one && docker compose restart":                                             "restart:one",
		"cd one/src && docker compose restart":                                         "unknown",
		"cd one/src && docker compose up -d":                                           "unknown",
		"docker compose -f one/compose.yml restart":                                    "restart:one",
		"docker compose -f one/src/compose.yml restart":                                "unknown",
		"cd named && docker compose restart":                                           "restart:two",
		"cd late && docker compose restart":                                            "restart:three",
		"cd over && docker compose restart":                                            "restart:four",
		"docker compose -f over/compose.yml restart":                                   "restart:a",
		"cd var && docker compose restart":                                             "unknown",
		"cd broken && docker compose restart":                                          "unknown",
		"cd five && docker compose restart":                                            "restart:five",
		"cd five && docker compose -f " + dir + "/repos/one/compose.yml restart":       "unknown",
		"cd led2 && docker compose restart":                                            "unknown",
		"cd twice && docker compose restart":                                           "unknown",
		"cd one && docker compose -p one restart":                                      "restart:one",
		"cd one && docker compose -p two restart":                                      "unknown",
		"cd one && docker compose -p ONE restart":                                      "unknown",
		"docker compose -f one/compose.yml -f named/compose.yml restart":               "unknown",
		"docker compose -f one/compose.yml -p three up -d":                             "unknown",
		"ssh db1 'cd /srv/one && docker compose restart'":                              "unknown",
		"docker stack deploy -c one/compose.yml one":                                   "redeploy:one",
		"cd one && docker stack deploy -c compose.yml one":                             "redeploy:one",
		"cd one && docker stack deploy -c compose.yml w2":                              "unknown",
		"cd one && docker stack deploy -c " + dir + "/repos/named/compose.yml one":     "unknown",
		"cd one && docker compose down && docker compose up -d":                        "redeploy:one",
		"cd one && docker compose restart web && cd src && docker compose restart web": "unknown",
	} {
		if got := summary(w.Acts(command)); got != want {
			t.Errorf("%s: got %s, want %s", command, got, want)
		}
	}
}

// A name that the inventory knows is no other project's, and on another host nothing else is one.
func TestComposeProjectsOfTheInventory(t *testing.T) {
	w, dir := planted(t, 3)
	plant(t, dir, map[string]string{"repos/mon/compose.yml": "services: {}\n", "repos/mon/src/a": "", "repos/nginx/stack.yml": "services: {}\n", "repos/shop-db/compose.yml": "services: {}\n"}, nil)
	for command, want := range map[string]string{
		"docker compose -p nginx restart":                                 "restart:nginx",
		"docker compose -p nginx up -d":                                   "unknown",
		"cd mon && docker compose -p nginx restart":                       "unknown",
		"cd mon/src && docker compose -p nginx restart":                   "unknown",
		"docker compose -p nginx -f mon/compose.yml restart":              "unknown",
		"docker compose -p mon -f mon/compose.yml up -d":                  "restart:mon",
		"ssh db1 docker compose -f /srv/nginx/compose.yml restart":        "restart:nginx",
		"ssh db1 docker compose -f /srv/mon/compose.yml restart":          "unknown",
		"ssh db1 'cd /srv/nginx && docker compose restart'":               "unknown",
		"ssh db1 'cd /srv/nginx/src && docker compose -p nginx restart'":  "restart:nginx",
		"docker stack deploy -c mon/compose.yml nginx":                    "unknown",
		"docker stack deploy -c nginx/stack.yml nginx":                    "redeploy:nginx",
		"docker stack deploy -c shop-db/compose.yml shop-db-1":            "redeploy:shop-db",
		"docker stack deploy -c mon/compose.yml -c nginx/stack.yml nginx": "unknown",
		"ssh db1 docker stack deploy -c /x/mon/compose.yml mon":           "unknown",
	} {
		if got := summary(w.Acts(command)); got != want {
			t.Errorf("%s: got %s, want %s", command, got, want)
		}
	}
}

// What compose cannot read it shows: links of a repository lead nowhere else.
func TestComposeReadsNoLinks(t *testing.T) {
	w, dir := planted(t, 2)
	plant(t, dir, map[string]string{"repos/a/compose.yml": "", "repos/b/x": "", "repos/c/compose.yml": "", "repos/d/compose.yml": "", "repos/shared/.env": "A=1"}, map[string]string{
		"repos/a/.env": filepath.Join(dir, "etc/gshadow"), "repos/b/compose.yaml": filepath.Join(dir, "etc/gshadow"), "repos/c/.env": filepath.Join(dir, "repos/shared/.env"),
		"repos/d/compose.override.yml": "/nowhere",
	})
	wantGranted(t, w, map[string]bool{
		"cd a && docker compose ps":                     false,
		"docker compose -f a/compose.yml ps":            false,
		"docker compose -f a/compose.yml config -q":     false,
		"cd b && docker compose ps":                     false,
		"cd b && docker-compose logs web":               false,
		"cd c && docker compose ps":                     true,
		"cd d && docker compose config --services":      false,
		"cd a && docker compose -f ../c/compose.yml ps": false,
	})
}

// Compose reads and fetches what its files name, and says what it does not understand of it.
func TestComposeFilesNameNoOthers(t *testing.T) {
	projects := map[string]string{
		"plain":   "services: {web: {image: 'x:${TAG:-1}', env_file: .env, environment: {A: '${DB_PASSWORD}', P: $PWD}}}",
		"several": "services: {web: {env_file: [./web.env, {path: sub/.env.prod, required: false}]}}",
		"named":   "services: {include: {image: x}, web: {extends: db}, db: {extends: {service: web}}}",
		"within":  "services: {web: {extends: {file: common.yml, service: a}}}",
		"merged":  "x-a: &a {image: x}\nservices: {web: {<<: *a}}",
		"built":   "version: '3'\nservices: {web: {build: ./app}, db: {build: {context: ., dockerfile: sub/Dockerfile, args: {A: b}}, healthcheck: {test: x}, x-y: z}}",
		"assigns": "services: {web: {env_file: web.env}}",
	}
	projects["mounts"] = "services: {web: {configs: [c]}}\nconfigs: {c: {file: ./app.conf}, d: {content: x}, e: {external: true}}\nsecrets: {s: {file: sub/x.txt}}"
	refused := map[string]string{
		"mountshadow": "configs: {c: {file: /etc/shadow}}", "mountup": "secrets: {s: {file: ../plain/.env}}", "mountlink": "configs: {c: {file: out.env}}", "mountvar": "secrets: {s: {file: '$X'}}",
		"mountmerge": "x-a: &a {file: /etc/shadow}\nconfigs: {c: {<<: *a}}", "mountalias": "x-a: &a {file: /etc/shadow}\nsecrets: {s: *a}", "mountkey": "x-a: &a file\nsecrets: {s: {*a : /etc/shadow}}",
		"shadow": "services: {web: {env_file: /etc/shadow}}", "up": "services: {web: {env_file: ../plain/.env}}", "home": "services: {web: {env_file: ~/.env}}",
		"list": "services: {web: {env_file: [.env, /etc/auth.env]}}", "map": "services: {web: {env_file: [{path: /etc/auth.env}]}}", "key": "services: {web: {env_file: config/master.key}}",
		"alias": "x-a: &a /etc/shadow.env\nservices: {web: {env_file: *a}}", "keyalias": "x-a: &a env_file\nservices: {web: {*a : /etc/shadow}}", "listalias": "x-a: &a [/etc/x.env]\nservices: {web: {env_file: *a}}",
		"anchored": "x-a: &a {env_file: /etc/shadow}\nservices: {web: {<<: *a}}", "binary": "services: {web: {env_file: !!binary L2V0Yy9zaGFkb3c=}}", "merges": "services: {web: {env_file: [{<<: {path: /etc/x.env}}]}}",
		"second": "services: {}\n---\nservices: {web: {env_file: /etc/shadow}}", "escaped": "services: {web: {\"env\\u005ffile\": /etc/shadow}}", "labels": "services: {web: {label_file: x}}",
		"include": "include: [a.yml]", "remote": "include: [https://evil.example.org/x.git]", "includes": "<<: {include: [a.yml]}\nservices: {}", "token": "services: {web: {image: 'x:${MYTOKEN}'}}",
		"braces": "services: {web: {image: 'x:${A:-${MYTOKEN}}'}}", "bare": "services: {web: {image: 'x:$MYTOKEN'}}", "hex": "services: {web: {image: \"x:\\x24MYTOKEN\"}}", "claude": "services: {web: {image: 'x:${CLAUDE_CODE_OAUTH_TOKEN}'}}",
		"extends": "services: {web: {extends: {file: ../plain/compose.yml, service: a}}}", "url": "services: {web: {extends: {file: 'https://evil.example.org/x', service: a}}}",
		"deeper": "services: {web: {extends: {file: common.yml, service: a}}}", "link": "services: {web: {env_file: out.env}}", "chosen": "services: {}", "variables": "services: {web: {env_file: '${X}.env'}}",
		"handed": "services: {web: {environment: [CLAUDE_CODE_OAUTH_TOKEN]}}", "null": "services: {web: {environment: {ANTHROPIC_BASE_URL: }}}", "secret": "secrets: {s: {environment: CLAUDEOPS_RUN_TOKEN}}",
		"args": "services: {web: {build: {context: ., args: [MYTOKEN]}}}", "made": "services: {web: {environment: ['${A:-CLA}UDE_CODE_OAUTH_TOKEN']}}", "made2": "services: {web: {environment: ['${A:-MY}TOKEN']}}",
		"made3": "services: {web: {environment: ['${E:+=}${A:-MY}TOKEN']}}", "made4": "secrets: {s: {environment: '${A:-MY}TOKEN'}}", "config": "configs: {s: {environment: MYTOKEN}}",
		"merge": "x-a: &a {MYTOKEN: }\nservices: {web: {environment: {<<: *a}}}", "merge2": "x-a: &a {MYTOKEN: }\nservices: {web: {environment: {<<: [*a]}}}", "listed": "x-a: &a MYTOKEN\nservices: {web: {environment: [*a]}}",
		"command": "services: {web: {command: [env, CLAUDE_CODE_OAUTH_TOKEN]}}", "dotenv": "services: {web: {image: '${IMG}'}}", "dotname": "services: {}", "filed": "services: {web: {env_file: web.env}}", "nested": "services: {web: {env_file: sub/a.env}}",
		"provider": "services: {web: {provider: {type: bash}}}", "socket": "services: {web: {use_api_socket: true}}", "models": "models: {m: {model: x}}", "spec": "services: {web: {credential_spec: {file: x}}}",
		"contexts": "services: {web: {build: {context: ., additional_contexts: {a: /etc}}}}", "context": "services: {web: {build: {context: /etc}}}", "above": "services: {web: {build: ..}}", "fetched": "services: {web: {build: 'https://evil.example.org/x.git'}}",
		"dockerfile": "services: {web: {build: {context: ., dockerfile: ../x}}}", "agent": "services: {web: {build: {context: ., ssh: [default]}}}", "develop": "services: {web: {develop: {watch: [{path: /etc}]}}}",
		"mergedkey": "x-a: &a {provider: {type: bash}}\nservices: {web: {<<: [*a]}}", "aliaskey": "x-a: &a provider\nservices: {web: {*a : {type: bash}}}", "service": "x-a: &a {provider: {type: bash}}\nservices: {web: *a}",
		"round": "x-a: &a {<<: *a}\nservices: {web: {environment: *a}}", "rounds": "services: &a {<<: *a}", "tab": "services: {web: {env_file: [.env]}}", "bom": "services: {web: {env_file: [.env]}}", "behind": "services: {}", "octal": "services: {}",
		"profiles": "services: {}", "orphans": "services: {}", "lines": "services: {}",
	}
	for tier := 1; tier <= 3; tier++ {
		w, dir := planted(t, tier)
		w.Environ = append(w.Environ, "MYTOKEN=x", "TAG=1", "PWD=/repos")
		files := map[string]string{"repos/within/common.yml": "services: {a: {image: x}}", "repos/deeper/common.yml": "services: {a: {env_file: /etc/shadow}}", "repos/chosen/.env": "COMPOSE_FILE=/etc/x\n",
			"repos/dotenv/.env": "IMG=${CLAUDE_CODE_OAUTH_TOKEN}\n", "repos/dotname/.env": "A=1\nexport MYTOKEN\n", "repos/filed/web.env": "CLAUDE_CODE_OAUTH_TOKEN\n", "repos/nested/sub/a.env": "A=${MYTOKEN}\n",
			"repos/tab/.env": "export\tMYTOKEN\n", "repos/bom/.env": "\ufeffMYTOKEN\n", "repos/behind/.env": "A=\"1\" MYTOKEN\n", "repos/octal/.env": "A=\"\\0044{MYTOKEN}\"\n",
			"repos/profiles/.env": "COMPOSE_PROFILES=debug\n", "repos/orphans/.env": "A=1\nCOMPOSE_REMOVE_ORPHANS=true\n", "repos/lines/.env": "A='x\nMYTOKEN'\n",
			"repos/assigns/web.env": "# a\n\nA=1\r\nexport B=\"x\\ny\" # b\nC='x y'\n  D=\nE= {\"a\": 'b'}\nspring.port=1\n# end"}
		for name, text := range projects {
			files["repos/"+name+"/compose.yml"] = text + "\n"
		}
		for name, text := range refused {
			files["repos/"+name+"/compose.yml"] = text + "\n"
		}
		plant(t, dir, files, map[string]string{"repos/link/out.env": "/etc/hostname", "repos/mountlink/out.env": "/etc/hostname"})
		want := map[string]bool{"cd shadow && docker compose version": tier > 1, "cd shadow && docker compose ls": tier > 1, "cd shadow && docker compose -f ../plain/compose.yml ps": tier > 1}
		for _, form := range []string{"docker compose -f %s/compose.yml ps", "cd %s && docker compose logs web", "cd %s && docker-compose config --services", "podman-compose -f %s/compose.yml ps"} {
			for name := range projects {
				want[fmt.Sprintf(form, name)] = tier > 1
			}
			for name := range refused {
				want[fmt.Sprintf(form, name)] = false
			}
		}
		for name := range refused {
			want["cd "+name+" && docker compose pull && docker compose up -d"] = false
			want["docker stack deploy -c "+name+"/compose.yml "+name] = false
		}
		wantGranted(t, w, want)
	}
}

// At Tier 1 compose reads no file of a repository: it is asked for projects that the inventory names, where none lies.
func TestComposeReadsNothingAtTier1(t *testing.T) {
	w, dir := planted(t, 1)
	plant(t, dir, map[string]string{"repos/shop/compose.yml": "services: {}\n", "repos/shop/src/a": "", "repos/pod/podman-compose.yml": "services: {}\n", "repos/none/a": "", "repos/vars/.env": "A=1\n"}, map[string]string{"repos/behind": "shop/src"})
	wantGranted(t, w, map[string]bool{
		"docker compose ls": true, "docker compose version": true, "docker compose -p shop ps -a": true, "cd none && docker compose -p shop logs --tail 20 web": true, "docker compose -p shop exec -T web date": true,
		"docker compose -p other ps": false, "docker compose ps": false, "cd shop && docker compose ps": false, "cd shop && docker compose -p shop ps": false, "cd shop/src && docker compose -p shop ps": false,
		"cd behind && docker compose -p shop ps": false, "docker compose -f shop/compose.yml ps": false, "docker compose -p shop -f shop/compose.yml ps": false, "cd pod && podman-compose -p shop ps": false,
		"cd vars && docker compose -p shop ps": false, "cd vars && docker compose ls": false, "cd vars && docker compose version": false, "sudo docker compose -f shop/compose.yml ps": false, "docker compose -f shop/compose.yml config --services": false,
		"docker ps -a --filter label=com.docker.compose.project=shop": true,
	})
}

// Some versions of compose name a project by the folder behind a link, others by the link.
func TestComposeProjectsBehindLinks(t *testing.T) {
	w, dir := planted(t, 3)
	plant(t, dir, map[string]string{"repos/shop/compose.yml": "services: {}\n", "repos/fix/compose.yml": "name: fix\n"}, map[string]string{"repos/b": "shop", "repos/c": "fix", "repos/d": "."})
	wantGranted(t, w, map[string]bool{
		"cd shop && docker compose restart": true, "cd b && docker compose restart": false, "cd b && docker-compose restart": false, "cd b && podman-compose up -d": false,
		"cd b && env -i docker compose restart": false, "cd b && env -u PWD docker compose restart": false, "cd b && sudo docker compose restart": false,
		"docker compose -f b/compose.yml restart": false, "cd b && docker compose ps": true, "cd c && docker compose restart": true, "cd d/shop && docker compose restart": true,
	})
}

// Of git's configuration nothing is read that holds more than where repositories lie.
func TestConfigurationOfGitIsPlain(t *testing.T) {
	w, dir := planted(t, 1)
	for name, text := range map[string]string{
		"mail": "[sendemail]\n\tsmtppass = hunter2\n", "imap": "[imap]\n\tpass = x\n", "proxy": "[http]\n\tproxy = joe:x@proxy:3128\n", "cred": "[credential \"x\"]\n\thelper = store\n",
		"more": "[core]\n\tx = y\n", "comment": "[core]\n# x\n", "glued": "[core] bare = false\n", "cont": "[core]\n\tbare = x\\\n y\n",
	} {
		plant(t, dir, map[string]string{"repos/" + name + "/.git/HEAD": "ref: x\n", "repos/" + name + "/.git/config": text, "repos/" + name + "/x.conf": ""}, nil)
		wantGranted(t, w, map[string]bool{"cat " + name + "/.git/config": false, "grep -r x " + name: false, "cat " + name + "/x.conf": true})
	}
	plant(t, dir, map[string]string{"repos/good/.git/HEAD": "ref: x\n", "repos/good/.git/config": "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n[remote \"origin\"]\n\turl = git@github.com:x/y.git\n" +
		"\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\temail = a@b.example\n"}, nil)
	wantGranted(t, w, map[string]bool{"cat good/.git/config": true, "grep -r x good": true})
}

// git shows single files of a repository, and no two files against each other.
func TestGitShowsFilesOfRepositories(t *testing.T) {
	w, dir := planted(t, 1)
	plant(t, dir, map[string]string{
		"etc/ssl/openssl.cnf": "x", "repos/app/notes": "x", "repos/app/y.conf/z": "x", "repos/none/a.conf": "x", "repos/none/b.conf": "y",
		"repos/tok/.git/HEAD": "ref: x\n", "repos/tok/.git/config": "[remote \"origin\"]\n\turl = https://oauth2:ghp_x@github.com/x/y\n", "repos/tok/x.conf": "",
		"repos/tok/.git/logs/HEAD": "0 1 a pull https://ghp_x@github.com/x/y\n", "repos/app/.git/logs/HEAD": "0 1 a commit: x\n",
	}, map[string]string{"repos/app/link.conf": filepath.Join(dir, "etc/gshadow"), "repos/app/here.conf": "x.conf"})
	wantGranted(t, w, map[string]bool{
		"git -C app log -p -- x.conf":                true,
		"git -C app log -p -- sub/y.conf":            true,
		"git -C app/sub log -p -- y.conf":            true,
		"git -C app log -p -- sub":                   false,
		"git -C app log -p -- y.conf":                false, // a folder
		"git -C app log -p -- notes":                 false, // may have been one
		"git -C app log -p -- gone.conf":             false,
		"git -C app diff -- link.conf":               false,
		"git -C app diff -- here.conf":               false,
		"git -C app diff -- m/openssl.cnf":           false,
		"git -C app diff -- x.conf m/openssl.cnf":    false,
		"git -C app diff HEAD -- ../evil/x.conf":     false,
		"git -C none diff -- a.conf":                 false,
		"git -C none diff -- a.conf b.conf":          false,
		"git -C none diff HEAD -- b.conf":            false,
		"cat app/.git/config":                        true,
		"cat app/.git/logs/HEAD":                     true,
		"cat tok/.git/config":                        false,
		"cat tok/.git/logs/HEAD":                     false,
		"grep -r x tok":                              false,
		"grep -rn url tok/.git":                      false,
		"cat tok/.git/c*":                            false,
		"cat tok/x.conf":                             true,
		"docker exec web cat /repos/app/.git/config": false,
	})
}

// A device behind a link is none of the disks.
func TestDevicesBehindLinks(t *testing.T) {
	w, dir := planted(t, 1)
	plant(t, dir, map[string]string{"repos/dbs/a.db": ""}, map[string]string{"repos/app/dev": "/dev/zero", "log/x.db": "../repos/dbs/a.db"})
	wantGranted(t, w, map[string]bool{
		"df app/dev": false, "df app/*": false, "df app/x.conf": true, "df -h " + dir + "/log": true, "blkid app/dev": false, "df -h /": true, "df": true,
		"sqlite3 -readonly -safe " + dir + "/log/x.db .tables": false, "sqlite3 -readonly -safe dbs/a.db .tables": false,
	})
}

// What is read of a pipe others do not get, and a file that the environment names as one of a secret is secret.
func TestReadsLeaveThingsAsTheyAre(t *testing.T) {
	w, dir := planted(t, 1)
	plant(t, dir, map[string]string{"repos/dash.one": "x", "repos/key.two": "x", "repos/metrics.prom": "x"}, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, "log/cmd"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Environ = append(w.Environ, "CLAUDEOPS_DASHBOARD_TOKEN_FILE="+dir+"/repos/dash.one", "ANTHROPIC_API_KEY_FILE="+dir+"/repos/key.two", "CLAUDEOPS_METRICS_FILE="+dir+"/repos/metrics.prom")
	wantGranted(t, w, map[string]bool{
		"cat " + dir + "/log/cmd": false, "cat " + dir + "/log/c*": false, "cat < " + dir + "/log/cmd": false, "cat " + dir + "/log/app.log.2.gz": true, "cat /proc/loadavg": true,
		"cat dash.one": false, "cat key.two": false, "cat dash.*": false, "grep x " + dir + "/repos/dash.one": false, "cat metrics.prom": true, "env | grep CLAUDEOPS": true,
	})
	w.Environ = append(w.Environ, "CLAUDEOPS_DASHBOARD_TOKEN=x", "HTTPS_PROXY=http://joe:x@proxy:3128")
	wantGranted(t, w, map[string]bool{"env | grep CLAUDEOPS": false, "env | grep ^CLAUDEOPS_": false, "curl -v http://127.0.0.1:8080/health": false, "curl -s http://127.0.0.1:8080/health": true})
}

// ansible runs an inventory that is a program.
func TestInventoriesOfAnsibleAreNoPrograms(t *testing.T) {
	w, dir := planted(t, 3)
	plant(t, dir, map[string]string{"repos/app/site.yml": "", "repos/app/hosts": "", "repos/app/run.sh": "", "repos/app/inv/a": "", "srv/hosts": ""}, map[string]string{"repos/app/out": filepath.Join(dir, "srv/hosts")})
	if err := os.Chmod(filepath.Join(dir, "repos/app/run.sh"), 0o700); err != nil {
		t.Fatal(err)
	}
	wantGranted(t, w, map[string]bool{
		"ansible-playbook app/site.yml -i app/hosts --list-hosts": true, "ansible-playbook app/site.yml -i app/run.sh --list-hosts": false, "ansible-playbook app/site.yml -i app/inv --list-hosts": false,
		"ansible-playbook app/site.yml -i app/out --list-hosts": false, "ansible-playbook app/site.yml -i " + dir + "/srv/hosts --list-hosts": false,
	})
}

// A pattern, and what find has found, may be a folder with secrets below it, which grep -r, rg and diff go through.
func TestFoldersBehindPatterns(t *testing.T) {
	w, dir := planted(t, 1)
	plant(t, dir, map[string]string{
		"srv/pay/.env": "x", "srv/pay/conf/deep/.env": "x", "srv/pay/a.conf": "x", "srv/web/conf/a.conf": "x", "srv/web/conf.d/b.conf": "x", "srv/odd.conf/.env": "x", "log/nginx/a.log": "x", "log/nginx/b.log": "x",
	}, map[string]string{"srv/led": "pay"})
	for _, grep := range []string{"grep -r x", "grep -rn x", "grep -R x", "egrep --recursive x", "rg x", "rg -uuu x", "diff -r " + dir + "/log", "diff " + dir + "/log"} {
		wantGranted(t, w, map[string]bool{
			grep + " " + dir + "/srv/pa?":                                                 false,
			grep + " " + dir + "/srv/*":                                                   false,
			grep + " " + dir + "/srv/le?":                                                 false,
			grep + " " + dir + "/srv/*.conf":                                              false,
			grep + " " + dir + "/srv/we?":                                                 true,
			grep + " " + dir + "/log/ngin?":                                               true,
			grep + " " + dir + "/log/*":                                                   true,
			"sudo " + grep + " " + dir + "/srv/pa?":                                       false,
			"for d in " + dir + "/srv/*/; do " + grep + ` "$d"; done`:                     false,
			"for d in " + dir + "/log/*/; do " + grep + ` "$d"; done`:                     true,
			"cd " + dir + "/srv && " + grep + " ./pa?":                                    false,
			"cd " + dir + "/srv && " + grep + " ./we?":                                    true,
			"find " + dir + "/srv/pay -name conf -exec " + grep + " {} +":                 false,
			"find -L " + dir + "/srv/led -name conf -exec " + grep + " {} \\;":            false,
			"find " + dir + "/srv/web -name conf -exec " + grep + " {} +":                 true,
			"find " + dir + "/srv/pay -name conf -print0 | xargs -0r " + grep:             false,
			"find " + dir + "/srv/web -name conf -print0 | xargs -0r " + grep:             true,
			"find " + dir + "/srv/pay -name conf -print0 | xargs -0 -I{} " + grep + " {}": false,
		})
	}
	wantGranted(t, w, map[string]bool{
		"grep x " + dir + "/srv/*.conf": true, "find " + dir + "/srv/pay -name '*.conf' -exec grep x {} +": true, "find " + dir + "/log -name '*.log' -exec grep -l x {} +": true, "ls -R " + dir + "/srv/pa?": true, "du -sh " + dir + "/srv/*": true,
		"cd " + dir + "/srv/pay; find " + dir + "/log -name '*.nope' -print0 | xargs -0 grep -r x": false, "cd " + dir + "/srv/pay; find " + dir + "/log -name '*.nope' -print0 | xargs -0 -r grep -r x": true,
	})
}

// What find is told to begin with it hands on by that name, which may be a link's.
func TestFindBeginsAtALink(t *testing.T) {
	w, dir := planted(t, 1)
	plant(t, dir, map[string]string{"srv/.env": "x", "srv/plain": "x"}, map[string]string{"srv/link.conf": filepath.Join(dir, "etc/gshadow"), "srv/vars.conf": ".env", "srv/good.conf": "plain"})
	srv := dir + "/srv"
	wantGranted(t, w, map[string]bool{
		"find " + srv + "/link.conf -name link.conf -exec cat {} \\;": false, "find " + srv + "/link.conf -name 'link*' -exec cat {} +": false, "find -L " + srv + "/link.conf -name '*.conf' -exec cat {} +": false,
		"find " + srv + "/vars.conf -name vars.conf -print0 | xargs -0 cat": false, "cd " + srv + " && find link.conf -name 'l*' -exec cat {} +": false, "find " + srv + "/l* -name 'l*' -exec cat {} +": false,
		"find " + srv + "/good.conf -name good.conf -exec cat {} +": true, "find " + srv + "/plain -name plain -exec cat {} +": true,
	})
}
