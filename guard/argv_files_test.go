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
	w.Resolve, w.ReadFile = nil, nil
	w.ReposDir, w.StateDir = filepath.Join(root, "repos"), filepath.Join(root, "state")
	w.Scratch, w.Home = filepath.Join(root, "state/run/1/tmp"), filepath.Join(root, "state/run/1/home")
	return w, root
}

func TestComposeProjects(t *testing.T) {
	const service = "services:\n  web:\n    image: nginx\n"
	const all = service + "  db: {image: postgres}\n  proxy: {image: nginx, container_name: nginx}\n  job: {image: nginx}\n"
	for _, test := range []struct {
		name     string
		files    map[string]string
		argv     []string
		dir      string // in the repositories
		services []string
		refused  string // a part of the reason
	}{
		{"named by its folder", map[string]string{"repos/blog/compose.yaml": service}, []string{"restart"}, "blog", []string{"blog"}, ""},
		{"named by its file", map[string]string{"repos/blog/compose.yaml": "name: shop\n" + service}, []string{"restart"}, "blog", []string{"shop"}, ""},
		{"named by what overrides it", map[string]string{"repos/blog/compose.yaml": "name: a\n" + service, "repos/blog/compose.override.yaml": "name: shop\n"}, []string{"restart"}, "blog", []string{"shop"}, ""},
		{"named by its last document", map[string]string{"repos/blog/compose.yaml": "name: a\n---\nname: shop\n"}, []string{"restart"}, "blog", []string{"shop"}, ""},
		{"named by its .env", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/.env": "COMPOSE_PROJECT_NAME=shop\n"}, []string{"up", "-d"}, "blog", []string{"shop"}, ""},
		{"found in the folder above", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/src/x": ""}, []string{"restart"}, "blog/src", []string{"blog"}, ""},
		{"a service by itself", map[string]string{"repos/shop/compose.yaml": service}, []string{"restart", "web"}, "shop", []string{"shop"}, ""},
		{"all of it", map[string]string{"repos/shop/compose.yaml": all}, []string{"restart"}, "shop", []string{"shop", "shop-db", "nginx"}, ""},
		{"all of it in steps", map[string]string{"repos/shop/compose.yaml": all}, []string{"stop"}, "shop", []string{"shop", "shop-db", "nginx"}, ""},
		{"all of it by -f", map[string]string{"repos/shop/compose.yaml": all}, []string{"-f", "compose.yaml", "kill"}, "shop", []string{"shop", "shop-db", "nginx"}, ""},
		{"a container by a name of its own", map[string]string{"repos/shop/compose.yaml": all}, []string{"restart", "proxy"}, "shop", []string{"nginx"}, ""},
		{"a container that an override names", map[string]string{"repos/shop/compose.yaml": service, "repos/shop/compose.override.yaml": "services: {web: {container_name: nginx}}"}, []string{"stop", "web"}, "shop", []string{"nginx"}, ""},
		{"a container named by a variable", map[string]string{"repos/shop/compose.yaml": "services: {x: {container_name: $N}}"}, []string{"restart", "x"}, "shop", nil, "docker restart NAME"},
		{"a known container named by a variable", map[string]string{"repos/shop/compose.yaml": "services: {web: {container_name: $N}}"}, []string{"restart", "web"}, "shop", []string{"shop"}, ""},
		{"with all that it depends on", map[string]string{"repos/shop/compose.yaml": all}, []string{"up", "-d", "--force-recreate", "--always-recreate-deps", "web"}, "shop", []string{"shop", "shop-db", "nginx"}, ""},
		{"without what it depends on", map[string]string{"repos/shop/compose.yaml": all}, []string{"up", "-d", "--force-recreate", "web"}, "shop", []string{"shop"}, ""},
		{"all of a project without files", map[string]string{"repos/x": ""}, []string{"-p", "shop", "kill"}, "", nil, "docker compose -f FILE SUBCOMMAND SERVICE"},
		{"an unknown container without files", map[string]string{"repos/x": ""}, []string{"-p", "shop", "restart", "proxy"}, "", nil, "docker restart NAME"},
		{"a known container without files", map[string]string{"repos/x": ""}, []string{"-p", "shop", "restart", "db"}, "", []string{"shop-db"}, ""},
		{"what is down of it", map[string]string{"repos/shop/compose.yaml": all}, []string{"up", "-d"}, "shop", []string{"shop"}, ""},
		{"-p that agrees", map[string]string{"repos/blog/compose.yaml": service}, []string{"-p", "blog", "restart"}, "blog", []string{"blog"}, ""},
		{"-p that does not", map[string]string{"repos/blog/compose.yaml": service}, []string{"-p", "shop", "up", "-d"}, "blog", nil, "which project"},
		{"a name of variables", map[string]string{"repos/blog/compose.yaml": "name: ${X}\n" + service}, []string{"restart"}, "blog", nil, "cannot be read"},
		{"another file by .env", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/b.yaml": service, "repos/blog/.env": "COMPOSE_FILE=b.yaml\n"}, []string{"restart"}, "blog", nil, "chooses"},
		{"another daemon by .env", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/.env": "DOCKER_HOST=tcp://x\n"}, []string{"restart"}, "blog", nil, "chooses"},
		{"files by .env", map[string]string{"repos/blog/a.yaml": service, "repos/blog/b.yaml": service, "repos/blog/compose.yaml": "\t{", "repos/blog/.env": "COMPOSE_FILE=a.yaml:b.yaml\nDOCKER_TAG=1\n"}, []string{"ps"}, "blog", nil, ""},
		{"a provider by .env", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/b.yaml": "services: {web: {provider: {type: x}}}", "repos/blog/.env": "COMPOSE_FILE=b.yaml\n"}, []string{"config"}, "blog", nil, "provider"},
		{"an agent's file by .env", map[string]string{"repos/blog/compose.yaml": service, "state/run/1/tmp/c.yaml": service, "repos/blog/.env": "COMPOSE_FILE=ROOT/state/run/1/tmp/c.yaml\n"}, []string{"ps"}, "blog", nil, "an agent could have written"},
		{"files by a variable in .env", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/.env": "COMPOSE_FILE=${X}\n"}, []string{"ps"}, "blog", nil, "chooses"},
		{"another daemon by .env, to look", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/.env": "export DOCKER_HOST=tcp://x\n"}, []string{"ps"}, "blog", nil, "chooses"},
		{"another daemon by .env, from elsewhere", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/.env": "DOCKER_CONTEXT=x\n"}, []string{"-f", "blog/compose.yaml", "ps"}, "", nil, "chooses"},
		{"a password in its .env", map[string]string{"repos/blog/compose.yaml": service, "repos/blog/.env": "DOCKER_PASSWORD=hunter2\n"}, []string{"restart"}, "blog", nil, "by a variable"},
		{"no project", map[string]string{"repos/blog/x": ""}, []string{"restart"}, "blog", nil, "which project"},
		{"a link into the session", map[string]string{"repos/blog/compose.yaml": "-> ROOT/state/run/1/tmp/c.yaml", "state/run/1/tmp/c.yaml": service}, []string{"ps"}, "blog", nil, "an agent could have written"},
		{"no YAML", map[string]string{"repos/blog/compose.yaml": "\t{"}, []string{"ps"}, "blog", nil, "no YAML"},
		{"a provider", map[string]string{"repos/blog/compose.yaml": "services: {web: {provider: {type: x}}}"}, []string{"ps"}, "blog", nil, "provider"},
		{"an aliased provider", map[string]string{"repos/blog/compose.yaml": "x-k: &k provider\nservices: {web: {*k : {type: x}}}"}, []string{"ps"}, "blog", nil, "provider"},
		{"a provider that is merged", map[string]string{"repos/blog/compose.yaml": "services: {web: {environment: &e {provider: {type: x}}, <<: *e}}"}, []string{"ps"}, "blog", nil, "provider"},
		{"a variable called provider", map[string]string{"repos/blog/compose.yaml": "services: {web: {environment: {provider: x, path: /etc/shadow}}}"}, []string{"ps"}, "blog", nil, ""},
		{"an include", map[string]string{"repos/blog/compose.yaml": "include: [https://example.net/x]\n" + service}, []string{"ps"}, "blog", nil, "include"},
		{"variables of a neighbour", map[string]string{"repos/blog/compose.yaml": "services: {web: {env_file: [../common.env]}}", "repos/common.env": "A=1"}, []string{"ps"}, "blog", nil, ""},
		{"variables of the machine", map[string]string{"repos/blog/compose.yaml": "services: {web: {env_file: /etc/claudeops/env}}"}, []string{"config"}, "blog", nil, "secrets of the machine"},
		{"variables of the session", map[string]string{"repos/blog/compose.yaml": "services: {web: {env_file: {path: ../../state/run/1/tmp/x}}}", "state/run/1/tmp/y": ""}, []string{"ps"}, "blog", nil, "names"},
		{"a secret of the machine", map[string]string{"repos/blog/compose.yaml": "secrets: {a: {file: /etc/shadow}}"}, []string{"ps"}, "blog", nil, "secrets of the machine"},
		{"it extends a provider", map[string]string{"repos/blog/compose.yaml": "services: {web: {extends: {file: b.yaml, service: web}}}", "repos/blog/b.yaml": "services: {web: {provider: {}}}"}, []string{"ps"}, "blog", nil, "provider"},
		{"it extends itself", map[string]string{"repos/blog/compose.yaml": "services: {web: {extends: {file: compose.yaml, service: web}}}"}, []string{"ps"}, "blog", nil, "too many"},
		{"a file by a variable", map[string]string{"repos/blog/compose.yaml": "services: {web: {env_file: $X}}"}, []string{"ps"}, "blog", nil, "literally"},
		{"labels of the machine", map[string]string{"repos/blog/compose.yaml": "services: {web: {label_file: /etc/shadow}}"}, []string{"config"}, "blog", nil, "secrets of the machine"},
		{"a file of somebody's home", map[string]string{"repos/blog/compose.yaml": "services: {web: {env_file: ~/.env}}"}, []string{"config"}, "blog", nil, "literally"},
		{"a file in another alphabet", map[string]string{"repos/blog/compose.yaml": "services: {web: {env_file: !!binary L2V0Yy9zaGFkb3c=}}"}, []string{"config"}, "blog", nil, "binary"},
		{"built from its folder", map[string]string{"repos/blog/compose.yaml": "services: {web: {build: ./app}}", "repos/blog/app/x": ""}, []string{"ps"}, "blog", nil, ""},
		{"built of another's", map[string]string{"repos/blog/compose.yaml": "services: {web: {build: 'https://example.net/x.git'}}"}, []string{"up", "-d", "--build"}, "blog", nil, "literally"},
		{"built elsewhere", map[string]string{"repos/blog/compose.yaml": "services: {web: {build: {context: 'https://example.net/x.git'}}}"}, []string{"up", "-d", "--build"}, "blog", nil, "literally"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, _ := diskWorld(t, test.files)
			w.Tier = 3
			v := JudgeArgv(w, Call{Argv: append([]string{"docker", "compose"}, test.argv...), Dir: filepath.Join(w.ReposDir, test.dir)})
			if test.refused != "" {
				if v.Allow || !strings.Contains(v.Reason, test.refused) || strings.Contains(v.Reason, "hunter2") {
					t.Fatalf("allowed %v, reason %q; want a refusal for %q, without what a file holds", v.Allow, v.Reason, test.refused)
				}
				return
			}
			var names []string
			for _, r := range v.Remediations() {
				names = append(names, r.Service)
			}
			if !v.Allow || !slices.Equal(names, test.services) {
				t.Fatalf("allowed %v, reason %q, services %q; want services %q", v.Allow, v.Reason, names, test.services)
			}
		})
	}
}

func TestConfigurationIsWrittenByPeople(t *testing.T) {
	w, root := diskWorld(t, map[string]string{
		"repos/ansible/site.yml": "", "repos/ansible/hosts": "", "repos/ansible/link.yml": "-> ROOT/state/run/1/tmp/site.yml", "state/run/1/tmp/site.yml": "", "repos/ansible/run": "", "state/run/1/home/k": "",
	})
	if err := os.Chmod(filepath.Join(w.ReposDir, "ansible/run"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.Tier = 3
	for _, test := range []struct {
		argv  []string
		allow bool
	}{
		{[]string{"ansible-playbook", "site.yml", "-l", "web"}, true},
		{[]string{"ansible-playbook", "-i", "hosts", "site.yml", "-l", "web"}, true},
		{[]string{"ansible-playbook", "-i", "run", "site.yml", "-l", "web"}, false},
		{[]string{"ansible-playbook", "link.yml"}, false},
		{[]string{"ansible-playbook", "missing.yml"}, false},
		{[]string{"ansible-playbook", root + "/state/run/1/tmp/site.yml"}, false},
		{[]string{"ansible-playbook", "../../state/run/1/tmp/site.yml"}, false},
		{[]string{"ansible-playbook", "../ansible/site.yml"}, true},
		{[]string{"kubectl", "--kubeconfig", root + "/state/run/1/home/k", "get", "pods"}, false},
	} {
		if v := JudgeArgv(w, Call{Argv: test.argv, Dir: filepath.Join(w.ReposDir, "ansible")}); v.Allow != test.allow {
			t.Errorf("%q: allowed %v, want %v; %s", test.argv, v.Allow, test.allow, v.Reason)
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
		{[]string{"psql", "-c", "select pg_reload_conf()"}, "", Verdict{Argv: []string{"psql", "-c", "select pg_reload_conf()"}}},
		{[]string{"docker", "exec", "-i", "db", "psql", "-c", "select 1"}, "", Verdict{Argv: []string{"docker", "exec", "-i", "-e", readOnly, "db", "psql", "-c", "select 1"}}},
		{[]string{"docker", "exec", "db", "sh", "-c", "psql -c 'select 1'"}, "", Verdict{Argv: []string{"docker", "exec", "db", "sh", "-c", "psql -c 'select 1'"}}},
		{[]string{"docker", "exec", "db", "mysql", "-e", "select 1"}, "", Verdict{Argv: []string{"docker", "exec", "db", "mysql", "-e", "select 1", "--init-command=SET SESSION TRANSACTION READ ONLY"}}},
		{[]string{"docker", "exec", "-i", "db", "psql", "-U", "postgres"}, "select 1", Verdict{Argv: []string{"docker", "exec", "-i", "-e", readOnly, "db", "psql", "-U", "postgres"}, Stdin: StdinText}},
		{[]string{"journalctl", "-u", "shop", "-o", "json"}, "", Verdict{Argv: []string{"journalctl", journalFields, "-u", "shop", "-o", "json"}, Writes: []string{"/var/log/journal", "/run/log/journal", "/var/tmp"}}},
		{[]string{"ssh", "db1", "uptime"}, "", Verdict{Argv: []string{"ssh", "-o", "ControlMaster=no", "db1", "uptime"}}},
		{[]string{"mysql", "-e", "kill 7"}, "", Verdict{Argv: []string{"mysql", "-e", "kill 7"}}},
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
	if v := verdict(1, "backupctl", "run", "shop"); v.Allow {
		t.Error("Tier 1 changes something")
	}
	if v := verdict(2, "backupctl", "run", "shop"); !v.Allow || !slices.Equal(v.Writes, []string{"/srv/backups", "$TMPDIR"}) {
		t.Errorf("run: allowed %v, writes %q; %s", v.Allow, v.Writes, v.Reason)
	}
	if v := verdict(2, "backupctl", "restore", "shop"); v.Allow || !v.Ask {
		t.Errorf("restore: allowed %v, ask %v; %s", v.Allow, v.Ask, v.Reason)
	}
	if v := verdict(1, "backupctl", "restore", "shop"); v.Allow || v.Ask {
		t.Errorf("restore at Tier 1: allowed %v, ask %v", v.Allow, v.Ask)
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

// The paths that a call gives to its program are kept for an approval: manifests as a whole, and of a compose project no folder.
func TestNamedPaths(t *testing.T) {
	w, root := diskWorld(t, map[string]string{
		"repos/shop/compose.yaml": "services: {web: {image: nginx, build: ./src}}", "repos/shop/src/Dockerfile": "", "repos/shop/chart/Chart.yaml": "", "repos/shop/v.yaml": "",
	})
	w.Tier = 3
	at := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(root, "repos/shop", name))
		}
		return paths
	}
	for command, want := range map[string]Project{
		"helm upgrade shop chart -fv.yaml":                                       {Manifests: at("chart"), Named: at("v.yaml")},
		"kubectl apply -Rf chart -fv.yaml":                                       {Manifests: at("chart", "v.yaml")},
		"docker compose up -d":                                                   {Named: at("src", "src")},
		"docker compose --project-directory . restart web":                       {Named: at("")},
		"docker exec -w /srv shop helm upgrade shop chart -f /repos/shop/v.yaml": {},
	} {
		got := JudgeArgv(w, Call{Argv: strings.Fields(command), Dir: filepath.Join(root, "repos/shop")}).Project
		if !slices.Equal(got.Manifests, want.Manifests) || !slices.Equal(got.Named, want.Named) {
			t.Errorf("%s names %q and the manifests %q, want %q and %q", command, got.Named, got.Manifests, want.Named, want.Manifests)
		}
	}
}

func TestRelativeRollbacks(t *testing.T) {
	w := argvWorld(t, 3)
	for command, want := range map[string]bool{
		"helm rollback shop": true, "helm rollback shop 0 -n prod": true, "helm rollback shop -n prod --timeout 5m": true, "helm rollback shop 41 -n prod": false,
		"helm rollback -n prod shop 41": false, "kubectl rollout undo deployment/shop": true, "kubectl rollout undo deployment/shop --to-revision=0": true,
		"kubectl rollout undo deployment/shop --to-revision 4": false, "kubectl rollout undo deployment/shop --to-revision=4 --to-revision=0": true,
		"kubectl rollout restart deployment/shop": false, "kubectl rollout resume deployment/shop": false, "docker restart shop": false, "sudo helm rollback shop": true,
	} {
		if v := JudgeArgv(w, Call{Argv: strings.Fields(command), Dir: "/repos"}); !v.Allow || v.Relative != want {
			t.Errorf("%s: relative %t, want %t; %s", command, v.Relative, want, v.Reason)
		}
	}
}
