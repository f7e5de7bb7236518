package readable

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/internal/lazy"
)

// verdict is what the name of a file indicates.
type verdict int

const (
	plain  verdict = iota // nothing: the place decides
	public                // it holds no credential
	look                  // it may hold a credential: its content decides
	sealed                // it holds credentials: closed unless they are encrypted
	closed                // it is a credential: closed
)

// code reports whether a name is that of source code or documentation.
func code(name string) bool { return inList("code endings", extension(name)) }

// configuration reports whether a name is that of a configuration file.
func configuration(name string) bool {
	return inList("configuration endings", extension(name)) || inList("configuration", name)
}

// extension returns what follows the last dot of a name, in lower case.
func extension(name string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) }

// dated matches more suffixes of copies.
var dated = lazy.Regexp(`(?:[-.]20[0-9-]+|-wal|-shm|~)$`)

// original returns the name of which another is a copy: the copy of a secret is a secret.
func original(p string) string {
	for {
		end := extension(p)
		switch {
		case inList("copies", end) || end != "" && strings.Trim(end, "0123456789") == "":
			p = p[:len(p)-len(end)-1]
		case strings.HasSuffix(p, "~") || strings.Contains(p, "-"):
			cut := dated().ReplaceAllString(p, "")
			if cut == p {
				return p
			}
			p = cut
		default:
			return p
		}
	}
}

// named returns the verdict on a file's name, wherever it lies. A pattern may cover more than the last name of the path.
func named(p string) verdict {
	v := namedAs(p)
	if v != plain && v != public {
		return v
	}
	if of := original(p); of != p {
		return max(v, namedAs(of))
	}
	return v
}

func namedAs(p string) verdict {
	switch {
	case inList("public", p):
		return public
	case inList("closed code", p) || inList("closed", p) && !code(p):
		return closed
	case inList("sealed", p):
		return sealed
	case inList("looked into", p):
		return look
	case !code(p) && suspiciousNames().MatchString(path.Base(p)):
		if configuration(path.Base(p)) {
			return look
		}
		return sealed
	case strings.HasPrefix(path.Base(p), ".") && !code(p):
		return look
	}
	return plain
}

// suspiciousNames matches words for credentials in a name.
var suspiciousNames = lazy.Regexp(`(?i)passwd|password|credential|secret|passphrase|api[_-]?key|private[_-]?key`)

// folder returns the verdict of a directory's name on everything below it.
func folder(p string) verdict {
	switch {
	case inList("closed folders", p):
		return closed
	case inList("sealed folders", p):
		return sealed
	case inList("suspect folders", p):
		return look
	}
	return plain
}

// below returns the verdict on a file somewhere below a directory with the verdict of.
func (of verdict) below(p string) verdict {
	v := named(p)
	switch {
	case of == plain, v == closed, v == public, v == sealed:
		return v
	case of == closed:
		return closed
	case code(p):
		return look
	case configuration(path.Base(p)):
		return of
	}
	return closed
}

// inList reports whether the end of a path matches a pattern of a list in readable.yaml.
func inList(list, full string) bool {
	p, exists := tables().Names[list]
	if !exists {
		panic("readable.yaml lacks the list " + list)
	}
	full = strings.ToLower(full)
	name := full[strings.LastIndexByte(full, '/')+1:]
	return p.exact[name] || slices.ContainsFunc(p.globs, func(g glob) bool {
		return strings.HasPrefix(name, g.head) && strings.HasSuffix(name, g.tail) && strings.Contains(name, g.middle) && fits(g.pattern, lastNames(full, g.names))
	})
}

// patterns match the ends of paths.
type patterns struct {
	exact map[string]bool
	globs []glob
}

// glob is a pattern with its number of names, and the literal start, middle and end of its last name.
type glob struct {
	pattern            string
	names              int
	head, middle, tail string
}

// UnmarshalYAML parses patterns separated by blanks.
func (p *patterns) UnmarshalYAML(n *yaml.Node) error {
	p.exact = map[string]bool{}
	for _, pattern := range strings.Fields(strings.ToLower(n.Value)) {
		name := path.Base(pattern)
		if !strings.ContainsAny(pattern, "*?[/") {
			p.exact[name] = true
			continue
		}
		g := glob{pattern: pattern, names: strings.Count(pattern, "/") + 1, head: name}
		if first, last := strings.IndexAny(name, "*?["), strings.LastIndexAny(name, "*?]"); first >= 0 {
			g.head, g.tail = name[:first], name[last+1:]
			if parts := strings.Split(name, "*"); len(parts) == 3 && !strings.ContainsAny(name, "?[") {
				g.middle = parts[1]
			}
		}
		p.globs = append(p.globs, g)
	}
	return nil
}

// lastNames returns the last n names of a path; empty if it has fewer.
func lastNames(p string, n int) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] == '/' {
			if n--; n == 0 {
				return p[i+1:]
			}
		}
	}
	return p
}

// fits reports whether a path matches a pattern. The patterns here are well formed.
func fits(pattern, p string) bool {
	ok, err := path.Match(pattern, p)
	return ok && err == nil
}
