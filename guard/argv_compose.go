package guard

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/inventory"
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
	if j.place != "" || slices.Contains([]string{"ls", "version", "help"}, step(c.name)) {
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
	if elsewhere && (len(named)+len(chosen) > 0 || len(files) == 0 || c.action() != Observe) {
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
	case "image":
		if value.Kind == yaml.ScalarNode && !slices.Contains(j.files.Images, value.Value) {
			j.files.Images = append(j.files.Images, value.Value)
		}
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
		j.files.Named = append(j.files.Named, at)
		return nil
	})
}

// composed returns the services of a compose project that a call is about: those named, or the project itself. With a call that takes all
// of it, also those that the inventory knows: each has its own cooldown.
func (j *judge) composed(c *invocation, inv *inventory.Inventory, given []string) (names []string, err error) {
	project, err := j.project(c, inv)
	switch {
	case err != nil:
		return nil, err
	case project == "":
		return nil, unknown("which project this is about cannot be read; name it with -p or -f")
	}
	containers, read, err := j.containerNames(c)
	all := takesAll(c, given)
	switch {
	case err != nil:
		return nil, err
	case all && !read:
		return nil, unknown("which services of %s this reaches cannot be read; name the file and the services: docker compose -f FILE SUBCOMMAND SERVICE", quoted(project))
	case all:
		given, names = slices.Sorted(maps.Keys(containers)), []string{inv.Service(project)}
	case len(given) == 0:
		return []string{project}, nil
	}
	for _, service := range given {
		name, known := inv.Lookup(containers[service], project+"-"+service+"-1", project+"_"+service+"_1", project+"-"+service)
		if _, whole := inv.Lookup(project); !all && !known && whole && inv.Divided() {
			name, known = project, true // in a sharded inventory, one shard has the whole project
		}
		if !known {
			name, known = inv.Lookup(service)
		}
		switch {
		case !known && (!read || strings.Contains(containers[service], "$")):
			return nil, unknown("which container %s has cannot be read, and the inventory does not know that name; restart the container itself: docker restart NAME", quoted(service))
		case !known && !all:
			names = append(names, service)
		case known && !all, known && !slices.Contains(names, name) && inv.Elsewhere(name) == "":
			names = append(names, name)
		}
	}
	return names, nil
}

// takesAll reports whether a compose call reaches services that it does not name.
func takesAll(c *invocation, given []string) bool {
	if len(given) > 0 {
		return c.has("--always-recreate-deps")
	}
	return slices.Contains([]string{"restart", "stop", "start", "down"}, step(c.name)) || c.has("--force-recreate", "--always-recreate-deps")
}

// containerNames returns the services of a project's files, each with the name that its container is given there, or "". read is false if
// no file can be read: a project is only named by -p, or is on another host.
func (j *judge) containerNames(c *invocation) (containers map[string]string, read bool, err error) {
	if j.place != "" {
		return nil, false, nil
	}
	files := c.valuesOf("--file")
	if len(files) == 0 {
		_, files = j.projectFolder()
	}
	containers = map[string]string{}
	for _, file := range files {
		documents, err := j.documents(j.absolute(file))
		if err != nil {
			return nil, false, err
		}
		for _, document := range documents {
			var content struct {
				Services map[string]struct {
					ContainerName string `yaml:"container_name"`
				} `yaml:"services"`
			}
			if err := document.Decode(&content); err != nil {
				return nil, false, unknown("which services %s names cannot be read", quoted(file))
			}
			for service, of := range content.Services {
				containers[service] = cmp.Or(of.ContainerName, containers[service])
			}
		}
	}
	return containers, len(files) > 0, nil
}

// project returns the name of a compose project: the one its files give, or an explicit one that equals it, or that the inventory knows
// in a call that creates nothing from files. It is empty if the name is not certain. On another host, where compose's choice of files is
// unknown, the files must be named and the inventory must know the project.
func (j *judge) project(c *invocation, inv *inventory.Inventory) (string, error) {
	known := func(name string) bool { _, known := inv.Lookup(name); return known }
	files := c.valuesOf("--file")
	given, isGiven := c.value("-p", "--project-name")
	name, err := j.projectOfFiles(files)
	if err != nil || j.place != "" && (len(files) == 0 || !known(name)) {
		name = ""
	}
	switch {
	case !isGiven, given == name:
		return name, err
	case known(given) && len(files) == 0 && slices.Contains([]string{"restart", "start", "stop", "unpause"}, step(c.name)):
		if _, found := j.projectFolder(); j.place != "" || len(found) == 0 {
			return given, nil
		}
	}
	return "", err
}

// projectOfFiles returns the name that a project's files give it, or else their directory's name. The files must share a directory.
func (j *judge) projectOfFiles(files []string) (string, error) {
	dir := j.dir
	for i, file := range files {
		if at := path.Dir(j.absolute(file)); i == 0 {
			dir = at
		} else if at != dir {
			return "", nil
		}
	}
	name := path.Base(dir)
	if j.place == "" {
		if len(files) == 0 {
			if dir, files = j.projectFolder(); len(files) == 0 {
				return "", nil
			}
			name = path.Base(dir)
		}
		given, err := j.projectName(dir, files)
		if err != nil {
			return "", err
		}
		if real, err := j.resolve(dir); given == "" && (err != nil || path.Base(real) != name) {
			return "", unknown("%s is a link, and some versions of compose name the project by its real folder; go there (cd), or name its file by it", quoted(dir))
		}
		name = cmp.Or(given, name)
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return strings.TrimLeft(name, "-_"), nil
}

// projectName returns the project name set by .env, or else by the last file that sets one.
func (j *judge) projectName(dir string, files []string) (name string, err error) {
	for _, at := range []string{j.dir, dir} {
		given, err := j.nameInEnv(path.Join(at, ".env"))
		if err != nil {
			return "", err
		}
		if given != "" && at != dir {
			return "", unknown("%s names another project; call it from the project's folder", quoted(path.Join(at, ".env")))
		}
		name = given
	}
	if name != "" {
		return name, nil
	}
	for _, file := range files {
		documents, err := j.documents(j.absolute(file))
		if err != nil {
			return "", err
		}
		for _, document := range documents {
			var project struct {
				Name string `yaml:"name"`
			}
			if err := document.Decode(&project); err != nil || strings.Contains(project.Name, "$") {
				return "", unknown("which project %s names cannot be read", quoted(file))
			}
			name = cmp.Or(project.Name, name)
		}
	}
	return name, nil
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

// nameInEnv returns the project name that an .env sets plainly. An .env that sets other files or options of compose is refused.
func (j *judge) nameInEnv(file string) (name string, err error) {
	text, err := j.readFile(file)
	if os.IsNotExist(err) {
		return "", nil
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || !strings.Contains(line, "COMPOSE_") && !strings.Contains(line, "DOCKER_") {
			continue
		}
		value, plain := strings.CutPrefix(line, "COMPOSE_PROJECT_NAME=")
		if value = strings.Trim(value, `"'`); !plain || name != "" || !serviceNames().MatchString(value) { // may hold a password: not quoted
			return "", unknown("%s chooses compose's files, options or daemon, by a variable of compose's or docker's", quoted(file))
		}
		name = value
	}
	if err != nil {
		return "", unknown("%s cannot be read: %v", quoted(file), err)
	}
	return name, nil
}

// stack judges the name of a stack: it must be its directory's name, or another name of the same service. Any other name would deploy a
// second copy.
func (j *judge) stack(c *invocation) error {
	file, given := c.value("--compose-file")
	if !given || len(c.operands) != 1 {
		return nil
	}
	if j.place == "" {
		if err := j.composeFile(j.absolute(file)); err != nil {
			return err
		}
	}
	folder, name := path.Base(path.Dir(j.absolute(file))), c.operands[0]
	inv, err := j.inventory()
	_, known := inv.Lookup(name)
	if folder == name && j.place == "" || err == nil && known && inv.Service(folder) == inv.Service(name) {
		return nil
	}
	return unknown("%s is not the folder of its file, nor does the inventory know both as one service", quoted(name))
}
