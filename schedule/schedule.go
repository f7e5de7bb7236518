// Package schedule parses cron expressions and computes their times.
//
// An expression means the same to every program that may run it. What cron programs read differently is either refused, with advice on
// how to write it, or converted to a form that all read in the same way (Plain). Next keeps a daily run daily through changes of the
// clock. Cycles and maintenance windows are scheduled with it.
package schedule

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/robfig/cron/v3"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// MaxLength limits an expression, in bytes.
	MaxLength = 256
	// MaxEvery is the longest interval of @every: as far as Next looks ahead.
	MaxEvery = 5 * 365 * 24 * time.Hour
)

// Expression is a recurring time: five cron fields, or an interval. It is created by Parse; the zero value never comes. Expressions with
// the same text are equal.
type Expression struct {
	text     string
	zone     string
	location *time.Location // nil for the machine's
	every    time.Duration
	plain    [5]string
	spec     cron.SpecSchedule // in UTC; unused if every is set
}

// Parse parses minute, hour, day of month, month and day of week as cron does, @yearly, @monthly, @weekly, @daily or @hourly, or @every
// with a duration; each optionally after CRON_TZ=ZONE or TZ=ZONE. If both day of month and day of week are restricted, either may match.
// 7 is Sunday, too. Errors name the field, the reason and what is expected, and do not quote the expression.
func Parse(text string) (Expression, error) {
	if len(text) > MaxLength {
		return Expression{}, fmt.Errorf("%d bytes long; must be at most %d", len(text), MaxLength)
	}
	text = strings.Trim(text, " \t")
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }); i >= 0 {
		return Expression{}, fmt.Errorf("holds the control character %+q; must be one line of text", text[i])
	}
	e := Expression{text: text}
	words, err := e.readZone(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' }))
	if err != nil {
		return Expression{}, err
	}
	if err := e.read(words); err != nil {
		return Expression{}, err
	}
	return e, nil
}

// readZone removes the zone, if there is one, from the words of an expression.
func (e *Expression) readZone(words []string) (rest []string, err error) {
	if len(words) == 0 {
		return nil, errors.New("empty; write five fields like 0 * * * *")
	}
	name, zone, given := strings.Cut(words[0], "=")
	if !given || name != "CRON_TZ" && name != "TZ" {
		return words, nil
	}
	if zone == "" {
		return nil, fmt.Errorf("%s= names no time zone; write it like CRON_TZ=Europe/Berlin 0 * * * *", name)
	}
	e.zone = zone
	if e.location, err = LoadZone(zone); err != nil {
		return nil, err
	}
	if len(words) == 1 {
		return nil, fmt.Errorf("a time zone without a schedule; write it like CRON_TZ=%s 0 * * * *", zone)
	}
	return words[1:], nil
}

func (e *Expression) read(words []string) error {
	if words[0] == "@every" {
		every, err := interval(words[1:])
		e.every = every
		return err
	}
	if strings.HasPrefix(words[0], "@") {
		fields, err := descriptor(words)
		if err != nil {
			return err
		}
		words = fields
	}
	if len(words) != len(e.plain) {
		return fmt.Errorf("%s instead of five; must be minute, hour, day of month, month and day of week, like 0 * * * *", text.Count(len(words), "field"))
	}
	return e.readFields(words)
}

func (e *Expression) readFields(words []string) error {
	for i, f := range fields() {
		plain, err := f.plain(words[i])
		if err != nil {
			return err
		}
		e.plain[i] = plain
	}
	// Kubernetes reads it in the same way as robfig.
	parsed, err := cron.ParseStandard("TZ=UTC " + strings.Join(e.plain[:], " "))
	if err != nil {
		return fmt.Errorf("read as %s: %w", strings.Join(e.plain[:], " "), err)
	}
	spec, is := parsed.(*cron.SpecSchedule)
	if !is {
		return fmt.Errorf("read as %s: no five fields", strings.Join(e.plain[:], " "))
	}
	e.spec = *spec
	if err := e.checkDays(words); err != nil {
		return err
	}
	// Any starting point works: each date of the calendar, including 29 February, comes within five years of 2000.
	if e.spec.Next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return fmt.Errorf("day of month %s does not occur in month %s; must be a date that exists",
			quote(words[2]), quote(words[3]))
	}
	return nil
}

// LoadZone only accepts a zone that is the same on every machine.
func LoadZone(name string) (*time.Location, error) {
	const expected = "must be a name of the time zone database like Europe/Berlin or UTC"
	switch {
	case strings.EqualFold(name, "local"), strings.EqualFold(name, "localtime"):
		return nil, fmt.Errorf("time zone %s differs from machine to machine; leave it out for the machine's own, else it %s", quote(name), expected)
	case strings.ContainsFunc(name, func(r rune) bool {
		return r >= 0x80 || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_+-/", r)
	}):
		return nil, fmt.Errorf("time zone %s is no name; %s", quote(name), expected)
	// These are not in every time zone database, and those below right/ count leap seconds.
	case strings.HasPrefix(name, "posix"), strings.HasPrefix(name, "right/"), name == "Factory", path.Clean(name) != name:
		return nil, fmt.Errorf("time zone %s is not the same everywhere; %s", quote(name), expected)
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %s is not known here; %s", quote(name), expected)
	}
	return location, nil
}

func interval(words []string) (time.Duration, error) {
	const expected = "write it like @every 15m or @every 1h30m"
	if len(words) != 1 {
		return 0, errors.New("@every must be followed by one duration; " + expected)
	}
	every, err := time.ParseDuration(words[0])
	switch {
	case err != nil:
		return 0, fmt.Errorf("@every: %s is no duration; %s", quote(words[0]), expected)
	case every < time.Second || every > MaxEvery:
		return 0, fmt.Errorf("@every: %s must be at least 1s and at most %gh; %s", quote(words[0]), MaxEvery.Hours(), expected)
	case every%time.Second != 0:
		return 0, fmt.Errorf("@every: %s must be whole seconds; %s", quote(words[0]), expected)
	}
	return every, nil
}

func descriptor(words []string) ([]string, error) {
	if len(words) > 1 {
		return nil, fmt.Errorf("%s comes after %s, which must be the last", quote(words[1]), quote(words[0]))
	}
	fields := map[string]string{
		"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
		"@hourly": "0 * * * *",
	}[words[0]]
	switch {
	case words[0] == "@reboot":
		return nil, errors.New("@reboot does not say when the next run is; write when to run, like @hourly " +
			"(`claudeops cron --run-on-start` also runs at its start)")
	case fields == "":
		return nil, fmt.Errorf("%s is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every", quote(words[0]))
	}
	return strings.Fields(fields), nil
}

// quote quotes a part of the input, on one line and shortened.
func quote(given string) string {
	const most = 40
	if len(given) > most {
		return strconv.QuoteToASCII(given[:most]) + "..."
	}
	return strconv.QuoteToASCII(given)
}

// String returns the expression as given, without surrounding blanks.
func (e Expression) String() string { return e.text }

// Equal reports whether two expressions have the same text.
func (e Expression) Equal(other Expression) bool { return e.text == other.text }

// Zone returns the name given by CRON_TZ= or TZ=; empty if there is none.
func (e Expression) Zone() string { return e.zone }

// Location returns the time zone of the expression: time.Local if it names none.
func (e Expression) Location() *time.Location {
	if e.location == nil {
		return time.Local
	}
	return e.location
}

// Every returns the interval of @every, at least a second; 0 for every other expression.
func (e Expression) Every() time.Duration { return e.every }

// Field is one of the five fields: one bit per value, starting with that of 0; Sunday is 0.
type Field struct {
	Bits uint64
	Any  bool // `*` or `?` without a step, which does not restrict
}

// Fields returns the five fields; they are meaningless for @every. If neither day nor weekday is Any, a date that matches either matches.
func (e Expression) Fields() (minute, hour, day, month, weekday Field) {
	field := func(bits uint64) Field { return Field{Bits: bits &^ star, Any: bits&star != 0} }
	return field(e.spec.Minute), field(e.spec.Hour), field(e.spec.Dom), field(e.spec.Month), field(e.spec.Dow)
}

// Plain returns the five fields in a form that Vixie cron, its descendants, robfig's parser and Kubernetes all read in the same way: as
// given, except for `?`, 7 for Sunday, names in lists, steps after a single value, and @daily and so on. It is nil for @every.
func (e Expression) Plain() []string {
	if e.plain[0] == "" {
		return nil
	}
	return e.plain[:]
}
