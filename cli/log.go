package cli

import (
	"io"
	"log/slog"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
)

// newLogger makes the logger of all that the program says while it works. Every line goes through the redactor as it is written,
// so that no secret passes, whichever way it came into a message or an attribute.
func newLogger(w io.Writer, format config.LogFormat, level slog.Leveler, redactor *mask.Redactor) *slog.Logger {
	options := &slog.HandlerOptions{Level: level.Level()}
	out := redactingWriter{w, redactor}
	if format == config.JSON {
		return slog.New(slog.NewJSONHandler(out, options))
	}
	return slog.New(slog.NewTextHandler(out, options))
}

// redactingWriter relies on a handler of slog writing each line in one call.
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
