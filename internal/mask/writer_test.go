package mask

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// held is the buffer of a Writer in tests.
const held = 64 << 10

// newWriter returns a Writer with a small buffer.
func newWriter(w io.Writer, r *Redactor) *Writer {
	small := NewWriter(w, r)
	small.limit = held
	return small
}

// The result does not depend on how a text is divided into writes.
func TestWriterMasksPiecesAsTheWhole(t *testing.T) {
	m := New([]string{"known-secret"})
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		want := m.String(text)
		var got bytes.Buffer
		w := newWriter(&got, m)
		for rest := text; rest != ""; {
			n := min(len(rest), rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 3*held)).Draw(t, "length of a piece"))
			if written, err := w.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatalf("%d of %d bytes were written: %v", written, n, err)
			}
			rest = rest[n:]
		}
		must(t, w.Close())
		if got := got.String(); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			from := max(0, at-300)
			t.Fatalf("at byte %d, pieces became\n%.600q\nthe whole\n%.600q", at, got[from:], want[from:])
		}
	})
}

// drawText draws lines, some of which are longer than the buffer of a Writer.
func drawText(t *rapid.T) string {
	var text strings.Builder
	for range rapid.IntRange(1, 8).Draw(t, "lines") {
		var line strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "parts of the line") {
			before := rapid.SampledFrom([]string{"a ", "known-secret ", "-", "TOKEN=", "curl ", "\\\n"}).Draw(t, "before")
			form := rapid.SampledFrom(forms).Draw(t, "form")[0]
			if strings.Contains(form, "never closed") { // it may be longer than any buffer
				continue
			}
			if before == "curl " && strings.HasPrefix(form, "sh -c") { // a part that starts with it masks more than the whole, where it is an argument
				continue
			}
			line.WriteString(before)
			line.WriteString(form)
			length := rapid.SampledFrom([]int{0, 0, 0, 100, held - 100, held - overlap, held, 3 * held}).Draw(t, "length of the filling")
			length -= min(length, rapid.IntRange(0, 100).Draw(t, "less")) // so that the next form is at the end of a part
			line.WriteString(" ; " + strings.Repeat(rapid.SampledFrom([]string{"x y ", "a, b: c ", "xyz-"}).Draw(t, "filling"), length/4) + " ")
		}
		if line.Len() < held/4 && rapid.Bool().Draw(t, "as JSON") {
			text.WriteString(inJSON(t, line.String()) + "\n")
			continue
		}
		text.WriteString(line.String() + rapid.SampledFrom([]string{"\n", "\n", "\r\n", ""}).Draw(t, "end"))
	}
	return text.String()
}

// A private key that does not end in its line goes on in short lines alone, however much of a long one a Writer has.
func TestWriterEndsAKeyBeforeALongLine(t *testing.T) {
	m := New(nil)
	key := `a {"k":"-----BEGIN EC PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC` + "\n"
	for name, line := range map[string]string{
		"its end comes late":  strings.Repeat("x y ", held/2) + "-----END EC PRIVATE KEY-----",
		"Base64 and one word": strings.Repeat("xyzt", held/2) + " a",
		"Base64":              strings.Repeat("xyzt", held/2),
	} {
		var out bytes.Buffer
		w := newWriter(&out, m)
		got(w.Write([]byte(key + line + "\n")))(t)
		must(t, w.Close())
		if want := m.String(key + line + "\n"); out.String() != want || !strings.HasSuffix(want, line[len(line)-100:]+"\n") {
			t.Errorf("%s: %d bytes; the whole has %d, and ends with %q", name, out.Len(), len(want), want[max(0, len(want)-100):])
		}
	}
}

// A line without an end is not buffered completely, and credentials are masked anywhere in it.
func TestWriterBoundsWhatItHolds(t *testing.T) {
	var out bytes.Buffer
	w := newWriter(&out, New(nil))
	part := []byte(strings.Repeat("x y ", 3000) + "PGPASSWORD=geheim ")
	for i := range 1000 {
		got(w.Write(part))(t)
		if cap(w.held) > 2*held {
			t.Fatalf("it holds %d bytes", cap(w.held))
		}
		if late := (i+1)*len(part) - out.Len(); late > 2*held {
			t.Fatalf("it is %d bytes late", late)
		}
	}
	must(t, w.Close())
	if n := strings.Count(out.String(), "PGPASSWORD="+Redacted+" "); n != 1000 {
		t.Errorf("%d of 1000 are masked", n)
	}
}

// writes counts the calls of Write. A Writer searches its buffer once for each.
type writes struct {
	bytes.Buffer
	n int
}

func (w *writes) Write(p []byte) (int, error) {
	w.n++
	return w.Buffer.Write(p)
}

// written returns what a Writer makes of a text.
func written(t *testing.T, text string) *writes {
	t.Helper()
	out := &writes{}
	w := newWriter(out, New(nil))
	got(io.WriteString(w, text))(t)
	must(t, w.Close())
	return out
}

// A long line that is full of credentials, or of what only looks like one, is masked in large parts, with the result for the whole.
func TestWriterMasksDenseLinesInLargeParts(t *testing.T) {
	const parts = 4
	for _, unit := range []string{
		"password=a ", "token=a;", "PASSWORD='a b',", "/lib/mysql", "-name x ", "curl -u a:b ", "token\x1b[1m=\x1b[1ma ",
	} {
		line := strings.Repeat(unit, parts*held/len(unit)) + "\n"
		out := written(t, line)
		if out.n > 2*parts {
			t.Errorf("%q: %d writes for %d buffers", unit, out.n, parts)
		}
		if want := New(nil).String(line); out.String() != want {
			t.Errorf("%q: the parts differ from the whole", unit)
		}
	}
}

// Where each credential or look-alike overlaps the next one, there is no place for a cut. Such a part is masked as a whole.
func TestWriterMasksOverlappingCredentialsAsOne(t *testing.T) {
	const parts = 4
	for _, unit := range []string{"-name ", "docker exec ", "{token:geheim{b, ", "map[password:a] ", "{name: DB_PASSWORD, value: a} "} {
		line := strings.Repeat(unit, parts*held/len(unit)) + "; PGPASSWORD=geheim ;\n"
		out := written(t, line)
		if out.n > 4*parts {
			t.Errorf("%q: %d writes for %d buffers", unit, out.n, parts)
		}
		if got := out.String(); strings.Contains(got, "geheim") || !strings.HasSuffix(got, "PGPASSWORD="+Redacted+" ;\n") {
			t.Errorf("%q: %d bytes end with %q", unit, len(got), got[max(0, len(got)-100):])
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriterPassesErrorsOn(t *testing.T) {
	w := NewWriter(brokenWriter{}, New(nil))
	if _, err := w.Write([]byte("a line\n")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Write: %v", err)
	}
	if err := w.Close(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Close: %v", err)
	}
}

// A long line is not divided between a credential and the text that identifies it as one or as none.
func TestWriterKeepsContextTogether(t *testing.T) {
	m := New([]string{"known-secret"})
	for _, text := range []string{
		"docker exec -e PGPASSWORD=geheim -it mysql cp -pr a b",
		"{name: DB_PASSWORD, value: geheim}",
		"{user: a, password: geheim}",
		"-known-secret curl -u ops:geheim http://h",
	} {
		for back := range len(text) + 1 {
			before := strings.Repeat("x y ", held/4)[:held-overlap-back-1] + " "
			line := before + text + " ; " + strings.Repeat("x y ", held/4)
			var out bytes.Buffer
			w := newWriter(&out, m)
			got(io.WriteString(w, line))(t)
			must(t, w.Close())
			if want := m.String(line); out.String() != want {
				t.Errorf("%d bytes before the end of a part it is\n%.100q\nnot\n%.100q", back, out.String()[len(before):], want[len(before):])
			}
		}
	}
}

// A long line of JSON stays valid JSON, and its strings are masked; so they are where it is longer than the buffer.
func TestWriterMasksLongJSON(t *testing.T) {
	const item = `{"name":"DB_PASSWORD","value":"geheim","args":["curl","-u","ops:ge heim"],"text":"token=\"geheim\" it's\n"},`
	for before := range len(item) {
		line := `[{"a":"` + strings.Repeat("b", before) + `"},` + strings.Repeat(item, 5*held/4/len(item)) + `{}]`
		var whole, parts bytes.Buffer
		for _, w := range []*Writer{NewWriter(&whole, New(nil)), newWriter(&parts, New(nil))} {
			got(io.WriteString(w, line))(t)
			must(t, w.Close())
		}
		if !json.Valid(whole.Bytes()) || strings.Contains(whole.String()+parts.String(), "heim") {
			at := strings.Index(parts.String(), "heim")
			t.Logf("%.300s", parts.String()[max(0, at-200):])
			t.Fatalf("with %d bytes before, something is left, or it is no JSON", before)
		}
	}
}

type fatal interface {
	Helper()
	Fatal(args ...any)
}

func must(t fatal, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got returns the result of a call that must not fail.
func got[T any](value T, err error) func(fatal) T {
	return func(t fatal) T {
		t.Helper()
		must(t, err)
		return value
	}
}
