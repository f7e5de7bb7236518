package hooks

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestShortName(t *testing.T) {
	for hook, want := range map[string]string{
		"uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py":                   "validate_file_contains.py",
		"uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py --directory specs": "validate_file_contains.py",
		`"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh`:                                                    "check.sh",
		`"${CLAUDE_PLUGIN_ROOT}"/bin/h.sh ${CLAUDE_PROJECT_DIR}`:                                          "h.sh",
		"python3 -W ignore ~/.claude/hooks/x.py":                                                          "x.py",
		"python3 -m mypackage.hook --strict":                                                              "mypackage.hook",
		"uv run --with requests script.py":                                                                "script.py",
		"uv run --script /opt/a.py":                                                                       "a.py",
		"uv run python -m a.b":                                                                            "a.b",
		"/usr/bin/env -S uv run x.py":                                                                     "x.py",
		"npm run lint":                                                                                    "lint",
		"npx prettier --config a.js --write":                                                              "prettier",
		"npx -y ccusage@latest statusline":                                                                "ccusage@latest",
		"cd /repo && make lint":                                                                           "make",
		"cd /repo && node tools/check.mjs stop":                                                           "check.mjs",
		"[ -f x ] && python3 y.py || true":                                                                "y.py",
		"if [ -f x ]; then python3 y.py; fi":                                                              "y.py",
		". ~/.nvm/nvm.sh && node x.js":                                                                    "x.js",
		"cat | jq -r '.tool_input.command' >> ~/log.txt":                                                  "jq",
		"jq -r .tool_input.command >> ~/log.txt":                                                          "jq",
		"echo done":                                                                                       "echo",
		"FOO=1 BAR=2 ./run.sh":                                                                            "run.sh",
		"env FOO=1 ./run.sh":                                                                              "run.sh",
		"timeout 5s ./run.sh":                                                                             "run.sh",
		"exec ./run":                                                                                      "run",
		"bash -c 'cd x; /opt/h/inner.sh a'":                                                               "inner.sh",
		"sh -ec 'exec inner'":                                                                             "inner",
		"bash /opt/my\\ hooks/a\\ b.sh":                                                                   "a b.sh",
		"$(git rev-parse --show-toplevel)/hooks/x":                                                        "x",
		"$HOOK":                            "$HOOK",
		"claudeops guard":                  "claudeops",
		"for f in *; do lint \"$f\"; done": "lint",
		"this 'is not a line":              "this",
		"dir/":                             "dir",
		"env":                              "env",
		"python3":                          "python3",
		"sh -c":                            "sh",
		"":                                 "",
		"   ":                              "",
		"a\x1b[2Jb.sh":                     "a\uFFFD[2Jb.sh",
		"'two\nlines'":                     "two lines",
		"\xff.sh":                          "\uFFFD.sh",
	} {
		if got := ShortName(hook); got != want {
			t.Errorf("%q: %q, want %q", hook, got, want)
		}
	}
}

func TestShortNamesTellHooksApart(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"alone":     {"uv run /h/check.py --directory specs": "check.py"},
		"paths":     {"python3 /h/a/check.py": "a/check.py", "python3 /h/b/check.py": "b/check.py", "python3 /h/c.py": "c.py"},
		"arguments": {"/h/check.py --directory specs": "check.py --directory specs", "/h/check.py --directory docs": "check.py --directory docs"},
		"argument":  {"/h/check.py start": "check.py start", "/h/check.py stop now": "check.py stop"},
		"none and some": {
			"/h/check.py": "check.py", "/h/check.py --all": "check.py --all",
		},
		"one is the beginning of the other": {"/h/x a": "x a", "/h/x a b": "x a b"},
		"paths and arguments": {
			"/h/a/x 1": "a/x 1", "/h/a/x 2": "x 2", "/h/b/x 1": "b/x",
		},
		"how it is started":   {"FOO=1 /h/x": "FOO=1 /h/x", "FOO=2 /h/x": "FOO=2 /h/x"},
		"one deeper":          {"x": "x", "/h/x": "h/x"},
		"what cannot be seen": {"/h/\x01": "/h/\uFFFD", "/h/\x02": "/h/\uFFFD #2"},
		"empty":               {"": "", "x": "x"},
	} {
		t.Run(name, func(t *testing.T) {
			hooks := make([]string, 0, len(want))
			for hook := range want {
				hooks = append(hooks, hook, hook)
			}
			if diff := cmp.Diff(want, ShortNames(hooks)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	hooks := []string{"uv run /h/a/check.py", "uv run /h/b/check.py", "/h/x --one", "/h/x", "/h/y\x1b.sh", "npm run lint", "/h/\uFFFD\uFFFD b"}
	for name, row := range map[string]struct{ want, fault string }{
		"uv run /h/a/check.py": {want: hooks[0]},
		"a/check.py":           {want: hooks[0]},
		"check.py":             {fault: "it could be any of\n  a/check.py\n  b/check.py"},
		"/b/":                  {want: hooks[1]},
		"x":                    {want: "/h/x"},
		"x --one":              {want: "/h/x --one"},
		"--one":                {want: "/h/x --one"},
		"/h/x":                 {want: "/h/x"},
		"/h/":                  {fault: "it could be any of\n"},
		"y\uFFFD.sh":           {want: hooks[4]},
		"lint":                 {want: hooks[5]},
		"npm":                  {want: hooks[5]},
		"/h/y\x1b.sh":          {want: hooks[4]},
		"/h/\xff\xfe b":        {want: hooks[6]}, // as in the state file
		"nothing":              {fault: `no hook is called "nothing"`},
		"":                     {fault: "the name of a hook is empty"},
	} {
		got, err := Resolve(hooks, name)
		if got != row.want || (err == nil) != (row.fault == "") || err != nil && !strings.Contains(err.Error(), row.fault) {
			t.Errorf("%q: %q, %v; want %q, %q", name, got, err, row.want, row.fault)
		}
	}
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("/h/%d/x", i))
	}
	if _, err := Resolve(many, "x"); err == nil || strings.Count(err.Error(), "\n") != 11 || !strings.Contains(err.Error(), "and 20 more") {
		t.Errorf("%v", err)
	}
}

// Each hook gets a unique, printable name of one line that Resolve finds.
func TestNamesFindTheirHooks(t *testing.T) {
	word := rapid.SampledFrom([]string{
		"a", "b", "/h/a", "/h/b", "/i/a", "x.py", "/h/x.py", "python3", "uv", "run", "-c", "'a b'", "--x", "&&", "\x01", "\x02", "\xff", "#2", "é\u202e",
	})
	rapid.Check(t, func(t *rapid.T) {
		hooks := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "words"), " ")
		}), 1, 8, rapid.ID).Draw(t, "hooks")
		names := ShortNames(hooks)
		of := map[string]string{}
		for _, hook := range hooks {
			name := names[hook]
			if other, taken := of[name]; taken {
				t.Fatalf("%q and %q are both called %q", hook, other, name)
			}
			of[name] = hook
			if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
				t.Fatalf("%q is called %q", hook, name)
			}
		}
		for hook, name := range names {
			if _, itself := names[name]; itself && name != hook {
				continue // a command itself takes precedence
			}
			if got, err := Resolve(hooks, name); got != hook {
				t.Fatalf("%q finds %q, %v; want %q", name, got, err, hook)
			}
		}
	})
}

func BenchmarkShortNames(b *testing.B) {
	hooks := make([]string, 10_000)
	for i := range hooks {
		hooks[i] = fmt.Sprintf("uv run $CLAUDE_PROJECT_DIR/.claude/hooks/%d/check.py --directory specs", i)
	}
	for b.Loop() {
		ShortNames(hooks)
	}
}

// A command may be of any length, so the cost of its names must not grow with the square of its slashes.
func TestShortNamesOfALongCommand(t *testing.T) {
	hook := "/" + strings.Repeat("a/", 100_000) + "check.sh"
	if got := ShortNames([]string{hook, "/b/check.sh"})[hook]; got != "a/check.sh" {
		t.Errorf("ShortNames = %q, want a/check.sh", got)
	}
}
