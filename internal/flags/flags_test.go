package flags

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func TestFlags(t *testing.T) {
	for line, want := range map[string]string{
		"":                   "limit 20, tier 0, for 0s; changed: ",
		"-n 5 --tier 2":      "limit 5, tier 2, for 0s; changed: limit=5 tier=2",
		"--for 1h30m":        "limit 20, tier 0, for 1h30m0s; changed: for=1h30m",
		"--limit 0":          `invalid argument "0" for "-n, --limit" flag: not a whole number of 1 or more`,
		"--tier 4":           `invalid argument "4" for "--tier" flag: none of 1, 2, 3`,
		"--tier 2 --tier 01": `invalid argument "01" for "--tier" flag: none of 1, 2, 3`,
		"--for -5m":          `invalid argument "-5m" for "--for" flag: not a time; write it like 57s or 2m30s`,
		"--none":             "limit 20, tier 0, for 0s; changed: none=",
	} {
		set := pflag.NewFlagSet("test", pflag.ContinueOnError)
		var limit int64
		var tier int
		var lasts time.Duration
		VarP(set, &limit, "limit", "n", "20", "", Count)
		Var(set, &tier, "tier", "", "", OneOf(1, 2, 3))
		Var(set, &lasts, "for", "", "", Time)
		zero := 1
		Var(set, &zero, "none", "", "", func(string) (int, error) { return 0, nil })
		set.Lookup("none").NoOptDefVal = "x"
		var got string
		if err := set.Parse(strings.Fields(line)); err != nil {
			got = err.Error()
		} else {
			var changed []string
			set.Visit(func(f *pflag.Flag) { changed = append(changed, f.Name+"="+f.Value.String()) })
			got = "limit " + set.Lookup("limit").Value.String() + ", tier " + string(rune('0'+tier)) + ", for " + lasts.String() + "; changed: " + strings.Join(changed, " ")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
