package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWorseOrdersStatuses(t *testing.T) {
	order := []Status{"", Unknown, Healthy, Degraded, Down}
	for i, a := range order {
		for j, b := range order {
			if got := a.Worse(b); got != (i > j) {
				t.Errorf("%q.Worse(%q) = %v", a, b, got)
			}
		}
	}
}

func TestValid(t *testing.T) {
	for _, s := range Statuses() {
		if !s.Valid() {
			t.Errorf("status %q is not valid", s)
		}
	}
	for _, bad := range []string{"", "Healthy", "HTTP", "Unknown", "healthy ", "down\x00"} {
		if Status(bad).Valid() {
			t.Errorf("%q is valid", bad)
		}
	}
}

func TestWorstIsTheWorstResultOfEachService(t *testing.T) {
	got := Worst([]Result{
		{Service: "shop", Status: Down}, {Service: "shop", Status: Healthy}, {Service: "db", Status: Healthy},
		{Service: "mail", Status: Healthy}, {Service: "mail", Status: Degraded}, {Service: "odd"},
		{Service: "web", Status: Unknown}, {Service: "web", Status: Healthy}, {Service: "dns", Status: Unknown},
	})
	want := map[string]Status{"shop": Down, "db": Healthy, "mail": Degraded, "odd": "", "web": Healthy, "dns": Unknown}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWorstDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Result {
			return Result{
				Service: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "service"),
				Status:  rapid.SampledFrom(Statuses()).Draw(t, "status"),
			}
		})).Draw(t, "results")
		want := Worst(results)
		if diff := cmp.Diff(want, Worst(rapid.Permutation(results).Draw(t, "order"))); diff != "" {
			t.Fatal(diff)
		}
		for _, r := range results {
			if r.Status.Worse(want[r.Service]) {
				t.Fatalf("%s is %s, worse than %s", r.Service, r.Status, want[r.Service])
			}
		}
	})
}

func TestServiceNameFault(t *testing.T) {
	for _, name := range []string{"shop", "shop-web-1", "shop.service", "Проба", "two words", "a/b", `quo"te`, strings.Repeat("x", MaxServiceName)} {
		if fault := ServiceNameFault(name); fault != "" {
			t.Errorf("%q: %s", name, fault)
		}
	}
	for name, want := range map[string]string{
		"":                                       "empty",
		"a\xffb":                                 "not valid UTF-8",
		strings.Repeat("x", 201):                 "201 bytes long",
		"a\x00b":                                 "control character",
		"a\nb":                                   "control character",
		"a\u0085b":                               "control character",
		" shop":                                  "white space",
		"shop\u00a0":                             "white space",
		"a\n" + strings.Repeat("## Heading ", 9): "control character",
	} {
		fault := ServiceNameFault(name)
		if !strings.Contains(fault, want) || strings.ContainsAny(fault, "\n\x00") {
			t.Errorf("%q: fault %q, want one line with %q", name, fault, want)
		}
	}
}
