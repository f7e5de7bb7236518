package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Setting is a variable to be set in an environment file.
type Setting struct {
	Name, Value string
	Override    bool // replace a different value; otherwise the existing value stays
}

// FileVariables returns the variables set in the text of an environment file. The error lists every fault, one line each.
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

// EditFile sets variables in the text of an environment file and preserves all other lines. A value is replaced in its line, and a
// missing variable is added at the end, in the order given. A variable with an empty value counts as missing.
func EditFile(file []byte, settings []Setting) ([]byte, error) {
	assignments, faults := parseEnvFile(file)
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	last := map[string]assignment{} // as with systemd, a variable's last line counts
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

// writeSetting returns the line for a setting, in a form that all readers of such files understand in the same way.
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
