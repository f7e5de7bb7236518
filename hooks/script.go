package hooks

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// This file finds the script that a command runs, as a person reading the line would. Only a name depends on it, so a wrong guess only
// makes a worse name.

// parts are what a short name is made of.
type parts struct {
	script    string   // as in the command, without quotes
	arguments []string // those after the script
}

// base returns the file name of the script.
func (p parts) base() string { return lastOf(p.path(), 1) }

// path returns the script as one line, without trailing slashes.
func (p parts) path() string { return strings.TrimRight(OneLine(p.script), "/") }

// naming finds the script that a command runs, or the program if there is none.
func naming(hook string) parts {
	calls, _ := callsIn(hook) // if it is not valid shell, all words are equal
	var first parts
	for _, words := range calls {
		p := inCall(words)
		switch {
		case p.script == "":
		case !slices.Contains(plumbing, p.base()):
			return p
		case first.script == "":
			first = p
		}
	}
	if first.script != "" {
		return first
	}
	if words := strings.Fields(hook); len(words) > 0 {
		return parts{words[0], words[1:]}
	}
	return parts{}
}

// plumbing are programs that only prepare or join what a hook does. This list and those below hold the programs that hooks are commonly
// started with.
var plumbing = []string{
	"cd", "export", "set", "unset", "umask", "ulimit", "source", ".", ":", "true", "test", "[", "[[", "cat", "echo", "printf",
	"read", "mkdir", "sleep", "exit", "tee",
}

// starters run the program after their options. Arguments of these options are skipped if they cannot be a program's name.
var starters = []string{
	"exec", "command", "env", "nohup", "nice", "ionice", "setsid", "sudo", "doas", "time", "timeout", "xargs", "stdbuf",
	"builtin", "npx", "bunx", "uvx", "pipx", "pnpx",
}

// interpreters run a script that is named in their arguments.
var interpreters = []string{
	"sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python2", "python3", "pypy", "pypy3", "node", "nodejs", "bun",
	"deno", "tsx", "ts-node", "ruby", "perl", "php", "lua", "Rscript", "java", "dotnet", "pwsh", "osascript", "uv", "npm",
	"pnpm", "yarn", "poetry", "rye", "hatch", "pipenv", "mise", "go", "cargo",
}

// extensions are those of scripts.
var extensions = []string{
	".py", ".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".rb", ".pl", ".php", ".lua",
	".R", ".r", ".jar", ".ps1", ".fish", ".go", ".exe", ".scpt",
}

// inCall finds the script in one call of a program. After an interpreter it is the first word with a script's extension, or else the
// first word that is not an option or a subcommand.
func inCall(words []string) parts {
	interpreter := -1
	for i, word := range words {
		program := path.Base(word)
		switch {
		case isOption(word), assignment.MatchString(word), i > 0 && amount.MatchString(word):
		case interpreter >= 0 && (word == "run" || word == "exec" || word == "tool"):
		case interpreter < 0 && slices.Contains(starters, program) && i+1 < len(words):
		case slices.Contains(interpreters, program):
			interpreter = i
			rest := words[i+1:]
			if p := naming(lineOf(words[i:])); p.script != "" {
				return p
			}
			isScript := func(word string) bool { return slices.Contains(extensions, path.Ext(word)) && !isOption(word) }
			if at := slices.IndexFunc(rest, isScript); at >= 0 {
				return parts{rest[at], rest[at+1:]}
			}
		default:
			return parts{word, words[i+1:]}
		}
	}
	if len(words) == 0 {
		return parts{}
	}
	interpreter = max(interpreter, 0)
	return parts{words[interpreter], words[interpreter+1:]}
}

// lineOf returns the shell code after -c; empty if there is none.
func lineOf(words []string) string {
	if !slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "fish"}, path.Base(words[0])) {
		return ""
	}
	for i, word := range words[1:] {
		if !isOption(word) {
			return ""
		}
		if strings.HasSuffix(word, "c") && !strings.HasPrefix(word, "--") && i+2 < len(words) {
			return words[i+2]
		}
	}
	return ""
}

func isOption(word string) bool { return len(word) > 1 && (word[0] == '-' || word[0] == '+') }

// What may precede a program: FOO=1, and the duration in timeout 5s.
var (
	assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	amount     = regexp.MustCompile(`^[0-9.]+[smhd]*$`)
)

// callsIn returns the calls of programs in a line of shell, in order, as unquoted words. Substitutions and function definitions are
// skipped. The error means that the line is not valid shell.
func callsIn(line string) (calls [][]string, err error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, err
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
			return false
		case *syntax.CallExpr:
			if len(node.Args) > 0 {
				words := make([]string, len(node.Args))
				for i, word := range node.Args {
					words[i] = plain(word.Parts, line)
				}
				calls = append(calls, words)
			}
		}
		return true
	})
	return calls, nil
}

// plain returns a word without its quotes; expansions are left as written.
func plain(of []syntax.WordPart, line string) string {
	var b strings.Builder
	for _, part := range of {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(escaped.ReplaceAllString(part.Value, "$1"))
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			b.WriteString(plain(part.Parts, line))
		default:
			b.WriteString(line[min(int(part.Pos().Offset()), len(line)):min(int(part.End().Offset()), len(line))])
		}
	}
	return b.String()
}

// escaped matches a backslash with the character that it quotes; an escaped newline is removed.
var escaped = regexp.MustCompile(`\\(?:\n|(.))`)
