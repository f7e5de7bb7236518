package statefile_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/statefile"
)

func TestTime(t *testing.T) {
	for in, want := range map[string]string{
		`"2025-06-15T10:30:00Z"`:                     `"2025-06-15T10:30:00Z"`,
		`"2025-06-15T10:30:00.999Z"`:                 `"2025-06-15T10:30:00Z"`,
		`"2025-06-15T12:30:00+02:00"`:                `"2025-06-15T10:30:00Z"`,
		`"2025-06-15T00:30:00.5-11:30"`:              `"2025-06-15T12:00:00Z"`,
		`"2024-02-29T23:59:59Z"`:                     `"2024-02-29T23:59:59Z"`,
		`"0000-01-01T00:00:00+01:00"`:                `"2025-06-15T12:00:00Z"`,
		`"9999-12-31T23:59:59-23:00"`:                `"2025-06-15T12:00:00Z"`,
		`"2025-06-15T10:30:00.` + zeros(5000) + `Z"`: `"2025-06-15T10:30:00Z"`,
	} {
		s := parse(t, `{"last_run":`+in+`}`)
		s.Tidy(noon)
		b, err := s.Marshal()
		must(t, err)
		var got struct {
			LastRun stdjson.RawMessage `json:"last_run"`
		}
		must(t, stdjson.Unmarshal(b, &got))
		if text := string(got.LastRun); text != want {
			t.Errorf("%.60s: %s, want %s", in, text, want)
		}
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

func TestParseCorrupt(t *testing.T) {
	for _, text := range []string{
		`{"last_run":"2025-02-29T00:00:00Z"}`, `{"last_run":"2025-06-15T10:30:00"}`, `{"last_run":"yesterday"}`, `{"last_run":1749983400}`, `{"last_run":true}`,
		``, ` `, `null`, `[]`, `1`, `"{}"`, `{`, `{}}`, `{} {}`, `{"services":{}`, `{services:{}}`, `{"a":NaN}`, `{'a':1}`, `{"a":1,}`,
		`{"services":{"x":{"consecutive_healthy":"1"}}}`, `{"services":{"x":{"restarts":[{"success":"true"}]}}}`,
		`{"services":[]}`, `{"services":1}`, `{"services":"x"}`, `{"services":{"x":[]}}`, `{"services":{"x":1}}`, `{"services":{"x":"y"}}`,
		`{"services":{"x":{"restarts":{}}}}`, `{"services":{"x":{"restarts":2}}}`, `{"services":{"x":{"redeployments":["2025-06-15T10:30:00Z"]}}}`,
		`{"services":{"x":{"restarts":[[]]}}}`, `{"services":{"x":{},"x":{}}}`, `{"last_run":null,"last_run":null}`, `{"a":{"b":1,"b":2}}`,
		"{\"a\":\"caf\xe9\"}", `{"a":"\ud800"}`, "\x00", "PK\x03\x04", "<html>", strings.Repeat("[", 1<<20), `{"a":` + strings.Repeat("[", 1<<20),
	} {
		if s, err := statefile.Parse([]byte(text)); !errors.Is(err, statefile.ErrCorrupt) || s != nil {
			t.Errorf("%.60q: %v, %v; want ErrCorrupt", text, s, err)
		}
	}
}

// Deviations in what people and jq programs write do not make the file corrupt.
func TestParseForgives(t *testing.T) {
	for text, want := range map[string]*statefile.Service{
		`null`: {},
		`{}`:   {},
		`{"restarts":null,"redeployments":null,"consecutive_healthy":null}`: {},
		`{"consecutive_healthy":1}`:                                         {ConsecutiveHealthy: 1},
		`{"consecutive_healthy":-1}`:                                        {},
		`{"restarts":[null]}`:                                               {Restarts: []statefile.Record{{}}},
		`{"restarts":[{}]}`:                                                 {Restarts: []statefile.Record{{}}},
	} {
		s, err := statefile.Parse([]byte("\ufeff" + `{"services":{"x":` + text + `}}`))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, s.Services["x"]); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
		if _, err := s.Marshal(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if s := parse(t, `{"services":null}`); s.Services == nil {
		t.Error("no services, want an empty map")
	}
}

func TestUnknownMembersSurviveAtEveryLevel(t *testing.T) {
	const text = `{"services":{"x":{"restarts":[{"timestamp":"2025-06-15T12:00:00Z","success":true,"by":{"who":["é",1.50,12345678901234567890]}}],` +
		`"redeployments":[],"consecutive_healthy":0,"Restarts":"x","note":null}},"last_run":null,"last_daily_digest":null,"version":1e2,"":{}}`
	f := newFile(t)
	put(t, f, text)
	must(t, update(t, f, func(*statefile.State) {}))
	if got := compact(t, content(t, f)); got != text {
		t.Errorf("it became\n%s, want\n%s", got, text)
	}
}

func TestServicesAreWrittenInTheOrderOfTheirNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := statefile.New()
		for _, name := range rapid.SliceOf(rapid.String()).Draw(t, "names") {
			s.Ensure(name)
		}
		b, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		dec := stdjson.NewDecoder(bytes.NewReader(b))
		last, depth, first := "", 0, true
		for {
			token, err := dec.Token()
			if err != nil {
				break
			}
			switch v := token.(type) {
			case stdjson.Delim:
				depth += map[stdjson.Delim]int{'{': 1, '[': 1, '}': -1, ']': -1}[v]
			case string:
				if depth != 2 {
					continue
				}
				if !first && v <= last {
					t.Fatalf("%q after %q", v, last)
				}
				last, first = v, false
			}
		}
	})
}

func TestMarshalWritesWhatIsReadAgain(t *testing.T) {
	s := statefile.New()
	for _, extra := range []string{`{"services":1}`, `{"a":1,"a":2}`, `[]`, `1`, `{`, `{}{}`} {
		s.Extra = []byte(extra)
		if b, err := s.Marshal(); err == nil {
			t.Errorf("%s was written: %s", extra, b)
		}
	}
	s.Extra = []byte(`{ }`)
	s.Services["nil"] = nil
	b, err := s.Marshal()
	must(t, err)
	parse(t, string(b))
	s.Ensure("bin\xff")
	if b, err := s.Marshal(); err == nil {
		t.Errorf("a name that is no UTF-8 was written: %s", b)
	}
}

func TestPropertyWrittenIsRead(t *testing.T) {
	text := rapid.String()
	record := rapid.Custom(func(t *rapid.T) statefile.Record {
		return statefile.Record{
			Timestamp: statefile.At(time.Unix(rapid.Int64Range(-62135596799, 253402300799).Draw(t, "second"), 0)),
			Success:   rapid.Bool().Draw(t, "success"), Error: text.Draw(t, "error"), Tier: rapid.IntRange(0, 3).Draw(t, "tier"),
			ActionDetail: text.Draw(t, "detail"), DurationMS: rapid.Int64().Draw(t, "duration"), ID: text.Draw(t, "id"),
		}
	})
	records := rapid.SliceOfN(record, 1, 3)
	rapid.Check(t, func(t *rapid.T) {
		s := statefile.New()
		for name := range rapid.MapOfN(text, rapid.Bool(), 0, 4).Draw(t, "names") {
			s.Services[name] = &statefile.Service{
				Restarts: records.Draw(t, "restarts"), Redeployments: records.Draw(t, "redeployments"),
				ConsecutiveHealthy: rapid.IntRange(0, 1000).Draw(t, "healthy"),
			}
		}
		b, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, err := statefile.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"services":{},"last_run":null,"last_daily_digest":null}`,
		`{"services":{"nginx":{"restarts":[{"timestamp":"2025-06-15T08:15:00Z","success":true,"x":[1.0]}],"redeployments":[],"consecutive_healthy":0,"y":{}}},"z":"\u00e9"}`,
		`{"services":{"a":{"restarts":[{"timestamp":1749983400.5,"success":"true","error":{"a":1},"tier":"2","id":3}],"consecutive_healthy":1.0}}}`,
		`{"services":{"a":null,"b":{"restarts":[null]}},"last_run":"2030-01-01T00:00:00+01:00"}`,
		"\ufeff{\"a\":\"\xff\\ud800\"}", ``, `[]`, `{"services":[]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := statefile.Parse(data)
		if err != nil {
			if !errors.Is(err, statefile.ErrCorrupt) {
				t.Fatalf("%v does not wrap ErrCorrupt", err)
			}
			return
		}
		first, err := s.Marshal()
		if err != nil {
			t.Fatalf("read, but not written: %v", err)
		}
		again, err := statefile.Parse(first)
		if err != nil {
			t.Fatalf("written, but not read: %v\n%s", err, first)
		}
		second, err := again.Marshal()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%v\n%s\nthen\n%s", err, first, second)
		}
		want, got := tree(t, bytes.TrimPrefix(data, []byte("\ufeff"))), tree(t, first)
		survives(t, "", want, got, "services", "last_run", "last_daily_digest")
		s.Tidy(noon)
		for name := range s.Services {
			for _, a := range statefile.Actions() {
				if p := statefile.Count(s.Service(name).Records(a), a, noon); p.Permitted() != p.FreesAt.IsZero() {
					t.Fatalf("%+v", p)
				}
			}
		}
	})
}

// tree parses JSON with another decoder than the code under test, and keeps numbers as written.
func tree(t *testing.T, b []byte) map[string]any {
	dec := stdjson.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		t.Fatalf("the standard library does not read it: %v", err)
	}
	return m
}

// survives checks that got has every member of want except the known ones, recursively through the known structure.
func survives(t *testing.T, at string, want, got map[string]any, known ...string) {
	for name, w := range want {
		if slices.Contains(known, name) {
			continue
		}
		g, there := got[name]
		if diff := cmp.Diff(w, g); !there || diff != "" {
			t.Fatalf("%s.%s: there %v\n%s", at, name, there, diff)
		}
	}
	if at != "" {
		return
	}
	wantServices, _ := want["services"].(map[string]any)
	gotServices, _ := got["services"].(map[string]any)
	for name, w := range wantServices {
		w, _ := w.(map[string]any)
		g, ok := gotServices[name].(map[string]any)
		if !ok {
			t.Fatalf("service %q is lost", name)
		}
		survives(t, "service", w, g, "restarts", "redeployments", "consecutive_healthy")
		for _, list := range []string{"restarts", "redeployments"} {
			w, _ := w[list].([]any)
			g, _ := g[list].([]any)
			if len(w) != len(g) {
				t.Fatalf("%s: %d became %d", list, len(w), len(g))
			}
			for i := range w {
				w, _ := w[i].(map[string]any)
				g, _ := g[i].(map[string]any)
				survives(t, "record", w, g, "timestamp", "success", "error", "tier", "action_detail", "duration_ms", "id")
			}
		}
	}
}
