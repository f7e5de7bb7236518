// Package fakeagent replaces the claude program in tests that need one which starts in milliseconds and misbehaves on demand: it hangs,
// floods, dies, ignores signals and leaves processes behind. The behaviour of the real program is tested with the real program and
// package modeltest.
//
// The program reads its script from the file `tier1`, `tier2` or `tier3`, depending on CLAUDEOPS_TIER, or else from `script`, in the
// directory FAKE_AGENT_DIR or else in its own. There is one instruction per line; # starts a comment:
//
//	init [NAMES]             the init event, with these tools; by default those of the command line
//	say TEXT                 an assistant text; in every TEXT \n is a newline, \\ a backslash, \xff that byte
//	tool NAME TEXT           a tool call and its result; nothing is executed
//	sh COMMAND               a Bash call: /bin/sh runs the command in its own session; the result follows
//	bash COMMAND             the cycle's bash tool runs it; the result is written to `answer`, and `acted` exists if it succeeded
//	same                     the next assistant event is another block of the same message
//	usage IN OUT [WRITE READ] usage of each later message, in tokens
//	result COST TURNS [TEXT] a successful result, by default with the last text of say
//	error-result SUBTYPE COST  an error result; the exit code is then 1
//	api-error STATUS TEXT    the result of a failed API request; the exit code is then 1
//	retry N STATUS ERROR     N api_retry events, without delays
//	flood BYTES              assistant lines with at least this total size
//	longline BYTES           one assistant line with a text of this size
//	garbage TEXT             a line with exactly this text
//	truncate                 half an assistant line, without a newline
//	stderr TEXT              a line on standard error
//	stderr-flood BYTES       lines on standard error with this total size
//	close-stdout             closes standard output and continues
//	wait-for FILE            waits until FILE exists
//	hang                     sleeps forever
//	exit N                   exits immediately
//	die SIGNAL               kills itself with HUP, INT, TERM or KILL
//	ignore-signals [NAMES]   ignores INT and TERM, or the named signals; later commands inherit that
//	on-sigint result COST    SIGINT ends the Bash call, prints a result and exits 1, like the real program
//	background COMMAND       leaves a command running in its own session with closed output
//	escape                   leaves a process in its own session for an hour, which holds standard output and error
//	escape-quiet             the same with closed output
//	escape-clean             the same with closed output and an empty environment
//	escape-deaf              the same with closed output; it ignores INT, TERM and HUP
//	escape-respawn           a shell that ignores INT, TERM and HUP and restarts its sleeping child whenever that ends
//
// The pids of escaped processes are appended to the file `escaped`, and each run writes a Record. After the last line the program exits
// with 0, or with 1 after an error result. It exits with 64 if a script is invalid.
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

// Version is the output of `claude --version`.
const Version = "2.1.197 (Claude Code)"

// badScript is the exit code for an invalid script.
const badScript = 64

// Record is the input of a run. The run writes it to `record-tier<N>.json`, or to `record.json` without a tier, and replaces that of an
// earlier run of the tier.
type Record struct {
	Args  []string `json:"args"` // without the program's name
	Env   []string `json:"env"`
	Dir   string   `json:"dir"`
	Stdin string   `json:"stdin"`
	PID   int      `json:"pid"`
}

// Flag returns the value of the argument after name, and whether it was given.
func (r Record) Flag(name string) (string, bool) {
	i := slices.Index(r.Args, name)
	if i < 0 || i+1 == len(r.Args) {
		return "", false
	}
	return r.Args[i+1], true
}

// Getenv returns the value of a variable, empty if it was not set.
func (r Record) Getenv(name string) string {
	for _, v := range r.Env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// ReadRecord reads the Record of the last run of a tier; tier "" is for runs without one.
func ReadRecord(dir, tier string) (Record, error) {
	b, err := os.ReadFile(filepath.Join(dir, recordName(tier)))
	if err != nil {
		return Record{}, err
	}
	var r Record
	return r, json.Unmarshal(b, &r)
}

// Build compiles the program into dir and returns its path. The program finds scripts in the same directory without environment
// variables.
func Build(dir string) (string, error) {
	path := filepath.Join(dir, "claude")
	out, err := exec.Command("go", "build", "-o", path, "github.com/claudeops/claudeops/testkit/fakeagent/claude").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the fake agent: %w: %s", err, out)
	}
	return path, nil
}

// Main runs the program and returns its exit code.
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
	a.mu.Lock() // an earlier interrupt has priority
	return a.code
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "fake agent:", err)
	return badScript
}

// folder returns the directory of the scripts.
func folder() string {
	if dir := os.Getenv("FAKE_AGENT_DIR"); dir != "" {
		return dir
	}
	if strings.Contains(os.Args[0], "/") {
		return filepath.Dir(os.Args[0]) // not resolved, so that each link to the program has its own scripts
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

// record reads standard input to its end and writes the Record atomically.
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
