// Package fakeagent stands in for the claude program where a test needs one
// that starts in milliseconds and misbehaves on demand: it hangs, floods, dies,
// ignores signals and leaves processes behind. What the real program does is
// tried with the real one, against package modeltest.
//
// It reads its script from the file `tier1`, `tier2` or `tier3`, by
// CLAUDEOPS_TIER, or else from `script`, in the folder FAKE_AGENT_DIR or else
// the one it was started from. Instructions, one a line; # starts a comment:
//
//	init [NAMES]             the init event, with these tools or else those of the command line
//	say TEXT                 an assistant text; in every TEXT \n is a newline, \\ a backslash, \xff that byte
//	tool NAME TEXT           a tool call and its result; nothing runs
//	sh COMMAND               a Bash call: /bin/sh runs it in a session of its own, its result follows
//	bash COMMAND             the cycle's bash runs it; what it says is left in `answer` and, where it succeeds, `acted` is made
//	same                     the next assistant event is one more block of the same message
//	usage IN OUT [WRITE READ] what each later message says it used, in tokens
//	result COST TURNS [TEXT] a good result, with the last said text unless another is given
//	error-result SUBTYPE COST  a bad one; the exit code is then 1
//	api-error STATUS TEXT    the result of a failed API request; the exit code is then 1
//	retry N STATUS ERROR     N api_retry events, without the waiting
//	flood BYTES              assistant lines, of so many bytes together or a little more
//	longline BYTES           one assistant line with a text of so many bytes
//	garbage TEXT             a line that is as it is
//	truncate                 half an assistant line, without a newline
//	stderr TEXT              a line on standard error
//	stderr-flood BYTES       many of them
//	close-stdout             closes standard output and goes on
//	wait-for FILE            goes on once FILE exists
//	hang                     does nothing for ever
//	exit N                   ends now
//	die SIGNAL               ends now by HUP, INT, TERM or KILL
//	ignore-signals [NAMES]   ignores INT and TERM, or those named; so do the commands it starts later
//	on-sigint result COST    SIGINT ends the Bash call, prints a result and exits 1, as with the real program
//	background COMMAND       leaves a command running in a session of its own, its output closed
//	escape                   leaves a process in a session of its own, for an hour, holding standard output and error
//	escape-quiet             the same with its output closed
//	escape-clean             the same with its output closed and nothing in its environment
//	escape-deaf              the same with its output closed, ignoring INT, TERM and HUP
//	escape-respawn           a deaf shell that starts its sleeping child again whenever that ends
//
// The pids of escaped processes are appended to the file `escaped`, and each
// run leaves a Record. After the last line it exits with 0, or 1 after a bad
// result. A script that it cannot follow ends it with 64.
package fakeagent

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Version is what `claude --version` answers.
const Version = "2.1.197 (Claude Code)"

// badScript is the exit code for a script that cannot be followed.
const badScript = 64

// Record is what a run was given, left in `record-tier<N>.json`, or
// `record.json` without a tier. A later run of the tier replaces it.
type Record struct {
	Args  []string `json:"args"` // without the program's name
	Env   []string `json:"env"`
	Dir   string   `json:"dir"`
	Stdin string   `json:"stdin"`
	PID   int      `json:"pid"`
}

// Flag is the value of the argument after name, and whether it was there.
func (r Record) Flag(name string) (string, bool) {
	i := slices.Index(r.Args, name)
	if i < 0 || i+1 == len(r.Args) {
		return "", false
	}
	return r.Args[i+1], true
}

// Getenv is the value of a variable, empty if it was not set.
func (r Record) Getenv(name string) string {
	for _, v := range r.Env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// ReadRecord reads what the last run of a tier was given; tier "" is a run
// without one.
func ReadRecord(dir, tier string) (Record, error) {
	b, err := os.ReadFile(filepath.Join(dir, recordName(tier)))
	if err != nil {
		return Record{}, err
	}
	var r Record
	return r, json.Unmarshal(b, &r)
}

// Build compiles the program into dir and returns its path. Scripts beside it
// are found without any environment.
func Build(dir string) (string, error) {
	path := filepath.Join(dir, "claude")
	out, err := exec.Command("go", "build", "-o", path, "github.com/claudeops/claudeops/testkit/fakeagent/claude").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the fake agent: %w: %s", err, out)
	}
	return path, nil
}

// Main is the program. It returns the exit code.
func Main() int {
	if slices.Contains(os.Args[1:], "--version") {
		fmt.Println(Version)
		return 0
	}
	if len(os.Args) > 4 && os.Args[1] == parting {
		if err := part(os.Args[2:]); err != nil {
			return complain(err)
		}
		return 0
	}
	a := &agent{dir: folder(), tier: os.Getenv("CLAUDEOPS_TIER"), out: os.Stdout, usage: usage{Input: 100, Output: 20}}
	if err := a.record(); err != nil {
		return complain(err)
	}
	name, script, err := a.script()
	if err != nil {
		return complain(err)
	}
	for i, line := range strings.Split(script, "\n") {
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		code, err := a.do(word, rest)
		if err != nil {
			return complain(fmt.Errorf("%s:%d: %q: %w", name, i+1, line, err))
		}
		if code >= 0 {
			a.code = code
			break
		}
	}
	a.mu.Lock() // an interrupt that came first decides
	return a.code
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "fake agent:", err)
	return badScript
}

// folder is where the scripts are.
func folder() string {
	if dir := os.Getenv("FAKE_AGENT_DIR"); dir != "" {
		return dir
	}
	if strings.Contains(os.Args[0], "/") {
		return filepath.Dir(os.Args[0]) // as it was called: a link to the program has scripts of its own
	}
	path, err := os.Executable()
	if err != nil {
		return "."
	}
	return filepath.Dir(path)
}

func (a *agent) script() (name, text string, err error) {
	for _, name := range []string{"tier" + a.tier, "script"} {
		b, err := os.ReadFile(filepath.Join(a.dir, name))
		if err == nil {
			return name, string(b), nil
		}
		if !os.IsNotExist(err) {
			return "", "", err
		}
	}
	return "", "", fmt.Errorf("no script tier%s and no script in %s", a.tier, a.dir)
}

func recordName(tier string) string {
	if tier == "" {
		return "record.json"
	}
	return "record-tier" + tier + ".json"
}

// record reads standard input to its end and leaves the Record, whole or not
// at all.
func (a *agent) record() error {
	stdin, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	b, err := json.Marshal(Record{Args: os.Args[1:], Env: os.Environ(), Dir: dir, Stdin: string(stdin), PID: os.Getpid()})
	if err != nil {
		return err
	}
	path := filepath.Join(a.dir, recordName(a.tier))
	if err := os.WriteFile(path+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
