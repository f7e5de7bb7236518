package guard

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/inventory"
)

// What the guard grants is run in a real shell here: random small programs, made of what people type and of what attackers do. They
// try to run a marker program, to write outside of the scratch folder, to print a planted secret, and to hand an option on. Beside the
// shells, the only programs there are are those below: markers, stand-ins, and a few that read files and text.
//
// GUARD_PROGRAMS is how many are made, GUARD_SEED which.
func TestGrantedProgramsInBash(t *testing.T) {
	for _, shell := range []string{"bash", "dash"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Skipf("no %s here", shell)
		}
	}
	const shards = 4
	programs, seed := integer(t, "GUARD_PROGRAMS", 600), integer(t, "GUARD_SEED", 1)
	for shard := range shards {
		t.Run(strconv.Itoa(shard), func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			g := &generator{rand: rand.New(rand.NewPCG(uint64(seed), uint64(shard))), root: s.root, granted: func(p string) bool { return s.world.Shell(p).Allow }}
			granted := 0
			for range programs / shards {
				program := g.program()
				if !s.world.Shell(program).Allow {
					continue
				}
				granted++
				if harm := s.run(t, program, g.rand.IntN(2) == 0); harm != "" {
					t.Errorf("granted, and %s:\n%s", harm, program)
				}
			}
			t.Logf("%d of %d programs were granted and run", granted, programs/shards)
			if granted < programs/shards/7 {
				t.Errorf("%d of %d programs were granted: too few to say anything", granted, programs/shards)
			}
		})
	}
}

// What counts as harm is seen.
func TestHarmIsSeen(t *testing.T) {
	s := newSandbox(t)
	s.within = time.Minute // for what is to be seen
	for program, harmful := range map[string]bool{
		"echo hello; cat hello": false, "echo a > $TMPDIR/f": false,
		"reboot": true, "ls | sh -c evilprog": true, "echo a > w": true, "cat server.key": true, "cat < ../etc/passwords > $TMPDIR/f": true, "kubectl logs --kubeconfig=k": true,
	} {
		if harm := s.run(t, program, false); (harm != "") != harmful {
			t.Errorf("%s: harm is %q", program, harm)
		}
	}
}

func integer(t *testing.T, name string, usual int) int {
	t.Helper()
	text, set := os.LookupEnv(name)
	if !set {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const plantedSecret = "xyzzy-7d1f"

// sandbox is a folder in which programs run.
type sandbox struct {
	root   string
	world  World
	within time.Duration // programs that do not end by then are ended
	before string        // what is there, beside the scratch folder
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	root := t.TempDir()
	s := &sandbox{root: root, within: 2 * time.Second}
	write := func(name, text string, mode fs.FileMode) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("repos/hello", "hello world\nE\nls\n", 0o600)
	write("repos/numbers", "08\n3\n", 0o600)
	write("repos/server.key", plantedSecret+"\n", 0o600)
	write("repos/sub/app.log", "error one\nreboot\n", 0o600)
	write("etc/passwords", plantedSecret+"\n", 0o600)
	write("state/run/session-1-x/home/apikey", plantedSecret+"\n", 0o600)
	write("state/run/session-1-x/tmp/keep", "kept\n", 0o600)
	write("marks/.none", "", 0o600)
	marker := "#!/bin/sh\n: > '" + root + "/marks/ran'\n"
	for _, name := range []string{"reboot", "evilprog", "rm", "python3"} {
		write("bin/"+name, marker, 0o755)
	}
	standIn := "#!/bin/sh\nfor a; do case $a in --) break;; --kubeconfig*|--config*|-e) : > '" + root + "/marks/option';; esac; done\n"
	write("bin/docker", standIn+"case $1 in ps) echo web; echo db;; *) echo \"$@\";; esac\n", 0o755)
	write("bin/kubectl", standIn+"echo \"$@\"\n", 0o755)
	write("bin/systemctl", "#!/bin/sh\necho active\n", 0o755)
	for _, name := range []string{"cat", "ls", "grep", "head", "tail", "wc", "sort", "tr", "cut", "seq", "date", "xargs", "env", "timeout", "nice", "mktemp", "mkdir", "find", "sed", "awk", "tee", "sleep", "touch", "stat", "basename", "bash", "dash"} {
		link(t, name, filepath.Join(root, "bin", name))
	}
	link(t, "dash", filepath.Join(root, "bin/sh"))
	inv, err := inventory.Parse([]byte(tableInventory))
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(root, name) }
	s.world = World{
		Tier: 1, Cwd: in("repos"), StateDir: in("state"), ResultsDir: in("results"), ReposDir: in("repos"), Scratch: in("state/run/session-1-x/tmp"), Home: in("state/run/session-1-x/home"),
		Policy: policy.Embedded(), Inventory: func() (*inventory.Inventory, error) { return inv, nil },
	}
	s.world.Environ = []string{"PATH=" + in("bin"), "HOME=" + s.world.Home, "TMPDIR=" + s.world.Scratch, "CLAUDEOPS_STATE_DIR=" + s.world.StateDir, "LANG=C.UTF-8"}
	s.before = s.files()
	return s
}

func link(t *testing.T, program, name string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("no %s here", program)
	}
	if err := os.Symlink(path, name); err != nil {
		t.Fatal(err)
	}
}

// files are all files and folders but those of the scratch folder, with what they hold.
func (s *sandbox) files() string {
	var all strings.Builder
	_ = filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			fmt.Fprintln(&all, path, err)
		case path == s.world.Scratch || path == filepath.Join(s.root, "bin"):
			return fs.SkipDir
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			fmt.Fprintln(&all, path, string(data), err)
		default:
			fmt.Fprintln(&all, path)
		}
		return nil
	})
	return all.String()
}

// run runs a program, as an argument or as a script, and says what harm it did.
func (s *sandbox) run(t *testing.T, program string, asScript bool) (harm string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), s.within)
	defer cancel()
	args := []string{"-c", program}
	if asScript {
		script := filepath.Join(s.world.Scratch, ".script")
		if err := os.WriteFile(script, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		args = []string{script}
	}
	c := exec.CommandContext(ctx, filepath.Join(s.root, "bin/bash"), args...)
	c.Dir, c.Env = s.world.Cwd, s.world.Environ
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second / 2
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // whether it succeeds is its own affair
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // what it left in the background
	}
	for _, kept := range s.kept(t) {
		out.WriteString(kept)
	}
	switch after := s.files(); {
	case after != s.before:
		harm = "it ran a marker or wrote outside of its scratch folder:\n" + difference(s.before, after) + "\n"
		s.clean(t)
	case strings.Contains(out.String(), plantedSecret):
		harm = "it printed the secret"
	}
	return harm
}

func difference(before, after string) string {
	for line := range strings.Lines(after) {
		if !strings.Contains(before, line) {
			return strings.TrimSpace(line)
		}
	}
	return "something is gone"
}

// kept empties the scratch folder and returns what it held.
func (s *sandbox) kept(t *testing.T) (texts []string) {
	t.Helper()
	_ = filepath.WalkDir(s.world.Scratch, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != ".script" {
			data, _ := os.ReadFile(path)
			texts = append(texts, string(data))
		}
		return nil
	})
	entries, err := os.ReadDir(s.world.Scratch)
	if err != nil {
		return texts
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(s.world.Scratch, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// clean takes the marks away; what else a program has changed stays, and counts from here on.
func (s *sandbox) clean(t *testing.T) {
	t.Helper()
	entries, _ := os.ReadDir(filepath.Join(s.root, "marks"))
	for _, e := range entries {
		if err := os.Remove(filepath.Join(s.root, "marks", e.Name())); err != nil && e.Name() != ".none" {
			t.Fatal(err)
		}
	}
	s.before = s.files()
}

// generator makes programs.
type generator struct {
	rand    *rand.Rand
	root    string
	granted func(program string) bool
	depth   int
}

func (g *generator) one(of ...string) string { return of[g.rand.IntN(len(of))] }

func (g *generator) often(percent int) bool { return g.rand.IntN(100) < percent }

// program is a few lines, of which some are broken up.
func (g *generator) program() string {
	if g.often(5) {
		return g.soup()
	}
	var lines []string
	for range 1 + g.rand.IntN(4) {
		line := g.list()
		for range g.rand.IntN(4) {
			if g.granted(line) {
				break
			}
			line = g.list()
		}
		lines = append(lines, line)
	}
	program := strings.Join(lines, g.one("\n", "\n", "; ", " && ", "\n\n"))
	if g.often(35) {
		for range 1 + g.rand.IntN(3) {
			program = g.broken(program)
		}
	}
	return program
}

// soup is a text of tokens, as a parser hates it.
func (g *generator) soup() string {
	var text strings.Builder
	for range 3 + g.rand.IntN(9) {
		text.WriteString(g.one(
			"ls", "ls ", "reboot", "reboot", "x=", "a=(", ")", ")", "(", "{ ", "; }", "}", "'", "'", `"`, `"`, "$(", "$((", "))", "((", "`", "#", " #", `\`, "\\\n", " ", " ", "\n", "\n", ";", ";", "&", "&&", " && ", "|", " | ", "||", "!", "! ",
			"<<E\n", "<<'E'\n", "\nE\n", "E\n", "<<<", "<", ">", "[[ ", " ]]", "[ ", " ]", "if ls; then ", "; fi", "for x in a; do ", "; done", "while read x; do ", "case a in a) ", ";; esac", "case $x in ", " in ", "do ", "done", "esac",
			"$x", "${x", "${x:-", "$'", `$"`, "time ", "echo ", "echo ", "cat ", "cat ", "hello", "a", "=", "[", "]", "*", "?", "~", "-", "--", "2>&1", ">/dev/null", "sh -c ", "bash -c ", "then ", "else ", "fi", "%", "@", "0", "1", "+", ",", "{a,b}", "$", "\t",
		))
	}
	return text.String()
}

// broken is a text with something put in, left out or said twice.
func (g *generator) broken(text string) string {
	i := g.rand.IntN(len(text) + 1)
	j := min(len(text), i+g.rand.IntN(6))
	switch g.rand.IntN(4) {
	case 0:
		return text[:i] + text[j:]
	case 1:
		return text[:j] + text[i:]
	default:
		return text[:i] + g.one("'", `"`, `\`, "$", "(", ")", "{", "}", "#", ";", "&", "|", "<", ">", " ", "\n", "`", "[", "]", "!", "*", "~", "=", "\\\n", " #", "$(", "((", "))", "<<E\n", "\nE\n", "\nreboot\n", ";reboot;", "reboot ", "$'", `$"`, "<<-E", "E)", "${", "0", ",", " -", "<(", ">&", "2>&1", "|&", " \\\n", "-e", ":", "%", "@", "[@]", "+") + text[i:]
	}
}

// list is one or more commands in a line.
func (g *generator) list() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 3 {
		return g.simple()
	}
	if g.depth == 1 && g.often(40) {
		return g.attack()
	}
	switch g.rand.IntN(26) {
	case 0, 1:
		return g.list() + g.one("; ", " && ", " || ", " | ", "\n", " & ", " |& ") + g.list()
	case 2:
		return "for " + g.name() + " in " + g.words(3) + "; do " + g.list() + g.one("; ", "\n") + "done" + g.redirection()
	case 3:
		return "if " + g.condition() + "; then " + g.list() + g.one("; ", "; else "+g.list()+"; ") + "fi"
	case 4:
		return g.one("docker ps -q", "printf '%s\\n' "+g.words(2), "echo "+g.words(2), "cat hello") + " | while read " + g.one("-r ", "-r ", "", "-n 3 ") + g.name() + "; do " + g.list() + "; done"
	case 5:
		return "case " + g.word() + " in " + g.one("a", "*", "l*", "reboot", "'('") + ") " + g.list() + ";; " + g.one("", "*) "+g.list()+g.one(";; ", ";& ")) + "esac"
	case 6:
		return g.one("{ ", "{ ", "! { ") + g.list() + "; }" + g.redirection()
	case 7:
		return "(" + g.list() + ")" + g.redirection()
	case 8:
		return g.document()
	case 9:
		return "sh -c " + g.one("'", "'", `"`, "$'") + g.list() + g.one("'", "'", `"`)
	case 10:
		return g.one("i=0; while [ $i -lt 3 ]; do ", "i=0; until [ $i -ge 2 ]; do ", "for ((i=0; i<2; i++)); do ", "i=1; while (( i < 3 )); do ") + g.list() + "; i=$((i+1)); done"
	case 11:
		return g.one("echo ", "cat hello ", ": ") + g.one("# ", "#", "\\# ", "'# ") + g.one("reboot", "it's", `\`, "$(", "`", `"`, "$'a", "<<E", "a \\") + "\n" + g.simple()
	case 12:
		return g.one(": $((1/0))", ": $((08))", ": ${x:0:-9}", "a[-1]=1", ": ${y:?}", ": $(( $x * 2 ))", "[[ $x -eq 08 ]]", ": $((2**-1))", "UID=1", "n=$(wc -l < nope); : $(( $n * 2 ))", "set -u; : $y", "set -e; false") + g.one("; ", "\n", " && ") + g.list()
	case 13:
		return g.one("f() { ", "function f { ", "f() ( ") + g.list() + g.one("; }", "; } | ", "; } && ", "; )") + g.one("; f "+g.words(2), "")
	case 14:
		return "bash -c " + g.one("'", `"`) + g.list() + g.one("'", `"`)
	}
	return g.simple()
}

// ender may end the line, or what stands around it.
func (g *generator) ender() string {
	return g.one(": $((1/0))", ": $((08))", "y=a; : ${y:0:-9}", "a[-1]=1", ": ${y:?}", ": $(( $y * 2 ))", "[[ $y -eq 08 ]]", ": $((2**-1))", "UID=1", "n=$(wc -l < nope); : $(( $n * 2 ))", "set -u; : $y",
		"set -e; false", "false && :", "break", "return", "exit 08", "n=08; ((n++))", "n=$(tr -dc 0-9 < numbers); ((n > 1))", "shopt -s failglob; : /nope*", "x=reboot", "cd sub", ":")
}

// attack is what has worked once, or looks as if it could, with other parts.
func (g *generator) attack() string {
	separator := g.one("; ", "\n", "\n", " && ")
	switch g.rand.IntN(18) {
	case 0: // an assignment that does not happen
		return g.ender() + separator + "x=" + g.one("ls", "hello", "$TMPDIR/f", "1", "{}") + "\n" + g.one("$x reboot", "cat $x server.key", "echo a > $x", "echo a > \"$x"+g.root+"/repos/w\"", "grep -e $x hello server.key", "xargs -I $x ls reboot < hello", "nice -n $x reboot")
	case 1: // words that become none or several
		return g.one("f() { $2 reboot; }; f ", "set -- ", "grep -e ", "grep -v -e ", "kubectl logs ", "docker logs ", "nice -n ", "timeout ", "env ", "head -n ") + g.word() + g.one(" ls", " hello", " hello server.key", " ls reboot", " reboot", "; $2 reboot")
	case 2: // one input, several readers
		return g.one("{ read x; ", "{ head -c 3 > /dev/null; ", "( read -r x; ", "while read x; do ", "if read x; then ") + g.one("bash; ", "xargs env; ", "sh -s; ", "xargs cat; ", "cat $x; ", "xargs docker logs; ") + g.one("}", ")", "done", "fi", "}") + g.one(" <<< $'echo \\'\\nreboot #\\''", " <<< $'echo\\nreboot'", " <<E\necho hello\nreboot\nE\n", " < numbers", " <<< $'ab\\n--kubeconfig=k'")
	case 3, 4: // another shell
		return g.one("sh -c ", "dash -c ", "bash -c ", "env -i bash -c ", "timeout 1 sh -c ") + g.one("'", `"`) + g.one("((reboot))", "time x=ls; $x reboot", "echo {a,reboot}; reboot=1", "echo $RANDOM", "[[ reboot ]]", "echo a &> reboot", `echo \$'a\\'; reboot #`, "x=ab; echo ${x:0:1}", "echo a > $TMPDIR"+g.root+"/repos/w", "cat $TMPDIR"+g.root+"/etc/passwords", "cat $HOME/../../repos/server.key", "f() { $2 reboot; }; f {a,ls}", "echo hello |& cat", "x=(a b); reboot", "cat <<< reboot", "read x; reboot", g.list()) + g.one("'", `"`)
	case 5, 6, 7:
		return g.document()
	case 8: // the folder
		return g.ender() + separator + g.one("cd $TMPDIR || exit", "cd $TMPDIR && ls", "cd \"$TMPDIR\" || exit 1", "cd $TMPDIR/nope || exit $((08))") + "\n" + g.one("echo a > w", "touch w", "mkdir -p w")
	case 9: // what is found where mktemp fails
		return g.one("d=$(mktemp -d $TMPDIR/nope/XXXX)", "d=$(mktemp -d -p $TMPDIR/nope)", "d=$(mktemp -d)", "d=$TMPDIR", "d=$(mktemp -d --suffix=x)") + separator + g.one("echo a > \"$d"+g.root+"/repos/w\"", "cat \"$d"+g.root+"/etc/passwords\"", "touch $d/f", "echo a > $d/f", "cat $d/../../home/apikey")
	case 10: // comments
		return g.one("x=(a)#", "ls # ", "ls #", "x=()# ", "echo a;#", "ls hello # a ", "echo $((1))# ", "echo 'a'# ", "{ ls; }# ", "(ls)# ", "[[ a ]]# ", "echo `ls`# ", "case a in a)# ") + g.one("reboot", `\`, "; reboot", "'", "$(", "a\\") + "\n" + g.one("reboot", "ls", "'; reboot", "esac")
	case 11: // numbers that are none
		return g.one("x='a[$(reboot)]'", "date='a[$(reboot)]'", "x=$(date -d nope +%s 2>&1)", "read -r x <<< 'a[$(reboot)]'", "stat='a[$(reboot)]'; x=$(stat -c %s nope 2>&1)", "x=hello", "n=x; x='a[$(reboot)]'") + separator + g.one("echo $((x))", "((x++))", "[[ $x -eq 1 ]]", "n=$((n+x))", "echo ${y:x}", "for ((x=x; x<2; x++)); do ls; done", "[ -v $x ]", "echo $((n))", "a=([x]=1)", "echo ${a[x]}")
	case 12: // quotes within expansions
		return g.one("echo ", "bash -c ", "cat ", "sed -n ", "awk ") + g.one(`"${w:-echo \'; reboot #\'}"`, "${w:-'server.key hello'}", `"${x:-'a'}"`, `"${w:-\a}"`, "${w-{a,b}{c,d}}", "{,server.key}", `"${x#*}"`, "${x%{}{a,ls}", `"$(echo "'")"; reboot '`, "\"`echo \\\"`\"", "$'\\''", `"${x//'/}"`)
	case 13: // what a pattern finds
		return g.one("touch \"$TMPDIR/a server.key\"; ", "touch \"$TMPDIR/--kubeconfig=k\"; cd $TMPDIR || exit; ", "") + "for x in " + g.one("$TMPDIR/*", "*", "h*", "sub/*") + "; do " + g.one("cat", "kubectl logs", "grep -e", "grep error", "tail -n 1", "docker logs", "echo") + " " + g.one("$x", `"$x"`, "$x server.key") + "; done"
	case 14: // a definition that is more than one
		return g.one("f() { ls; } ", "function f { ls; } ", "f() ( ls ) ", "time f() { ls; } ", "f() ls ") + g.one("&& reboot", "| reboot", "; f", "|| ls; reboot", "\nreboot") + g.one("", "; unset f; f")
	case 15:
		return "x=" + g.word() + separator + g.one("cat $x", `cat "$x"`, "echo a > $x", `echo a > "$x"`, `echo a > "$TMPDIR/$x"`, "kubectl logs $x", "cat ${x#*}", "cat ${x%o}", "cat ${x##*/}", "cat ${x:-server.key}", "cd $x; echo a > w", "find . -name $x -exec cat {} +", "grep -f $x hello")
	case 16:
		return "a=(" + g.words(3) + ")" + separator + g.one(`"${a[@]}" reboot`, `cat "${a[@]}"`, "cat ${a[@]}", "for x in \"${a[@]}\"; do cat $x; done", "cat $a", "grep -e \"${a[@]}\" hello server.key", `kubectl logs "${a[@]}"`)
	}
	return "docker ps -q | " + g.one("{ read -n 2 y; read x; ", "while read -r x; do ", "while read x; do head -c 2; ", "{ read -r x; ") + g.one("kubectl logs $x; ", "docker logs \"$x\"; ", "cat /tmp/$x; ", "echo a > $TMPDIR/$x; ") + g.one("}", "done", "done")
}

// document is a here-document.
func (g *generator) document() string {
	delimiter := g.one("E", "E", "'E'", `"E"`, `\E`, "EOF")
	var body strings.Builder
	for range 1 + g.rand.IntN(3) {
		body.WriteString(g.one("reboot", "E ", "E)", `\`, "$x", "$(echo hi)", "${x:-", "}", "`", "$(echo \"", "\")", "'", `"`, "ls", "a\\", "$((n+1))", " E", "\tE", "#", "") + "\n")
	}
	return g.one("cat ", "cat ", "cat > $TMPDIR/f ", "read -r x ", "while read -r x; do echo $x; done ", "xargs ", "x=$(cat ", "bash ", "xargs env ", "{ cat; } ") + g.one("<<", "<<", "<<", "<<-", "<< ") + delimiter + g.one("", "", " | cat", "; ls", " && reboot", " # x", " &") + "\n" +
		body.String() + strings.Trim(delimiter, `'"\`) + "\n" + g.one("", "", ")\n", "reboot\nE\n")
}

func (g *generator) condition() string {
	return g.one("[ -f "+g.word()+" ]", "[ "+g.word()+" = "+g.word()+" ]", "[[ "+g.word()+" == "+g.word()+" ]]", "[[ $x -eq 1 ]]", "(( n > 1 ))", "[ $n -gt 1 ]", "grep -q hello hello", "! "+g.simple(), "test -n "+g.word(), "[ -v "+g.word()+" ]", g.simple())
}

func (g *generator) name() string { return g.one("x", "x", "y", "a", "n", "d", "IFS", "date") }

func (g *generator) words(most int) string {
	var all []string
	for range g.rand.IntN(most + 1) {
		all = append(all, g.word())
	}
	return strings.Join(all, " ")
}

// word is what stands for a name, a file, an option, or a program.
func (g *generator) word() string {
	if g.depth < 4 && g.often(8) {
		g.depth++
		defer func() { g.depth-- }()
		return g.one("$(", `"$(`, "`", "<(", "$(") + g.one(g.list(), g.simple(), "date "+g.one("+%F", "+%s", "+%Y/x", "-d nope +%s", "+%t-e", "-d 1950-01-01 +%F")) + g.one(")", `)"`, "`", ")")
	}
	return g.one(
		"hello", "hello", "hello", "ls", "reboot", "evilprog", "server.key", "sub", "a", "1", "08", "'a b'", "''", `""`, "-e", "--", "-n", "x", "web",
		"$x", `"$x"`, "$x", `"$x"`, "${x}", "$y", `"$y"`, "$a", `"${a[@]}"`, "${a[@]}", "${a[0]}", "${#a[@]}", "$n", `"$n"`, "${x:-hello}", "${y:-reboot}", `"${x:-server.key}"`, "${x%o}", "${x#h}",
		"${x/h/s}", "${x:0:3}", "${#x}", "${!x}", "${x@P}", "$1", `"$@"`, "$#", "$?", "$_", "$RANDOM", "$IFS", "$TMPDIR/f", `"$TMPDIR/f"`, "$TMPDIR", "~", "~/apikey", "~+/server.key", "$HOME/apikey", "$PWD/hello", `"$d/f"`, "$d"+g.root+"/repos/w",
		"$((n+1))", "$((1+1))", "$((x))", "$(( $n * 2 ))", "$((a[0]))", "$((n=5))", "{a,b}", "{hello,server.key}", "{1..3}", "$x{ls,y}", "*", "h*", "s*", "[hs]*", "server.[k]ey", "./*", "sub/*", "/nope*", "server.[[:alpha:]]ey", "?(x)",
		`$'a\nb'`, `$'\x72eboot'`, `$'\''`, `'$(reboot)'`, `'a[$(reboot)]'`, `"a[\$(reboot)]"`, `'; reboot'`, `"'"`, `\'`, `'"'`, `\$x`, "a=~", "x=~/apikey", "--kubeconfig=k", "'x --kubeconfig=k'", "..", "../etc/passwords", "$TMPDIR/../home/apikey", "$TMPDIR"+g.root+"/repos/w",
		"'reboot\n'", "'server.key hello'", "'serv*'", "'-e'", "\\\nhello", "E", "#x", "x#y", "a\\ b", "=", "!", "]", "}",
	)
}

// simple is one command, mostly one that would be granted alone.
func (g *generator) simple() (command string) {
	for range 1 + g.rand.IntN(6) {
		if command = g.any(); g.granted(command) {
			break
		}
	}
	return command
}

// any is one command with its words and redirections, or a few assignments.
func (g *generator) any() string {
	prefix := ""
	if g.often(5) {
		prefix = g.one("LC_ALL=C ", "NO_COLOR="+g.word()+" ", "x="+g.word()+" ", "TZ=UTC ", "IFS=e ", "LANG=C ")
	}
	switch g.rand.IntN(24) {
	case 0, 1, 2:
		return g.name() + g.one("=", "=", "=", "=", "+=") + g.word()
	case 3:
		return "a=(" + g.words(3) + ")"
	case 4:
		return g.one("n=0", "n=1", "n=$((n+1))", "((n++))", "n=$((n*2))", "((n+=1))", "((x=1))", "let n=1", "n=$(wc -l < hello)", "x=$(docker ps -q | head -1)", "f=$(mktemp); echo a > $f", "d=$(mktemp -d)", "d=$(mktemp -d nope/X)", "x=$(tr -dc 0-9 < numbers)", "declare -i n=x", "local x=ls", "readonly x=ls", "export NO_COLOR=1", "a[1]=reboot", "x=ls y=$x")
	case 5:
		return prefix + g.one("$x ", `"$x" `, "${a[@]} ", "$(echo ls) ", "{ls,x} ", "l? ", "r\\eboot ", "'reboot' ", "\"ls\" ", "\\ls ", "env ", "command ", "exec ", "eval ", "builtin ", "trap ", "source ", ". ") + g.words(2)
	case 6:
		return prefix + g.one("timeout 1 ", "env ", "nice ", "xargs ", "xargs -n1 ", "xargs -I{} ", "env -i ", "nice -n "+g.word()+" ", "timeout "+g.word()+" ", "env "+g.word()+" ", "xargs -I "+g.word()+" ") + g.one("echo ", "cat ", "ls ", "env ", "$x ", "sh -c ls ", "grep -e ") + g.words(2)
	case 7:
		return g.one("cd $TMPDIR", "cd $TMPDIR || exit", "cd sub", "cd -", "cd ..", "cd $d", "cd "+g.word(), "cd /nope && cd $TMPDIR", "set -e", "set -euo pipefail", "set -- "+g.words(2), "set -f", "shopt -s "+g.one("nullglob", "failglob", "extglob"), "shift", "unset x", "unset TMPDIR", "unset "+g.word(), "read -r x", "read x y", "mapfile -t a", "mapfile a < hello", "exit", "return", "break", "wait", ":", "true", "false", "umask 0", "type ls", "pwd", "test "+g.words(3))
	case 8:
		return "read -r x <<< " + g.word()
	case 9:
		return g.one("find . -name ", "find . -name ", "find sub -type f -name ") + g.word() + g.one("", " -print0 | xargs -0 cat", " -exec cat {} \\;", " -exec "+g.word()+" {} +", " | xargs cat")
	case 10:
		return prefix + g.one("grep ", "grep -e ", "grep -r ", "grep -v -e ", "grep -f ", "grep -c ") + g.words(3) + g.redirection()
	case 11:
		return g.one("echo ", "printf ", "printf '%s\\n' ") + g.words(3) + " | " + g.one("cat", "xargs cat", "xargs env", "xargs -n1 echo", "xargs", "head -n1", "sh", "bash -s", "{ read x; cat; }", "xargs docker logs", "tee $TMPDIR/f", "tee "+g.word(), "xargs -I{} cat {}", "while read x; do cat $x; done")
	case 12:
		return g.one("docker logs ", "kubectl logs ", "docker inspect -f '{{.State}}' ", "systemctl is-active ", "docker exec web ", "kubectl get pods -o "+g.word()+" ") + g.words(2)
	case 13:
		return "mkdir -p " + g.one("$TMPDIR/d", `"$TMPDIR/$x"`, g.word()) + g.one("", "; touch \"$TMPDIR/d/server.key\"", "; touch $TMPDIR/"+g.one("x", "'a b'", "-e", "--kubeconfig=k", "'a server.key'"))
	}
	return prefix + g.one("echo ", "echo ", "echo ", "cat ", "cat ", "ls ", "head -n1 ", "printf '%s' ", "wc -l ", "cut -c1-5 ", "sort ", "sed -n 1p ", "tail -n 1 ", "echo -e ", "cat hello ", "awk '{print $1}' ") + g.words(3) + g.redirection()
}

func (g *generator) redirection() string {
	if !g.often(30) {
		return ""
	}
	return " " + g.one("2>&1", "2>/dev/null", "> /dev/null", "> $TMPDIR/f", "> $TMPDIR/f", ">> \"$TMPDIR/$x\"", "> \"$TMPDIR/a b\"", "< hello", "< hello", "<<< "+g.word(), "<<< "+g.word(), "> "+g.word(), "< "+g.word(), ">& "+g.word(), "&> "+g.word(), "3< hello 0<&3", "0<&-", "> $TMPDIR/$n", "< <(echo "+g.word()+")", "{x}> $TMPDIR/f", "> $TMPDIR/{a,b}", "1>&2", ">| $TMPDIR/f", "<> "+g.word())
}
