package schedule

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robfig/cron/v3"
)

func must(t testing.TB, text string) Expression {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

// Each row is an expression and its five fields in the form that every cron program understands.
func TestPlain(t *testing.T) {
	for given, want := range map[string]string{
		"0 * * * *":                           "0 * * * *",
		"  00\t03  * * * ":                    "00 03 * * *",
		"*/15 8-18/2 1,15 * *":                "*/15 8-18/2 1,15 * *",
		"*/1 * * * *":                         "*/1 * * * *",
		"? ? ? ? ?":                           "* * * * *",
		"?/5 * * * ?":                         "*/5 * * * *",
		"5/15 3/7 2/10 2/3 *":                 "5-59/15 3-23/7 2-31/10 2-12/3 *",
		"0 0 * jan Mon":                       "0 0 * jan Mon",
		"0 0 * JAN-MAR MON-FRI":               "0 0 * 1-3 1-5",
		"0 0 * JAN,mar,5 MON,5":               "0 0 * 1,3,5 1,5",
		"0 0 * FEB/2 TUE/2":                   "0 0 * 2-12/2 2-6/2",
		"0 0 * * 7":                           "0 0 * * 0",
		"0 0 * * 7/2":                         "0 0 * * 0",
		"0 0 * * 5-7":                         "0 0 * * 5,6,0",
		"0 0 * * 0-7":                         "0 0 * * 0,1,2,3,4,5,6",
		"0 0 * * 0-7/2":                       "0 0 * * 0,2,4,6",
		"0 0 * * 1-7/2":                       "0 0 * * 1,3,5,0",
		"0 0 * * 1-7/4":                       "0 0 * * 1,5",
		"0 0 * * */2":                         "0 0 * * */2",
		"0 0 1-31/2 * 0-6/3":                  "0 0 1-31/2 * 0-6/3",
		"0 0 */2,* * 1":                       "0 0 */2,* * 1",
		"@yearly":                             "0 0 1 1 *",
		"@annually":                           "0 0 1 1 *",
		"@monthly":                            "0 0 1 * *",
		"@weekly":                             "0 0 * * 0",
		"@daily":                              "0 0 * * *",
		"@midnight":                           "0 0 * * *",
		"CRON_TZ=Europe/Berlin @hourly":       "0 * * * *",
		"TZ=Etc/GMT-5 \t 0 3 29 2 *":          "0 3 29 2 *",
		"*/60 */24 */31 */12 *":               "*/60 */24 */31 */12 *",
		"0 0 * * */7":                         "0 0 * * */7",
		"0-59 0-23 1-31 1-12 0-6":             "0-59 0-23 1-31 1-12 0-6",
		"1,2-4,5-9/2,10/20,* 3 * * *":         "1,2-4,5-9/2,10-59/20,* 3 * * *",
		"CRON_TZ=America/New_York 30 2 * * *": "30 2 * * *",
	} {
		e := must(t, given)
		if got := strings.Join(e.Plain(), " "); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
		again := must(t, want)
		if again.spec.Minute != e.spec.Minute || again.spec.Hour != e.spec.Hour || again.spec.Dom != e.spec.Dom ||
			again.spec.Month != e.spec.Month || again.spec.Dow != e.spec.Dow {
			t.Errorf("%s and %s mean different things", given, want)
		}
	}
}

func TestParsed(t *testing.T) {
	e := must(t, " CRON_TZ=Europe/Berlin  */20 3 1 * MON ")
	if e.String() != "CRON_TZ=Europe/Berlin  */20 3 1 * MON" || e.Zone() != "Europe/Berlin" || e.Location().String() != "Europe/Berlin" || e.Every() != 0 {
		t.Errorf("%+v", e)
	}
	minute, hour, day, month, weekday := e.Fields()
	want := [5]Field{{Bits: 1 | 1<<20 | 1<<40}, {Bits: 1 << 3}, {Bits: 1 << 1}, {Bits: 1<<13 - 2, Any: true}, {Bits: 1 << 1}}
	if got := [5]Field{minute, hour, day, month, weekday}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if e := must(t, "0 0 * * *"); e.Zone() != "" || e.Location() != time.Local {
		t.Errorf("without a zone: %s", e.Location())
	}
	for text, want := range map[string]time.Duration{
		"@every 15m": 15 * time.Minute, "@every  1h30m": 90 * time.Minute, "CRON_TZ=UTC @every 1s": time.Second, "@every 43800h": MaxEvery,
	} {
		e := must(t, text)
		if e.Every() != want {
			t.Errorf("%s: %s, want %s", text, e.Every(), want)
		}
		at := time.Date(2026, 11, 21, 10, 0, 0, 5e8, time.UTC)
		if next := e.Next(at); !next.Equal(at.Add(want - 5e8)) {
			t.Errorf("%s: %s after %s", text, next, at)
		}
	}
	if next := (Expression{}).Next(time.Now()); !next.IsZero() {
		t.Errorf("the zero value comes at %s", next)
	}
	if a, b := must(t, "0 * * * *"), must(t, "@hourly"); a.Equal(b) || !a.Equal(must(t, "0 * * * *")) {
		t.Error("equal is not the same text")
	}
}

func TestFaultsNameFieldAndReason(t *testing.T) {
	const (
		zone  = "must be a name of the time zone database like Europe/Berlin or UTC"
		five  = " instead of five; must be minute, hour, day of month, month and day of week, like 0 * * * *"
		every = "; write it like @every 15m or @every 1h30m"
		some  = " with the other day field restricted "
	)
	for _, c := range []struct{ given, want string }{
		{"", "empty; write five fields like 0 * * * *"},
		{" \t", "empty; write five fields like 0 * * * *"},
		{"*", "1 field" + five},
		{"0 * * *", "4 fields" + five},
		{"0 0 * * * *", "6 fields" + five},
		{"60 * * * *", `minute: "60" is too high; must be 0 to 59`},
		{"-1 * * * *", `minute: "-1" is not a number; must be 0 to 59`},
		{"+5 * * * *", `minute: "+5" is not a number; must be 0 to 59`},
		{"5- * * * *", `minute: "5-" is not a number; must be 0 to 59`},
		{"1-2-3 * * * *", `minute: "1-2-3" is not a number; must be 0 to 59`},
		{"*-5 * * * *", `minute: "*-5" is not a number; must be 0 to 59`},
		{"9-5 * * * *", `minute: "9-5" ends before it begins; must be 0 to 59`},
		{"99999999999999999999 * * * *", `minute: "99999999999999999999" is too high; must be 0 to 59`},
		{"1,,2 * * * *", `minute: "" between commas is no value; must be 0 to 59`},
		{", * * * *", `minute: "" between commas is no value; must be 0 to 59`},
		{"*/0 * * * *", `minute: the step of "*/0" must be 1 to 60`},
		{"*/90 * * * *", `minute: the step of "*/90" must be 1 to 60`},
		{"*/2/3 * * * *", `minute: the step of "*/2/3" must be 1 to 60`},
		{"*/ * * * *", `minute: the step of "*/" must be 1 to 60`},
		{"0 24 * * *", `hour: "24" is too high; must be 0 to 23`},
		{"0 8-18:30 * * *", `hour: "8-18:30" is not a number; must be 0 to 23`},
		{"0 0 0 * *", `day of month: "0" is too low; must be 1 to 31`},
		{"0 0 L * *", `day of month: "L" is not a number; must be 1 to 31`},
		{"0 0 * 13 *", `month: "13" is too high; must be 1 to 12, or JAN to DEC`},
		{"0 0 * JANUARY *", `month: "JANUARY" is not a number; must be 1 to 12, or JAN to DEC`},
		{"0 0 * MON *", `month: "MON" is not a number; must be 1 to 12, or JAN to DEC`},
		{"0 0 * * 8", `day of week: "8" is too high; must be 0 to 7, where 0 and 7 are Sunday, or SUN to SAT`},
		{"0 0 * * FRI-SUN", `day of week: "FRI-SUN" ends before it begins; must be 0 to 7, where 0 and 7 are Sunday, or SUN to SAT`},
		{"0 0 * * 5#1", `day of week: "5#1" is not a number; must be 0 to 7, where 0 and 7 are Sunday, or SUN to SAT`},
		{"0 0 * * */8", `day of week: the step of "*/8" must be 1 to 7`},
		{"0 0 30 2 *", `day of month "30" does not occur in month "2"; must be a date that exists`},
		{"0 0 31 FEB,4,6 *", `day of month "31" does not occur in month "FEB,4,6"; must be a date that exists`},
		{"0 0 */2 * 1", `day of month: "*/2"` + some + "means days that match both to some cron programs and days that match either to others; " +
			"for either write it as 1-31/2 (days that match both cannot be written)"},
		{"0 0 13 * */2", `day of week: "*/2"` + some + "means days that match both to some cron programs and days that match either to others; " +
			"for either write it as 0-6/2 (days that match both cannot be written)"},
		{"0 0 ?/3,5 * 1-7", `day of month: "?/3,5"` + some + "means days that match both to some cron programs and days that match either to others; " +
			"for either write it as 1-31/3,5 (days that match both cannot be written)"},
		{"0 0 5,* * 1", `day of month: "5,*"` + some + "runs on any day to some cron programs and only on the other field's to others; " +
			"write * in this field for only the other's, or * in both for any day"},
		{"0 0 13 * 5,*", `day of week: "5,*"` + some + "runs on any day to some cron programs and only on the other field's to others; " +
			"write * in this field for only the other's, or * in both for any day"},
		{"@reboot", "@reboot does not say when the next run is; write when to run, like @hourly " +
			"(`claudeops cron --run-on-start` also runs at its start)"},
		{"@sometimes", `"@sometimes" is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every`},
		{"@Daily", `"@Daily" is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every`},
		{"@daily 5", `"5" comes after "@daily", which must be the last`},
		{"@every", "@every must be followed by one duration" + every},
		{"@every 1h 30m", "@every must be followed by one duration" + every},
		{"@every 15", `@every: "15" is no duration` + every},
		{"@every 0s", `@every: "0s" must be at least 1s and at most 43800h` + every},
		{"@every -1m", `@every: "-1m" must be at least 1s and at most 43800h` + every},
		{"@every 43801h", `@every: "43801h" must be at least 1s and at most 43800h` + every},
		{"@every 1500ms", `@every: "1500ms" must be whole seconds` + every},
		{"TZ=", "TZ= names no time zone; write it like CRON_TZ=Europe/Berlin 0 * * * *"},
		{"CRON_TZ= 0 * * * *", "CRON_TZ= names no time zone; write it like CRON_TZ=Europe/Berlin 0 * * * *"},
		{"TZ=UTC", "a time zone without a schedule; write it like CRON_TZ=UTC 0 * * * *"},
		{"TZ=UTC TZ=UTC 0 * * * *", "6 fields" + five},
		{"TZ=Mars/Olympus 0 * * * *", `time zone "Mars/Olympus" is not known here; ` + zone},
		{"TZ=/etc/localtime 0 * * * *", `time zone "/etc/localtime" is not known here; ` + zone},
		{"TZ=Europe/../../../etc/localtime 0 * * * *", `time zone "Europe/../../../etc/localtime" is no name; ` + zone},
		{"TZ=Europe//Berlin 0 * * * *", `time zone "Europe//Berlin" is not the same everywhere; ` + zone},
		{"TZ=right/Europe/Berlin 0 * * * *", `time zone "right/Europe/Berlin" is not the same everywhere; ` + zone},
		{"TZ=posix/Europe/Berlin 0 * * * *", `time zone "posix/Europe/Berlin" is not the same everywhere; ` + zone},
		{"TZ=posixrules 0 * * * *", `time zone "posixrules" is not the same everywhere; ` + zone},
		{"TZ=Factory 0 * * * *", `time zone "Factory" is not the same everywhere; ` + zone},
		{"TZ=Local 0 * * * *", `time zone "Local" differs from machine to machine; leave it out for the machine's own, else it ` + zone},
		{"TZ=\u00c5 0 * * * *", `time zone "\u00c5" is no name; ` + zone},
		{"TZ=CET-1CEST,M3.5.0 0 * * * *", `time zone "CET-1CEST,M3.5.0" is no name; ` + zone},
		{"0 * * * *\n* * * * * rm", `holds the control character '\n'; must be one line of text`},
		{"0 * * * *\x00", `holds the control character '\x00'; must be one line of text`},
		{"0\u00a0* * * *", "4 fields" + five},
		{"0 * * * \u00e9", `day of week: "\u00e9" is not a number; must be 0 to 7, where 0 and 7 are Sunday, or SUN to SAT`},
		{strings.Repeat("1,", 40) + " * * * *", `minute: "" between commas is no value; must be 0 to 59`},
		{strings.Repeat("1", 50) + " * * * *", `minute: "` + strings.Repeat("1", 40) + `"... is too high; must be 0 to 59`},
		{strings.Repeat("1,", 128) + "1 * * * *", "265 bytes long; must be at most 256"},
	} {
		if e, err := Parse(c.given); err == nil || err.Error() != c.want || e != (Expression{}) {
			t.Errorf("%q: %v\nwant %s", c.given, err, c.want)
		}
	}
}

// For any text: it is rejected with one line of plain text, or has the same meaning as in robfig's parser.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"0 * * * *", "*/15 8-18 * * MON-FRI", "CRON_TZ=Europe/Berlin 30 2 * * 7", "@every 15m", "@daily", "TZ=UTC", "5/15 ? 1,15 JAN-MAR/2 *",
		"0 0 */2 * 1", "0 0 30 2 *", "TZ= 0 * * * *", "* * * * *\n", "0-59/60 23/1 31 12 5-7/2",
	} {
		f.Add(text)
	}
	from := time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r > '~' }) || len(err.Error()) > 500 {
				t.Fatalf("%q: %q", text, err)
			}
			return
		}
		if again, err := Parse(e.String()); err != nil || again.spec != e.spec && e.spec.Location == nil {
			t.Fatalf("%q is not what it says it is: %v", text, err)
		}
		next := e.Next(from)
		if !next.After(from) {
			t.Fatalf("%q comes at %s after %s", text, next, from)
		}
		if e.Every() > 0 {
			return
		}
		plain := e.Plain()
		fields := strings.Join(plain, " ")
		if again := must(t, fields); !slices.Equal(again.Plain(), plain) {
			t.Fatalf("%q is plainly %q and then %q", text, plain, again.Plain())
		}
		foreign, err := cron.ParseStandard("TZ=UTC " + fields)
		if err != nil {
			t.Fatalf("%q is plainly %q: %v", text, fields, err)
		}
		if want, got := foreign.Next(from), must(t, "TZ=UTC "+fields).Next(from); !got.Equal(want) {
			t.Fatalf("%q comes at %s, want %s", fields, got, want)
		}
		if given, err := cron.ParseStandard(strings.Join(strings.Fields(e.String()), " ")); err == nil {
			if spec, is := given.(*cron.SpecSchedule); !is || spec.Minute != e.spec.Minute || spec.Hour != e.spec.Hour || spec.Dom != e.spec.Dom ||
				spec.Month != e.spec.Month || spec.Dow != e.spec.Dow {
				t.Fatalf("%q is read differently as given and as %q", text, fields)
			}
		}
	})
}
