package hooks

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a command is called by: the script that it runs, found as a person would find it who reads the line. It decides nothing but
// a name, so that a wrong guess is only a worse name.

// parts are what a short name is made of.
type parts struct {
	script    string   // as it stands in the command, without quotes
	arguments []string // what follows the script
}

// base is the file name of the script.
func (p parts) base() string { return lastOf(p.path(), 1) }

// path is the script as one line, without slashes behind it.
func (p parts) path() string { return strings.TrimRight(OneLine(p.script), "/") }

// naming finds what a command is about: its script, or the program where there is none.
func naming(hook string) parts {
	calls, _ := callsIn(hook) // of what is no line of shell, no word means more than another
	for _, words := range calls {
		if p := inCall(words); p.script != "" && !slices.Contains(plumbing, p.base()) {
			return p
		}
	}
	for _, words := range calls {
		if p := inCall(words); p.script != "" {
			return p
		}
	}
	if words := strings.Fields(hook); len(words) > 0 {
		return parts{words[0], words[1:]}
	}
	return parts{}
}

// plumbing prepares or joins what a hook does. The list, like those below, is made of the programs that hooks are started with.
var plumbing = []string{
	"cd", "export", "set", "unset", "umask", "ulimit", "source", ".", ":", "true", "test", "[", "[[", "cat", "echo", "printf",
	"read", "mkdir", "sleep", "exit", "tee",
}

// starters run the program that follows their options; what an option of theirs takes is skipped where it is no program's name.
var starters = []string{
	"exec", "command", "env", "nohup", "nice", "ionice", "setsid", "sudo", "doas", "time", "timeout", "xargs", "stdbuf",
	"builtin", "npx", "bunx", "uvx", "pipx", "pnpx",
}

// interpreters run a script that stands somewhere behind them.
var interpreters = []string{
	"sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python2", "python3", "pypy", "pypy3", "node", "nodejs", "bun",
	"deno", "tsx", "ts-node", "ruby", "perl", "php", "lua", "Rscript", "java", "dotnet", "pwsh", "osascript", "uv", "npm",
	"pnpm", "yarn", "poetry", "rye", "hatch", "pipenv", "mise", "go", "cargo",
}

// extensions of scripts.
var extensions = []string{
	".py", ".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".rb", ".pl", ".php", ".lua",
	".R", ".r", ".jar", ".ps1", ".fish", ".go", ".exe", ".scpt",
}

// inCall finds the script in one call of a program.
func inCall(words []string) parts {
	for i := 0; i < len(words); i++ {
		program := path.Base(words[i])
		switch {
		case isOption(words[i]), isAssignment(words[i]), i > 0 && isNumber(words[i]):
			continue
		case slices.Contains(starters, program) && i+1 < len(words):
			continue
		case slices.Contains(interpreters, program):
			return interpreted(words[i:])
		}
		return parts{words[i], words[i+1:]}
	}
	if len(words) == 0 {
		return parts{}
	}
	return parts{words[0], words[1:]}
}

// interpreted finds the script that an interpreter runs.
func interpreted(words []string) parts {
	if line, ok := lineOf(words); ok {
		if p := naming(line); p.script != "" {
			return p
		}
	}
	for i, word := range words[1:] {
		if slices.Contains(extensions, path.Ext(word)) && !isOption(word) {
			return parts{word, words[i+2:]}
		}
	}
	for i, word := range words[1:] {
		if isOption(word) || word == "run" || word == "exec" || word == "tool" || isAssignment(word) {
			continue
		}
		if slices.Contains(interpreters, word) {
			return interpreted(words[i+1:])
		}
		return parts{word, words[i+2:]}
	}
	return parts{words[0], words[1:]}
}

// lineOf is the line that a shell is given by -c.
func lineOf(words []string) (line string, ok bool) {
	if !slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "fish"}, path.Base(words[0])) {
		return "", false
	}
	for i, word := range words[1:] {
		if !isOption(word) {
			return "", false
		}
		if strings.HasSuffix(word, "c") && !strings.HasPrefix(word, "--") && i+2 < len(words) {
			return words[i+2], true
		}
	}
	return "", false
}

func isOption(word string) bool { return len(word) > 1 && (word[0] == '-' || word[0] == '+') }

func isAssignment(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && syntax.ValidName(name)
}

func isNumber(word string) bool {
	digits := strings.TrimRight(word, "smhd")
	_, err := strconv.ParseFloat(digits, 64)
	return err == nil
}

// callsIn are the calls of programs in a line of shell, not in what it puts in or defines, in their order, as words without their quotes.
// An error says that it is none.
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

// plain is a word without its quotes, everything that the shell would replace as it stands.
func plain(of []syntax.WordPart, line string) string {
	var b strings.Builder
	for _, part := range of {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(part.Value))
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

// unescaped takes the backslashes away that quote a character.
func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
