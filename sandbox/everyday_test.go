package sandbox

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Everyday commands work as outside the sandbox: with the same output and exit status.
func TestEveryday(t *testing.T) {
	dir := t.TempDir()
	repo := filepath.Join(dir, "repo")
	for _, args := range [][]string{{"init", "-q", repo}, {"-C", repo, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "a first commit"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git: %v\n%s", err, out)
		}
	}
	scratch := filepath.Join(dir, "scratch")
	check(t, os.Mkdir(scratch, 0o700))
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8", "TMPDIR=" + scratch, "HOME=" + scratch, "REPO=" + repo,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}
	d := newTestDomain(t, Access{Read: []string{repo}, Write: []string{scratch}})
	for _, text := range []string{
		`seq 100 | sort -rn | head -3 | tac`,
		`yes | head -1000 | wc -l`,
		`diff <(seq 3) <(seq 4)`,
		`paste <(echo a) <(echo b) | tee >(cat >/dev/null)`,
		"cat <<END\none $((1+1))\nEND",
		`cat <<<"a string"`,
		`head -c 100000 /dev/zero | tr '\0' x > $TMPDIR/big; wc -c < $TMPDIR/big; rm $TMPDIR/big`,
		`bash -c "$(printf 'cat <<E\n%0100000d\nE\n' 7)" | wc -c`,
		`sleep 5 & kill %1; wait %1; echo $?`,
		`set -m; sleep 1 & fg %1 >/dev/null; jobs; echo done`,
		`trap 'echo caught' TERM; kill -TERM $$; echo after`,
		`timeout 0.2 sleep 5; echo $?`,
		`(exit 3); echo $?; false || echo no; ! true; echo $?`,
		`coproc cat; echo x >&"${COPROC[1]}"; read -r y <&"${COPROC[0]}"; echo $y`,
		`xargs -P 4 -n 1 echo < <(seq 20) | sort -n | tail -1`,
		`declare -A a=([x]=1 [y]=2); for k in x y; do echo $k ${a[$k]}; done`,
		`python3 -c 'import subprocess; print(subprocess.run(["echo", "hi"], capture_output=True).stdout)'`,
		`python3 -c 'import subprocess; p = subprocess.Popen("sleep 9", shell=True); p.terminate(); print(p.wait())'`,
		`python3 -c 'import threading; t = [threading.Thread(target=print, args=(i,)) for i in range(5)]; [(x.start(), x.join()) for x in t]'`,
		`python3 -c 'import tempfile; f = tempfile.NamedTemporaryFile(); f.write(b"x"); print(f.tell())'`,
		`python3 -c 'import json, sqlite3; c = sqlite3.connect(":memory:"); print(json.dumps(c.execute("select 1+1").fetchall()))'`,
		`perl -ne 'print if /root/' /etc/passwd`,
		`perl -e 'open(P, "echo pipe|"); print <P>; system("echo system")'`,
		`awk -F: '$3 == 0 {print $1; "echo x" | getline y; print y}' /etc/passwd`,
		`sed -n '1p' /etc/passwd; sed 's/root/ROOT/' /etc/passwd | head -1`,
		`echo a > $TMPDIR/f; cat $TMPDIR/f; rm $TMPDIR/f; ls $TMPDIR`,
		`mkfifo $TMPDIR/p; (echo x > $TMPDIR/p &); cat $TMPDIR/p; rm $TMPDIR/p`,
		`mkdir -p $TMPDIR/a/b; mv $TMPDIR/a/b $TMPDIR/c; ln -s c $TMPDIR/d; ls $TMPDIR; rm -r $TMPDIR/*`,
		`tar c -C /etc passwd | tar t; gzip -c /etc/passwd | zcat | wc -l`,
		`git -C $REPO log --oneline --format=%s; git -C $REPO status -s; git -C $REPO diff HEAD --stat`,
		`find /etc -maxdepth 1 -name 'pass*' | sort`,
		`grep -rc root /etc/passwd /etc/group`,
		`ip -br address; ip route; ip -s link show lo | head -1`,
		`ss -Htln >/dev/null && ss -Hxl >/dev/null; echo $?`,
		`ps -o comm= -p $$; ps aux | head -1`,
		`cat /proc/loadavg | wc -w; uptime >/dev/null; free | head -1; nproc; uname -s; hostname; id -u; date +%Y; whoami; df / | tail -1 | awk '{print $1}'`,
		`top -bn1 | sed -n 7p`,
		`nice -n 5 nice; ulimit -S -n 100; ulimit -n; umask`,
		`file -b /etc/passwd; stat -c %a /etc/passwd; du -s /etc/hostname | wc -l; lsblk >/dev/null 2>&1; getent passwd root`,
		`head -c 4 /dev/urandom | wc -c; echo x > /dev/null; cat /dev/null; echo out > /dev/stdout; echo err > /dev/stderr`,
		`cat /nowhere; ls /nowhere; nosuchprogram; echo $?`,
		`kill -0 $$ && echo self; sleep 9 & kill -9 $!; wait $! 2>/dev/null; echo $?`,
		`chmod 700 $TMPDIR; touch $TMPDIR/t; chmod +x $TMPDIR/t; stat -c %A $TMPDIR/t; cp -p $TMPDIR/t $TMPDIR/u; sed -i s/a/b/ $TMPDIR/u; rm $TMPDIR/?`,
		`printf '#!/bin/sh\necho script\n' > $TMPDIR/s; chmod 755 $TMPDIR/s; $TMPDIR/s; touch -d 2020-01-01 $TMPDIR/s; stat -c %Y $TMPDIR/s; rm $TMPDIR/s`,
		`python3 -c 'import os, shutil; t = os.environ["TMPDIR"]; shutil.copy("/etc/passwd", t + "/p"); print(oct(os.stat(t + "/p").st_mode)); os.utime(t + "/p"); os.remove(t + "/p")'`,
		`cd $TMPDIR && tar c -C /etc passwd | tar xp && wc -l < passwd && install -m 640 passwd x && stat -c %a x; rm -f passwd x`,
	} {
		outside := exec.Command("setsid", append([]string{"-w"}, bash(text)...)...)
		outside.Env, outside.Dir = env, "/"
		want, _ := outside.CombinedOutput()
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		out, result, err := run(ctx, t, d, Command{Argv: bash(text), Env: env})
		cancel()
		if err != nil || strings.TrimSpace(out) != strings.TrimSpace(string(want)) || result.Exit != outside.ProcessState.ExitCode() {
			t.Errorf("%s\ninside:  %q, %+v, %v\noutside: %q, exit %d", text, out, result, err, want, outside.ProcessState.ExitCode())
		}
	}
}
