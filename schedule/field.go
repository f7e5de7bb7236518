package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// star is the bit that robfig's parser sets if a field contains `*` or `?` without a step.
const star = 1 << 63

// kind is one of the five fields.
type kind struct {
	name     string
	min, max int
	names    string // three-letter names of the values, starting with min
	sunday   bool   // max is another name for min, which robfig does not accept
}

func fields() [5]kind {
	return [5]kind{
		{name: "minute", max: 59},
		{name: "hour", max: 23},
		{name: "day of month", min: 1, max: 31},
		{name: "month", min: 1, max: 12, names: "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"},
		{name: "day of week", max: 7, names: "SUNMONTUEWEDTHUFRISAT", sunday: true},
	}
}

func (k kind) expected() string {
	text := fmt.Sprintf("must be %d to %d", k.min, k.max)
	if k.sunday {
		text += ", where 0 and 7 are Sunday"
	}
	if n := len(k.names); n > 0 {
		text += fmt.Sprintf(", or %s to %s", k.names[:3], k.names[n-3:])
	}
	return text
}

func (k kind) fault(element, reason string) error {
	return fmt.Errorf("%s: %s %s; %s", k.name, quote(element), reason, k.expected())
}

// plain returns the field in a form that all programs read in the same way.
func (k kind) plain(given string) (string, error) {
	elements := strings.Split(given, ",")
	for i, element := range elements {
		read, err := k.element(element)
		if err != nil {
			return "", err
		}
		elements[i] = read.plain(k, len(elements) == 1)
	}
	return strings.Join(elements, ","), nil
}

// element is one of a field's comma-separated elements.
type element struct {
	given     string
	any       bool // * or ?
	low, high int  // high equals low for a single value
	step      int  // 0 for none
}

func (k kind) element(given string) (element, error) {
	e := element{given: given}
	if given == "" {
		return e, k.fault(given, "between commas is no value")
	}
	values, step, stepped := strings.Cut(given, "/")
	low, high, ranges := strings.Cut(values, "-")
	if e.any = values == "*" || values == "?"; e.any {
		e.low, e.high = k.min, k.last()
	} else {
		var err error
		if e.low, err = k.value(given, low); err != nil {
			return e, err
		}
		e.high = e.low
		if ranges {
			if e.high, err = k.value(given, high); err != nil {
				return e, err
			}
		}
	}
	if e.low > e.high {
		return e, k.fault(given, "ends before it begins")
	}
	if !stepped {
		return e, nil
	}
	var number bool
	e.step, number = digits(step)
	if longest := k.last() - k.min + 1; !number || e.step < 1 || e.step > longest {
		return e, fmt.Errorf("%s: the step of %s must be 1 to %d", k.name, quote(given), longest)
	}
	if !e.any && !ranges { // a start value with a step, up to the last value
		e.high = max(k.last(), e.low)
	}
	return e, nil
}

// last returns the highest value that has no other name.
func (k kind) last() int {
	if k.sunday {
		return k.max - 1
	}
	return k.max
}

func (k kind) value(element, text string) (int, error) {
	for i := 0; i < len(k.names) && len(text) == 3; i += 3 {
		if strings.EqualFold(text, k.names[i:i+3]) {
			return k.min + i/3, nil
		}
	}
	n, number := digits(text)
	switch {
	case !number:
		return 0, k.fault(element, "is not a number")
	case n < k.min:
		return 0, k.fault(element, "is too low")
	case n > k.max:
		return 0, k.fault(element, "is too high")
	}
	return n, nil
}

// digits parses a number written in digits only; a number that is too large becomes the maximum.
func digits(text string) (n int, number bool) {
	read, err := strconv.ParseUint(text, 10, 31)
	return int(read), err == nil || errors.Is(err, strconv.ErrRange)
}

func (e element) plain(k kind, alone bool) string {
	named := strings.ContainsFunc(e.given, func(r rune) bool { return r > '9' && r != '?' })
	steps := ""
	if e.step > 0 {
		steps = "/" + strconv.Itoa(e.step)
	}
	switch {
	case e.any:
		return "*" + steps
	case k.sunday && e.high == k.max:
		return e.throughSunday(k.max)
	case e.step == 0 && e.low == e.high && !strings.Contains(e.given, "-"):
		if named && !alone {
			return strconv.Itoa(e.low)
		}
		return e.given
	case named || !strings.Contains(e.given, "-"):
		return fmt.Sprintf("%d-%d%s", e.low, e.high, steps)
	}
	return e.given
}

// throughSunday lists the weekdays of a range that ends at 7.
func (e element) throughSunday(sunday int) string {
	var days []string
	for day := e.low; day <= sunday; day += max(e.step, 1) {
		if number := strconv.Itoa(day % sunday); !slices.Contains(days, number) {
			days = append(days, number)
		}
	}
	return strings.Join(days, ",")
}

// checkDays refuses ambiguous expressions. If one of the two day fields is `*`, both must match; if neither is, either must. Vixie cron
// treats a field as `*` if it starts with it, even `*/2`; robfig's parser does if any of its elements is `*`.
func (e *Expression) checkDays(words []string) error {
	day, weekday := e.plain[2], e.plain[4]
	vixie := strings.HasPrefix(day, "*") || strings.HasPrefix(weekday, "*")
	robfig := (e.spec.Dom|e.spec.Dow)&star != 0
	const everyDay, everyWeekday = 1<<32 - 2, 1<<7 - 1
	if vixie == robfig || e.spec.Dom&everyDay == everyDay && e.spec.Dow&everyWeekday == everyWeekday {
		return nil
	}
	name, given, way := "day of month", words[2], "1-31"
	if strings.Contains(weekday, "*") {
		name, given, way = "day of week", words[4], "0-6"
	}
	if robfig {
		return fmt.Errorf("%s: %s with the other day field restricted runs on any day to some cron programs and only on the other field's to "+
			"others; write * in this field for only the other's, or * in both for any day", name, quote(given))
	}
	return fmt.Errorf("%s: %s with the other day field restricted means days that match both to some cron programs and days that match either "+
		"to others; for either write it as %s (days that match both cannot be written)", name, quote(given), strings.NewReplacer("*", way, "?", way).Replace(given))
}
