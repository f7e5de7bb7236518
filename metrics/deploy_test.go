package metrics_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/testkit/need"
)

const (
	rulesFile     = "../deploy/prometheus/claudeops.rules.yml"
	ruleTestsFile = "../deploy/prometheus/claudeops.rules.test.yml"
	dashboardFile = "../deploy/grafana/claudeops.json"
	docsFile      = "../docs/metrics.md"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// alert is a rule.
type alert struct {
	Name        string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	Annotations map[string]string `yaml:"annotations"`
}

func alerts(t *testing.T) (all []alert) {
	t.Helper()
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal([]byte(read(t, rulesFile)), &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	if len(all) == 0 {
		t.Fatalf("no rule in %s", rulesFile)
	}
	return all
}

func TestPromtoolProvesTheRules(t *testing.T) {
	need.Full(t, "promtool")
	for _, args := range [][]string{{"check", "rules", rulesFile}, {"test", "rules", ruleTestsFile}} {
		if out, err := promtool(t, "", args...); err != nil || !strings.Contains(out, "SUCCESS") {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// Each alert is shown to fire in one place, and not to in another.
func TestEachAlertIsTestedBothWays(t *testing.T) {
	var file struct {
		Tests []struct {
			Cases []struct {
				Alert string `yaml:"alertname"`
				Fires []any  `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, ruleTestsFile)), &file); err != nil {
		t.Fatal(err)
	}
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, test := range file.Tests {
		for _, c := range test.Cases {
			fires[c.Alert] = fires[c.Alert] || len(c.Fires) > 0
			silent[c.Alert] = silent[c.Alert] || len(c.Fires) == 0
		}
	}
	for _, a := range alerts(t) {
		if !fires[a.Name] || !silent[a.Name] {
			t.Errorf("%s: shown to fire %t, not to %t", a.Name, fires[a.Name], silent[a.Name])
		}
		if a.Annotations["summary"] == "" || !strings.Contains(a.Annotations["description"], "`claudeops ") {
			t.Errorf("%s does not say what to do: %v", a.Name, a.Annotations)
		}
	}
}

// known are the families that Text prints, with their labels.
func known(t *testing.T) map[string][]string {
	t.Helper()
	families := map[string][]string{}
	for name, f := range parse(t, text(t, figures())) {
		labels := []string{}
		for _, l := range f.Metric[0].Label {
			labels = append(labels, l.GetName())
		}
		families[name] = labels
	}
	return families
}

// faults are the words of an expression of PromQL that mean nothing to Prometheus, or are no metric or label of ours.
func faults(expr string, families map[string][]string) (faults []string) {
	functions := []string{"absent", "bottomk", "count", "increase", "last_over_time", "max", "min", "sum", "time"}
	labels, family := slices.Collect(maps.Values(families)), ""
	tokens := regexp.MustCompile(`"[^"]*"|\$\w+|[0-9][0-9a-z.]*|[a-zA-Z_:][\w:]*|=~|!=|\S`).FindAllString(expr, -1)
	for i := 0; i < len(tokens); i++ {
		word := tokens[i]
		switch {
		case word == "by" || word == "on": // a list of labels of some metric
			for i++; i+1 < len(tokens) && tokens[i+1] != ")"; i++ {
				if l := tokens[i+1]; l != "," && l != "job" && l != "instance" && !slices.Contains(slices.Concat(labels...), l) {
					faults = append(faults, l+" is no label")
				}
			}
		case word == "{": // matchers, behind the metric
			for ; i < len(tokens) && tokens[i] != "}"; i++ {
				l := tokens[i]
				isName := regexp.MustCompile(`^[a-z_]+$`).MatchString(l)
				if isName && l != "job" && l != "instance" && !slices.Contains(families[family], l) {
					faults = append(faults, l+" is no label of "+family)
				}
			}
		case word == "[": // a duration
			i++
		case !regexp.MustCompile(`^[a-zA-Z_:]`).MatchString(word), word == "or", word == "unless", word == "and":
		case slices.Contains(functions, word):
		case families[word] != nil:
			family = word
		default:
			faults = append(faults, word+" is no metric")
		}
	}
	return faults
}

func TestFaultsOfExpressionsAreFound(t *testing.T) {
	families := map[string][]string{"claudeops_services": {"status"}, "claudeops_cycles_total": {}}
	for expr, want := range map[string]string{
		`sum by (status) (claudeops_services{instance=~"$instance", status!="x y"}) > 1 or time() - claudeops_cycles_total > 2.5`: "",
		`rate(claudeops_cycles_total[1h])`:      "rate is no metric",
		`claudeops_cycle_total`:                 "claudeops_cycle_total is no metric",
		`claudeops_cycles_total{status="down"}`: "status is no label of claudeops_cycles_total",
		`sum by (tier) (claudeops_services)`:    "tier is no label",
	} {
		if got := strings.Join(faults(expr, families), "; "); got != want {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

func TestAlertsAreAboutOurMetrics(t *testing.T) {
	for _, a := range alerts(t) {
		for _, fault := range faults(a.Expr, known(t)) {
			t.Errorf("%s: %s", a.Name, fault)
		}
	}
}

// panel is what of a dashboard's panel can be wrong without Grafana saying so.
type panel struct {
	ID      int    `json:"id"`
	Title   string `json:"title"`
	GridPos struct {
		X, Y, W, H int
	} `json:"gridPos"`
	Datasource source `json:"datasource"`
	Targets    []struct {
		Expr       string `json:"expr"`
		RefID      string `json:"refId"`
		Datasource source `json:"datasource"`
	} `json:"targets"`
}

type source struct{ Type, UID string }

func TestTheDashboardIsAboutOurMetrics(t *testing.T) {
	var dashboard struct {
		SchemaVersion int     `json:"schemaVersion"`
		Panels        []panel `json:"panels"`
		Templating    struct {
			List []struct{ Name, Type string }
		} `json:"templating"`
	}
	if err := json.Unmarshal([]byte(read(t, dashboardFile)), &dashboard, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	if dashboard.SchemaVersion < 36 || len(dashboard.Panels) < 10 {
		t.Fatalf("schema %d, %d panels", dashboard.SchemaVersion, len(dashboard.Panels))
	}
	if v := dashboard.Templating.List[0]; v.Name != "datasource" || v.Type != "datasource" {
		t.Errorf("the first variable is %v; whoever imports the dashboard chooses the data source", v)
	}
	families, shown, ids := known(t), map[string]bool{}, map[int]bool{}
	cells := map[[2]int]string{}
	for _, p := range dashboard.Panels {
		if ids[p.ID] || p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("panel %d %q has %d queries, or its id is another one's", p.ID, p.Title, len(p.Targets))
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := cells[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%s lies over %s, or beyond the edge", p.Title, other)
				}
				cells[[2]int{x, y}] = p.Title
			}
		}
		for _, target := range p.Targets {
			for _, fault := range faults(target.Expr, families) {
				t.Errorf("%s: %s", p.Title, fault)
			}
			if want := (source{"prometheus", "${datasource}"}); target.Datasource != want || p.Datasource != want || target.RefID == "" {
				t.Errorf("%s: not from the data source that was chosen: %+v", p.Title, target)
			}
			for name := range families {
				shown[name] = shown[name] || regexp.MustCompile(`\b`+name+`\b`).MatchString(target.Expr)
			}
		}
	}
	for name := range families {
		if !shown[name] && name != "claudeops_cycles_total" {
			t.Errorf("no panel shows %s", name)
		}
	}
}

// The page lists each family as it is, and each alert, and none that there is not.
func TestDocsListTheMetrics(t *testing.T) {
	doc := read(t, docsFile)
	families := parse(t, text(t, figures()))
	rows := map[string]bool{}
	for name, labels := range known(t) {
		if len(labels) > 0 {
			name += "{" + strings.Join(labels, ",") + "}"
		}
		kind := strings.ToLower(families[strings.Split(name, "{")[0]].GetType().String())
		row := "| `" + name + "` | " + kind + " | "
		if rows[row] = true; !strings.Contains(doc, "\n"+row) {
			t.Errorf("it has no row %q", row)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `claudeops_[^|]*\\| [a-z]+ \\| ").FindAllString(doc, -1) {
		if !rows[row] {
			t.Errorf("its row %q is of none", row)
		}
	}
	names := []string{}
	for _, a := range alerts(t) {
		names = append(names, a.Name)
	}
	listed := regexp.MustCompile("(?m)^\\| `(Claudeops[A-Za-z]+)` \\|").FindAllStringSubmatch(doc, -1)
	for i, row := range listed {
		if i >= len(names) || names[i] != row[1] {
			t.Fatalf("alert %d is %s, want the order of %q", i+1, row[1], names)
		}
	}
	if len(listed) != len(names) {
		t.Errorf("it lists %d alerts of %q", len(listed), names)
	}
}
