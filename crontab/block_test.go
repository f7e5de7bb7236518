package crontab

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	begin = "# BEGIN claudeops (claudeops crontab install)\n"
	end   = "# END claudeops\n"
	own   = "0 * * * * /usr/local/bin/claudeops run-once\n"
)

func TestPutKeepsEveryByteOutsideTheMarks(t *testing.T) {
	long := strings.Repeat("# a line of the operator's\n", 1<<15)
	for name, c := range map[string]struct{ text, want string }{
		"nothing there":               {"", begin + own + end},
		"appended":                    {"MAILTO=ann\n", "MAILTO=ann\n" + begin + own + end},
		"no final newline":            {"MAILTO=ann", "MAILTO=ann\n" + begin + "# (the line above had no newline at its end)\n" + own + end},
		"CRLF":                        {"a\r\nb\r\n", "a\r\nb\r\n" + begin + own + end},
		"NUL and no UTF-8":            {"a\x00b\xff\n", "a\x00b\xff\n" + begin + own + end},
		"a huge one":                  {long, long + begin + own + end},
		"replaced where it stood":     {"a\n" + begin + "edited by hand\n" + end + "b", "a\n" + begin + own + end + "b"},
		"an empty block":              {begin + end, begin + own + end},
		"marks with CRLF and blanks":  {"a\n# BEGIN claudeops (claudeops crontab install)\r\nx\r\n# END claudeops \t\r\nb\r\n", "a\n" + begin + own + end + "b\r\n"},
		"the last mark unended":       {"a\n" + begin + "x\n# END claudeops", "a\n" + begin + own + end},
		"comments that resemble ours": {"# BEGIN claudeops\n # END claudeops\n#END claudeops\n// END claudeops\n", "# BEGIN claudeops\n # END claudeops\n#END claudeops\n// END claudeops\n" + begin + own + end},
	} {
		got, err := Hash.Put(c.text, own)
		if err != nil || got != c.want {
			t.Errorf("%s: %.300q, %v; want %.300q", name, got, err, c.want)
		}
	}
}

func TestPolkitsMarksAreItsOwnComments(t *testing.T) {
	if got, want := (File{Text: "x\n", Marks: Slashes}).Whole(), "// BEGIN claudeops (claudeops crontab install)\nx\n// END claudeops\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDamagedMarksAreRefusedWithTheirLines(t *testing.T) {
	for text, lines := range map[string][2]string{
		"a\n" + begin + own:           {"[2]", "[]"},
		"a\nb\n" + end:                {"[]", "[3]"},
		end + own + begin:             {"[3]", "[1]"},
		begin + end + "x\n" + begin:   {"[1 4]", "[2]"},
		begin + end + begin + end:     {"[1 3]", "[2 4]"},
		begin + begin + own + end:     {"[1 2]", "[4]"},
		begin + own + end + own + end: {"[1]", "[3 5]"},
	} {
		want := `"# BEGIN claudeops (claudeops crontab install)" is in the lines ` + lines[0] + ` and "# END claudeops" in ` + lines[1]
		_, perr := Hash.Put(text, own)
		_, _, terr := Hash.Take(text)
		for _, err := range []error{perr, terr} {
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "by hand") {
				t.Errorf("%q: %v; want %s", text, err, want)
			}
		}
	}
}

func TestTakeOfATextWithoutABlockChangesNothing(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "# BEGIN claudeops\n"} {
		if rest, found, err := Hash.Take(text); rest != text || found || err != nil {
			t.Errorf("%q: %q, %v, %v", text, rest, found, err)
		}
	}
}

// checkBlock checks what must hold for any text, including damaged ones.
func checkBlock(t interface{ Fatalf(string, ...any) }, text, block, other string) {
	put, err := Hash.Put(text, block)
	rest, found, terr := Hash.Take(text)
	if (err == nil) != (terr == nil) {
		t.Fatalf("Put says %v and Take says %v of %q", err, terr, text)
	}
	if err != nil {
		if !errors.Is(err, ErrDamaged) || put != "" || rest != text {
			t.Fatalf("%q: %q, %q, %v", text, put, rest, err)
		}
		return
	}
	if again, err := Hash.Put(put, block); err != nil || again != put {
		t.Fatalf("the second time %q becomes %q, %v", put, again, err)
	}
	changed, err := Hash.Put(put, other)
	if back, berr := Hash.Put(changed, block); err != nil || berr != nil || back != put {
		t.Fatalf("over another block and back: %q, then %q, %v, %v", put, back, err, berr)
	}
	out, is, err := Hash.Take(put)
	if err != nil || !is {
		t.Fatalf("what was put into %q is not found in %q: %v", text, put, err)
	}
	if want := rest; out != want {
		t.Fatalf("taken out of %q there remains %q, want %q", put, out, want)
	}
	if !found && out != text {
		t.Fatalf("%q was put into and taken out of, and is %q", text, out)
	}
}

func TestPutAndTakeOfAnyText(t *testing.T) {
	line := rapid.SampledFrom([]string{
		begin, end, "# BEGIN claudeops (claudeops crontab install)\r\n", "# END claudeops", own, "x\r\n", "\n", "no newline", "\x00", " ",
		"# (the line above had no newline at its end)\n",
	})
	block := rapid.SampledFrom([]string{"", own, "a\n\nb\n", "c\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line, 0, 8).Draw(t, "lines"), "")
		checkBlock(t, text, block.Draw(t, "block"), block.Draw(t, "other"))
	})
}

func FuzzBlock(f *testing.F) {
	for _, text := range []string{"", "a", begin + own + end, "a\r\n" + begin + end + "b", end + begin, begin} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkBlock(t, text, own, "x\n") })
}
