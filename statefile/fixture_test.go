package statefile_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/testkit/need"
)

var noon = time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC)

func done(ago time.Duration) statefile.Record {
	return statefile.Record{Timestamp: statefile.At(noon.Add(-ago)), Success: true}
}

func with(service string, a statefile.Action, ages ...time.Duration) *statefile.State {
	s := statefile.New()
	for _, age := range ages {
		s.Add(service, a, done(age))
	}
	return s
}

// newFile returns a file in a new state directory, with the clock at noon.
func newFile(t *testing.T) statefile.File {
	t.Helper()
	return statefile.File{Path: statefile.Path(t.TempDir()), Now: func() time.Time { return noon }}
}

func update(t *testing.T, f statefile.File, change func(*statefile.State)) error {
	t.Helper()
	remade, err := f.Update(t.Context(), func(s *statefile.State) error { change(s); return nil })
	if remade != "" {
		t.Errorf("the file %s", remade)
	}
	return err
}

// movedTo returns where a corrupt file is now.
func movedTo(remade string) string { return remade[strings.LastIndex(remade, " ")+1:] }

func read(t *testing.T, f statefile.File) *statefile.State {
	t.Helper()
	s, err := f.Read(t.Context())
	must(t, err)
	return s
}

func parse(t *testing.T, text string) *statefile.State {
	t.Helper()
	s, err := statefile.Parse([]byte(text))
	must(t, err)
	return s
}

func content(t *testing.T, f statefile.File) string {
	t.Helper()
	b, err := os.ReadFile(f.Path)
	must(t, err)
	return string(b)
}

func put(t *testing.T, f statefile.File, text string) {
	t.Helper()
	must(t, os.WriteFile(f.Path, []byte(text), 0o600))
}

// jq runs the real program and returns its output on one line.
func jq(t *testing.T, f statefile.File, program string) string {
	t.Helper()
	return strings.TrimSuffix(shell(t, f, `jq -c `+"'"+program+"'"+` "$STATE_DIR/cooldown.json"`), "\n")
}

func shell(t *testing.T, f statefile.File, script string) string {
	t.Helper()
	need.Full(t, "jq")
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
	cmd.Env = append(os.Environ(), "STATE_DIR="+filepath.Dir(f.Path))
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		t.Fatalf("%s: %v: %s", script, err, failed.Stderr)
	}
	must(t, err)
	return string(out)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// compact removes the white space of a state file.
func compact(t *testing.T, text string) string {
	t.Helper()
	v := jsontext.Value(text)
	must(t, v.Compact())
	return string(v)
}
