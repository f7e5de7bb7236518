package cli

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
)

func TestLogIsRedactedInEveryForm(t *testing.T) {
	const secret = `hunter"22`
	for _, format := range []config.LogFormat{config.Text, config.JSON} {
		var out bytes.Buffer
		log := newLogger(&out, format, config.LogLevel(slog.LevelInfo), mask.New([]string{secret}))
		log.With("outer", secret).WithGroup("g").Warn("said "+secret, "k", secret, "err", errors.New("with "+secret), secret, 1)
		if strings.Contains(out.String(), "hunter") || strings.Count(out.String(), mask.Redacted) != 5 {
			t.Errorf("%s: %s", format, out.String())
		}
	}
}

func TestLogLevel(t *testing.T) {
	var out bytes.Buffer
	log := newLogger(&out, config.Text, config.LogLevel(slog.LevelWarn), nil)
	log.Info("quiet")
	log.Warn("loud")
	if got := out.String(); strings.Contains(got, "quiet") || !strings.Contains(got, "level=WARN msg=loud") {
		t.Errorf("logged %q", got)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestRedactingWriterPassesErrorsOn(t *testing.T) {
	if _, err := (redactingWriter{brokenWriter{}, nil}).Write([]byte("x")); err == nil {
		t.Error("no error")
	}
}
