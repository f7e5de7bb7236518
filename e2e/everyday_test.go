package e2e

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/testkit/machine"
)

// leastAsTyped is how many commands do the same in the sandbox as outside, at least, and leastInAnotherForm how many do so or are refused by
// a sentence with another form that answers the same. Raise them with every row that is mended.
const leastAsTyped, leastInAnotherForm = 1285, 1440

// everydayRow is a command of testdata/everyday/commands.txt; why it differs in the sandbox, empty if it must not differ; and the form that
// its refusal leads to, empty if it has none or forms.sh makes it.
type everydayRow struct{ why, command, form string }

// Reasons with a meaning for the test; all others are for people, and say why the command is lost.
const (
	notRun   = "not run"  // the homelab lacks its program
	varies   = "varies"   // its output changes by itself, so its lines are not compared
	tierOne  = "tier 1"   // it records something, so it runs with --act; its output depends on what the others have recorded
	tierTwo  = "tier 2"   // the same, but not permitted to Tier 1
	proposed = "proposed" // a person decides on it
)

// changes reports whether its output changes by itself.
func (r everydayRow) changes() bool {
	return slices.Contains([]string{varies, tierOne, tierTwo}, r.why)
}

// Classes of commands; proposed is one too.
const (
	asTyped       = "as typed"
	inAnotherForm = "another form" // the refusal has it, and it answers the same
	lost          = "lost"
	unexplained   = "lost without a reason"
)

// everydayAnswer is the output of a command and its exit status.
type everydayAnswer struct {
	exit int
	text string
}

// TestEverydayCommands runs commands that people type in incidents as an agent, and outside before and after that, in a homelab of real
// programs whose Kubernetes API server accepts the manifests.
func TestEverydayCommands(t *testing.T) {
	t.Parallel()
	oneHomelab(t)
	rows := everydayRows(t, "testdata/everyday/commands.txt")
	before, inside, after, forms := runEveryday(t, rows)
	classes, failing := map[string]int{}, 0
	for i, row := range rows {
		if row.why == notRun {
			continue
		}
		form, ran := forms[i]
		if !ran {
			form.exit = 126
		}
		class := everydayClass(row, before[i], inside[i], form, after[i])
		classes[class]++
		switch class {
		case asTyped:
			if row.why != "" && !row.changes() || row.form != "" {
				t.Logf("%q is the same in the sandbox, in spite of %q and %q", row.command, row.why, row.form)
			}
		case inAnotherForm:
			if everydayFails(before[i], after[i]) {
				failing++
			}
		case unexplained:
			t.Logf("%q exits with %d\n%.900s\nin the sandbox with %d\n%.900s\nand its form with %d\n%.900s",
				row.command, before[i].exit, before[i].text, inside[i].exit, inside[i].text, form.exit, form.text)
		default:
			t.Logf("%s, because %s: %q prints in the sandbox\n%.300s", class, row.why, row.command, inside[i].text)
		}
	}
	tried, same, another := 0, classes[asTyped], classes[inAnotherForm]
	for _, count := range classes {
		tried += count
	}
	t.Logf("%d commands, %d of them tried: %.1f %% as typed, %.1f %% with those in another form, %d of which fail outside: %v",
		len(rows), tried, 100*float64(same)/float64(tried), 100*float64(same+another)/float64(tried), failing, classes)
	if tried < 1480 || same < leastAsTyped || same+another < leastInAnotherForm {
		t.Errorf("want at least 1480 commands, %d of them the same, %d with those in another form", leastAsTyped, leastInAnotherForm)
	}
}

// everydayClass returns the class of a command.
func everydayClass(row everydayRow, before, in, form, after everydayAnswer) string {
	changes := row.changes()
	switch {
	case everydaySame(changes, before, in, after):
		return asTyped
	case anotherForm.MatchString(in.text) && everydayForm(changes, before, form, after):
		return inAnotherForm
	case row.why == proposed && strings.Contains(in.text, "`propose`"):
		return proposed
	case row.why == "" || row.why == proposed || changes:
		return unexplained
	}
	return lost
}

// anotherForm matches a refusal with a form that answers the same.
var anotherForm = regexp.MustCompile("claudeops: (?:not granted: .*\\. |there is no .*; ).*`")

// homelabInUse is held by the test that has a homelab: all use the same ports and container names.
var homelabInUse sync.Mutex

// oneHomelab waits until no other test has a homelab, and reserves it.
func oneHomelab(t *testing.T) {
	homelabInUse.Lock()
	t.Cleanup(homelabInUse.Unlock)
}

// everydaySame reports whether a command did the same in the sandbox as outside, before and after. What differs between the runs outside
// changes by itself and is not compared, but there must be output of that kind, and no refusal. Of a command that only prints such output,
// no line is compared.
func everydaySame(varies bool, before, in, after everydayAnswer) bool {
	first, last, lines := everydayLines(before.text), everydayLines(after.text), everydayLines(in.text)
	switch {
	case in.exit != before.exit && in.exit != after.exit:
		return false
	case slices.Equal(lines, first), slices.Equal(lines, last):
		return true
	case slices.Equal(first, last) && !varies:
		return false
	}
	// Lines that come and go may be repeated: from here on only the presence of a line counts.
	first, last, lines = slices.Compact(first), slices.Compact(last), slices.Compact(lines)
	common := slices.DeleteFunc(slices.Clone(first), func(line string) bool { return varies || !slices.Contains(last, line) })
	own := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(common, line) })
	switch {
	case len(lines)-len(own) < len(common):
		return false
	case len(own) == 0:
		return len(first) == len(common) || len(last) == len(common)
	}
	return !slices.ContainsFunc(own, func(line string) bool {
		return everydayRefusal.MatchString(line) && !slices.Contains(first, line) && !slices.Contains(last, line)
	})
}

// everydayForm reports whether another form answered what a command does outside: it was not refused, and has all words of that answer. Where
// the command fails outside, because the homelab lacks what it asks, there is no answer to compare.
func everydayForm(varies bool, before, form, after everydayAnswer) bool {
	switch {
	case form.exit == 126 || everydayRefused.MatchString(form.text):
		return false
	case everydayFails(before, after):
		return true
	case varies:
		return form.exit == 0
	}
	first, last, words := everydayWords(before.text), everydayWords(after.text), everydayWords(form.text)
	// A client may print an error and exit with 0.
	return (form.exit == 0 || len(first) > 0) && !slices.ContainsFunc(first, func(word string) bool {
		return slices.Contains(last, word) && !slices.Contains(words, word)
	})
}

func everydayFails(before, after everydayAnswer) bool { return before.exit != 0 && after.exit != 0 }

// everydayRefused matches what a form prints if it is refused.
var everydayRefused = regexp.MustCompile(`(?m)^claudeops: (?:not (?:granted|run)|the services file)`)

// everydayTalk matches what clients of databases print beside an answer: headings, counts, times.
var everydayTalk = regexp.MustCompile(`(?m)^(?:.*\n *-+(?:\+-+)*$| *(?:List of|Table) .*|Indexes:$|Access method: |` +
	`Expanded .*|-\[ RECORD.*|\*+ \d+\. row \*+|\(\d+ rows?\)$|Timing is .*|Time: .*|\(integer\) )`)

// everydayWord matches a word of an answer.
var everydayWord = regexp.MustCompile(`[\pL\d](?:[\pL\d_./:@-]*[\pL\d])?`)

// everydayWords returns the words of an answer without what varies.
func everydayWords(text string) []string {
	return everydayWord.FindAllString(everydayVarying.ReplaceAllString(everydayTalk.ReplaceAllString(text, ""), "0"), -1)
}

// everydayRefusal is part of each message of the broker or the kernel about something that is not permitted.
var everydayRefusal = regexp.MustCompile(`^claudeops: |[Pp]ermission denied|[Oo]peration not permitted`)

// everydayRows reads lines of a reason, a tab, a command, and, if it has one, a tab, an arrow and its other form. The command is JSON if it
// has several lines or begins with a quotation mark.
func everydayRows(t *testing.T, file string) (rows []everydayRow) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		why, command, tab := strings.Cut(line, "\t")
		if !tab {
			t.Fatalf("%s: %q has no tab", file, line)
		}
		command, form, _ := strings.Cut(command, "\t→ ")
		if strings.HasPrefix(command, `"`) {
			must(t, json.Unmarshal([]byte(command), &command))
		}
		rows = append(rows, everydayRow{why, command, form})
	}
	return rows
}

// everydayClients matches the clients of databases, whose commands forms.sh turns into their other form.
var everydayClients = regexp.MustCompile(`\b(?:psql|mysql|mariadb|redis-cli)\b`)

// runEveryday runs the rows in a machine: outside, as agents, their other forms as agents, and outside once more, each with the same records.
func runEveryday(t *testing.T, rows []everydayRow) (before, inside, after, forms map[int]everydayAnswer) {
	t.Helper()
	folder := t.TempDir()
	for _, records := range []string{"none", tierOne, tierTwo, "forms"} {
		must(t, os.Mkdir(filepath.Join(folder, records), 0o755))
	}
	for i, row := range rows {
		records := "none"
		if row.why == tierOne || row.why == tierTwo {
			records = row.why
		}
		if row.why != notRun {
			must(t, os.WriteFile(filepath.Join(folder, records, fmt.Sprintf("%04d", i)), []byte(row.command), 0o644))
		}
		form := row.form
		if form == "" && everydayClients.MatchString(row.command) {
			form = ". /srv/homelab/forms.sh\n" + row.command
		}
		if form != "" && row.why != notRun {
			must(t, os.WriteFile(filepath.Join(folder, "forms", fmt.Sprintf("%04d", i)), []byte(form), 0o644))
		}
	}
	homelabImage(t, "unix://"+engineSocket(t))
	m := machine.Homelab(t, map[string]string{
		engineSocket(t): "/run/docker.sock", folder: "/srv/rows", "testdata/everyday": "/srv/homelab", claudeopsBin: "/usr/local/bin/claudeops", shimBin: "/usr/local/bin/claudeops-shim",
		"testdata/cluster": "/srv/cluster", apiServer(t): "/usr/local/bin/kube-apiserver", manifests: "/srv/deploy",
	})
	t.Cleanup(func() { m.Run("docker compose -p shop down --timeout 1 >/run/down 2>&1") })
	m.Run("CLUSTER_PORTS='" + clusterPorts(t) + "' HOMELAB_USR=" + machine.Root(t, "homelab") + "/usr bash -e /srv/homelab/homelab.sh")
	m.Run("cp -a /state /run/records")
	// No command sleeps for long, and endless ones are ended after a time that others do not need on a busy machine.
	const waits = `sleep() { timeout 5 sleep "$@" || :; }; export -f sleep; `
	run := func(sandboxes map[string]string) map[int]everydayAnswer {
		text := ""
		for _, records := range slices.Sorted(maps.Keys(sandboxes)) {
			text += m.Run(`. /etc/claudeops/env
				` + sandboxes[records] + ` '` + waits + `bash /srv/homelab/rows.sh "/srv/rows/` + records + `" 40' 2>/run/errors || { cat /run/errors >&2; exit 1; }`)
		}
		m.Run("find /state -mindepth 1 -delete; cp -a /run/records/. /state")
		return everydayAnswers(t, text)
	}
	outside := map[string]string{"none": "bash -c", tierOne: "bash -c", tierTwo: "bash -c"}
	before = run(outside)
	inside = run(map[string]string{"none": "claudeops sandbox --tier 1", tierOne: "claudeops sandbox --tier 1 --act", tierTwo: "claudeops sandbox --tier 2 --act"})
	forms = run(map[string]string{"forms": "claudeops sandbox --tier 1"})
	after = run(outside)
	takesManifests(t, m) // here, because two machines of this kind need the same ports
	return before, inside, after, forms
}

// homelabImage builds the image of the homelab's containers, with the homelab's programs, for the engine of a host.
func homelabImage(t *testing.T, host string) {
	t.Helper()
	layer, err := exec.Command("tar", "--directory", machine.Root(t, "homelab"), "--create", "etc", "bin", "sbin", "lib", "lib64").Output()
	must(t, err)
	cmd := exec.Command("docker", "--host", host, "import", "-", "homelab")
	cmd.Stdin = bytes.NewReader(layer)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("docker import: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("docker", "--host", host, "image", "rm", "--force", "homelab").Run() })
}

// everydayHeading precedes the output of a row.
var everydayHeading = regexp.MustCompile(`(?m)^=== (\d{4}) (\d+)$\n`)

func everydayAnswers(t *testing.T, text string) map[int]everydayAnswer {
	t.Helper()
	answers := map[int]everydayAnswer{}
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
		answers[n] = everydayAnswer{exit, text[m[1]:end]}
	}
	return answers
}

// everydayVarying matches what differs between runs of a command: numbers, ages, days, ids and names of scratch directories.
var everydayVarying = regexp.MustCompile(`\b[0-9a-f]{12,64}\b|/\S*/tmp\.\w+(/\d{4}\.tmp)?|\b(About an?|\d+) (second|minute|hour)s?\b|\b\d+ users?\b|\b\d+(h|min|s|ms)( \d+(min|s|ms))*\b|` +
	`\d+([.,]\d+)?[KMGTi]*B?\b|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b`)

// everydayHome, everydayState and everydayPrograms are directories of the session, which correspond to those of the user outside.
var (
	everydayHome     = regexp.MustCompile(`/state/run/session-[-\d]+/home`)
	everydayState    = regexp.MustCompile(`/state/run/session-[-\d]+/state`)
	everydayPrograms = regexp.MustCompile(`/state/run/session-[-\d]+/programs`)
)

// everydayEscapes matches what colours and clears lines on a terminal: the sandbox's programs have none.
var everydayEscapes = regexp.MustCompile(`\x1b\[[\d;]*[A-Za-z]`)

// everydayLines returns the sorted lines of a text without what varies, because concurrent jobs print in any order.
func everydayLines(text string) (lines []string) {
	text = everydayState.ReplaceAllString(everydayHome.ReplaceAllString(text, "/root"), "/state")
	text = everydayEscapes.ReplaceAllString(everydayPrograms.ReplaceAllString(text, "/usr/bin"), "")
	for line := range strings.Lines(everydayVarying.ReplaceAllString(text, "*")) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	slices.Sort(lines)
	return lines
}
