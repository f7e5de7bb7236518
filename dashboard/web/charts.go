package web

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/text"
)

// The charts are SVG that is computed here from numbers, statuses and times: no foreign text gets into them but by html.EscapeString.
// Text has no place within what is stretched, so that it is readable at any width: labels of axes stand beside the drawing, as HTML.

// A strip is drawn in days of stripPitch units, of which the bar takes stripBar.
const (
	stripPitch  = 6
	stripBar    = 4
	stripHeight = 20
)

// stripLevels are how high the bar of a day is: the worse, the higher, so that a strip can be read without its colours and a calm one is calm. A day
// without a look is a dot on the ground.
var stripLevels = map[check.Status]struct {
	class  string
	height int
}{
	check.Healthy:  {"ok", 8},
	check.Degraded: {"warn", 14},
	check.Down:     {"bad", stripHeight},
	"":             {"none", 2},
}

// strip draws how a service was found day by day: one path a status, however many days there are.
func strip(days []dashboard.Day) template.HTML {
	paths, counts := map[check.Status]*strings.Builder{}, map[check.Status]int{}
	var bad strings.Builder
	for i, day := range days {
		status := day.Status
		level, known := stripLevels[status]
		if !known {
			status, level = "", stripLevels[""]
		}
		counts[status]++
		if paths[status] == nil {
			paths[status] = &strings.Builder{}
		}
		fmt.Fprintf(paths[status], "M%d %dv-%dh%dv%dz", i*stripPitch, stripHeight, level.height, stripBar, level.height)
		if status == check.Degraded || status == check.Down {
			fmt.Fprintf(&bad, "\n%s: %s (%d of %d looks)", html.EscapeString(day.Date), status, day.Degraded+day.Down, day.Healthy+day.Degraded+day.Down)
		}
	}
	var parts []string
	drawing := ""
	for _, status := range []check.Status{check.Down, check.Degraded, check.Healthy, ""} {
		if n := counts[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, cmp.Or(string(status), "not checked")))
			drawing = `<path class="` + stripLevels[status].class + `" d="` + paths[status].String() + `"/>` + drawing
		}
	}
	label := fmt.Sprintf("Last %d days", len(days))
	if len(parts) > 0 {
		label += ": " + strings.Join(parts, ", ")
	}
	width := max(len(days)*stripPitch-(stripPitch-stripBar), 1)
	return template.HTML(fmt.Sprintf( //nolint:gosec // numbers, our own words and escaped text
		`<svg class="strip" role="img" aria-label="%s" preserveAspectRatio="xMinYMid" viewBox="0 0 %d %d" width="%d" height="%d"><title>%s%s</title>%s</svg>`,
		label, width, stripHeight, width, stripHeight, label, bad.String(), drawing))
}

// An axis goes from 0 to top in steps that people count in.
type axis struct {
	top   float64
	steps int
}

// axisFor is the axis of values up to highest.
func axisFor(highest float64) axis {
	if highest <= 0 || math.IsNaN(highest) || math.IsInf(highest, 0) {
		return axis{top: 1, steps: 2}
	}
	unit := math.Pow(10, math.Floor(math.Log10(highest)))
	for _, a := range []axis{{1, 2}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 3}, {8, 4}, {10, 5}} {
		if top := a.top * unit; highest <= top*(1+1e-9) {
			return axis{top: top, steps: a.steps}
		}
	}
	return axis{top: 10 * unit, steps: 5}
}

// share is a value's place on the axis in per cent, from the ground.
func (a axis) share(value float64) float64 {
	if math.IsNaN(value) || value <= 0 {
		return 0
	}
	return math.Min(100, 100*value/a.top)
}

// labels writes the axis's labels, the highest first, and the lines that belong to them.
func (a axis) labels(say func(float64) string) (labels, lines string) {
	var l, g strings.Builder
	for i := a.steps; i >= 0; i-- {
		value := a.top * float64(i) / float64(a.steps)
		l.WriteString("<span>" + html.EscapeString(say(value)) + "</span>")
		y := number(100 - 100*float64(i)/float64(a.steps))
		g.WriteString(`<line class="grid" x1="0" x2="100%" y1="` + y + `%" y2="` + y + `%"/>`)
	}
	return l.String(), g.String()
}

func number(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

func axisUSD(top float64) func(float64) string {
	return func(v float64) string {
		switch {
		case v == 0:
			return "$0"
		case top >= 10:
			return fmt.Sprintf("$%.0f", v)
		case top >= 0.1:
			return fmt.Sprintf("$%.2f", v)
		}
		return fmt.Sprintf("$%.4f", v)
	}
}

// figure puts a drawing between its labels. All of them are made here.
func figure(class, label, y, drawing string, x []string) template.HTML {
	var b strings.Builder
	b.WriteString(`<div class="chart ` + class + `"><div class="yaxis" aria-hidden="true">` + y + `</div>`)
	b.WriteString(`<svg class="plot" role="img" aria-label="` + html.EscapeString(label) + `" width="100%" height="100%">` + drawing + `</svg>`)
	b.WriteString(`<div class="xaxis" aria-hidden="true">`)
	for _, label := range x {
		b.WriteString("<span>" + html.EscapeString(label) + "</span>")
	}
	b.WriteString("</div></div>")
	return template.HTML(b.String()) //nolint:gosec // numbers, our own words and escaped text
}

// costChart draws what each day cost as bars. The last one is today.
func costChart(cost dashboard.Cost) template.HTML {
	var highest, sum float64
	for _, day := range cost.Days {
		highest = math.Max(highest, amount(day.USD))
		sum += amount(day.USD)
	}
	a := axisFor(highest)
	labels, drawing := a.labels(axisUSD(a.top))
	var b strings.Builder
	b.WriteString(drawing)
	pitch := 100 / float64(max(len(cost.Days), 1))
	for i, day := range cost.Days {
		x, height, class := float64(i)*pitch, a.share(amount(day.USD)), "bar"
		if i == len(cost.Days)-1 {
			class = "bar today"
		}
		b.WriteString(`<g><title>` + html.EscapeString(day.Date) + ": " + text.Dollars(amount(day.USD)) + `</title>`)
		b.WriteString(`<rect class="hit" x="` + number(x) + `%" y="0" width="` + number(pitch) + `%" height="100%"/>`)
		if height > 0 {
			height = math.Max(height, 1) // what cost anything can be seen
			b.WriteString(`<rect class="` + class + `" x="` + number(x+pitch*0.15) + `%" y="` + number(100-height) + `%" width="` +
				number(pitch*0.7) + `%" height="` + number(height) + `%" rx="1"/>`)
		}
		b.WriteString(`</g>`)
	}
	label := fmt.Sprintf("Cost of the last %d days: %s in all, at most %s in a day", len(cost.Days), text.Dollars(sum), text.Dollars(highest))
	var x []string
	for _, i := range thirds(len(cost.Days)) {
		x = append(x, dayLabel(cost.Days[i].Date))
	}
	return figure("bars", label, labels, b.String(), x)
}

// amount is what can be drawn of an amount: a foreign database may hold any number.
func amount(usd float64) float64 {
	if math.IsNaN(usd) || math.IsInf(usd, 0) || usd < 0 {
		return 0
	}
	return usd
}

// thirds are the places of n that are labelled: the first, some between, and the last.
func thirds(n int) []int {
	switch {
	case n == 0:
		return nil
	case n < 4:
		return []int{0, n - 1}
	}
	return []int{0, (n - 1) / 3, 2 * (n - 1) / 3, n - 1}
}

func dayLabel(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return day.Format("2 Jan")
}

// latencyChart draws the mean of each time slot as a line and the longest as a band above it; what was found degraded or down is marked on the
// ground as a triangle or a cross.
func latencyChart(l dashboard.Latency, zone *time.Location) template.HTML {
	var highest, sum float64
	troubles, looks := 0, 0
	for _, p := range l.Points {
		highest = math.Max(highest, float64(max(p.MaxMS, p.MeanMS)))
		sum += float64(p.MeanMS)
		if measured(p) {
			looks++
		}
		if p.Worst == check.Degraded || p.Worst == check.Down {
			troubles++
		}
	}
	a := axisFor(highest)
	labels, drawing := a.labels(func(v float64) string { return millis(v) })
	spread := l.Until.Sub(l.From)
	place := func(t time.Time) float64 {
		if spread <= 0 {
			return 0
		}
		return math.Max(0, math.Min(100, 100*float64(t.Sub(l.From))/float64(spread)))
	}
	drawing += latencyLines(l.Points, place, a, spread) + latencyMarks(l.Points, place, a, zone)
	mean := sum / float64(max(looks, 1))
	label := fmt.Sprintf("Response times of %s checks: %s on average, at most %s, %d time slots with trouble", clip(40, string(l.Type)), millis(mean), millis(highest), troubles)
	return figure("line", label, labels, drawing, timeLabels(l.From, l.Until, zone))
}

// measured reports whether any look of a time slot took a time.
func measured(p dashboard.LatencyPoint) bool { return p.MeanMS > 0 || p.MaxMS > 0 }

// latencyLines are the line and the band. Both break where there were no looks for long.
func latencyLines(points []dashboard.LatencyPoint, place func(time.Time) float64, a axis, spread time.Duration) string {
	var line, band strings.Builder
	gap := spread / 12
	for from := 0; from < len(points); {
		if !measured(points[from]) {
			from++
			continue
		}
		until := from + 1
		for until < len(points) && measured(points[until]) && points[until].At.Sub(points[until-1].At) <= gap {
			until++
		}
		for i := from; i < until; i++ {
			verb := "L"
			if i == from {
				verb = "M"
			}
			at := number(place(points[i].At))
			line.WriteString(verb + at + " " + number(100-a.share(float64(points[i].MeanMS))))
			band.WriteString(verb + at + " " + number(100-a.share(float64(points[i].MaxMS))))
		}
		for i := until - 1; i >= from; i-- {
			band.WriteString("L" + number(place(points[i].At)) + " " + number(100-a.share(float64(points[i].MeanMS))))
		}
		band.WriteString("z")
		if until == from+1 { // a line of one point would not be seen
			line.WriteString("h0.5")
		}
		from = until
	}
	return `<svg class="stretched" viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%"><path class="band" d="` +
		band.String() + `"/><path class="mean" d="` + line.String() + `"/></svg>`
}

// latencyMarks are the troubles, and for each slot an area that shows its numbers when a pointer rests on it.
func latencyMarks(points []dashboard.LatencyPoint, place func(time.Time) float64, a axis, zone *time.Location) string {
	var b strings.Builder
	for i, p := range points {
		from, until := 0.0, 100.0
		if i > 0 {
			from = (place(points[i-1].At) + place(p.At)) / 2
		}
		if i+1 < len(points) {
			until = (place(p.At) + place(points[i+1].At)) / 2
		}
		b.WriteString(`<g><title>` + p.At.In(zone).Format("2 Jan 15:04 MST") + ": ")
		if measured(p) {
			b.WriteString(millis(float64(p.MeanMS)) + " on average, " + millis(float64(p.MaxMS)) + " at most")
		} else {
			b.WriteString("not measured")
		}
		if p.Worst != "" && p.Worst != check.Healthy {
			b.WriteString(", " + html.EscapeString(clip(40, string(p.Worst))))
		}
		b.WriteString(`</title><rect class="hit" x="` + number(from) + `%" y="0" width="` + number(math.Max(0, until-from)) + `%" height="100%"/>`)
		if mark := map[check.Status]string{check.Degraded: "mark-warn", check.Down: "mark-bad"}[p.Worst]; mark != "" {
			b.WriteString(`<use href="#` + mark + `" x="` + number(place(p.At)) + `%" y="` + number(100-a.share(float64(p.MeanMS))) + `%"/>`)
		}
		b.WriteString(`</g>`)
	}
	return b.String()
}

// timeLabels are four moments from the first to the last, at equal distances.
func timeLabels(from, until time.Time, zone *time.Location) []string {
	spread := until.Sub(from)
	layout := "2 Jan"
	if spread <= 48*time.Hour {
		layout = "Mon 15:04"
	}
	labels := make([]string, 0, 4)
	for i := range 4 {
		labels = append(labels, from.Add(spread*time.Duration(i)/3).In(zone).Format(layout))
	}
	return labels
}

// millis is a response time for people.
func millis(ms float64) string {
	switch {
	case ms == 0:
		return "0 ms"
	case ms < 10:
		return number(ms) + " ms"
	case ms < 1000:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return number(ms/1000) + " s"
}
