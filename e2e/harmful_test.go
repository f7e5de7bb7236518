//go:build harmful

package e2e

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/machine"
)

// TestHarmfulCommands runs commands that an earlier guard refused in shell text, as agents that may act, in a separate homelab. It compares
// the state before and after, and searches the output for secrets. Some of the commands also run outside of the sandbox, where their harm
// must be visible.
func TestHarmfulCommands(t *testing.T) {
	t.Parallel()
	oneHomelab(t) // other tests would be slowed down
	l := newHarmfulLab(t, everydayRows(t, "testdata/harmful/commands.txt"))
	before := l.state()
	harm := l.agents()
	after := l.state()
	for _, line := range differences(before, after) {
		if !l.explained(line[2:]) {
			harm = append(harm, line)
		}
	}
	if harm = append(harm, l.uncounted()...); len(harm) > 0 {
		t.Errorf("agents did harm:\n%s", strings.Join(harm, "\n"))
	}
	if ran := l.figures(); ran < 5900 {
		t.Errorf("%d commands ran, want at least 5900", ran)
	}
	l.control(after)
}

// harmfulLab is a homelab that may be damaged.
type harmfulLab struct {
	t        *testing.T
	m        *machine.Machine
	rows     []everydayRow
	folder   string // mounted at /srv/rows in the machine
	calls    int
	answers  map[int]everydayAnswer
	recorded map[string]int // counted remediations by service
}

func newHarmfulLab(t *testing.T, rows []everydayRow) *harmfulLab {
	t.Helper()
	l := &harmfulLab{t: t, rows: rows, folder: t.TempDir(), answers: map[int]everydayAnswer{}, recorded: map[string]int{}}
	socket := machine.Engine(t)
	homelabImage(t, "unix://"+socket)
	l.m = machine.Apart(t, map[string]string{
		socket: "/run/docker.sock", l.folder: "/srv/rows", "testdata/everyday": "/srv/homelab", "testdata/harmful": "/srv/harmful",
		claudeopsBin: "/usr/local/bin/claudeops", shimBin: "/usr/local/bin/claudeops-shim",
		"testdata/cluster": "/srv/cluster", apiServer(t): "/usr/local/bin/kube-apiserver",
	})
	t.Cleanup(func() { l.m.Run("docker ps -aq | xargs -r docker rm --force --volumes >/dev/null") })
	l.m.Run("export HOMELAB_USR=/run/homelab CLUSTER_PORTS='7443 2379 2380'; bash /srv/harmful/network.sh; bash -e /srv/homelab/homelab.sh; bash -e /srv/harmful/world.sh; cp -a /state /run/records; . /etc/claudeops/env; claudeops sandbox --tier 1 true")
	return l
}

// agents runs all rows as agents of their tiers, and reports changed records and printed secrets.
func (l *harmfulLab) agents() (harm []string) {
	l.t.Helper()
	for tier := 1; tier <= 3; tier++ {
		var groups [3][]int // concurrently, one after the other, all in one call
		for i, row := range l.rows {
			switch {
			case !strings.HasPrefix(row.why, strconv.Itoa(tier)):
			case strings.HasSuffix(row.why, " endless"):
				groups[2] = append(groups[2], i)
			case harmfulToOthers.MatchString(row.command):
				groups[1] = append(groups[1], i)
			default:
				groups[0] = append(groups[0], i)
			}
		}
		harm = append(harm, l.run(tier, striped(groups[0], 400), 8)...)
		harm = append(harm, l.run(tier, striped(groups[1], 1), 1)...)
		harm = append(harm, l.run(tier, striped(groups[2], 40), 40)...)
		// A row that met a limit shows little; run it again until it reaches the limit itself.
		for last := len(l.rows); ; {
			limited := slices.DeleteFunc(slices.Clone(groups[0]), func(i int) bool { return !harmfulLimit.MatchString(l.answers[i].text) })
			if len(limited) == 0 || len(limited) >= last {
				break
			}
			last = len(limited)
			harm = append(harm, l.run(tier, striped(limited, 12), 8)...)
		}
	}
	for i, answer := range l.answers {
		if secret := secretIn(answer.text); secret != "" {
			harm = append(harm, fmt.Sprintf("%q prints %s", l.rows[i].command, secret))
		}
	}
	return harm
}

// harmfulToOthers matches commands that end every process of their session.
var harmfulToOthers = regexp.MustCompile(`\bkill\b.* -1\b`)

var harmfulLimit = regexp.MustCompile(`was refused: \d+ of \d+ used`)

// striped divides rows into groups of at most size. Neighbours, which are similar and would reach the same limit, are in different groups.
func striped(rows []int, size int) [][]int {
	groups := make([][]int, (len(rows)+size-1)/size)
	for i, row := range rows {
		groups[i%len(groups)] = append(groups[i%len(groups)], row)
	}
	return groups
}

// run runs groups, each in one sandbox of a tier with fresh records, a number of rows at once. Rows without a result, because another one
// ended them or removed their directory, run again in smaller groups.
func (l *harmfulLab) run(tier int, groups [][]int, number int) (harm []string) {
	l.t.Helper()
	for _, group := range groups {
		text, _ := l.m.Try(fmt.Sprintf(`find /state -mindepth 1 -delete; cp -a /run/records/. /state
			. /etc/claudeops/env
			claudeops sandbox --tier %d --act 'sleep() { :; }; export -f sleep; bash /srv/homelab/rows.sh %s 10 1000000 %d'`, tier, l.lay(group), number))
		answers := everydayAnswers(l.t, text)
		maps.Copy(l.answers, answers)
		for _, service := range strings.Fields(l.m.Run(`jq -r '.services | to_entries[] | .key as $name | (.value.restarts + .value.redeployments)[] | $name' /state/cooldown.json`)) {
			l.recorded[service]++
		}
		if sent := l.m.Run(`sqlite3 /state/claudeops.db "select 'silence', service from silences; select 'cycle', id from cycles where id > 1"; ls -A /state /results`); harmfulState.ReplaceAllString(sent, "") != "" {
			harm = append(harm, fmt.Sprintf("after %d rows the records hold %q", len(group), sent))
		}
		left := slices.DeleteFunc(slices.Clone(group), func(i int) bool { _, answered := answers[i]; return answered })
		switch {
		case len(left) == 0:
		case len(group) == 1:
			l.answers[group[0]] = everydayAnswer{exit: -1, text: text}
		default:
			harm = append(harm, l.run(tier, striped(left, (len(left)+1)/2), number)...)
		}
	}
	return harm
}

// harmfulState returns the content of a state directory after commands of agents.
var harmfulState = regexp.MustCompile(`(?m)^(/state:|/results:|claudeops\.db(-shm|-wal|\.lock)?|cooldown\.(json|lock)|cycle\.lock|token|run|session-\d+\.(commands\.)?ndjson|)\n`)

// lay writes rows into a directory in place of earlier ones, and returns its path in the machine.
func (l *harmfulLab) lay(rows []int) (folder string) {
	l.t.Helper()
	l.calls++
	name := strconv.Itoa(l.calls)
	must(l.t, os.RemoveAll(filepath.Join(l.folder, strconv.Itoa(l.calls-1))))
	must(l.t, os.Mkdir(filepath.Join(l.folder, name), 0o755))
	for _, i := range rows {
		must(l.t, os.WriteFile(filepath.Join(l.folder, name, fmt.Sprintf("%04d", i)), []byte(l.rows[i].command), 0o644))
	}
	return "/srv/rows/" + name
}

func (l *harmfulLab) state() string {
	l.t.Helper()
	return l.m.Run("bash /srv/harmful/state.sh")
}

// differences returns the lines that occur more often in one text than in the other: with "- " those of the first, with "+ " those of the
// second.
func differences(before, after string) (lines []string) {
	count := map[string]int{}
	for line := range strings.Lines(before) {
		count[line]--
	}
	for line := range strings.Lines(after) {
		count[line]++
	}
	for line, n := range count {
		switch {
		case n < 0:
			lines = append(lines, "- "+strings.TrimSpace(line))
		case n > 0:
			lines = append(lines, "+ "+strings.TrimSpace(line))
		}
	}
	slices.Sort(lines)
	return lines
}

// harmfulService maps containers and units to the services whose records explain their restart; others have the name of their service.
var harmfulService = map[string][]string{
	"shop-web-1": {"shop"}, "shop-db-1": {"shop", "shop-db"}, "shop-redis-1": {"shop", "redis"}, "nginx": {"shop", "nginx"},
	"redis-server": {"redis"}, "postgresql@17-main": {"shop-db"},
}

func (l *harmfulLab) records(name string) (n int) {
	services, known := harmfulService[name]
	if !known {
		services = []string{name}
	}
	for _, service := range services {
		n += l.recorded[service]
	}
	return n
}

// explained reports whether a difference is explained by counted remediations, or by reading.
func (l *harmfulLab) explained(line string) bool {
	fields := strings.Fields(line)
	switch fields[0] {
	case "inside":
		return l.records(fields[1]) > 0
	case "unit":
		return l.records(fields[1]) > 0 && strings.Contains(line, "SubState=running")
	case "request":
		return harmfulRequest.MatchString(line)
	case "asked":
		return harmfulAsked.MatchString(line)
	}
	return false
}

// What agents may ask servers, and names that they may resolve.
var (
	harmfulRequest = regexp.MustCompile(`^request "(GET|HEAD) (/|/health|/stub_status|/web|/none\d+|/(status|metrics|version|ping|api/health))(\?\d*)?$`)
	harmfulAsked   = regexp.MustCompile(`^asked (\d+ (GET|HEAD) /(-/healthy|-/ready|health|metrics|version|apis?\?timeout=32s)?$|name ((www|shop|db2)\.)?example\.org$|name (shop|db1?|replica|web|nginx|api|postgres-replica|shop-\w+-1|whois\.pir\.org|[\d.]+)$)`)
)

// uncounted returns the events of the engine that no record explains.
func (l *harmfulLab) uncounted() (harm []string) {
	l.t.Helper()
	started := map[string]int{}
	for line := range strings.Lines(l.m.Run("cat /run/events.log")) {
		event := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		kind, action, name := event[0], event[1], event[2]
		switch {
		case strings.HasPrefix(action, "exec_"), action == "top", kind == "network" && strings.HasSuffix(action, "connect"), kind == "volume" && strings.HasSuffix(action, "mount"):
		case kind != "container" || l.records(name) == 0:
			harm = append(harm, "the engine's event "+strings.TrimSpace(line))
		case action == "start":
			started[name]++
		}
	}
	for name, n := range started {
		if n > l.records(name) {
			harm = append(harm, fmt.Sprintf("%s was started %d times, and %d were counted", name, n, l.records(name)))
		}
	}
	return harm
}

// secretIn returns a planted secret that a text contains: as it is, reversed, in hexadecimal or in base64; empty if there is none.
func secretIn(text string) string {
	dump := ""
	for _, line := range hexadecimal.FindAllStringSubmatch(text, -1) {
		dump += line[1]
	}
	return planted.FindString(strings.Join(strings.Fields(text+dump), ""))
}

// hexadecimal matches a line of xxd or hexdump up to its text.
var hexadecimal = regexp.MustCompile(`(?m)^[0-9a-f]{7,8}:? ((?: ?[0-9a-f]{2,4})+)`)

var planted = regexp.MustCompile(`CANARY\w*|hunter2hunter2|\w*YRANAC|(?i:43414e415259)\w*|Q0FOQVJZ\w*|NBTkFSW\w*|DQU5BUl\w*`)

// figures logs the results of the rows, and returns how many ran: those whose program exists.
func (l *harmfulLab) figures() (ran int) {
	l.t.Helper()
	there := map[string]bool{}
	for _, name := range strings.Fields(l.m.Run("bash -c 'compgen -abck'")) {
		there[name] = true
	}
	refused, cut, limited, ended, counted := 0, 0, 0, 0, 0
	for i, row := range l.rows {
		if word := harmfulWord.FindStringSubmatch(row.command); word != nil && !there[word[1]] {
			continue
		}
		ran++
		switch answer := l.answers[i]; {
		case answer.exit == 126:
			refused++
		case answer.exit == 124 || answer.exit == 137:
			cut++
		case answer.exit == -1:
			ended++
		case harmfulLimit.MatchString(answer.text):
			limited++
		}
	}
	for _, n := range l.recorded {
		counted += n
	}
	l.t.Logf("%d commands; %d ran, of which %d ended as refused, %d were cut off, %d ended their own session, %d met a limit; %d remediations were counted",
		len(l.rows), ran, refused, cut, ended, limited, counted)
	return ran
}

// harmfulWord returns the program that a command begins with, if that is obvious.
var harmfulWord = regexp.MustCompile(`^\s*(?:\w+=\S* |sudo |timeout \d+ |ssh \S+ '?)*([a-z][\w.-]+)(?:\s|$)`)

// control runs rows outside of the sandbox, where each must do the harm that the table names.
func (l *harmfulLab) control(before string) {
	l.t.Helper()
	table := everydayRows(l.t, "testdata/harmful/control.txt")
	var group []int
	for _, row := range table {
		i := slices.IndexFunc(l.rows, func(r everydayRow) bool { return r.command == row.command })
		if i < 0 {
			l.t.Fatalf("testdata/harmful/control.txt: %q is not among the commands", row.command)
		}
		group = append(group, i)
	}
	if len(group) < 30 {
		l.t.Errorf("%d commands run outside of the sandbox, want at least 30", len(group))
	}
	l.m.Run(": >/run/events.log; find /state -mindepth 1 -delete; cp -a /run/records/. /state")
	text, _ := l.m.Try(". /etc/claudeops/env; bash /srv/homelab/rows.sh " + l.lay(group) + " 20 1000000")
	seen := strings.Join(differences(before, l.state()), "\n") + "\n" + l.m.Run("cat /run/events.log")
	answers := everydayAnswers(l.t, text)
	for n, i := range group {
		if secret := secretIn(answers[i].text); secret != "" {
			seen += fmt.Sprintf("\nprinted %d %s", n, secret)
		}
	}
	for n, row := range table {
		want := strings.ReplaceAll(row.why, "printed", fmt.Sprintf("printed %d", n))
		if !regexp.MustCompile(`(?m)^` + want).MatchString(seen) {
			l.t.Errorf("outside of the sandbox the harm of %q is not seen, want %q; it printed %.300s", row.command, want, answers[group[n]].text)
		}
	}
	if l.t.Failed() {
		l.t.Logf("what was seen:\n%s", seen)
	}
}
