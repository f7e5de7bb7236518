package config

import (
	"strings"
	"testing"
)

func TestEditFileLeavesEveryOtherLine(t *testing.T) {
	for name, c := range map[string]struct {
		file     string
		settings []Setting
		want     string
	}{
		"a new file":            {"", []Setting{{Name: "A", Value: "1"}, {Name: "B", Value: "* * * * *"}}, "A=1\nB=* * * * *\n"},
		"what is set stays":     {"# mine\nA=2 \n", []Setting{{Name: "A", Value: "1"}}, "# mine\nA=2 \n"},
		"unless it is replaced": {"A=0\r\n export A = \"2\"\r\nB=3", []Setting{{Name: "A", Value: "1", Override: true}}, "A=0\r\nA=1\r\nB=3"},
		"a last line without end": {
			"#A=1\n;A=2\nB=3", []Setting{{Name: "A", Value: "1"}}, "#A=1\n;A=2\nB=3\nA=1\n",
		},
		"set and empty":     {"A=\n", []Setting{{Name: "A", Value: "1"}}, "A=\nA=1\n"},
		"the same value":    {"A='1'\n", []Setting{{Name: "A", Value: "1", Override: true}}, "A='1'\n"},
		"quotes and spaces": {"", []Setting{{Name: "A", Value: `a\b`}, {Name: "B", Value: `"x`}, {Name: "C", Value: "#c; 'd"}}, "A='a\\b'\nB='\"x'\nC=#c; 'd\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := EditFile([]byte(c.file), c.settings)
			if err != nil || string(got) != c.want {
				t.Errorf("%q (%v), want %q", got, err, c.want)
			}
			again, err := EditFile(got, c.settings)
			if err != nil || string(again) != string(got) {
				t.Errorf("the second time: %q (%v)", again, err)
			}
		})
	}
	for _, c := range []struct {
		file  string
		value string
		want  string
	}{{"A\n", "1", "line 1: no"}, {"", "a\nB=2", "A: no environment file"}, {"", `\'`, "A: no environment file"}, {"", "a\x00", "A: no environment file"}} {
		if text, err := EditFile([]byte(c.file), []Setting{{Name: "A", Value: c.value}}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q in %q: %q, %v; want %s", c.value, c.file, text, err, c.want)
		}
	}
}

func FuzzEditFile(f *testing.F) {
	f.Add("A=1\n", "x")
	f.Add("export A='2'\r\nB=3", `a\b`)
	f.Fuzz(func(t *testing.T, file, value string) {
		text, err := EditFile([]byte(file), []Setting{{Name: "A", Value: value, Override: true}})
		if err != nil || strings.TrimSpace(value) == "" {
			return
		}
		values, err := FileVariables(text)
		if err != nil || values["A"] != value {
			t.Errorf("A is %q (%v) in %q", values["A"], err, text)
		}
		before, err := FileVariables([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		for name := range before {
			if name != "A" && values[name] != before[name] {
				t.Errorf("%s became %q", name, values[name])
			}
		}
	})
}
