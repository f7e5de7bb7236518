package discover

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/inventory"
)

// NotIn returns the found services that an inventory lacks under any name or alias. Their dependencies use the names in that inventory.
func (f Found) NotIn(inv *inventory.Inventory) (missing []Service) {
	known := map[string]string{} // the inventory's names of what was found
	for _, s := range f.Services {
		if name, has := inv.Lookup(s.called()...); has {
			known[s.Name] = name
		}
	}
	for _, s := range f.Services {
		if known[s.Name] != "" {
			continue
		}
		s.DependsOn = slices.Clone(s.DependsOn)
		for i, name := range s.DependsOn {
			if known[name] != "" {
				s.DependsOn[i] = known[name]
			}
		}
		slices.Sort(s.DependsOn)
		s.DependsOn = slices.Compact(s.DependsOn)
		missing = append(missing, s)
	}
	return missing
}

// called returns all names that identify a service in an inventory, including those in its checks.
func (s *Service) called() []string {
	names := append([]string{s.Name}, s.Aliases...)
	for _, k := range s.Checks {
		for _, name := range []string{k.Container, k.Unit} {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// Merge adds the found services that a services file lacks at the start of its list, and preserves every existing byte. added are their
// names; none if the file has them all.
func (f Found) Merge(file []byte) (merged []byte, added []string, err error) {
	inv, err := inventory.Parse(file)
	if err != nil {
		return nil, nil, err
	}
	if f, _, err = f.valid(); err != nil {
		return nil, nil, err
	}
	missing := f.NotIn(inv)
	if len(missing) == 0 {
		return file, nil, nil
	}
	at, text, err := insertion(file, missing)
	if err != nil {
		return nil, nil, err
	}
	merged = slices.Concat(file[:at], []byte(text), file[at:])
	both, err := inventory.Parse(merged)
	if err == nil && len(both.Services) != len(inv.Services)+len(missing) {
		err = errors.New("its list of services is not where it seems to be")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the discovered services cannot be added to it: %w", err)
	}
	for i := range missing {
		added = append(added, missing[i].Name)
	}
	return merged, added, nil
}

// insertion returns the text that adds services to a services file, and its offset: after the line of `services:`, or after the opening
// bracket of a list in brackets.
func insertion(file []byte, services []Service) (at int, text string, err error) {
	var document yaml.Node
	if err := yaml.Unmarshal(file, &document); err != nil {
		return 0, "", err
	}
	key, list := memberOf(document.Content[0], "services")
	if list.Style&yaml.FlowStyle != 0 && list.Kind == yaml.SequenceNode {
		at = offset(file, list.Line, list.Column)
		if at >= len(file) || file[at] != '[' {
			return 0, "", fmt.Errorf("line %d: the list of services begins with something else than a bracket", list.Line)
		}
		text, err = inBrackets(services, len(list.Content) > 0)
		return at + 1, text, err
	}
	indent := "  "
	if list.Kind == yaml.SequenceNode {
		indent = strings.Repeat(" ", list.Column-1)
	}
	at = offset(file, key.Line+1, 1)
	line := file[offset(file, key.Line, 1):at]
	var b bytes.Buffer
	if !bytes.HasSuffix(line, []byte("\n")) {
		b.WriteByte('\n')
	}
	if offersAid(services) {
		b.WriteString(indent + aidNote)
	}
	for i := range services {
		var one bytes.Buffer
		services[i].render(&one)
		for line := range strings.Lines(one.String()) {
			b.WriteString(indent + strings.TrimPrefix(line, "  "))
		}
		if i < len(services)-1 || len(list.Content) > 0 {
			b.WriteByte('\n')
		}
	}
	text = b.String()
	if bytes.HasSuffix(line, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return at, text, nil
}

// memberOf returns a key of a mapping, with its value.
func memberOf(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return mapping, mapping // an inventory always has the key
}

// offset returns the byte offset of a line and a column, both counted from 1 and in characters; the end of the text if it has no such
// line.
func offset(text []byte, line, column int) (at int) {
	for ; line > 1; line-- {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		at += end + 1
	}
	for ; column > 1 && at < len(text); column-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// inBrackets formats services as elements of a list in brackets, each on one line; more means that other elements follow.
func inBrackets(services []Service, more bool) (string, error) {
	var elements []string
	for i := range services {
		var b bytes.Buffer
		services[i].render(&b)
		var document yaml.Node
		if err := yaml.Unmarshal(b.Bytes(), &document); err != nil {
			return "", err
		}
		element := document.Content[0].Content[0]
		flow(element)
		line, err := yaml.Marshal(element)
		if err != nil {
			return "", err
		}
		elements = append(elements, strings.TrimSpace(string(line)))
	}
	text := strings.Join(elements, ", ")
	if more {
		text += ", "
	}
	return text, nil
}

// flow changes a value to bracket style, without comments.
func flow(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	if n.Kind != yaml.ScalarNode {
		n.Style = yaml.FlowStyle
	}
	for _, part := range n.Content {
		flow(part)
	}
}
