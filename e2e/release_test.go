package e2e

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/testkit/machine"
	"github.com/claudeops/claudeops/testkit/need"
)

// released is the output of `make snapshot` for this checkout.
type released struct {
	version           string // without the v
	dir               string // absolute
	deb, rpm, archive string // paths
}

// readRelease finds the release. One of another commit does not count.
func readRelease(t *testing.T) released {
	t.Helper()
	need.Full(t, "a release: make snapshot")
	dir, err := filepath.Abs("../dist")
	must(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "metadata.json"))
	if err != nil {
		t.Fatalf("%v: run `make snapshot`", err)
	}
	var metadata struct{ Version, Commit string }
	must(t, json.Unmarshal(text, &metadata))
	if head, err := exec.Command("git", "rev-parse", "HEAD").Output(); err == nil && strings.TrimSpace(string(head)) != metadata.Commit {
		t.Fatalf("dist is of commit %s, and this is %s: run `make snapshot`", metadata.Commit, head)
	}
	one := func(pattern string) string {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		must(t, err)
		if len(found) != 1 {
			t.Fatalf("want one dist/%s, got %q: run `make snapshot`", pattern, found)
		}
		return found[0]
	}
	return released{version: metadata.Version, dir: dir, deb: one("*.deb"), rpm: one("*.rpm"), archive: one("*.tar.gz")}
}

// output returns the output of a command that must exit with 0.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out.String(), errs.String())
	}
	return out.String()
}

func TestRelease_ItsConfigurationIsValidAndNotOutdated(t *testing.T) {
	need.Full(t, "goreleaser")
	t.Parallel()
	programs, err := filepath.Glob("../.bin/goreleaser-*")
	must(t, err)
	counted(t, "goreleaser (run `make release-check`)", programs, 1)
	output(t, programs[0], "check", "--config", "../.goreleaser.yaml") // it treats outdated output as an error
}

// The programs of a release are the same as those of `make build`.
func TestRelease_TagsAndFlagsAreTheMakefiles(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../Makefile")
	must(t, err)
	find := func(pattern string) string {
		found := regexp.MustCompile(`(?m)` + pattern).FindSubmatch(makefile)
		if found == nil {
			t.Fatalf("the Makefile has no %s", pattern)
		}
		return string(found[1])
	}
	module := func(flag string) string { return strings.ReplaceAll(flag, "$(MODULE)", find(`^MODULE := (\S+)$`)) }
	tags := find(`^TAGS := (\S+)$`)
	flags := find(`^LDFLAGS := (.*) \$\(STATIC\)`) + " " + find(`^STATIC .*echo '(-[^']+)'`) +
		" " + module(find(`^LDFLAGS := .*(-X .*)\$\(VERSION\)\)$`)) + "v{{ .Version }}"
	trimmed := strings.Fields(find(`^\t\$\(GO\) build (-\S+) -ldflags`))
	shimFlags := find(`^\tCGO_ENABLED=0 \$\(GO\) build -ldflags '([^']+)' .*/claudeops-shim$`)
	hooksFlags := find(`^\tCGO_ENABLED=0 \$\(GO\) build -ldflags '(.*) \$\(if .*/claude-hooks$`) +
		" " + module(find(`^\tCGO_ENABLED=0 .*\$\(if \$\(VERSION\),(-X .*)\$\(VERSION\)\)' .*/claude-hooks$`)) + "v{{ .Version }}"

	text, err := os.ReadFile("../.goreleaser.yaml")
	must(t, err)
	var config struct {
		Before struct{ Hooks []string }
		Builds []struct {
			ID, Binary           string
			Env                  []string
			Flags, Tags, Ldflags []string
		}
	}
	must(t, yaml.Unmarshal(text, &config))
	counted(t, "Builds", config.Builds, 6)
	for _, b := range config.Builds {
		if got := strings.Join(b.Tags, ","); got != tags {
			t.Errorf("%s: tags %s, the Makefile has %s", b.ID, got, tags)
		}
		wantFlags, wantCgo := flags, "CGO_ENABLED=1"
		switch b.Binary {
		case "claudeops-shim":
			wantFlags, wantCgo = shimFlags, "CGO_ENABLED=0"
		case "claude-hooks":
			wantFlags, wantCgo = hooksFlags, "CGO_ENABLED=0"
		}
		if got := strings.Join(b.Ldflags, " "); got != wantFlags {
			t.Errorf("%s: ldflags\n%s\nthe Makefile has\n%s", b.ID, got, wantFlags)
		}
		if !slices.Equal(b.Flags, trimmed) || !slices.Contains(b.Env, wantCgo) {
			t.Errorf("%s: flags %q, environment %q; want %q and %s", b.ID, b.Flags, b.Env, trimmed, wantCgo)
		}
	}
	if !slices.ContainsFunc(config.Before.Hooks, func(hook string) bool { return strings.Contains(hook, " -tags="+tags+" ") }) {
		t.Errorf("%q: want the tags %s, with which everything is compiled already", config.Before.Hooks, tags)
	}
}

func TestRelease_ArchiveHasProgramsPagesAndCompletions(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	files, into := unpack(t, r.archive)
	top := "claudeops_" + r.version + "_linux_" + runtime.GOARCH + "/"
	for _, name := range []string{
		"claudeops", "claudeops-shim", "claude-hooks", "LICENSE", "README.md", "CHANGELOG.md",
		"systemd/claudeops.service", "systemd/claudeops.timer", "systemd/claudeops-dashboard.service",
		"completions/claudeops.bash", "completions/_claudeops", "completions/claudeops.fish",
		"man/claudeops.1.gz", "man/claudeops-run-once.1.gz", "man/claudeops-sandbox.1.gz",
	} {
		if !slices.Contains(files, top+name) {
			t.Errorf("%s is not in it", name)
		}
	}
	if got := output(t, filepath.Join(into, top, "claudeops"), "version"); !strings.HasPrefix(got, "claudeops v"+r.version+" ") {
		t.Errorf("claudeops says %q, want version %s", got, r.version)
	}
	if got := output(t, filepath.Join(into, top, "claude-hooks"), "version"); got != "claude-hooks v"+r.version+"\n" {
		t.Errorf("claude-hooks says %q, want version %s", got, r.version)
	}
	lines, err := os.ReadFile(filepath.Join(r.dir, "SHA256SUMS"))
	must(t, err)
	sums := map[string]string{}
	for line := range strings.Lines(string(lines)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	for _, path := range []string{r.archive, r.deb, r.rpm, r.parts("claudeops"), r.parts("claudeops-shim"), r.parts("claude-hooks")} {
		content, err := os.ReadFile(path)
		must(t, err)
		if sum := sha256.Sum256(content); sums[filepath.Base(path)] != hex.EncodeToString(sum[:]) {
			t.Errorf("SHA256SUMS has %q for %s", sums[filepath.Base(path)], filepath.Base(path))
		}
	}
}

// unpack unpacks an archive, and returns the names in it and the directory.
func unpack(t *testing.T, archive string) (names []string, into string) {
	t.Helper()
	f, err := os.Open(archive)
	must(t, err)
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	must(t, err)
	into = t.TempDir()
	for files := tar.NewReader(unpacked); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return names, into
		}
		must(t, err)
		names = append(names, header.Name)
		path := filepath.Join(into, filepath.FromSlash(header.Name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		content, err := io.ReadAll(files)
		must(t, err)
		must(t, os.WriteFile(path, content, os.FileMode(header.Mode)&0o777))
	}
}

// parts returns the path of a program's bill of materials.
func (r released) parts(program string) string {
	return filepath.Join(r.dir, program+"_"+r.version+"_linux_"+runtime.GOARCH+".cdx.json")
}

func TestRelease_BillsOfMaterialsNameEveryModule(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	_, into := unpack(t, r.archive)
	for _, program := range []string{"claudeops", "claudeops-shim", "claude-hooks"} {
		text, err := os.ReadFile(r.parts(program))
		must(t, err)
		var bom struct {
			Components []struct{ Name, Version string }
		}
		must(t, json.Unmarshal(text, &bom))
		listed := map[string]string{}
		for _, c := range bom.Components {
			listed[c.Name] = c.Version
		}
		found, err := filepath.Glob(filepath.Join(into, "*", program))
		must(t, err)
		modules := 0
		for line := range strings.Lines(output(t, "go", "version", "-m", found[0])) {
			if fields := strings.Fields(line); fields[0] == "dep" {
				modules++
				if listed[fields[1]] != fields[2] {
					t.Errorf("%s needs %s %s, listed is %q", program, fields[1], fields[2], listed[fields[1]])
				}
			}
		}
		if modules == 0 || listed["std"] == "" {
			t.Errorf("%s: %d modules, Go's standard library %q", program, modules, listed["std"])
		}
	}
}

// The commands of docs/deploy.md, in a machine without claudeops.
func TestRelease_DebInstallsRunsAndGoes(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	m := machine.Boot(t, map[string]string{r.dir: "/packages"})
	m.Write("/usr/local/bin/sudo", "#!/bin/sh\nexec \"$@\"\n", 0o755)
	for _, command := range deployCommands(t, "From a package") {
		m.Run("export DEBIAN_FRONTEND=noninteractive; cd /packages; " + regexp.MustCompile(`\./claudeops_\S+\.deb`).ReplaceAllString(command, "./"+filepath.Base(r.deb)))
	}
	want := func(what, script, answer string) {
		t.Helper()
		if out, _ := m.Try(script); strings.TrimSpace(out) != answer {
			t.Errorf("%s: %q says %q, want %q", what, script, strings.TrimSpace(out), answer)
		}
	}
	const lastRun = "jq -r '.last_run != null' /var/lib/claudeops/cooldown.json"
	want("the first cycle", lastRun, "true")
	want("the timer", "systemctl is-enabled claudeops.timer; systemctl is-active claudeops.timer", "enabled\nactive")
	want("the service", "systemctl show --value -p User -p Result claudeops.service | sort", "claudeops\nsuccess")
	want("units", "systemd-analyze verify --man=no claudeops.service claudeops.timer claudeops-failed@x.service claudeops-dashboard.service", "")
	want("conffiles", `dpkg-query -W -f '${Conffiles}' claudeops | grep -o '/.* '`, "/etc/claudeops/env")
	want("owners", "stat -c '%n %U:%G %a' /etc/claudeops /etc/claudeops/env /var/lib/claudeops /var/lib/claudeops/results",
		"/etc/claudeops root:claudeops 750\n/etc/claudeops/env root:root 600\n/var/lib/claudeops claudeops:claudeops 700\n/var/lib/claudeops/results claudeops:claudeops 700")
	want("the user", "getent passwd claudeops | cut -d: -f6-", "/var/lib/claudeops:/usr/sbin/nologin")
	want("claude-hooks", "claude-hooks version; echo '{}' | HOME=/root claude-hooks run -- echo ran", "claude-hooks v"+r.version+"\nran")
	want("the sandbox", `CLAUDEOPS_INVENTORY=/etc/claudeops/services.yaml claudeops sandbox --tier 1 "exec 2>&1; echo in; cat /etc/shadow"`, "in\ncat: /etc/shadow: Permission denied")
	want("completions", "ls /usr/share/bash-completion/completions/claudeops /usr/share/zsh/vendor-completions/_claudeops /usr/share/fish/vendor_completions.d/claudeops.fish | wc -l", "3")
	want("nothing altered", "dpkg --verify claudeops", "")

	want("the dashboard", "systemctl is-enabled claudeops-dashboard.service", "disabled")
	m.Run("echo 0123456789abcdef0123456789abcdef >/etc/claudeops/dashboard-token; echo CLAUDEOPS_DASHBOARD_ADDR=127.0.0.1:0 >>/etc/claudeops/env; systemctl enable --now claudeops-dashboard.service")
	const dashboardProcess = "systemctl show --property=MainPID --value claudeops-dashboard.service"
	before := m.Run(dashboardProcess)
	m.Run("echo CLAUDEOPS_MAX_TIER=1 >>/etc/claudeops/env")
	m.Run("dpkg -i /packages/" + filepath.Base(r.deb)) // over itself, as in an upgrade
	want("an edited environment file, after an upgrade", "tail -n 1 /etc/claudeops/env", "CLAUDEOPS_MAX_TIER=1")
	want("the timer, after an upgrade", "systemctl is-enabled claudeops.timer; systemctl is-active claudeops.timer", "enabled\nactive")
	want("state, after an upgrade", lastRun, "true")
	want("the dashboard, after an upgrade", "systemctl is-active claudeops-dashboard.service", "active")
	if m.Run(dashboardProcess) == before {
		t.Error("the dashboard is not restarted by an upgrade")
	}

	if out, code := m.Try(documentedDoctor(t)); code != 0 || !strings.Contains(out, "granted programs") || strings.Contains(out, "root") {
		t.Errorf("doctor as the service's user: exit code %d\n%s", code, out)
	}

	const installed = "ls /etc/systemd/system/claudeops.* /etc/polkit-1/rules.d/*claudeops* /etc/cron.d/claudeops 2>/dev/null"
	m.Run("claudeops crontab install --target systemd --allow-unit cron.service; claudeops crontab install --target cron --scope system; systemctl start claudeops.service")
	want("what crontab install wrote", installed+" | wc -l", "4")
	m.Run("dpkg -i /packages/" + filepath.Base(r.deb))
	want("what crontab install wrote, after an upgrade", installed+" | wc -l", "4")

	m.Run("dpkg --remove claudeops")
	want("what crontab install wrote, after a removal", installed, "")
	want("state, after a removal", lastRun, "true")
	want("configuration, after a removal", "ls /etc/claudeops", "dashboard-token\nenv\nservices.yaml")
	want("units, after a removal", "systemctl list-units --all --plain --no-legend 'claudeops*'; find /etc/systemd -name 'claudeops*'", "")

	m.Run("dpkg -i /packages/" + filepath.Base(r.deb))
	want("the timer, installed again", "systemctl is-enabled claudeops.timer", "disabled")
	m.Run("systemctl start claudeops.service")
	m.Run("cp /usr/bin/claudeops /usr/local/bin/; /usr/local/bin/claudeops crontab install --target systemd; mount -t tmpfs none /var/lib/claudeops; touch /var/lib/claudeops/x")
	m.Run("dpkg --purge claudeops")
	want("the timer of another claudeops, after a purge", "systemctl is-active claudeops.timer", "active")
	want("the units of another claudeops, after a purge", installed, "/etc/systemd/system/claudeops.service\n/etc/systemd/system/claudeops.timer")
	want("state on a disk of its own, after a purge", "ls -A /var/lib/claudeops; umount /var/lib/claudeops; rm -r /var/lib/claudeops", "")
	want("after a purge", "ls -d /var/lib/claudeops /etc/claudeops/* 2>/dev/null", "/etc/claudeops/dashboard-token\n/etc/claudeops/services.yaml")
	want("the user, after a purge", "id -un claudeops", "claudeops")
	want("the package, after a purge", "dpkg-query -W claudeops 2>&1 | grep -c 'no packages found'", "1")
}

// documentedDoctor returns the command for doctor in docs/deploy.md.
func documentedDoctor(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile("../docs/deploy.md")
	must(t, err)
	command := regexp.MustCompile(`(?m)^    (sudo systemd-run .* doctor)$`).FindSubmatch(doc)
	if command == nil {
		t.Fatal("docs/deploy.md has no such line")
	}
	return string(command[1])
}

// The package does not need a running systemd, for example when an image is built.
func TestRelease_DebInstallsWithoutSystemd(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	m := machine.Boot(t, map[string]string{r.dir: "/packages"})
	// Hide systemd: the scripts check for this directory, like systemd's own tools.
	m.Run("unshare --mount sh -ec 'mount -t tmpfs none /run; for i in 1 2; do dpkg -i /packages/" + filepath.Base(r.deb) + "; done; claudeops version; dpkg --purge claudeops'")
	if out, _ := m.Try("ls -d /etc/claudeops /var/lib/claudeops /usr/bin/claude* 2>/dev/null"); out != "" {
		t.Errorf("left after a purge: %s", out)
	}
}

func TestRelease_RPMHasWhatTheDebHas(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	type file struct{ mode, owner string }
	inDeb, inRPM := map[string]file{}, map[string]file{}
	for line := range strings.Lines(output(t, "dpkg-deb", "--contents", r.deb)) {
		f := strings.Fields(line)
		path := "/" + strings.Trim(strings.TrimPrefix(f[5], "./"), "/")
		inDeb[path] = file{strings.TrimPrefix(f[0], "h"), strings.ReplaceAll(f[1], "/", ":")}
	}
	for line := range strings.Lines(output(t, "rpm", "-qp", "--queryformat", "[%{FILENAMES} %{FILEMODES:perms} %{FILEUSERNAME}:%{FILEGROUPNAME}\n]", r.rpm)) {
		f := strings.Fields(line)
		inRPM[f[0]] = file{f[1], f[2]}
	}
	elsewhere := regexp.MustCompile(`^/usr/share/(zsh|lintian|doc|licenses)\b`) // where the two families of distributions keep such files
	for path, want := range inDeb {
		if want.mode == "drwxr-xr-x" || elsewhere.MatchString(path) {
			continue // a directory of the system
		}
		got, there := inRPM[path]
		if want.mode[0] == 'l' {
			got.mode, want.mode = got.mode[:1], "l"
		}
		if !there || got != want {
			t.Errorf("%s is %+v in the rpm, %+v in the deb", path, got, want)
		}
	}
	for path := range inRPM {
		if _, there := inDeb[path]; !there && !elsewhere.MatchString(path) {
			t.Errorf("%s is in the rpm alone", path)
		}
	}
	says(t, output(t, "rpm", "-qp", "--queryformat", "[%{FILENAMES} %{FILEFLAGS:fflags}\n]", r.rpm), "/etc/claudeops/env cn\n")
	scripts := output(t, "rpm", "-qp", "--scripts", r.rpm)
	says(t, scripts, "preinstall scriptlet", "useradd --system", "postinstall scriptlet", "systemctl daemon-reload", "preuninstall scriptlet", "remove | 0)", "postuninstall scriptlet")
}

func TestRelease_ImagesAreBuiltForBothPlatformsAndPushed(t *testing.T) {
	w := newWorld(t)
	w.program("docker", `printf '%s ' "$@" >>"`+w.path("calls")+`"; echo >>"`+w.path("calls")+`"`)
	script, err := filepath.Abs("../deploy/release/images")
	must(t, err)
	w.env["IMAGE"] = "registry.example.org/claudeops"
	w.bin = script
	for _, version := range []string{"v1.2.3", "v1.2.3-rc.1"} {
		w.exits(0, version, "0123abc")
	}
	f, err := os.Open(w.path("calls"))
	must(t, err)
	defer f.Close()
	var tags []string
	for calls := bufio.NewScanner(f); calls.Scan(); {
		call := calls.Text()
		if !strings.HasPrefix(call, "buildx build --platform linux/amd64,linux/arm64 --target ") || !strings.Contains(call, " --push ") {
			t.Errorf("docker %s", call)
		}
		var named []string
		for _, tag := range regexp.MustCompile(`--tag \S+claudeops:(\S+)`).FindAllStringSubmatch(call, -1) {
			named = append(named, tag[1])
		}
		tags = append(tags, strings.Join(named, " "))
	}
	if want := []string{"1.2.3 latest", "1.2.3-slim slim", "1.2.3-rc.1", "1.2.3-rc.1-slim"}; !slices.Equal(tags, want) {
		t.Errorf("tags %q, want %q", tags, want)
	}
}
