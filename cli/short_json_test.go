package cli

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestShortJSON(t *testing.T) {
	long := strings.Repeat("x", 130)
	for name, row := range map[string][2]string{
		"short":  {"{\n \"a\": [1, 2]\n}", `{"a":[1,2]}`},
		"long":   {`{"a":[1,2],"b":"` + long + `"}`, "{\n  \"a\": [1,2],\n  \"b\": \"" + long + "\"\n}"},
		"nested": {`{"a":["` + long + `","b"]}`, "{\n  \"a\": [\n    \"" + long + "\",\n    \"b\"\n  ]\n}"},
		"none":   {"no {json", "no {json"},
		"empty":  {"", ""},
	} {
		if got := shortJSON(row[0]); got != row[1] {
			t.Errorf("%s: %q, want %q", name, got, row[1])
		}
	}
}

func TestPropertyShortJSONIsTheSameValue(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tree := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.MapOf(rapid.String(), rapid.String()))).Draw(r, "tree")
		text, err := json.Marshal(tree)
		if err != nil {
			r.Fatal(err)
		}
		var got any
		var want any
		if err := json.Unmarshal([]byte(shortJSON(string(text))), &got); err != nil {
			r.Fatal(err)
		}
		if err := json.Unmarshal(text, &want); err != nil {
			r.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			r.Fatalf("got %v, want %v", got, want)
		}
	})
}
