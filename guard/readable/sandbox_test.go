package readable

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// The kernel opens what is on the list, and nothing that is closed, under any name.
func TestSandboxReadsTheList(t *testing.T) {
	program := shimOf(t)
	files, want := machineOf(t)
	w, root := planted(t, files)
	for name, to := range map[string]string{"/repos/link": "/etc/shadow", "/srv/link.txt": "/repos/blog/.env"} {
		if err := os.Symlink(root+to, root+name); err != nil {
			t.Fatal(err)
		}
		want[name] = false
	}
	if err := os.Link(root+"/etc/shadow", root+"/repos/shop/hard.txt"); err != nil {
		t.Fatal(err)
	}
	want["/repos/shop/hard.txt"] = false
	l := listed(t, w)
	var names strings.Builder
	for name := range want {
		names.WriteString(root + name + "\n")
	}
	input := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(input, []byte(names.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	stdin, err := os.Open(input)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	printed, exit := inSandbox(t, program, l, stdin, `while read -r f; do if { exec 3<"$f"; } 2>/dev/null; then echo "open $f"; else echo "closed $f"; fi; done`)
	if exit != 0 {
		t.Fatalf("exit status %d: %s", exit, printed)
	}
	seen := 0
	for line := range bytes.Lines(printed) {
		verdict, path, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		name := strings.TrimPrefix(path, root)
		open, known := want[name]
		if seen++; !known || open != (verdict == "open") {
			t.Errorf("%s is %s", name, verdict)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d files were tried", seen, len(want))
	}
}

// Git works if the history holds nothing closed, and shows nothing otherwise.
func TestGitInTheSandbox(t *testing.T) {
	hasGit(t)
	program := shimOf(t)
	w, root := planted(t, nil)
	clean, dirty := newRepository(t, root+"/repos/clean"), newRepository(t, root+"/repos/dirty")
	clean.commit(map[string]string{"a.yml": "first: 1"})
	clean.commit(map[string]string{"a.yml": "second: 2"})
	dirty.commit(map[string]string{".env": "PIN=4711", "a.yml": "a: 1"})
	dirty.commit(map[string]string{".env": ""})
	l := listed(t, w)
	for script, want := range map[string]string{
		"git -C " + clean.dir + " log -p --format=%s":                                       "-first: 1",
		"git -C " + clean.dir + " show HEAD~1:a.yml":                                        "first: 1",
		"git -C " + clean.dir + " status --short --branch":                                  "## main",
		"git -C " + clean.dir + " diff HEAD~1 --stat":                                       "a.yml",
		"cat " + dirty.dir + "/a.yml " + dirty.dir + "/.git/HEAD":                           "refs/heads/main",
		"git -C " + dirty.dir + " log -p 2>&1; cat " + dirty.dir + "/.git/objects/*/* 2>&1": "denied",
	} {
		out, _ := inSandbox(t, program, l, nil, script)
		if !strings.Contains(string(out), want) || strings.Contains(string(out), "4711") {
			t.Errorf("%s: %s; want %q", script, out, want)
		}
	}
}

// shimOf returns the sandbox's shim; it skips the test if this machine lacks what a sandbox needs.
func shimOf(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), shim.Name)
	build := exec.Command("go", "build", "-o", program, "../../cmd/claudeops-shim")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the shim: %v\n%s", err, out)
	}
	if err := sandbox.Check(context.Background(), program); err != nil {
		t.Skip(err)
	}
	return program
}

// inSandbox runs a script that may read what is on the list, and this machine's programs.
func inSandbox(t *testing.T, program string, l *List, stdin *os.File, script string) (printed []byte, exit int) {
	t.Helper()
	d, err := sandbox.New(program, sandbox.Access{Read: append(l.Paths(), "/usr", "/lib", "/lib64", "/bin")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	result, err := d.Run(context.Background(), sandbox.Command{Argv: []string{"/bin/bash", "-c", script}, Env: []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1"}, Stdin: stdin, Stdout: out, Stderr: out})
	if err != nil {
		t.Fatal(err)
	}
	if printed, err = os.ReadFile(out.Name()); err != nil {
		t.Fatal(err)
	}
	return printed, result.Exit
}
