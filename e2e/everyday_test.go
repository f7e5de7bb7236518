package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/internal/machine"
)

// leastSame is how many of a hundred commands exit and print in the sandbox as outside. Those that do not have a reason in the table.
const leastSame = 80

// everydayRow is a command of testdata/everyday/commands.txt, and why it differs in the sandbox; empty where it is to be the same.
type everydayRow struct{ why, command string }

// everydayAnswer is what a command printed, and its exit status.
type everydayAnswer struct {
	exit int
	text string
}

// TestEverydayCommands runs what people type in incidents, outside of the sandbox and as an agent of Tier 1, in a homelab of real programs.
func TestEverydayCommands(t *testing.T) {
	t.Parallel()
	rows := everydayRows(t)
	outside, inside := runEveryday(t, rows)
	tried, same := 0, 0
	for i, row := range rows {
		if row.why == "not run" {
			continue
		}
		tried++
		out, in := outside[i], inside[i]
		alike := out.exit == in.exit && slices.Equal(everydayLines(out.text), everydayLines(in.text))
		if alike {
			same++
		}
		if !alike && row.why == "" {
			t.Logf("%q exits with %d and prints\n%.400s\nand in the sandbox with %d and\n%.400s", row.command, out.exit, out.text, in.exit, in.text)
		}
	}
	t.Logf("%d commands, %d of them tried, %d are the same in the sandbox", len(rows), tried, same)
	if tried < 600 || same*100 < tried*leastSame {
		t.Errorf("of %d commands %d are the same in the sandbox; want 600 commands and %d %% of them", tried, same, leastSame)
	}
}

// everydayRows reads lines of a reason, a tab and a command, which is JSON where it has lines or begins with a quotation mark.
func everydayRows(t *testing.T) (rows []everydayRow) {
	t.Helper()
	text, err := os.ReadFile("testdata/everyday/commands.txt")
	must(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		why, command, tab := strings.Cut(line, "\t")
		if !tab {
			t.Fatalf("testdata/everyday/commands.txt: %q has no tab", line)
		}
		if strings.HasPrefix(command, `"`) {
			must(t, json.Unmarshal([]byte(command), &command))
		}
		rows = append(rows, everydayRow{why, command})
	}
	return rows
}

// runEveryday runs the rows in a machine, outside and inside of the sandbox at the same time.
func runEveryday(t *testing.T, rows []everydayRow) (outside, inside []everydayAnswer) {
	t.Helper()
	folder := t.TempDir()
	for i, row := range rows {
		if row.why != "not run" {
			must(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d", i)), []byte(row.command), 0o644))
		}
	}
	socket, found := strings.CutPrefix(os.Getenv("DOCKER_HOST"), "unix://")
	if !found {
		socket = "/var/run/docker.sock"
	}
	homelabImage(t)
	m := machine.Homelab(t, map[string]string{
		socket: "/run/docker.sock", folder: "/srv/rows", "testdata/everyday": "/srv/homelab", claudeopsBin: "/usr/local/bin/claudeops", shimBin: "/usr/local/bin/claudeops-shim",
	})
	t.Cleanup(func() { m.Run("docker compose -p shop down --timeout 1 >/run/down 2>&1") })
	m.Run("HOMELAB_USR=" + machine.Root(t, "homelab") + "/usr bash -e /srv/homelab/homelab.sh")
	m.Run(`. /etc/claudeops/env
		bash /srv/homelab/rows.sh /srv/rows >/run/outside 2>&1 & outside=$!
		claudeops sandbox --tier 1 'bash /srv/homelab/rows.sh /srv/rows' >/run/inside
		wait $outside`)
	return everydayAnswers(t, m.Run("cat /run/outside"), len(rows)), everydayAnswers(t, m.Run("cat /run/inside"), len(rows))
}

// homelabImage makes the image of the homelab's containers, whose programs are those of the homelab.
func homelabImage(t *testing.T) {
	t.Helper()
	layer, err := exec.Command("tar", "--directory", machine.Root(t, "homelab"), "--create", "etc", "bin", "sbin", "lib", "lib64").Output()
	must(t, err)
	cmd := exec.Command("docker", "import", "-", "homelab")
	cmd.Stdin = bytes.NewReader(layer)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("docker import: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("docker", "image", "rm", "--force", "homelab").Run() })
}

// everydayHeading is the line above what a row printed.
var everydayHeading = regexp.MustCompile(`(?m)^=== (\d{4}) (\d+)$\n`)

func everydayAnswers(t *testing.T, text string, rows int) []everydayAnswer {
	t.Helper()
	list := make([]everydayAnswer, rows)
	at := everydayHeading.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		n, err := strconv.Atoi(text[m[2]:m[3]])
		must(t, err)
		exit, err := strconv.Atoi(text[m[4]:m[5]])
		must(t, err)
		list[n] = everydayAnswer{exit, text[m[1]:end]}
	}
	return list
}

// everydayVarying is what differs from one run of a command to the next: numbers, days, ids and names of scratch folders.
var everydayVarying = regexp.MustCompile(`\b[0-9a-f]{12,64}\b|/\S*/tmp\.\w+(/\d{4}\.tmp)?|\d+([.,]\d+)?[KMGTi]*B?\b|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b`)

// everydayLines are the lines of a text without what varies, in order of their letters: jobs side by side print in any order.
func everydayLines(text string) (lines []string) {
	for line := range strings.Lines(everydayVarying.ReplaceAllString(text, "*")) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	slices.Sort(lines)
	return lines
}
