package handoff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
)

func TestMergeAfterTier2LosesNothingAndMarksWhatIsNew(t *testing.T) {
	of := func(service string, s check.Status, text string) check.Result {
		return check.Result{Service: service, Type: check.HTTP, Status: s, Error: text}
	}
	shop, mail, db := of("shop", check.Down, "HTTP 502"), of("mail", check.Degraded, "slow"), of("db", check.Down, "full")
	took := int64(31)
	timed := shop
	timed.ResponseTimeMS = &took
	before := sized(shop, mail)
	before.ServicesAffected = []string{"shop", "mail"}
	for name, tt := range map[string]struct {
		services, unresolved []string
		results              []check.Result
		want                 []string
		added                Addition
	}{
		"the same again":         {[]string{"mail", "shop"}, []string{"shop", "mail"}, []check.Result{shop, mail}, []string{"shop", "mail"}, Addition{}},
		"another answer's time":  {[]string{"shop"}, []string{"shop"}, []check.Result{timed}, []string{"shop"}, Addition{}},
		"one left out":           {[]string{"shop"}, []string{"shop", "mail"}, []check.Result{shop}, []string{"shop", "mail"}, Addition{}},
		"one left out, resolved": {[]string{"shop"}, []string{"shop"}, []check.Result{shop}, []string{"shop"}, Addition{}},
		"one more":               {[]string{"db", "shop"}, []string{"shop"}, []check.Result{shop, db}, []string{"shop", "db"}, Addition{ServicesAffected: []string{"db"}, CheckResults: []check.Result{db}}},
		"another alone":          {[]string{"db"}, []string{"shop", "mail"}, []check.Result{db}, []string{"shop", "mail", "db"}, Addition{ServicesAffected: []string{"db"}, CheckResults: []check.Result{db}}},
		"a resolved one named":   {[]string{"mail"}, []string{"shop"}, []check.Result{shop}, []string{"shop", "mail"}, Addition{}},
		"another finding of one": {[]string{"shop"}, []string{"shop"}, []check.Result{of("shop", check.Down, "refused")}, []string{"shop"}, Addition{CheckResults: []check.Result{of("shop", check.Down, "refused")}}},
	} {
		t.Run(name, func(t *testing.T) {
			left := sized(tt.results...)
			left.RecommendedTier = 3
			left.ServicesAffected, left.InvestigationFindings = tt.services, "the disk"
			got := left.Merge(before, tt.unresolved)
			want := left
			want.ServicesAffected, want.CheckResults, want.Added = tt.want, before.CheckResults, tt.added
			if diff := cmp.Diff(want, got, cmp.Transformer("empty", func(list []string) []string { return append([]string{}, list...) }),
				cmp.Transformer("none", func(list []check.Result) []check.Result { return append([]check.Result{}, list...) })); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if text, err := got.Marshal(); err != nil || strings.Contains(string(text), "added_by_tier_2") != (len(tt.added.ServicesAffected)+len(tt.added.CheckResults) > 0) {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}

// Unknown checks are passed on, whatever the agent of Tier 2 left.
func TestMergeAfterTier2KeepsTheUnknownChecks(t *testing.T) {
	one := []check.Result{{Service: "web", Type: check.HTTP, Status: check.Unknown}}
	for _, known := range [][]check.Result{one, nil} {
		before, left := sized(result(check.Down, "502")), sized(result(check.Down, "502"))
		left.RecommendedTier, before.UnknownChecks = 3, known
		same(t, known, left.Merge(before, nil).UnknownChecks)
	}
}

// The context's limit also covers what Tier 2 added.
func TestContextShortensWhatWasAdded(t *testing.T) {
	h := sized(result(check.Down, chars(20_000)), result(check.Healthy, "a"))
	h.Added.CheckResults = []check.Result{result(check.Healthy, chars(30_000)), result(check.Down, chars(40_000))}
	text, cut := h.Context(nil)
	same(t, "2 healthy check results dropped, 1 error text shortened", cut)
	var got rendered
	must(t, json.Unmarshal([]byte(body(t, text)), &got))
	if len(got.CheckResults) != 1 || got.CheckResults[0].Error != h.CheckResults[0].Error ||
		len(got.Added.CheckResults) != 1 || !strings.HasSuffix(got.Added.CheckResults[0].Error, shortenedMark) {
		t.Errorf("%d results of Tier 1, %d added", len(got.CheckResults), len(got.Added.CheckResults))
	}
}

// An agent may name as many services as a handoff can hold.
func TestMergeOfAHundredThousandServices(t *testing.T) {
	before, left := sized(result(check.Down, "502")), sized(result(check.Down, "502"))
	left.RecommendedTier = 3
	before.ServicesAffected, left.ServicesAffected = nil, nil
	for i := range 100_000 {
		before.ServicesAffected = append(before.ServicesAffected, fmt.Sprintf("a%06d", i))
		left.ServicesAffected = append(left.ServicesAffected, fmt.Sprintf("b%06d", i))
	}
	if got := left.Merge(before, before.ServicesAffected); len(got.ServicesAffected) != 200_000 || len(got.Added.ServicesAffected) != 100_000 {
		t.Errorf("%d services, %d of them added", len(got.ServicesAffected), len(got.Added.ServicesAffected))
	}
}
