package seeded

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// maxRepeat is the maximum N of `repeat N`.
const maxRepeat = 2_000_000

// Payloads reads a list of payloads, one per line, each written as one or more Go string literals, which are concatenated. `repeat N`
// before a string repeats it N times. Blank lines and lines that begin with # are ignored.
func Payloads(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read payloads: %w", err)
	}
	var all []string
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		payload, err := parsePayload(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
		}
		all = append(all, payload)
	}
	return all, nil
}

func parsePayload(line string) (string, error) {
	var b strings.Builder
	for line != "" {
		times := 1
		if rest, found := strings.CutPrefix(line, "repeat "); found {
			number, after, _ := strings.Cut(strings.TrimSpace(rest), " ")
			var err error
			if times, err = strconv.Atoi(number); err != nil || times < 1 {
				return "", fmt.Errorf("%q is no number of repetitions", number)
			}
			line = strings.TrimSpace(after)
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", errors.New("a string in Go's quotes was expected at " + line)
		}
		part, err := strconv.Unquote(quoted)
		if err != nil {
			return "", fmt.Errorf("%s: %w", quoted, err)
		}
		if b.Len()+times*len(part) > maxRepeat {
			return "", errors.New("it is too long")
		}
		for range times {
			b.WriteString(part)
		}
		line = strings.TrimSpace(line[len(quoted):])
	}
	return b.String(), nil
}
