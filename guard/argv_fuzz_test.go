package guard

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// FuzzRemote checks that a shell parser reads accepted remote text in the same way, word by word.
func FuzzRemote(f *testing.F) {
	for _, seed := range []string{
		"df -h; uptime", "cat 'a b' \"c d\" && ls || true | tail -5", `grep "a\|b" x`, "journalctl 2>&1 | tail", "tail -5 /var/log/nginx/*.log", "a''b", `"\$x"`, "x;", "df 2>/dev/null;ls",
		"a && b&&c||d|e", "echo \"n: $(a | wc -l)\"; b", "a\n  b 2>&1\nc", "a |\nb", "a 2>&1", "'", "\"", "# x", "~", "a#b", "a=b", "{a", "!", "a\nb", "a\tb", "a &", "if true; then df; fi", "[ -f x ]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		j := &judge{world: argvWorld(t, 1), dir: "/"}
		steps, err := j.readRemote(text)
		if err != nil || j.checkWords([]string{text}) != nil { // which comes first
			return
		}
		file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "")
		if err != nil {
			t.Fatalf("%q is read as %+v, and no shell reads it: %v", text, steps, err)
		}
		var calls [][]string
		var visit func(n syntax.Node) bool
		visit = func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CallExpr:
				words := []string{}
				for _, a := range n.Assigns {
					t.Fatalf("%q assigns %s", text, a.Name.Value)
				}
				for _, w := range n.Args {
					words = append(words, literalText(t, w, func(inner *syntax.CmdSubst) {
						for _, s := range inner.Stmts {
							syntax.Walk(s, visit)
						}
					}))
				}
				calls = append(calls, words)
				return false
			case nil, *syntax.File, *syntax.Stmt, *syntax.BinaryCmd, *syntax.Redirect, *syntax.Word, *syntax.Lit:
			default:
				t.Fatalf("%q holds a %T", text, n)
			}
			return true
		}
		syntax.Walk(file, visit)
		var read [][]string
		for _, s := range steps {
			read = append(read, s.words)
		}
		if !slices.EqualFunc(calls, read, slices.Equal) {
			t.Fatalf("%q is read as %q, a shell reads %q", text, read, calls)
		}
	})
}

// literalText returns a word as a shell expands it, if nothing in it is expanded except command substitutions.
func literalText(t *testing.T, w *syntax.Word, prints func(*syntax.CmdSubst)) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(part.Value, `\~`) {
				t.Fatalf("a shell expands %q", part.Value)
			}
			b.WriteString(part.Value)
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				if command, ok := inner.(*syntax.CmdSubst); ok {
					prints(command)
					continue
				}
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					t.Fatalf("a shell expands a %T", inner)
				}
				b.WriteString(strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\$`, `$`, "\\`", "`").Replace(lit.Value))
			}
		default:
			t.Fatalf("a shell expands a %T", part)
		}
	}
	return b.String()
}

// FuzzJudgeArgv judges argument lists whose words are separated by newlines.
func FuzzJudgeArgv(f *testing.F) {
	for _, seed := range []string{
		"docker\nps", "docker\nexec\nweb\nsh\n-c\ndf -h; ls", "ssh\ndb1\nuptime", "kubectl\nget\npods\n-o\nyaml", "curl\n-s\nhttp://127.0.0.1:8080/health", "sudo\n-n\n-u\npostgres\npsql\n-c\nselect 1",
		"docker\ncompose\n-f\n/repos/shop/compose.yaml\nup\n-d", "systemctl\nrestart\nnginx", "redis-cli\ninfo", "openssl\ns_client\n-connect\nwww.example.org:443",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		call := Call{Argv: strings.Split(text, "\n"), Dir: "/repos"}
		var granted [4]bool
		for tier := 1; tier <= 3; tier++ {
			w := argvWorld(t, tier)
			v := JudgeArgv(w, call)
			if granted[tier] = v.Allow; !v.Allow {
				if v.Reason == "" || v.Argv != nil || v.Writes != nil {
					t.Fatalf("refused with reason %q, %q, %q", v.Reason, v.Argv, v.Writes)
				}
				continue
			}
			if len(v.Argv) == 0 || w.Policy.Program(v.Argv[0]) == nil {
				t.Fatalf("granted is %q, which no rule knows", v.Argv)
			}
			if worst := gravest(v.Acts).Action; worst != Observe {
				t.Fatalf("Tier %d is granted what is %s", tier, worst)
			}
			for _, dir := range v.Writes {
				if below(dir, "/repos") || below(dir, "/etc") || dir == "/" || below(dir, "/state") && !below(dir, w.Scratch) {
					t.Fatalf("it may write %s", dir)
				}
			}
		}
		if granted[1] && !granted[3] || granted[2] && !granted[3] && !strings.Contains(text, "claudeops") {
			t.Fatalf("a lower tier is granted what Tier 3 is not: %v", granted)
		}
	})
}
