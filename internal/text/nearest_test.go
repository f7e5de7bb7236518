package text

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	withoutPrefix := func(s string) string { return strings.TrimPrefix(s, "OUR_") }
	for name, tt := range map[string]struct {
		name       string
		candidates []string
		bare       func(string) string
		want       string
	}{
		"a letter too few":            {"containr", []string{"http", "container"}, nil, "container"},
		"two letters exchanged":       {"htpp", []string{"dns", "http"}, nil, "http"},
		"a capital":                   {"Body", []string{"body", "url"}, nil, "body"},
		"a third of the letters":      {"abcdefghi", []string{"abcdefxyz"}, nil, "abcdefxyz"},
		"more than a third":           {"abcdefghi", []string{"abcdewxyz"}, nil, ""},
		"all of a short name":         {"db", []string{"no", "x"}, nil, ""},
		"half of a short name":        {"db", []string{"no", "dx"}, nil, "dx"},
		"the nearer one":              {"shop-db", []string{"shop-dx2", "shop-dx"}, nil, "shop-dx"},
		"the first in the alphabet":   {"shop", []string{"shod", "shoa", "shob"}, nil, "shoa"},
		"letters beyond ASCII":        {"größe", []string{"grösse", "x"}, nil, "grösse"},
		"a prefix does not count":     {"OUR_AB", []string{"OUR_XY"}, withoutPrefix, ""},
		"a prefix of the answer":      {"OUR_LIMT", []string{"OUR_LIMIT"}, withoutPrefix, "OUR_LIMIT"},
		"no candidates":               {"shop", nil, nil, ""},
		"an empty name":               {"", []string{"a"}, nil, ""},
		"a name too long to compare":  {strings.Repeat("a", longest+1), []string{strings.Repeat("a", longest)}, nil, ""},
		"a name as long as names are": {strings.Repeat("a", longest), []string{strings.Repeat("a", longest-1)}, nil, strings.Repeat("a", longest-1)},
	} {
		if got := Nearest(tt.name, tt.candidates, tt.bare); got != tt.want {
			t.Errorf("%s: %q for %q, want %q", name, got, tt.name, tt.want)
		}
	}
}
