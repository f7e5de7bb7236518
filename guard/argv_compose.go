package guard

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/internal/lazy"
)

// Compose reads these files where none is named: the first default that exists, and every override that exists.
var (
	composeDefaults  = []string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"}
	composeOverrides = []string{"compose.override.yml", "compose.override.yaml", "docker-compose.override.yml", "docker-compose.override.yaml"}
)

const (
	maxComposeFile = 1 << 20 // bytes
	maxExtends     = 20      // length of a chain of `extends`
)

// composeFiles judges the files of a project: those named, or those that compose finds. Compose also reads the files that these name, and
// would show their content in its error messages.
func (j *judge) composeFiles(c *invocation) error {
	if j.place != "" || slices.Contains([]string{"ls", "version", "help"}, subcommand(c.name)) {
		return nil
	}
	dir, files := j.projectFolder()
	named := c.valuesOf("--file")
	at, elsewhere := c.value("--project-directory")
	if elsewhere {
		dir = j.absolute(at)
		files = j.lyingIn(dir)
	}
	folders := []string{j.dir, dir}
	if len(named) > 0 {
		folders = append(folders, path.Dir(j.absolute(named[0])))
	}
	chosen, err := j.filesInEnv(folders...)
	if err != nil {
		return err
	}
	if elsewhere && (len(named)+len(chosen) > 0 || len(files) == 0) {
		return unknown("--project-directory is granted to look at a project that lies in that folder, without -f; else go there: cd FOLDER && docker compose …")
	}
	if len(named) > 0 {
		files = named
	} else if len(chosen) > 0 {
		files = chosen
	}
	for _, file := range files {
		if err := j.composeFile(j.absolute(file)); err != nil {
			return err
		}
	}
	return nil
}

// projectFolder returns the directory that holds a project's files, which is the working directory or its nearest parent with such files,
// and the files.
func (j *judge) projectFolder() (dir string, files []string) {
	for dir = j.dir; ; dir = path.Dir(dir) {
		if files = j.lyingIn(dir); len(files) > 0 || dir == "/" {
			return dir, files
		}
	}
}

// lyingIn returns the absolute paths of the files that compose uses in a directory.
func (j *judge) lyingIn(dir string) (files []string) {
	there := func(name string) bool {
		_, err := j.readFile(path.Join(dir, name))
		return err == nil || !os.IsNotExist(err)
	}
	i := slices.IndexFunc(composeDefaults, there)
	if i < 0 {
		return nil
	}
	files = append(files, path.Join(dir, composeDefaults[i]))
	for _, name := range composeOverrides {
		if there(name) {
			files = append(files, path.Join(dir, name))
		}
	}
	return files
}

// composeFile judges one file. It and every file that it names must be configuration that no agent can write. Anything that makes compose
// fetch or start something while it reads is refused.
func (j *judge) composeFile(file string) error {
	if err := j.configures(&invocation{name: "docker compose"}, file, "code"); err != nil {
		return err
	}
	documents, err := j.documents(file)
	if err != nil {
		return err
	}
	for i := range documents {
		if err := j.composeNode(file, &documents[i]); err != nil {
			return err
		}
	}
	return nil
}

// documents returns the YAML documents of a file.
func (j *judge) documents(file string) (all []yaml.Node, err error) {
	text, err := j.readFile(file)
	if err != nil {
		return nil, unknown("%s cannot be read: %v", quoted(file), err)
	}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, unknown("%s is no YAML", quoted(file))
		}
		all = append(all, document)
	}
}

// composeNode judges a node and everything below it, except the targets of aliases: they are judged where they are defined.
func (j *judge) composeNode(file string, n *yaml.Node) error {
	if n.ShortTag() == "!!binary" {
		return unknown("%s has encoded text (!!binary), which is not read; write it plainly", quoted(file))
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			key := target(n.Content[i-1]).Value
			if err := j.composeMember(file, key, target(child)); err != nil {
				return err
			}
			if ownWords(key) && !anchored(child) {
				continue
			}
		}
		if err := j.composeNode(file, child); err != nil {
			return err
		}
	}
	return nil
}

// composeMember judges one key of a mapping and its value.
func (j *judge) composeMember(file, key string, value *yaml.Node) error {
	switch key {
	case "provider", "include", "credential_spec":
		return unknown("%s has the key %s, with which compose starts programs or reads other files", quoted(file), quoted(key))
	case "env_file", "label_file", "file", "build", "context", "path":
		return j.composeNames(file, value)
	case "extends":
		for i := 0; value.Kind == yaml.MappingNode && i+1 < len(value.Content); i += 2 {
			if target(value.Content[i]).Value != "file" {
				continue
			}
			if j.extended++; j.extended > maxExtends {
				return unknown("%s extends too many others", quoted(file))
			}
			return j.composeFile(path.Join(path.Dir(file), target(value.Content[i+1]).Value))
		}
	}
	return nil
}

// target resolves an alias.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// ownWords reports whether a key holds arbitrary words of the service, which compose passes on without interpreting them.
func ownWords(key string) bool {
	return slices.Contains([]string{"environment", "labels", "annotations", "command", "entrypoint", "args"}, key)
}

// anchored reports whether an alias may refer to the node or to a part of it.
func anchored(n *yaml.Node) bool { return n.Anchor != "" || slices.ContainsFunc(n.Content, anchored) }

// composeNames judges the files named under a key: they must lie in the repositories or the project directory, and must not be secrets of
// the machine.
func (j *judge) composeNames(file string, n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		for _, child := range n.Content {
			if child = target(child); child.Kind == yaml.SequenceNode {
				return unknown("%s has lists of files within each other", quoted(file))
			}
			if err := j.composeNames(file, child); err != nil {
				return err
			}
		}
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return nil
	}
	if strings.ContainsAny(n.Value, "$:@") || strings.HasPrefix(n.Value, "~") {
		return unknown("%s names %s, which is not a plain path; write it literally", quoted(file), quoted(n.Value))
	}
	name := n.Value
	if !path.IsAbs(name) {
		name = path.Dir(file) + "/" + name
	}
	return j.eachPlace([]string{name}, func(at string) error {
		inside := j.committable(at) || below(at, path.Dir(file))
		if j.agentWrites(at) || j.machineSecret(at) || !inside && j.secret(at) {
			return unknown("%s names %s, which an agent could have written, or which may hold secrets of the machine", quoted(file), quoted(n.Value))
		}
		return nil
	})
}

// filesInEnv returns the files that the .env of some directories selects for compose. An .env that selects another daemon or more
// variables is refused, because an agent must not choose those.
func (j *judge) filesInEnv(folders ...string) (files []string, err error) {
	for i, dir := range folders {
		if i > 0 && dir == folders[0] {
			continue
		}
		text, err := j.readFile(path.Join(dir, ".env"))
		if err != nil && !os.IsNotExist(err) {
			return nil, unknown("%s cannot be read: %v", quoted(path.Join(dir, ".env")), err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "#") || !choosing().MatchString(line) {
				continue
			}
			names := chosenFiles().FindStringSubmatch(line)
			if names == nil { // may hold a password: not quoted
				return nil, unknown("%s chooses compose's files or daemon, and not by plain names", quoted(path.Join(dir, ".env")))
			}
			for name := range strings.SplitSeq(names[1], ":") {
				if !path.IsAbs(name) {
					name = path.Join(dir, name)
				}
				files = append(files, name)
			}
		}
	}
	return files, nil
}

var (
	choosing    = lazy.Regexp(`\b(?:DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS\w*)|COMPOSE_(?:FILE|ENV_FILES|PATH_SEPARATOR))\b`)
	chosenFiles = lazy.Regexp(`^(?:export +)?COMPOSE_FILE=["']?([A-Za-z0-9_./:-]+)["']?$`)
)
