package statefile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const exact = `{
  "services": {
    "a": {
      "restarts": [],
      "redeployments": [],
      "consecutive_healthy": 0
    },
    "b é": {
      "restarts": [
        {
          "timestamp": "2025-06-15T08:15:00Z",
          "success": true
        },
        {
          "timestamp": "2025-06-15T08:15:01Z",
          "success": false,
          "error": "exit 137",
          "tier": 2,
          "action_detail": "docker restart b",
          "duration_ms": 120,
          "id": "x"
        }
      ],
      "redeployments": [
        {
          "timestamp": "2025-06-15T08:15:00Z",
          "success": true
        }
      ],
      "consecutive_healthy": 1
    }
  },
  "last_run": "2025-06-15T08:15:00Z",
  "last_daily_digest": null
}
`

func TestQuicklyReadsWhatMarshalWrites(t *testing.T) {
	for _, text := range []string{exact, "{\n  \"services\": {},\n  \"last_run\": null,\n  \"last_daily_digest\": null\n}\n"} {
		s := quickly([]byte(text))
		if s == nil {
			t.Fatalf("not read: %s", text)
		}
		b, err := s.Marshal()
		if err != nil || string(b) != text {
			t.Errorf("%v: it came out as %s", err, b)
		}
	}
}

// Whatever is changed in a file, both ways of reading it come to the same.
func TestQuicklyReadsAsTheLibraryDoes(t *testing.T) {
	for _, change := range [][2]string{
		{`"a"`, `"c"`}, {`"a"`, `"b é"`}, {`"a"`, `""`}, {`"a"`, `"a\u0041"`}, {`"a"`, "\"a\x1f\""}, {`"a"`, "\"\xff\""}, {`": 2`, `": 2.0`}, {`": 2`, `": 02`},
		{`": 2`, `": -2`}, {`": 2`, `": 1234567890`}, {`": 2`, `": `}, {`": 2`, `": "2"`}, {`T08:15:00Z`, `T08:15:00z`}, {`T08:15:00Z`, `T8:15:00,1Z`},
		{`2025-06-15T08:15:00Z`, `0001-01-01T00:00:00Z`}, {`2025-06-15T08:15:00Z`, `0000-01-01T00:00:00Z`}, {`T08:15:00Z`, `T25:15:00Z`}, {`-15T`, `-31T`},
		{`"success": true`, `"success": null`}, {`"success": true`, `"success": true1`}, {`"error": "exit 137",`, `"error": "",`}, {`"id": "x"`, `"id": "x", "y": 1`},
		{`"tier": 2,`, ``}, {`null`, `"null"`}, {`null`, `"2025-06-15T08:15:00Z"`}, {"}\n", "}\n{}"}, {"}\n", "}"}, {`[],`, `[ ],`}, {`[],`, `null,`}, {"{\n", "{"}, {`},`, `}`}, {`}`, `},`},
	} {
		data := []byte(strings.ReplaceAll(exact, change[0], change[1]))
		sameBothWays(t, data)
		for i := range data {
			sameBothWays(t, data[:i])
		}
	}
	for i := range exact {
		for _, c := range []byte("\x00 \"\\09,:[]{}x\xff") {
			data := []byte(exact)
			data[i] = c
			sameBothWays(t, data)
		}
	}
}

func FuzzQuickly(f *testing.F) {
	f.Add([]byte(exact))
	f.Fuzz(func(t *testing.T, data []byte) { sameBothWays(t, data) })
}

func sameBothWays(t *testing.T, data []byte) {
	quick := quickly(data)
	if quick == nil {
		return
	}
	s, err := parse(bytes.Clone(data))
	if err != nil {
		t.Fatalf("the library does not read it: %v\n%s", err, data)
	}
	if diff := cmp.Diff(s, quick); diff != "" {
		t.Fatalf("%s\n%s", diff, data)
	}
}
