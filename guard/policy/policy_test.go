package policy

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func parse(t *testing.T, text string) *Policy {
	t.Helper()
	p, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const builtIn = `
programs:
  docker:
    commands:
      ps: {do: observe, options: '-a', operands: none}
      restart: {do: restart, operands: svc+}
      stop: {do: restart, operands: svc+}
      volume rm: {do: forbidden, why: data}
  psql: {do: observe, options: '-c=psql', operands: 'lit?'}
`

func TestJoinAddsAndTightens(t *testing.T) {
	p, err := parse(t, builtIn).Join(parse(t, `
programs:
  docker:
    commands:
      ps: {do: observe, options: '--format=any'}
      restart: {do: forbidden, why: not here}
      top: {do: observe, operands: name}
  pm2: {commands: {list: {do: observe}}}
  psql: {do: observe, tiers: "3"}
hosts: [grafana]
`))
	if err != nil {
		t.Fatal(err)
	}
	docker := p.Program("docker")
	for what, ok := range map[string]bool{
		"an option is added":        docker.Command("ps").Options == "-a --format=any" && docker.Command("ps").Operands == "none",
		"an action is graver":       docker.Command("restart").Do == "forbidden" && docker.Command("restart").Why == "not here",
		"a subcommand is added":     docker.Command("top") != nil,
		"what was there stays":      docker.Command("volume").Command("rm").Do == "forbidden",
		"a program is added":        p.Program("pm2").Command("list").Do == "observe",
		"tiers are fewer":           p.Program("psql").Tiers == "3",
		"a host is added":           len(p.Hosts) == 1,
		"the built-in is as it was": parse(t, builtIn).Program("docker").Command("top") == nil,
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
}

func TestJoinLiftsNothing(t *testing.T) {
	for own, fault := range map[string]string{
		"programs: {docker: {commands: {volume: {commands: {rm: {do: observe, options: '-f'}}}}}}": "docker volume rm: is forbidden",
		"programs: {other: {options: '-x'}}": "other: is not known",
		"programs: {docker: {commands: {volume rm: {do: observe, commands: {x: {do: observe}}}}}}": "docker volume rm: is forbidden",
		"programs: {psql: {do: observe, operands: 'any*'}}":                                        "psql: operands",
		"programs: {psql: {do: observe, loose: true}}":                                             "psql: loose",
		"programs: {docker: {commands: {restart: {do: restart, operands: 'any*'}}}}":               "docker restart: operands",
	} {
		if _, err := parse(t, builtIn).Join(parse(t, own)); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", own, err, fault)
		}
	}
	p, err := parse(t, builtIn).Join(parse(t, `programs: {docker: {commands: {restart: {do: observe, tiers: "123"}, volume rm: {do: observe}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Program("docker").Command("restart"); r.Do != "restart" || r.Tiers != "23" {
		t.Errorf("restart is %+v", r)
	}
	if r := p.Program("docker").Command("volume").Command("rm"); r.Do != "forbidden" {
		t.Errorf("volume rm is %+v", r)
	}
}

// The example of docs/guard.md is a policy that can be joined.
func TestTheDocumentedPolicy(t *testing.T) {
	text, err := os.ReadFile("../../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	p, err := Embedded().Join(parse(t, example))
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Program("appctl"); r == nil || r.Command("dump").Writes != "$TMPDIR" || !strings.Contains(" "+p.Program("journalctl").Options, " -o=export") {
		t.Errorf("appctl is %+v, journalctl %+v", r, p.Program("journalctl"))
	}
	if !slices.Contains(p.Etc, "/etc/hosts*") || !slices.Contains(p.Etc, "/etc/shop/*.conf") || !slices.Contains(p.Reading, "health") || !slices.Contains(p.Reading, "uid") {
		t.Errorf("of /etc is read %q, and URLs have the words %q", p.Etc, p.Reading)
	}
}

func TestParseNamesEveryFault(t *testing.T) {
	_, err := Parse([]byte("programs:\n  a: {do: see}\n  b: {dou: observe}\n  c: {}\n  d: [x]\n  e, f: {do: observe}\n  f: {do: observe}\n"))
	for _, want := range []string{"line 2", "line 3", "line 4", "line 5", `"f" has a rule already`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	for _, text := range []string{"", "programs: 7", "x: 1", "programs: &a {b: {do: observe, commands: *a}}", "\x00", "secrets: {a: b}", strings.Repeat("[", 20000)} {
		if p, err := Parse([]byte(text)); text != "" && err == nil {
			t.Errorf("%.20q: %+v", text, p)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(builtIn)
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := Parse([]byte(text)); (p == nil) == (err == nil) {
			t.Errorf("%v, %v", p, err)
		}
	})
}
