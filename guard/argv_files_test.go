package guard

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/guard/policy"
)

// diskWorld is a world whose repositories and session are on disk.
func diskWorld(t *testing.T, files map[string]string) (w World, root string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, isLink := strings.CutPrefix(text, "-> "); isLink {
			err = os.Symlink(strings.ReplaceAll(to, "ROOT", root), name)
		} else {
			err = os.WriteFile(name, []byte(strings.ReplaceAll(text, "ROOT", root)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w = argvWorld(t, 2)
	w.Resolve = nil
	w.ReposDir, w.StateDir = filepath.Join(root, "repos"), filepath.Join(root, "state")
	w.Scratch, w.Home = filepath.Join(root, "state/run/1/tmp"), filepath.Join(root, "state/run/1/home")
	return w, root
}

// What compose reads is the operator's word, unless an agent could have written it.
func TestComposeProjects(t *testing.T) {
	for _, test := range []struct {
		argv    []string
		dir     string
		refused string // a part of the reason
	}{
		{[]string{"ps"}, "repos/blog", ""},
		{[]string{"-f", "compose.yaml", "ps"}, "repos/blog", ""},
		{[]string{"ps"}, "state/run/1/tmp", "an agent could have written"},
		{[]string{"ps"}, "repos/link", "an agent could have written"},
		{[]string{"-f", "../link/compose.yaml", "ps"}, "repos/blog", "an agent could have written"},
		{[]string{"--project-directory", "../link", "ps"}, "repos/blog", "an agent could have written"},
	} {
		w, root := diskWorld(t, map[string]string{"repos/blog/compose.yaml": "", "state/run/1/tmp/compose.yaml": "", "repos/link": "-> ROOT/state/run/1/tmp"})
		v := JudgeArgv(w, Call{Argv: append([]string{"docker", "compose"}, test.argv...), Dir: filepath.Join(root, test.dir)})
		if v.Allow != (test.refused == "") || !strings.Contains(v.Reason, test.refused) {
			t.Errorf("%s in %s: allowed %v, reason %q; want a refusal for %q", test.argv, test.dir, v.Allow, v.Reason, test.refused)
		}
	}
}

func TestHowAGrantedCallIsRun(t *testing.T) {
	const readOnly = "PGOPTIONS=-c default_transaction_read_only=on"
	for _, test := range []struct {
		argv  []string
		input string
		want  Verdict
	}{
		{[]string{"docker", "ps"}, "", Verdict{Argv: []string{"docker", "ps"}}},
		{[]string{"/usr/bin/docker", "ps"}, "", Verdict{Argv: []string{"docker", "ps"}}},
		{[]string{"sudo", "-n", "-u", "postgres", "psql", "-c", "select 1"}, "", Verdict{Argv: []string{"psql", "-c", "select 1"}, User: "postgres", Env: []string{readOnly}}},
		{[]string{"sudo", "systemctl", "status", "nginx"}, "", Verdict{Argv: []string{"systemctl", "status", "nginx"}, User: "root"}},
		{[]string{"wget", "-qO-", "http://127.0.0.1:8080/health"}, "", Verdict{Argv: []string{"wget", "--max-redirect=0", "-qO-", "http://127.0.0.1:8080/health"}}},
		{[]string{"crontab", "-l"}, "", Verdict{Argv: []string{"crontab", "-l"}, SetID: true}},
		{[]string{"openssl", "x509", "-noout", "-dates"}, "", Verdict{Argv: []string{"openssl", "x509", "-noout", "-dates"}, Stdin: StdinData}},
		{[]string{"psql", "-p", "6432", "-c", "select 1"}, "", Verdict{Argv: []string{"psql", "-p", "6432", "-c", "select 1"}}},
		{[]string{"psql", "-U", "postgres"}, "select 1", Verdict{Argv: []string{"psql", "-U", "postgres"}, Stdin: StdinText, Env: []string{readOnly}}},
		{[]string{"docker", "exec", "-i", "db", "psql", "-c", "select 1"}, "", Verdict{Argv: []string{"docker", "exec", "-i", "-e", readOnly, "db", "psql", "-c", "select 1"}}},
		{[]string{"docker", "exec", "db", "sh", "-c", "psql -c 'select 1'"}, "", Verdict{Argv: []string{"docker", "exec", "db", "sh", "-c", "psql -c 'select 1'"}}},
		{[]string{"docker", "exec", "db", "mysql", "-e", "select 1"}, "", Verdict{Argv: []string{"docker", "exec", "db", "mysql", "-e", "select 1", "--init-command=SET SESSION TRANSACTION READ ONLY"}}},
		{[]string{"docker", "exec", "-i", "db", "psql", "-U", "postgres"}, "select 1", Verdict{Argv: []string{"docker", "exec", "-i", "-e", readOnly, "db", "psql", "-U", "postgres"}, Stdin: StdinText}},
		{[]string{"journalctl", "-u", "shop", "-o", "json"}, "", Verdict{Argv: []string{"journalctl", journalFields, "-u", "shop", "-o", "json"}, Writes: []string{"/var/log/journal", "/run/log/journal", "/var/tmp"}}},
		{[]string{"ssh", "db1", "uptime"}, "", Verdict{Argv: []string{"ssh", "-o", "ControlMaster=no", "db1", "uptime"}}},
		{[]string{"curl", "-so", "/state/run/session-7-x/tmp/x", "http://127.0.0.1:8080/health"}, "", Verdict{
			Argv: []string{"curl", "-so", "/state/run/session-7-x/tmp/x", "http://127.0.0.1:8080/health"}, Writes: []string{"/state/run/session-7-x/tmp"},
		}},
	} {
		call := Call{Argv: test.argv, Dir: "/repos"}
		if test.input != "" {
			call.Input = &test.input
		}
		v := JudgeArgv(argvWorld(t, 2), call)
		if !v.Allow || !slices.Equal(v.Argv, test.want.Argv) || v.User != test.want.User || !slices.Equal(v.Env, test.want.Env) || v.Stdin != test.want.Stdin || v.SetID != test.want.SetID || !slices.Equal(slices.Compact(v.Writes), test.want.Writes) {
			t.Errorf("%q: %+v, want %+v", test.argv, v, test.want)
		}
	}
}

func TestTextOnStandardInput(t *testing.T) {
	w := argvWorld(t, 1)
	call := Call{Argv: []string{"psql", "-U", "postgres"}, Dir: "/repos"}
	if v := JudgeArgv(w, call); v.Allow || v.Stdin != StdinText {
		t.Errorf("unread: %+v, want a refusal that asks for it", v)
	}
	uptime, remove, hidden, reading := "uptime\ndf -h /var | tail -n 1\n", "uptime\nrm -r /srv/shop\n", "cat '/etc/sha\x00dow'\n", "psql\nselect 1\n"
	script := Call{Argv: []string{"ssh", "db1", "bash -s"}, Dir: "/repos"}
	if v := JudgeArgv(w, script); v.Allow || v.Stdin != StdinText {
		t.Errorf("a script that was not read: %+v, want a refusal that asks for it", v)
	}
	for _, script.Argv = range [][]string{{"ssh", "db1", "bash -s"}, {"ssh", "-n", "db1", "bash", "-s"}, {"sudo", "ssh", "db1", "sh"}} {
		// From standard input, head -c 5 would consume part of the next line, and the shell would run the rest.
		script.Input = &uptime
		if v := JudgeArgv(w, script); !v.Allow || v.Argv[len(v.Argv)-1] != uptime || v.Argv[len(v.Argv)-2] != "db1" {
			t.Errorf("%q on another machine: %q, %s", uptime, v.Argv, v.Reason)
		}
	}
	for _, input := range []*string{&remove, &hidden, &reading} {
		if script.Input = input; JudgeArgv(w, script).Allow {
			t.Errorf("%q on another machine is granted", *input)
		}
	}
	for _, argv := range [][]string{ // it cannot be passed as an argument
		{"docker", "exec", "-i", "web", "sh", "-c", "bash -s"}, {"docker", "exec", "-i", "web", "bash", "-c", "sh"}, {"kubectl", "exec", "-i", "web-0", "--", "sh", "-c", "sh"},
		{"docker", "compose", "exec", "web", "sh", "-c", "sh"}, {"ssh", "db1", "sh -c sh"}, {"ssh", "db1", "docker exec -i web sh -c sh"},
	} {
		if script.Argv, script.Input = argv, &uptime; JudgeArgv(w, script).Allow {
			t.Errorf("%q is granted", argv)
		}
	}
	for _, text := range []string{"bash -s; uptime", "bash -s arg", "bash -i", "sudo bash -s", "cat | bash -s"} {
		if script.Argv, script.Input = []string{"ssh", "db1", text}, &uptime; JudgeArgv(w, script).Allow {
			t.Errorf("%q is granted", text)
		}
	}
	drop := "drop table orders"
	if call.Input = &drop; JudgeArgv(w, call).Allow {
		t.Errorf("%q is granted", drop)
	}
	for _, argv := range [][]string{
		{"docker", "exec", "-i", "db", "psql", "-U", "postgres"}, {"docker", "exec", "-i", "db", "mysql"}, {"docker", "exec", "-i", "db", "sh"}, {"docker", "exec", "-i", "db", "bash", "-s"},
	} {
		if call.Argv = argv; JudgeArgv(w, call).Allow {
			t.Errorf("%q with %q is granted", argv, drop)
		}
	}
	read := "select 1"
	call.Input = &read
	for _, argv := range [][]string{ // the client would not read it, or not all of it
		{"docker", "exec", "db", "psql"}, {"docker", "exec", "-i", "db", "sh", "-c", "psql"}, {"docker", "exec", "-i", "db", "sh", "-c", "cat; psql"}, {"ssh", "db1", "psql"},
		{"ssh", "db1", "docker exec -i db psql"}, {"docker", "exec", "-i", "db", "sh"}, {"docker", "exec", "-i", "db", "env", "psql"},
	} {
		if call.Argv = argv; JudgeArgv(w, call).Stdin == StdinText {
			t.Errorf("%q is given what was judged as text of a client", argv)
		}
	}
}

func TestProgramsOfAnOperator(t *testing.T) {
	own, err := policy.Parse([]byte(`
programs:
  backupctl:
    style: gnu
    commands:
      list: {do: observe, options: --all}
      run: {do: change, operands: name, writes: /srv/backups $TMPDIR}
      restore: {do: ask, operands: name}
      fetch: {do: observe, options: --from=url, operands: 'url?'}
`))
	if err != nil {
		t.Fatal(err)
	}
	w := argvWorld(t, 1)
	if w.Policy, err = w.Policy.Join(own); err != nil {
		t.Fatal(err)
	}
	verdict := func(tier int, argv ...string) Verdict {
		w.Tier = tier
		return JudgeArgv(w, Call{Argv: argv, Dir: "/repos"})
	}
	if v := verdict(1, "backupctl", "list", "--all"); !v.Allow {
		t.Errorf("list: %s", v.Reason)
	}
	for url, want := range map[string]bool{
		"http://shop.example.org/dump?of=orders": true, "http://127.0.0.1:8080/": true, "http://attacker.example.net/": false, "http://169.254.169.254/latest": false,
		"ftp://shop.example.org/": false, "http://user@shop.example.org/": false, "http://localhost:9911/": false,
	} {
		for _, argv := range [][]string{{"backupctl", "fetch", url}, {"backupctl", "fetch", "--from", url}} {
			if v := verdict(1, argv...); v.Allow != want {
				t.Errorf("%q: allowed %v, want %v; %s", argv, v.Allow, want, v.Reason)
			}
		}
	}
	for _, does := range []string{"run", "restore"} {
		if v := verdict(3, "backupctl", does, "shop"); v.Allow || !strings.Contains(v.Reason, "propose") {
			t.Errorf("%s: allowed %v, %q", does, v.Allow, v.Reason)
		}
	}
	for _, text := range []string{
		"programs: {x: {do: observe, writes: /etc/ssh}}", "programs: {x: {do: observe, writes: $HOME/x}}", "programs: {docker: {writes: /srv}}", "programs: {docker: {setid: true}}", "programs: {x: {do: maybe}}",
	} {
		own, err := policy.Parse([]byte(text))
		if err == nil {
			_, err = policy.Embedded().Join(own)
		}
		if err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
