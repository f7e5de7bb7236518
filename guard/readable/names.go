package readable

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/internal/text"
)

// verdict is what the name of a file says.
type verdict int

const (
	plain  verdict = iota // nothing: the place decides
	public                // that it holds none
	look                  // that it may hold a credential: its content decides
	sealed                // that it holds credentials: it is closed unless they are encrypted
	closed                // that it is a credential
)

// code reports whether a name is one of text for programmers or readers.
func code(name string) bool { return inList("code endings", extension(name)) }

// configuration reports whether a name is one of configuration.
func configuration(name string) bool {
	return inList("configuration endings", extension(name)) || inList("configuration", name)
}

// extension is what follows the last dot of a name, in small letters.
func extension(name string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) }

// dated is what a copy's name ends with, too.
var dated = text.Lazy(`(?:[-.]20[0-9-]+|-wal|-shm|~)$`)

// original is the name of which another is a copy: the copy of a secret is one.
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

// named is what the name of a file says, wherever it lies: a name, or the end of a path.
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
	case !code(p) && telling().MatchString(path.Base(p)):
		if configuration(path.Base(p)) {
			return look
		}
		return sealed
	case strings.HasPrefix(path.Base(p), ".") && !code(p):
		return look
	}
	return plain
}

// telling is a word for a credential in a name.
var telling = text.Lazy(`(?i)passwd|password|credential|secret|passphrase|api[_-]?key|private[_-]?key`)

// folder is what the name of a folder says of all that lies below it.
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

// below is what a name says of a file somewhere below a folder of which something was said.
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

// inList reports whether the end of a path fits a pattern of a list of readable.yaml.
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

// patterns are the ends of paths.
type patterns struct {
	exact map[string]bool
	globs []glob
}

// glob is a pattern with its number of names, and what its last name begins with, holds, and ends with.
type glob struct {
	pattern            string
	names              int
	head, middle, tail string
}

// UnmarshalYAML reads patterns with blanks between them.
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

// lastNames are the last n names of a path; empty where it has fewer.
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

// fits reports whether a path fits a pattern; the patterns here are well formed.
func fits(pattern, p string) bool {
	ok, err := path.Match(pattern, p)
	return ok && err == nil
}
