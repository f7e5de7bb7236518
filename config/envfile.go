package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// maxFile limits an environment file and a secret's file, in bytes. Linux allows no environment of this size.
const maxFile = 1 << 20

// assignment is one assignment in an environment file.
type assignment struct {
	name, value string
	line        int
}

// parseEnvFile accepts what systemd's EnvironmentFile= and docker's --env-file have in common: NAME=value lines, blank lines, and
// comments starting with # or ;. It also accepts a leading "export ", and a value in single quotes (literal) or double quotes (a
// backslash escapes ", \, $ and `). What they read differently is refused: a backslash outside quotes, continuation lines, and values of
// several lines. Faults have the form "line N: …" and never quote a value.
func parseEnvFile(text []byte) (assignments []assignment, faults []string) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		a, err := parseLine(strings.TrimSpace(string(raw)))
		switch {
		case err != nil:
			faults = append(faults, fmt.Sprintf("line %d: %v", number, err))
		case a.name != "":
			a.line = number
			assignments = append(assignments, a)
		}
	}
	return assignments, faults
}

// parseLine returns an empty name for a line without an assignment.
func parseLine(line string) (assignment, error) {
	if line == "" || line[0] == '#' || line[0] == ';' {
		return assignment{}, nil
	}
	if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return assignment{}, errors.New("control characters or no UTF-8; write NAME=value")
	}
	if rest, found := strings.CutPrefix(line, "export"); found && strings.TrimLeft(rest, " \t") != rest {
		line = strings.TrimLeft(rest, " \t")
	}
	name, value, found := strings.Cut(line, "=")
	if !found {
		return assignment{}, errors.New(`no "="; write NAME=value`)
	}
	if name = strings.TrimRight(name, " \t"); !variableName.MatchString(name) {
		return assignment{}, errors.New(`the text before "=" is not a variable name; write NAME=value`)
	}
	value, err := unquote(strings.TrimLeft(value, " \t"))
	if err != nil {
		return assignment{}, fmt.Errorf("%s: %w", name, err)
	}
	return assignment{name: name, value: value}, nil
}

func unquote(value string) (string, error) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		if strings.HasSuffix(value, `\`) {
			return "", errors.New(`a line cannot be continued by "\"; write the value on one line`)
		}
		if strings.Contains(value, `\`) {
			return "", errors.New(`a backslash outside of quotes, which systemd would leave out; write the value in single quotes`)
		}
		return value, nil
	}
	quote := value[0]
	var text strings.Builder
	for i := 1; i < len(value); i++ {
		c := value[i]
		switch {
		case c == quote && i < len(value)-1:
			return "", errors.New("more text after the closing quote; quote the whole value")
		case c == quote:
			return text.String(), nil
		case c == '\\' && quote == '"' && i+1 < len(value) && strings.IndexByte("\"\\$`", value[i+1]) >= 0:
			i++
			text.WriteByte(value[i])
		default:
			text.WriteByte(c)
		}
	}
	return "", errors.New("the quote is not closed on its line; close it")
}

var errTooLarge = fmt.Errorf("larger than %d KiB", maxFile>>10)

// readFile reads an operator's file. It may be a link, as for Kubernetes secrets, but not a pipe, which might block.
func readFile(path string) ([]byte, error) {
	stat, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if stat.Mode()&os.ModeNamedPipe != 0 || stat.IsDir() {
		return nil, errors.New("no regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil && len(text) > maxFile {
		err = errTooLarge
	}
	return text, err
}
