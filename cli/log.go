package cli

import (
	"io"
	"log/slog"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
)

// newLogger returns the program's logger. Every line is redacted when it is written, so that no secret passes, whatever its source.
func newLogger(w io.Writer, format config.LogFormat, level slog.Leveler, redactor *mask.Redactor) *slog.Logger {
	options := &slog.HandlerOptions{Level: level.Level()}
	out := redactingWriter{w, redactor}
	if format == config.JSON {
		return slog.New(slog.NewJSONHandler(out, options))
	}
	return slog.New(slog.NewTextHandler(out, options))
}

// redactingWriter relies on slog handlers writing each line in one call.
type redactingWriter struct {
	w        io.Writer
	redactor *mask.Redactor
}

func (w redactingWriter) Write(line []byte) (int, error) {
	if _, err := w.w.Write(w.redactor.Bytes(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}
