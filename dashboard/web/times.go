package web

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
	"time"
)

// moment takes the two shapes in which times come; a nil or zero one is none.
func moment(t any) (time.Time, bool) {
	switch t := t.(type) {
	case time.Time:
		return t, !t.IsZero()
	case *time.Time:
		if t != nil {
			return *t, !t.IsZero()
		}
	}
	return time.Time{}, false
}

const exactLayout = "2006-01-02 15:04:05 MST"

// ago is a moment as people say it, with the exact one for who rests a pointer on it.
func ago(v view, t any) template.HTML {
	at, ok := moment(t)
	if !ok {
		return "–"
	}
	return timeElement(v, at, relative(v.Now, at), true)
}

// exactly is a moment to the second, by the server's clock.
func exactly(v view, t any) template.HTML { return onTheClock(v, t, "15:04:05") }

// clock is when something ends, to the minute.
func clock(v view, t any) template.HTML { return onTheClock(v, t, "15:04") }

// onTheClock is a moment in a layout; the day stands there only where it is not today.
func onTheClock(v view, t any, layout string) template.HTML {
	at, ok := moment(t)
	if !ok {
		return "–"
	}
	local := at.In(v.Now.Location())
	if local.Format(time.DateOnly) != v.Now.Format(time.DateOnly) {
		layout = "2 Jan " + layout
	}
	return timeElement(v, at, local.Format(layout), false)
}

func timeElement(v view, at time.Time, words string, moves bool) template.HTML {
	mark := ""
	if moves {
		mark = ` data-ago=""`
	}
	return template.HTML(`<time datetime="` + at.UTC().Format(time.RFC3339) + `" title="` + //nolint:gosec // times alone
		html.EscapeString(at.In(v.Now.Location()).Format(exactLayout)) + `"` + mark + `>` + html.EscapeString(words) + `</time>`)
}

// relative is how long ago at was, or how long it is until then. app.js says it in the same words.
func relative(now, at time.Time) string {
	d := now.Sub(at)
	if d < -10*time.Second { // what the database and we take for now differs by less
		if d > -time.Minute {
			return "in a moment"
		}
		return "in " + span(-d)
	}
	switch {
	case d < time.Minute:
		return "just now"
	case d > 60*24*time.Hour:
		return at.In(now.Location()).Format("2 Jan 2006")
	}
	return span(d) + " ago"
}

// span is a time of a minute or more in its one or two largest units.
func span(d time.Duration) string {
	minutes := int(d / time.Minute)
	hours := minutes / 60
	switch {
	case minutes < 60:
		return fmt.Sprintf("%d min", minutes)
	case hours < 6 && minutes%60 != 0:
		return fmt.Sprintf("%d h %d min", hours, minutes%60)
	case hours < 48:
		return fmt.Sprintf("%d h", hours)
	}
	return fmt.Sprintf("%d d", hours/24)
}

// took is a duration in milliseconds.
func took(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour && d%time.Minute >= time.Second:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return span(d)
}

// lasted is how long an incident takes, which nobody counts in seconds once it takes minutes.
func lasted(ms int64) string {
	if d := time.Duration(ms) * time.Millisecond; d >= time.Minute {
		return span(d)
	}
	return took(ms)
}

// field is a moment as browsers want it in a field for date and time; no moment is an empty one.
func field(v view, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(v.Now.Location()).Format("2006-01-02T15:04")
}

// zone names the zone in which pages tell times.
func zone(v view) string {
	name, offset := v.Now.Zone()
	if offset == 0 {
		return name
	}
	utc := "UTC" + v.Now.Format("-07:00")
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		return utc
	}
	return name + " (" + utc + ")"
}

// inUTC is a moment as our own texts write it.
var inUTC = regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z`)

// inZone is a text of ours with its moments in the page's zone.
func inZone(v view, text string) string {
	return inUTC.ReplaceAllStringFunc(text, func(moment string) string {
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			return moment
		}
		return at.In(v.Now.Location()).Format("2 Jan 15:04:05")
	})
}
