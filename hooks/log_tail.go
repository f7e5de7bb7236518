package hooks

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Tail returns the last n lines of the log, the oldest first. If hook is not empty, it returns only lines about that hook. Without a log
// there are no lines.
func (l *Log) Tail(n int, hook string) ([]string, error) {
	if l == nil || l.path == "" {
		return nil, nil
	}
	named := visible(hook)
	var lines []string // the newest first
	for _, path := range []string{l.path, l.path + ".1"} {
		text, err := readEnd(path, 2*maxLog)
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

// readEnd reads the last lines of a file, at most most bytes of them: a log from before the breaker may have any size.
func readEnd(path string, most int64) (text []byte, err error) {
	f, err := statedir.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	from := max(size-most, 0)
	if text, err = io.ReadAll(io.NewSectionReader(f, from, most)); err != nil || from == 0 {
		return text, err
	}
	_, text, _ = bytes.Cut(text, []byte("\n")) // drop the first, partial line
	return text, nil
}
