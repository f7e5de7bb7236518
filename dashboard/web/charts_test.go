package web

import (
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/store"
)

// drawn returns a chart as pages show it.
func drawn(t *testing.T, c chart) template.HTML {
	t.Helper()
	var out strings.Builder
	fine(t, pagesForTest(t)["home"].ExecuteTemplate(&out, "chart", c))
	return template.HTML(out.String())
}

// wantDrawing reports an incomplete drawing, or an invalid number in it.
func wantDrawing(t *testing.T, drawing template.HTML) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(string(drawing)))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, drawing)
		}
	}
	for _, never := range []string{"NaN", "Inf", "e+", "style=", "<script"} {
		if strings.Contains(string(drawing), never) {
			t.Errorf("the drawing contains %q: %s", never, drawing)
		}
	}
}

func TestStripIsAPathForEachStatus(t *testing.T) {
	day := func(status check.Status) dashboard.Day {
		return dashboard.Day{Date: "2026-11-20", Status: status, Healthy: 3, Down: 1}
	}
	for name, c := range map[string]struct {
		days  []dashboard.Day
		paths int
		label string
	}{
		"nothing":   {nil, 0, `aria-label="Last 0 days"`},
		"unchecked": {[]dashboard.Day{day("")}, 1, `aria-label="Last 1 days: 1 not checked"`},
		"all":       {[]dashboard.Day{day(check.Healthy), day(check.Healthy), day(check.Down), day(check.Degraded), day("")}, 4, `aria-label="Last 5 days: 1 down, 1 degraded, 2 healthy, 1 not checked"`},
		"foreign":   {[]dashboard.Day{day(`"><script>`)}, 1, `aria-label="Last 1 days: 1 not checked"`},
	} {
		t.Run(name, func(t *testing.T) {
			drawing := strip(c.days)
			wantDrawing(t, drawing)
			if got := strings.Count(string(drawing), "<path"); got != c.paths {
				t.Errorf("%d paths, want %d", got, c.paths)
			}
			if !strings.Contains(string(drawing), c.label) {
				t.Errorf("no %s in %s", c.label, drawing)
			}
		})
	}
	if got := strip([]dashboard.Day{day(check.Down)}); !strings.Contains(string(got), "2026-11-20: down (1 of 4 times)") {
		t.Errorf("a day with trouble is not told of: %s", got)
	}
}

func TestAxesAreNumbersThatPeopleCountIn(t *testing.T) {
	for highest, want := range map[float64]axis{
		0: {1, 2}, -1: {1, 2}, 0.07: {0.08, 4}, 1: {1, 2}, 2.4: {3, 3}, 999: {1000, 5}, 1001: {2000, 2}, 5500: {6000, 3},
	} {
		got := axisFor(highest)
		if math.Abs(got.top-want.top) > 1e-9*want.top || got.steps != want.steps {
			t.Errorf("the axis of %v is %v, want %v", highest, got, want)
		}
	}
}

func TestCostChartHasABarForWhatCostAnything(t *testing.T) {
	cost := dashboard.Cost{Days: []dashboard.DayCost{{Date: "2026-11-20", USD: 0}, {Date: "2026-11-21", USD: 0.0001}, {Date: "<2026>", USD: 4}}}
	drawing := drawn(t, costChart(cost))
	wantDrawing(t, drawing)
	if got := strings.Count(string(drawing), `class="bar`); got != 2 {
		t.Errorf("%d bars, want 2", got)
	}
	for _, words := range []string{"Cost of the last 3 days: $4.00 in all, at most $4.00 in a day", "<title>2026-11-21: less than $0.01</title>", "&lt;2026&gt;", `class="bar strong"`} {
		if !strings.Contains(string(drawing), words) {
			t.Errorf("no %q in %s", words, drawing)
		}
	}
	wantDrawing(t, drawn(t, costChart(dashboard.Cost{})))
}

func TestLatencyChartHasBarsWhereSomebodyLooked(t *testing.T) {
	from := theNight.Add(-24 * time.Hour)
	l := dashboard.Latency{Type: check.HTTP, From: from, Until: theNight}
	for _, hours := range []int{0, 1, 2, 12, 13, 24} {
		l.Points = append(l.Points, store.Pace{At: from.Add(time.Duration(hours) * time.Hour), MeanMS: 100, MaxMS: 150, Worst: check.Healthy})
	}
	l.Points = slices.Insert(l.Points, 2, store.Pace{At: from.Add(90 * time.Minute)}) // nothing was measured
	l.Points = slices.Delete(l.Points, 3, 4)
	l.Points[4].Worst, l.Points[5].Worst = check.Degraded, check.Down
	drawing := drawn(t, latencyChart(l, theNight.Location()))
	wantDrawing(t, drawing)
	if got := strings.Count(string(drawing), `class="bar strong"`); got != 5 {
		t.Errorf("%d bars, want 5", got)
	}
	for _, words := range []string{`href="#mark-warn"`, `href="#mark-bad"`, "Response times of http checks: 100 ms on average, at most 150 ms, 2 time slots with trouble", "<span>Sun 03:14</span>"} {
		if !strings.Contains(string(drawing), words) {
			t.Errorf("no %q in %s", words, drawing)
		}
	}
	for _, odd := range []dashboard.Latency{{}, {From: theNight, Until: from, Points: l.Points}, {From: from, Until: from, Points: []store.Pace{{MeanMS: -5, MaxMS: math.MaxInt64, Worst: `"<`}}}} {
		wantDrawing(t, drawn(t, latencyChart(odd, time.UTC)))
	}
}
