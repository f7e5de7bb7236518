package web

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// A strip has stripPitch units per day, of which the bar takes stripBar.
const (
	stripPitch  = 6
	stripBar    = 4
	stripHeight = 20
)

// stripLevels are the bars of days: full if all was well, as on other status pages. To be readable without colours, the bar of a degraded
// day is shorter, that of a day with an outage is broken like an exclamation mark, and a day without checks is a dot.
var stripLevels = map[check.Status]struct{ class, path string }{
	check.Healthy:  {"ok", " 20v-20h4v20z"},
	check.Degraded: {"warn", " 20v-14h4v14z"},
	check.Down:     {"bad", " 20v-5h4v5zm0-7v-13h4v13z"},
	"":             {"none", " 20v-2h4v2z"},
}

// strip draws how a service was found day by day, with one path per status.
func strip(days []dashboard.Day) template.HTML {
	paths, counts := map[check.Status][]byte{}, map[check.Status]int{}
	trouble := ""
	for i, day := range days {
		status := day.Status
		level, known := stripLevels[status]
		if !known {
			status, level = "", stripLevels[""]
		}
		counts[status]++
		path := append(paths[status], 'M')
		path = strconv.AppendInt(path, int64(i*stripPitch), 10)
		paths[status] = append(path, level.path...)
		if status == check.Degraded || status == check.Down {
			trouble += fmt.Sprintf("\n%s: %s (%d of %d times)", html.EscapeString(day.Date), status, day.Degraded+day.Down, day.Healthy+day.Degraded+day.Down)
		}
	}
	label, drawing, between := fmt.Sprintf("Last %d days", len(days)), "", ": "
	for _, status := range []check.Status{check.Down, check.Degraded, check.Healthy, ""} {
		if n := counts[status]; n > 0 {
			label += between + strconv.Itoa(n) + " " + cmp.Or(string(status), "not checked")
			between = ", "
			drawing = `<path class="` + stripLevels[status].class + `" d="` + string(paths[status]) + `"/>` + drawing
		}
	}
	width := max(len(days)*stripPitch-(stripPitch-stripBar), 1)
	return template.HTML(fmt.Sprintf( //nolint:gosec // numbers, our own words and escaped text
		`<svg class="strip" role="img" aria-label="%s" preserveAspectRatio="xMinYMid" viewBox="0 0 %d %d" width="%d" height="%d"><title>%s%s</title>%s</svg>`,
		label, width, stripHeight, width, stripHeight, label, trouble, drawing))
}

// axis goes from 0 to top in round steps.
type axis struct {
	top   float64
	steps int
}

// axisFor returns the axis for values up to highest.
func axisFor(highest float64) axis {
	if highest <= 0 {
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

// share returns a value's position on the axis in per cent, from the bottom.
func (a axis) share(value float64) float64 {
	if value <= 0 {
		return 0
	}
	return math.Min(100, 100*value/a.top)
}

// lines returns the axis's lines with their labels, the highest first.
func (a axis) lines(say func(float64) string) (lines []axisLine) {
	for i := a.steps; i >= 0; i-- {
		lines = append(lines, axisLine{say(a.top * float64(i) / float64(a.steps)), number(100 - 100*float64(i)/float64(a.steps))})
	}
	return lines
}

func number(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// chart is the input of the template of that name. Positions and lengths are in per cent, from the upper left corner.
type chart struct {
	Class, Label string
	Y            []axisLine
	X            []string // labels
	Slots        []slot   // areas that show their title under the pointer
}

type (
	axisLine struct{ Label, At string }
	slot     struct {
		Title, X, Width string
		Bars            []bar
		Mark            *sign
	}
	bar  struct{ Class, X, Y, Width, Height string }
	sign struct{ Shape, X, Y string }
)

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

// costChart shows each day's cost as a bar. The last one is today.
func costChart(cost dashboard.Cost) chart {
	var highest, sum float64
	for _, day := range cost.Days {
		highest = math.Max(highest, day.USD)
		sum += day.USD
	}
	a := axisFor(highest)
	c := chart{
		Class: "bars", Y: a.lines(axisUSD(a.top)),
		Label: fmt.Sprintf("Cost of the last %d days: %s in all, at most %s in a day", len(cost.Days), text.Dollars(sum), text.Dollars(highest)),
	}
	pitch := 100 / float64(max(len(cost.Days), 1))
	for i, day := range cost.Days {
		x := float64(i) * pitch
		s := slot{Title: day.Date + ": " + text.Dollars(day.USD), X: number(x), Width: number(pitch)}
		if height := a.share(day.USD); height > 0 {
			height = math.Max(height, 1) // any cost must be visible
			class := "bar"
			if i == len(cost.Days)-1 {
				class = "bar strong"
			}
			s.Bars = []bar{{class, number(x + pitch*0.15), number(100 - height), number(pitch * 0.7), number(height)}}
		}
		c.Slots = append(c.Slots, s)
	}
	for _, i := range thirds(len(cost.Days)) {
		label := cost.Days[i].Date
		if day, err := time.Parse(time.DateOnly, label); err == nil {
			label = day.Format("2 Jan")
		}
		c.X = append(c.X, label)
	}
	return c
}

// thirds returns the positions of n that are labelled: the first, some between, and the last.
func thirds(n int) []int {
	switch {
	case n == 0:
		return nil
	case n < 4:
		return []int{0, n - 1}
	}
	return []int{0, (n - 1) / 3, 2 * (n - 1) / 3, n - 1}
}

// barWidth is the width of a time slot's bar: at most 240 of them stand side by side.
const barWidth = 0.4

// latencyChart shows the longest of each time slot as a bar, and the mean as a stronger one before it. Degraded and
// down results are marked with a triangle or a cross.
func latencyChart(l dashboard.Latency, zone *time.Location) chart {
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
	spread := l.Until.Sub(l.From)
	place := func(n int) float64 {
		if spread <= 0 {
			return 0
		}
		return math.Max(0, math.Min(100, 100*float64(l.Points[n].At.Sub(l.From))/float64(spread)))
	}
	a := axisFor(highest)
	c := chart{
		Class: "line", Y: a.lines(millis), X: timeLabels(l.From, l.Until, zone), Label: fmt.Sprintf(
			"Response times of %s checks: %s on average, at most %s, %d time slots with trouble",
			clip(40, cmp.Or(string(l.Type), "all")), millis(sum/float64(max(looks, 1))), millis(highest), troubles),
	}
	marks := map[check.Status]string{check.Degraded: "mark-warn", check.Down: "mark-bad"}
	for i, p := range l.Points {
		from, until := 0.0, 100.0
		if i > 0 {
			from = (place(i-1) + place(i)) / 2
		}
		if i+1 < len(l.Points) {
			until = (place(i) + place(i+1)) / 2
		}
		s := slot{X: number(from), Width: number(math.Max(0, until-from)), Title: p.At.In(zone).Format("2 Jan 15:04 MST") + ": not measured"}
		if measured(p) {
			for _, b := range []struct {
				class string
				ms    int64
			}{{"bar", max(p.MaxMS, p.MeanMS)}, {"bar strong", p.MeanMS}} {
				left, height := place(i)-barWidth/2, a.share(float64(b.ms))
				s.Bars = append(s.Bars, bar{b.class, number(left), number(100 - height), number(barWidth), number(height)})
			}
			s.Title = fmt.Sprintf("%s: %s on average, %s at most", p.At.In(zone).Format("2 Jan 15:04 MST"), millis(float64(p.MeanMS)), millis(float64(p.MaxMS)))
		}
		if p.Worst != "" && p.Worst != check.Healthy {
			s.Title += ", " + clip(40, string(p.Worst))
		}
		if shape := marks[p.Worst]; shape != "" {
			s.Mark = &sign{shape, number(place(i)), number(100 - a.share(float64(p.MeanMS)))}
		}
		c.Slots = append(c.Slots, s)
	}
	return c
}

// measured reports whether any check of a time slot has a duration.
func measured(p store.Pace) bool { return p.MeanMS > 0 || p.MaxMS > 0 }

// timeLabels returns four equidistant times from the first to the last.
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

// millis formats a response time.
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
