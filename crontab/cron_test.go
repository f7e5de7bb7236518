package crontab

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // as in the program: Debian 13 has the old zone names in a separate package

	"github.com/claudeops/claudeops/schedule"
	"github.com/claudeops/claudeops/testkit/need"
)

func expression(t testing.TB, text string) schedule.Expression {
	t.Helper()
	e, err := schedule.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

func TestCronFields(t *testing.T) {
	const instead = "write the times as this machine's clock shows them, without a zone, or use --target systemd or `claudeops cron`, which know zones"
	for _, c := range []struct{ expression, zone, want string }{
		{"*/15 8-18 * * 1-5", "Europe/Berlin", "*/15 8-18 * * 1-5"},
		{"0 9 1,15 * MON", "Europe/Berlin", "0 9 1,15 * MON"},
		{"5/15 ? * jan-mar 5-7", "", "5-59/15 * * 1-3 5,6,0"},
		{"@weekly", "", "0 0 * * 0"},
		{"CRON_TZ=Europe/Berlin 30 2 * * *", "Europe/Berlin", "30 2 * * *"},
		{"CRON_TZ=Europe/Berlin 30 2 * * *", "Europe/Madrid", "error: cron goes by the machine's time zone, Europe/Madrid, and knows no CRON_TZ; " + instead},
		{"CRON_TZ=UTC 30 2 * * *", "", "error: cron goes by the machine's time zone, whichever that is, and knows no CRON_TZ; " + instead},
		{"@every 15m", "UTC", "error: cron knows no @every; " + byTheClock},
	} {
		got, err := CronFields(expression(t, c.expression), c.zone)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s in %q: %s\nwant %s", c.expression, c.zone, got, c.want)
		}
	}
}

// vixie parses the five fields according to crontab(5) of Vixie's cron 3.0: an asterisk or a range of numbers, each with an optional step,
// and lists of these and of numbers; a name is only valid alone; 7 is Sunday. A date matches if both day fields do, or, if neither begins
// with *, if either does.
type vixie struct {
	minute, hour, day, month, weekday uint64
	starred                           bool
}

func readVixie(fields string) (v vixie, err error) {
	f := strings.Fields(fields)
	if len(f) != 5 {
		return v, fmt.Errorf("%d fields", len(f))
	}
	const months, weekdays = "jan feb mar apr may jun jul aug sep oct nov dec", "sun mon tue wed thu fri sat"
	for i, to := range []struct {
		bits          *uint64
		first, latest int
		names         string
	}{{&v.minute, 0, 59, ""}, {&v.hour, 0, 23, ""}, {&v.day, 1, 31, ""}, {&v.month, 1, 12, months}, {&v.weekday, 0, 7, weekdays}} {
		for n, name := range strings.Fields(to.names) {
			if strings.EqualFold(f[i], name) {
				*to.bits = 1 << (to.first + n)
			}
		}
		if *to.bits != 0 {
			continue
		}
		for _, part := range strings.Split(f[i], ",") {
			bits, err := vixiePart(part, to.first, to.latest)
			if err != nil {
				return v, fmt.Errorf("field %d: %q: %w", i+1, part, err)
			}
			*to.bits |= bits
		}
	}
	if v.weekday>>7&1 == 1 {
		v.weekday = v.weekday&everyWeekday | 1
	}
	v.starred = f[2][0] == '*' || f[4][0] == '*'
	return v, nil
}

func vixiePart(part string, low, high int) (bits uint64, err error) {
	values, by, stepped := strings.Cut(part, "/")
	step := 1
	if stepped {
		if step, err = strconv.Atoi(by); err != nil {
			return 0, err
		}
		if step < 1 {
			return 0, fmt.Errorf("a step of %d", step)
		}
	}
	from, to := low, high
	if values != "*" {
		first, last, isRange := strings.Cut(values, "-")
		if stepped && !isRange {
			return 0, fmt.Errorf("a step behind a number")
		}
		if from, err = strconv.Atoi(first); err != nil {
			return 0, err
		}
		to = from
		if isRange {
			if to, err = strconv.Atoi(last); err != nil {
				return 0, err
			}
		}
	}
	if from < low || to > high || from > to {
		return 0, fmt.Errorf("%d to %d", from, to)
	}
	for value := from; value <= to; value += step {
		bits |= 1 << value
	}
	return bits, nil
}

func (v vixie) on(date time.Time) bool {
	if v.month>>int(date.Month())&1 == 0 {
		return false
	}
	day, weekday := v.day>>date.Day()&1 == 1, v.weekday>>int(date.Weekday())&1 == 1
	if v.starred {
		return day && weekday
	}
	return day || weekday
}

// anyExpression returns a random expression, sometimes in an unusual form; about one in ten is invalid.
func anyExpression(r *rand.Rand) string {
	names := []string{3: "jan feb mar apr may jun jul aug sep oct nov dec", 4: "SUN MON TUE WED THU FRI SAT"}
	bounds := [][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}}
	element := func(i int) string {
		low, high := bounds[i][0], bounds[i][1]
		value := func() int { return low + r.IntN(high-low+1) }
		first, last := value(), value()
		first, last = min(first, last), max(first, last)
		step := 1 + r.IntN(high-low)
		switch form := r.IntN(9); {
		case form == 0:
			return fmt.Sprintf("*/%d", step)
		case form == 1:
			return fmt.Sprintf("%d-%d", first, last)
		case form == 2:
			return fmt.Sprintf("%d-%d/%d", first, last, step)
		case form == 3:
			return fmt.Sprintf("%d/%d", first, step)
		case form == 4 && i >= 3:
			known := strings.Fields(names[i])
			return known[r.IntN(len(known))]
		case form == 5 && i >= 3:
			known := strings.Fields(names[i])
			from := r.IntN(len(known))
			return known[from] + "-" + known[from+r.IntN(len(known)-from)]
		case form == 6:
			return "*"
		default:
			return strconv.Itoa(first)
		}
	}
	var fields []string
	for i := range bounds {
		any := i >= 2 && r.IntN(2) == 0 || r.IntN(4) == 0
		switch {
		case any && r.IntN(8) == 0:
			fields = append(fields, "?")
		case any:
			fields = append(fields, "*")
		default:
			parts := []string{element(i)}
			for r.IntN(3) == 0 {
				parts = append(parts, element(i))
			}
			fields = append(fields, strings.Join(parts, ","))
		}
	}
	return strings.Join(fields, " ")
}

// Vixie's cron interprets a crontab line as schedule interprets the expression.
func TestCronReadsTheFieldsAlike(t *testing.T) {
	need.Full(t, "crontab")
	const seed = 8
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, seed))
	texts := []string{"0 9 1,15 * MON", "0 0 1-31/2 * 1", "0 0 13 * 5-7", "0 0 1-31 * 1", "5/15 3/7 */2 2/3 *", "? ? ? ? 7", "0 0 5,* * *", "@yearly"}
	for range 2000 {
		texts = append(texts, anyExpression(r))
	}
	var accepted []string
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, text := range texts {
		e, err := schedule.Parse("CRON_TZ=UTC " + text)
		if err != nil {
			continue
		}
		fields, err := CronFields(e, "UTC")
		if err != nil {
			t.Fatalf("%s: %q, %v", text, fields, err)
		}
		accepted = append(accepted, fields)
		v, err := readVixie(fields)
		if err != nil {
			t.Fatalf("%s, written %s: %v", text, fields, err)
		}
		minute, hour, _, _, _ := e.Fields()
		if minute.Bits != v.minute || hour.Bits != v.hour {
			t.Fatalf("%s, written %s: other times of day", text, fields)
		}
		for date := begin; date.Before(begin.AddDate(2, 0, 0)); date = date.AddDate(0, 0, 1) {
			comes := e.Next(date.Add(-1)).Before(date.AddDate(0, 0, 1))
			if comes != v.on(date) {
				t.Fatalf("%s, written %s: %v on %s", text, fields, comes, date.Format("Mon 2006-01-02"))
			}
		}
	}
	if len(accepted) < len(texts)/2 {
		t.Errorf("of %d expressions only %d are accepted", len(texts), len(accepted))
	}
	c := exec.Command("crontab", "-n", "-")
	c.Stdin = strings.NewReader(strings.Join(accepted, " true\n") + " true\n")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("this machine's crontab (Debian's package cron) refuses them: %v\n%s", err, out)
	}
}
