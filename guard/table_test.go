package guard

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/inventory"
)

// tableInventory is the inventory of the table's world.
const tableInventory = `
services:
  - name: shop
    aliases: [shop-web-1, shop.service]
    ssh: shop.example.org
    checks:
      - {type: http, url: "http://127.0.0.1:8080/health"}
  - name: shop-db
    aliases: [shop-db-1, postgresql.service, postgresql@16-main.service]
    ssh: db1
  - name: replica
    aliases: [postgres-replica]
    ssh: db2.example.org
  - name: nginx
    aliases: [nginx.service]
    checks:
      - {type: http, url: "https://www.example.org/"}
`

// tableWorld is the world in which the table's commands are judged; no file of it exists.
func tableWorld(t testing.TB, tier int) World {
	t.Helper()
	inv, err := inventory.Parse([]byte(tableInventory))
	if err != nil {
		t.Fatal(err)
	}
	return World{
		Tier: tier, Cwd: "/repos", StateDir: "/state", ResultsDir: "/results", ReposDir: "/repos",
		Scratch: "/state/run/session-7-x/tmp", Home: "/state/run/session-7-x/home",
		Environ: []string{"PATH=/usr/bin:/bin", "HOME=/state/run/session-7-x/home", "TMPDIR=/state/run/session-7-x/tmp", "CLAUDEOPS_STATE_DIR=/state", "USER=root", "LANG=C.UTF-8"},
		Policy:  policy.Embedded(), Inventory: func() (*inventory.Inventory, error) { return inv, nil }, Hypothetical: true,
	}
}

// TestTable judges every line of testdata/*.txt: TIER  ACTS  COMMAND, the lowest tier that is granted the command, and what it does.
func TestTable(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, granted := 0, 0
	seen := map[string]string{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			eachRow(t, file, func(at, tier, acts, command string) {
				rows++
				if tier == "1" {
					granted++
				}
				if before, twice := seen[command]; twice {
					t.Errorf("%s: the command stands at %s already", at, before)
				}
				seen[command] = at
				checkRow(t, tableWorld, at, tier, acts, command)
			})
		})
	}
	if rows < 1000 || granted < rows*2/5 || granted > rows*3/5 {
		t.Errorf("the table has %d rows, %d of them granted to Tier 1: want 1000 at least, about half of them granted", rows, granted)
	}
}

// TestTheDocumentedCommands judges the commands by which docs/guard.md says how they are read.
func TestTheDocumentedCommands(t *testing.T) {
	text, err := os.ReadFile("../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## How a command is read\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| `(.+)` \\| ([^|`]+) \\| (?:Tier ([123])|no tier) \\|").FindAllStringSubmatch(section, -1)
	if len(rows) < 6 {
		t.Fatalf("want a table of six commands at least, found %d", len(rows))
	}
	for _, row := range rows {
		command := strings.ReplaceAll(row[1], `\|`, "|")
		checkRow(t, tableWorld, "docs/guard.md", cmp.Or(row[3], "-"), strings.ReplaceAll(row[2], " of ", ":"), command)
	}
}

func eachRow(t *testing.T, file string, row func(at, tier, acts, command string)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := fmt.Sprintf("%s:%d", file, n)
		fields := strings.Fields(line)
		if len(fields) < 3 {
			t.Errorf("%s: want TIER  ACTS  COMMAND", at)
			continue
		}
		command := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(line, fields[0])), fields[1]))
		if strings.HasPrefix(command, `"`) {
			if err := json.Unmarshal([]byte(command), &command); err != nil {
				t.Errorf("%s: %v", at, err)
				continue
			}
		}
		row(at, fields[0], fields[1], command)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func checkRow(t *testing.T, world func(testing.TB, int) World, at, tier, acts, command string) {
	t.Helper()
	lowest := "-"
	var verdict Verdict
	for n := 3; n >= 1; n-- {
		if v := world(t, n).Shell(command); v.Allow {
			lowest = fmt.Sprint(n)
		} else if n == 3 {
			verdict = v
		}
	}
	found := summary(world(t, 3).Acts(command))
	if lowest != tier || found != acts {
		t.Errorf("%s: %s is %s %s, want %s %s; %s", at, quoted(command), lowest, found, tier, acts, verdict.Reason)
	}
}
