package guard

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Compose reads the files that a project's files name, fetches those that they name by a URL, and says on its output what it does not
// understand of them: so a project's files name none but files of variables in its own folder, and no secret of the agent's environment.

// maxComposeFile and maxExtended bound what is read of a project.
const (
	maxComposeFile = 1 << 20
	maxExtended    = 20
)

// composeContents refuses a project whose files have compose read or fetch others.
func (k *walker) composeContents(u *use, files []string) {
	if slices.Contains([]string{"ls", "version", "help"}, step(u.name)) { // which look at no project
		return
	}
	if u.f.place != "" && u.action == Observe {
		k.deny(u, Unknown, "elsewhere nobody sees which files a compose file names; docker ps --filter label=com.docker.compose.project=NAME, docker logs NAME and docker exec NAME show the same")
	}
	if u.failed || k.world.Hypothetical || u.f.place != "" {
		return
	}
	for _, dir := range k.cwds {
		if _, plain := namedInEnv(path.Join(dir, ".env")); !plain {
			k.deny(u, Unknown, quoted(path.Join(dir, ".env"))+" chooses compose's files; call it from another folder, with -f")
			return
		}
	}
	scan := composeScan{world: k.world}
	for _, file := range files {
		scan.files = append(scan.files, k.places(file)...)
	}
	if len(files) == 0 {
		scan.files = filesAbove(k.cwds)
	}
	for i := 0; i < len(scan.files) && scan.fault == ""; i++ { // grows by what is extended
		_, plain := namedInEnv(path.Join(path.Dir(scan.files[i]), ".env"))
		if !plain {
			scan.fault = "has an .env beside it that chooses other files"
		} else if i > maxExtended {
			scan.fault = "extends too many others"
		} else {
			scan.file(scan.files[i])
		}
		if scan.fault != "" {
			k.deny(u, Unknown, quoted(scan.files[i])+" "+scan.fault+"; docker ps, docker logs and docker restart NAME do without it")
		}
	}
}

// filesAbove are the files that some compose finds in folders or above them: podman-compose takes all that are there.
func filesAbove(dirs []string) (files []string) {
	names := slices.Concat(composeDefaults, composeOverrides)
	for _, other := range []string{"podman-compose", "container-compose"} {
		names = append(names, other+".yml", other+".yaml", other+".override.yml", other+".override.yaml")
	}
	for _, dir := range dirs {
		for last := ""; dir != last; dir = path.Dir(dir) {
			for _, name := range names {
				if _, err := os.Lstat(path.Join(dir, name)); err == nil {
					files = append(files, path.Join(dir, name))
				}
			}
			if last = dir; len(lyingIn(dir)) > 0 {
				break
			}
		}
	}
	return files
}

// composeScan looks through compose files.
type composeScan struct {
	world World
	files []string
	fault string // why the present one is refused
	dir   string // the folder of the present one
}

func (s *composeScan) file(file string) {
	text, err := os.ReadFile(file)
	switch {
	case os.IsNotExist(err):
		return
	case err != nil || len(text) > maxComposeFile:
		s.fault = "cannot be read"
		return
	}
	s.dir = path.Dir(file)
	for documents := yaml.NewDecoder(bytes.NewReader(text)); s.fault == ""; {
		var document yaml.Node
		if err := documents.Decode(&document); err != nil {
			if !errors.Is(err, io.EOF) {
				s.fault = "is no YAML"
			}
			return
		}
		for _, root := range document.Content {
			s.node(root, true)
		}
	}
}

// node looks at a node and all below it. Aliases are not followed: what they stand for is a node of its own.
func (s *composeScan) node(n *yaml.Node, top bool) {
	switch {
	case n.Tag == "!!binary":
		s.fault = "has texts that do not stand there literally"
	case n.Kind == yaml.ScalarNode:
		s.variables(n.Value)
	}
	for i, child := range n.Content {
		if s.fault != "" {
			return
		}
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			s.member(meant(child).Value, meant(n.Content[i+1]), top)
		}
		s.node(child, false)
	}
}

// meant is what an alias stands for.
func meant(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func (s *composeScan) member(key string, value *yaml.Node, top bool) {
	switch {
	case top && (key == "include" || key == "<<"):
		s.fault = "includes other files"
	case key == "label_file":
		s.fault = "takes labels from other files"
	case key == "env_file":
		s.envFiles(value)
	case key == "extends" && value.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(value.Content); i += 2 {
			switch name, file := meant(value.Content[i]).Value, meant(value.Content[i+1]); {
			case name == "service":
			case name == "file" && s.plain(file):
				s.files = append(s.files, path.Join(s.dir, file.Value))
			default:
				s.fault = "extends a file that does not lie in its folder"
			}
		}
	}
}

// envFiles judges what stands behind env_file: a name, or a list of names, or of {path: NAME}.
func (s *composeScan) envFiles(value *yaml.Node) {
	list := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		list = value.Content
	}
	for _, n := range list {
		n = meant(n)
		for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
			if name := meant(n.Content[i]).Value; name != "path" && name != "required" && name != "format" {
				s.fault = "has an env_file that is not named plainly"
			} else if name == "path" && !(s.plain(meant(n.Content[i+1])) && variablesFile().MatchString(path.Base(meant(n.Content[i+1]).Value))) {
				s.fault = "has an env_file outside of its folder, or of another name than .env, NAME.env or .env.NAME"
			}
		}
		if n.Kind != yaml.MappingNode && !(n.Tag == "!!null" || s.plain(n) && variablesFile().MatchString(path.Base(n.Value))) {
			s.fault = "has an env_file outside of its folder, or of another name than .env, NAME.env or .env.NAME"
		}
	}
}

// variablesFile are names that a file of variables has.
var variablesFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:.*[._-])?env(?:[._-].*)?$`) })

var plainFileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_./-]*$`) })

// plain reports whether a node names a file in the project's folder or below it.
func (s *composeScan) plain(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || !plainFileName().MatchString(n.Value) || climbs(n.Value) {
		return false
	}
	dir, err := filepath.EvalSymlinks(s.dir)
	real, missing := filepath.EvalSymlinks(path.Join(s.dir, n.Value))
	return err == nil && (os.IsNotExist(missing) || missing == nil && below(real, dir))
}

var (
	interpolated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{?\s*([A-Za-z_][A-Za-z0-9_]*)`) })
	agents       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:CLAUDE|ANTHROPIC)`) })
	confidential = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:AWS|GOOGLE|AZURE|VAULT)_|TOKEN|SECRET|PASS|KEY|CRED|AUTH|PROXY|HEADER|COOKIE|URL$|DSN|PIN$`)
	})
)

// variables judges those that stand in a text: compose puts their values there, the agent's before those of an .env.
func (s *composeScan) variables(text string) {
	for _, match := range interpolated().FindAllStringSubmatch(text, -1) {
		name := match[1]
		isSet := slices.ContainsFunc(s.world.Environ, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if agents().MatchString(name) || isSet && confidential().MatchString(name) {
			s.fault = "puts the variable " + name + " of the agent's environment into its text"
		}
	}
}
