package hooks

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Tail returns the last n lines of the log, the oldest first; where hook is not empty, only those that name it. No log is no line.
func (l *Log) Tail(n int, hook string) ([]string, error) {
	if l == nil || l.path == "" {
		return nil, nil
	}
	named := visible(hook)
	var lines []string // the newest first
	for _, path := range []string{l.path, l.path + ".1"} {
		text, err := statedir.ReadFile(path, 3*maxLog) // it never grows to that size
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		for _, line := range slices.Backward(all) {
			if len(lines) == n {
				break
			}
			if line != "" && strings.Contains(line, named) {
				lines = append(lines, line)
			}
		}
	}
	slices.Reverse(lines)
	return lines, nil
}
