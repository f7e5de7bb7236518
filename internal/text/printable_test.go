package text

import (
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

func TestText(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"nothing":                 {"", ""},
		"words":                   {"Zürich 日本 🙂", "Zürich 日本 🙂"},
		"tabs and newlines":       {"a\tb\nc", "a\tb\nc"},
		"carriage return":         {"good\rbad", "good\uFFFDbad"},
		"escape sequence":         {"\x1b[31mred", "\uFFFD[31mred"},
		"bell and nul":            {"\a\x00", "\uFFFD\uFFFD"},
		"delete":                  {"\x7f", "\uFFFD"},
		"C1":                      {"\u009b31m", "\uFFFD31m"},
		"override":                {"\u202Egnp.exe", "\uFFFDgnp.exe"},
		"isolates":                {"\u2066a\u2069", "\uFFFDa\uFFFD"},
		"marks":                   {"\u200e\u200f\u061c", "\uFFFD\uFFFD\uFFFD"},
		"line separators":         {"a\u2028b\u2029c", "a\uFFFDb\uFFFDc"},
		"bytes that are no UTF-8": {"a\xffb", "a\uFFFDb"},
		"one that is there":       {"a\uFFFDb", "a\uFFFDb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Printable(row.text); got != row.want {
				t.Errorf("Printable(%q) = %q, want %q", row.text, got, row.want)
			}
			if got := string(PrintableBytes([]byte(row.text))); got != row.want {
				t.Errorf("PrintableBytes(%q) = %q, want %q", row.text, got, row.want)
			}
		})
	}
}

func TestPrintableBytesWithNothingToDoAreTheSame(t *testing.T) {
	text := []byte("a\tb\n Zürich")
	if got := PrintableBytes(text); &got[0] != &text[0] {
		t.Error("the bytes were copied")
	}
}

func FuzzPrintable(f *testing.F) {
	for _, seed := range []string{"", "a\u202eb", "\xff\xfe", "\x1b[0m", "\u2028", "a\r\nb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Printable(text)
		if !utf8.ValidString(got) {
			t.Errorf("Printable(%q) is no UTF-8", text)
		}
		for _, r := range got {
			if hidden(r) {
				t.Errorf("Printable(%q) still has %U", text, r)
			}
		}
		if b := string(PrintableBytes([]byte(text))); b != got {
			t.Errorf("PrintableBytes(%q) = %q, but Text gives %q", text, b, got)
		}
		document, err := json.Marshal(text)
		if err != nil {
			return // not UTF-8
		}
		var back string
		if err := json.Unmarshal([]byte(PrintableJSON(string(document))), &back); err != nil || back != text {
			t.Errorf("JSON changed %q to %q (%v)", text, back, err)
		}
	})
}
