package config

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseEnvFile(t *testing.T) {
	const notation = `the text before "=" is not a variable name; write NAME=value`
	for _, row := range []struct{ text, name, value, fault string }{
		{text: `A=b`, name: "A", value: "b"},
		{text: `A=`, name: "A"},
		{text: `A=""`, name: "A"},
		{text: `  A = b  `, name: "A", value: "b"},
		{text: "A=b\r", name: "A", value: "b"},
		{text: "\ufeffA=b", name: "A", value: "b"},
		{text: `export A=b`, name: "A", value: "b"},
		{text: `exported=b`, name: "exported", value: "b"},
		{text: `export=b`, name: "export", value: "b"},
		{text: `A=0 * * * *`, name: "A", value: "0 * * * *"},
		{text: `A=b # no comment`, name: "A", value: "b # no comment"},
		{text: `A=b=c`, name: "A", value: "b=c"},
		{text: `A="b c"`, name: "A", value: "b c"},
		{text: `A='b "c" $d \e'`, name: "A", value: `b "c" $d \e`},
		{text: `A="b \"c\" \$d \\ \e"`, name: "A", value: `b "c" $d \ \e`},
		{text: `A=it's`, name: "A", value: "it's"},
		{text: `# A=b`},
		{text: `; A=b`},
		{text: ``},
		{text: `A`, fault: `no "="; write NAME=value`},
		{text: `=b`, fault: notation},
		{text: `1A=b`, fault: notation},
		{text: `A B=c`, fault: notation},
		{text: `A-B=c`, fault: notation},
		{text: `A="b`, fault: `A: the quote is not closed on its line; close it`},
		{text: `A="b\"`, fault: `A: the quote is not closed on its line; close it`},
		{text: `A='`, fault: `A: the quote is not closed on its line; close it`},
		{text: `A="b" c`, fault: `A: more text after the closing quote; quote the whole value`},
		{text: `A=b\`, fault: `A: a line cannot be continued by "\"; write the value on one line`},
		{text: `A=b\c`, fault: `A: a backslash outside of quotes, which systemd would leave out; write the value in single quotes`},
		{text: `A='b\c'`, name: "A", value: `b\c`},
		{text: "A=b\x00c", fault: `control characters or no UTF-8; write NAME=value`},
		{text: "A=\xff", fault: `control characters or no UTF-8; write NAME=value`},
	} {
		t.Run(row.text, func(t *testing.T) {
			got, faults := parseEnvFile([]byte("FIRST=1\n" + row.text + "\nLAST=3"))
			if strings.HasPrefix(row.text, "\ufeff") {
				got, faults = parseEnvFile([]byte(row.text + "\n\nLAST=3")) // a byte order mark is only valid at the start of a file
				got = append([]assignment{{"FIRST", "1", 1}}, got...)
				got[1].line = 2
			}
			want := []assignment{{"FIRST", "1", 1}, {"LAST", "3", 3}}
			if row.name != "" {
				want = slices.Insert(want, 1, assignment{row.name, row.value, 2})
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(assignment{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var wantFaults []string
			if row.fault != "" {
				wantFaults = []string{"line 2: " + row.fault}
			}
			if diff := cmp.Diff(wantFaults, faults); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// For any file, the parsed assignments are valid in an environment, and faults do not quote values.
func FuzzParseEnvFile(f *testing.F) {
	for _, seed := range []string{"A=b\n", "export A='b'\n#c\n;d", "A=\"\\\"\\$\"", "\xef\xbb\xbfA=b", "A\nB=\\", "A=\x00\xff", "="} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		assignments, faults := parseEnvFile(text)
		last := 0
		for _, a := range assignments {
			if !variableName.MatchString(a.name) || strings.ContainsAny(a.value, "\x00\n\r") || !utf8.ValidString(a.value) {
				t.Errorf("%q was taken as %q=%q", text, a.name, a.value)
			}
			if a.line <= last {
				t.Errorf("line %d after line %d", a.line, last)
			}
			last = a.line
		}
		if lines := strings.Count(string(text), "\n") + 1; len(assignments)+len(faults) > lines {
			t.Errorf("%d assignments and %d faults in %d lines", len(assignments), len(faults), lines)
		}
		// A parsed assignment that is written in the simplest form is parsed as the same assignment.
		for _, a := range assignments {
			if strings.ContainsRune(a.value, '\'') {
				continue
			}
			again, faults := parseEnvFile([]byte(a.name + "='" + a.value + "'\n"))
			if len(faults) > 0 || len(again) != 1 || again[0].name != a.name || again[0].value != a.value {
				t.Errorf("%q was read as %q=%q, and that as %+v, %q", text, a.name, a.value, again, faults)
			}
		}
	})
}
