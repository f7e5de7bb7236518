package discover

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
)

// YAML returns the inventory as a file for people to edit. A service that is invalid together with the others is left out, and reported
// in the file.
func (f Found) YAML() ([]byte, error) {
	_, written, err := f.valid()
	return written, err
}

// valid returns the part of f that forms a valid inventory, and that inventory as a file.
func (f Found) valid() (Found, []byte, error) {
	for {
		written := f.render()
		_, err := inventory.Parse(written)
		if err == nil {
			return f, written, nil
		}
		var invalid *strict.InvalidError
		if !errors.As(err, &invalid) || !f.leaveOut(invalid.Faults) {
			return f, nil, fmt.Errorf("the discovered services are not a valid inventory: %w", err)
		}
	}
}

// leaveOut removes the services whose lines have the faults; it reports whether there was one.
func (f *Found) leaveOut(faults []string) bool {
	kept := *f
	kept.Services, kept.LeftOut = nil, slices.Clone(f.LeftOut)
	end := bytes.Count(f.render(), []byte{'\n'})
	gone := map[string]bool{}
	for i := range slices.Backward(f.Services) { // the last one ends the file
		var b bytes.Buffer
		f.Services[i].render(&b)
		begin := end - bytes.Count(b.Bytes(), []byte{'\n'})
		if n := slices.IndexFunc(faults, func(fault string) bool {
			line := 0 // counted from 1
			_, _ = fmt.Sscanf(fault, "line %d,", &line)
			return begin < line && line <= end
		}); n >= 0 {
			_, why, _ := strings.Cut(faults[n], ": ") // without the position, which refers to another file
			kept.LeftOut = append(kept.LeftOut, "service "+shown(f.Services[i].Name)+": "+brief(why))
			gone[f.Services[i].Name] = true
		}
		end = begin - 1 // the empty line between services
	}
	for _, s := range f.Services {
		if !gone[s.Name] {
			s.DependsOn = slices.DeleteFunc(slices.Clone(s.DependsOn), func(name string) bool { return gone[name] })
			kept.Services = append(kept.Services, s)
		}
	}
	*f = kept
	return len(gone) > 0
}

// maxListed limits the lines that list what was left out.
const maxListed = 200

func (f Found) render() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# yaml-language-server: $schema=%s\n", inventory.SchemaURL)
	b.WriteString("# Written by `claudeops probe discover` from what runs here. Look it over: it knows no health URL that no label names.\n")
	if offersAid(f.Services) {
		b.WriteString(aidNote)
	}
	comment(&b, "Not asked:", f.Missing)
	comment(&b, "Left out:", f.LeftOut)
	b.WriteByte('\n')
	b.WriteString("services:\n")
	for i := range f.Services {
		if i > 0 {
			b.WriteByte('\n')
		}
		f.Services[i].render(&b)
	}
	return b.Bytes()
}

// comment writes texts as comments.
func comment(b *bytes.Buffer, heading string, texts []string) {
	if len(texts) == 0 {
		return
	}
	fmt.Fprintf(b, "#\n# %s\n", heading)
	for _, entry := range texts[:min(len(texts), maxListed)] {
		fmt.Fprintf(b, "#   - %s\n", text.Line(entry))
	}
	if more := len(texts) - maxListed; more > 0 {
		fmt.Fprintf(b, "#   - and %d more\n", more)
	}
}

func (s *Service) render(b *bytes.Buffer) {
	for _, from := range s.From {
		fmt.Fprintf(b, "  # %s\n", text.Line(from))
	}
	fmt.Fprintf(b, "  - name: %s\n", scalar(s.Name))
	renderList(b, "aliases", s.Aliases)
	if s.Owner != "" {
		fmt.Fprintf(b, "    owner: %s\n", scalar(s.Owner))
	}
	renderList(b, "depends_on", s.DependsOn)
	if s.Settle != "" {
		fmt.Fprintf(b, "    settle: %s\n", scalar(s.Settle))
	}
	if s.FailAfter > 0 {
		fmt.Fprintf(b, "    fail_after: %d\n", s.FailAfter)
	}
	if s.Restart.Given() {
		fmt.Fprintf(b, "    restart: {compose: {file: %s, service: %s}}\n", scalar(s.Restart.File), scalar(s.Restart.Name))
	}
	if s.MakesRoom {
		b.WriteString("    actions: {make_room: {run: [journalctl, --vacuum-size=500M]}}\n    # first_aid: {do: make_room}\n")
	} else if s.Aid {
		b.WriteString("    # first_aid: {}\n")
	}
	if len(s.Checks) > 0 {
		b.WriteString("    checks:\n")
	}
	for _, k := range s.Checks {
		k.render(b)
	}
	for _, hint := range s.Hints {
		for line := range strings.Lines(hint) {
			fmt.Fprintf(b, "      # %s\n", text.Line(line))
		}
	}
}

func renderList(b *bytes.Buffer, name string, values []string) {
	if len(values) == 0 {
		return
	}
	written := make([]string, len(values))
	for i, value := range values {
		written[i] = scalar(value)
	}
	fmt.Fprintf(b, "    %s: [%s]\n", name, strings.Join(written, ", "))
}

func (k Check) render(b *bytes.Buffer) {
	switch {
	case k.Container != "":
		fmt.Fprintf(b, "      - type: container\n        container: %s\n", scalar(k.Container))
	case k.URL != "":
		fmt.Fprintf(b, "      - type: http\n        url: %s\n", scalar(k.URL))
	case k.Address != "":
		fmt.Fprintf(b, "      - type: service\n        address: %s\n", scalar(k.Address))
	case k.Disk != "":
		fmt.Fprintf(b, "      - type: service\n        disk: %s\n        free: 5%%\n", k.Disk)
	case k.Unit != "":
		fmt.Fprintf(b, "      - type: service\n        unit: %s\n", scalar(k.Unit))
	}
}

// scalar formats a text so that YAML reads it as that text; without quotes if it is unambiguous.
func scalar(text string) string {
	if plainScalar.MatchString(text) && !keyword.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

var (
	plainScalar = regexp.MustCompile(`^[_/]*[A-Za-z][A-Za-z0-9_./-]*$`)
	keyword     = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)
)

// maxShown limits a foreign text in a comment, in characters.
const maxShown = 160

// shown formats a foreign name for a comment: unchanged if it is plain, otherwise quoted.
func shown(name string) string {
	if short := brief(name); short != name || scalar(name) != name {
		return strconv.Quote(short)
	}
	return name
}

// brief returns a text on one line of limited length.
func brief(long string) string { return text.Shorten(text.Line(long), maxShown) }
