package mask_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/servers"
)

// check masks the output of a program, which must show each secret; the model sees none, and all else.
func check(t *testing.T, output string, secrets ...string) {
	t.Helper()
	want := output
	for _, secret := range secrets {
		if !strings.Contains(output, secret) {
			t.Errorf("the program does not show %s: %.500s", secret, output)
		}
		want = strings.ReplaceAll(want, secret, mask.Redacted)
	}
	differ(t, "masked", shown(t, output, rand.New(rand.NewPCG(36, 200))), want)
}

// output runs a program with the current folder in a folder.
func output(t *testing.T, folder string, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = folder
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v: %s", argv, err, text)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSecretsShownByDocker(t *testing.T) {
	e := servers.Containers(t)
	name := e.Create(t, "planted", []string{
		"--env", "DB_PASSWORD=rudavolike", "--env", "APP_SECRET=two words mibatoku", "--env", "DATABASE_URL=postgres://shop:gevanidoro@db/shop",
		"--env", "MODE=production", "--label", "com.example.token=sulopigeda", "--label", "com.example.tier=front",
	}, "redis-server", "--requirepass", "katimuvose", "--port", "6379")
	check(t, e.Docker(t, "inspect", name), "rudavolike", "two words mibatoku", "gevanidoro", "sulopigeda", "katimuvose")
	for _, format := range []string{"{{json .}}", "{{json .Config}}"} {
		check(t, e.Docker(t, "inspect", "--format", format, name), "rudavolike", "two words mibatoku", "gevanidoro", "sulopigeda", "katimuvose")
	}
	check(t, e.Docker(t, "inspect", "--format", "{{json .Config.Env}}", name), "rudavolike", "two words mibatoku", "gevanidoro")
	check(t, e.Docker(t, "inspect", "--format", "{{.Args}}", name), "katimuvose")
	check(t, e.Docker(t, "inspect", "--format", "{{.Config.Labels}}", name), "sulopigeda")
	check(t, e.Docker(t, "ps", "--all", "--no-trunc", "--filter", "name="+name), "katimuvose")
}

func TestSecretsShownByPrograms(t *testing.T) {
	need.Full(t, "git, kubectl, nginx and systemd-analyze")
	folder := t.TempDir()

	write(t, folder+"/compose.yaml", "services:\n  db:\n    environment:\n      - MODE=a\n      DB_PASSWORD: rekomusita\n")
	write(t, folder+"/.env", "API_TOKEN=vofidenalu\nLEVEL=info\n")
	write(t, folder+"/pod.yaml", "env:\n- name: SMTP_PASSWORD\n  value: gibuzarolo\n- name: ZONE\n  value: west\n")
	git := func(args ...string) string {
		return output(t, folder, append([]string{"git", "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message", "plant")
	check(t, git("log", "--patch"), "rekomusita", "vofidenalu", "gibuzarolo")
	write(t, folder+"/pod.yaml", "env:\n- name: SMTP_PASSWORD\n  value: devolikanu\n- name: ZONE\n  value: east\n")
	check(t, git("diff"), "gibuzarolo", "devolikanu")

	write(t, folder+"/web.json", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"web","image":"shop:1.27",
		"args":["app","--token","hulavenito","--zone","west"]}]}}`)
	for _, format := range []string{"yaml", "json"} {
		check(t, output(t, folder, "kubectl", "create", "secret", "generic", "db", "--from-literal=pin=nuvogarike", "--from-literal=user=shop-owner",
			"--dry-run=client", "--output", format), "bnV2b2dhcmlrZQ==", "c2hvcC1vd25lcg==")
		check(t, output(t, folder, "kubectl", "create", "configmap", "app", "--from-literal=api_token=pelivokusa", "--from-literal=mode=fast",
			"--dry-run=client", "--output", format), "pelivokusa")
		check(t, output(t, folder, "kubectl", "set", "env", "--local", "--filename=web.json", "DB_PASSWORD=zirumadevo", "MODE=production",
			"--output", format), "zirumadevo", "hulavenito")
	}

	write(t, folder+"/nginx.conf", "pid nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\n  server {\n    listen 127.0.0.1:1;\n    location / {\n"+
		"      proxy_set_header Authorization \"Basic bWlzdHk6cGllcg==\";\n      proxy_set_header X-Api-Key tuvanikelo;\n      proxy_set_header Host $host;\n"+
		"      rewrite ^ /hook?access_token=dimorufeka break;\n    }\n  }\n}\n")
	check(t, output(t, folder, "nginx", "-T", "-p", folder, "-c", "nginx.conf"), "Basic bWlzdHk6cGllcg==", "tuvanikelo", "dimorufeka")

	write(t, folder+"/etc/systemd/system/shop.service", "[Service]\nEnvironment=\"A_TOKEN=fulosidena\" \"B=y z\"\nEnvironment=\"C_SECRET=two words larike\"\n"+
		"ExecStart=/usr/bin/shop --password=vadokirume --port 8080\n")
	check(t, output(t, folder, "systemd-analyze", "cat-config", "--root="+folder, "systemd/system/shop.service"), "fulosidena", "two words larike", "vadokirume")
}
