package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Setting is a variable that an environment file is to have.
type Setting struct {
	Name, Value string
	Override    bool // replaces another value that the file has; without it, that one stays
}

// FileVariables are the variables that the text of an environment file sets. The error has every fault of it, a line each.
func FileVariables(file []byte) (map[string]string, error) {
	assignments, faults := parseEnvFile(file)
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	values := map[string]string{}
	for _, a := range assignments {
		values[a.name] = a.value
	}
	return values, nil
}

// EditFile gives the text of an environment file these settings, and leaves every other line as it is: a value that is overridden is replaced
// in its line, what is missing is added at the end, in the order given. A variable that is set and empty is missing.
func EditFile(file []byte, settings []Setting) ([]byte, error) {
	assignments, faults := parseEnvFile(file)
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	last := map[string]assignment{} // as for systemd, the last line of a variable counts
	for _, a := range assignments {
		last[a.name] = a
	}
	lines := bytes.SplitAfter(bytes.Clone(file), []byte("\n"))
	var added bytes.Buffer
	for _, s := range settings {
		written, err := writeSetting(s)
		if err != nil {
			return nil, err
		}
		switch had, set := last[s.Name]; {
		case !set || strings.TrimSpace(had.value) == "":
			added.WriteString(written + "\n")
		case s.Override && had.value != s.Value:
			line := lines[had.line-1]
			end := line[len(bytes.TrimRight(line, "\r\n")):]
			lines[had.line-1] = append([]byte(written), end...)
		}
	}
	text := bytes.Join(lines, nil)
	if added.Len() > 0 && len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return append(text, added.Bytes()...), nil
}

// writeSetting is the line of a setting, which every reader of such files takes for the same value.
func writeSetting(s Setting) (string, error) {
	written := s.Value
	if strings.Contains(written, `\`) || strings.TrimSpace(written) != written || strings.HasPrefix(written, `"`) || strings.HasPrefix(written, `'`) {
		written = "'" + written + "'"
	}
	line := s.Name + "=" + written
	if a, err := parseLine(line); err != nil || a.value != s.Value || strings.Contains(line, "\n") {
		return "", fmt.Errorf("%s: no environment file can hold its value (quotes with backslashes, or control characters)", s.Name)
	}
	return line, nil
}
