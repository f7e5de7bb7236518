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

	"github.com/claudeops/claudeops/inventory"

	"github.com/claudeops/claudeops/internal/text"
)

// composeDefaults are the files that compose takes where none is named: the first of the former, and those of the latter that are there.
var (
	composeDefaults  = []string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"}
	composeOverrides = []string{"compose.override.yml", "compose.override.yaml", "docker-compose.override.yml", "docker-compose.override.yaml"}
)

const (
	maxComposeFile = 1 << 20 // bytes
	maxExtends     = 20      // files that extend each other
)

// composeFiles judges the files of a project: those that are named, or that compose finds. It reads the files that these name, and would
// show their content in its error messages.
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

// projectFolder is the folder with the files of a project, the present one or the first above it, and these files.
func (j *judge) projectFolder() (dir string, files []string) {
	for dir = j.dir; ; dir = path.Dir(dir) {
		if files = j.lyingIn(dir); len(files) > 0 || dir == "/" {
			return dir, files
		}
	}
}

// lyingIn are the files that compose takes in a folder, by their whole paths.
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

// composeFile judges one file: it is configuration that no agent can write, and so is every file that it names. What fetches or starts
// something else while compose reads is not granted.
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

// documents are the YAML documents of a file.
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

// composeNode looks at a node and all below it. The node that an alias refers to is looked at by itself.
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

// composeMember judges one member of a mapping.
func (j *judge) composeMember(file, key string, value *yaml.Node) error {
	switch key {
	case "provider", "include", "credential_spec":
		return unknown("%s has the key %s, by which compose starts programs or takes other files", quoted(file), quoted(key))
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

// target is the node that an alias refers to.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// ownWords reports whether a key holds words of a service's own, which compose only hands on.
func ownWords(key string) bool {
	return slices.Contains([]string{"environment", "labels", "annotations", "command", "entrypoint", "args"}, key)
}

// anchored reports whether something in a node may stand elsewhere too.
func anchored(n *yaml.Node) bool { return n.Anchor != "" || slices.ContainsFunc(n.Content, anchored) }

// composeNames judges the names of files behind a key: of the repositories or the project's folder, and none of the machine's secrets.
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

// composed are the services of a compose project: those that are named, or the project itself.
func (j *judge) composed(c *invocation, inv *inventory.Inventory, given []string) (names []string, err error) {
	project, err := j.project(c, inv)
	switch {
	case err != nil:
		return nil, err
	case project == "":
		return nil, unknown("which project this is about cannot be read; name it with -p or -f")
	case len(given) == 0 && j.takesAll(c):
		return j.allOf(c, inv, project)
	case len(given) == 0:
		return []string{project}, nil
	}
	for _, service := range given {
		name, known := inv.Lookup(project+"-"+service+"-1", project+"_"+service+"_1", project+"-"+service)
		if _, whole := inv.Lookup(project); !known && whole && inv.Divided() {
			name, known = project, true // of all that belongs to it, the same part looks after it
		}
		if !known {
			name, known = inv.Lookup(service)
		}
		if !known {
			name = service
		}
		names = append(names, name)
	}
	return names, nil
}

// takesAll reports whether a call of compose that names no service stops all of its project.
func (j *judge) takesAll(c *invocation) bool {
	return j.place == "" && (slices.Contains([]string{"restart", "stop", "start", "down"}, step(c.name)) || c.has("--force-recreate", "--always-recreate-deps"))
}

// allOf are a project and what the inventory knows of its services: each counts.
func (j *judge) allOf(c *invocation, inv *inventory.Inventory, project string) (names []string, err error) {
	names = []string{inv.Service(project)}
	files := c.valuesOf("--file")
	if len(files) == 0 {
		_, files = j.projectFolder()
	}
	for _, file := range files {
		documents, err := j.documents(j.absolute(file))
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			var content struct {
				Services map[string]struct {
					ContainerName string `yaml:"container_name"`
				} `yaml:"services"`
			}
			if err := document.Decode(&content); err != nil {
				return nil, unknown("which services %s names cannot be read", quoted(file))
			}
			for _, service := range slices.Sorted(maps.Keys(content.Services)) {
				name, known := inv.Lookup(content.Services[service].ContainerName, project+"-"+service+"-1", project+"_"+service+"_1", project+"-"+service, service)
				if known && !slices.Contains(names, inv.Service(name)) && inv.Elsewhere(name) == "" {
					names = append(names, inv.Service(name))
				}
			}
		}
	}
	return names, nil
}

// project is the name of a compose project: that of its files, or the one that is given where it is the same, or where the inventory
// knows it and nothing is made of any files. It is empty where that cannot be read. On another host, where it is not known which files compose
// finds, they are named, and so is the project by the inventory.
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

// projectOfFiles is the name that a project's files, all of one folder, give it, or that folder's.
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

// projectName is the name that a project's files give it, the last one that does so, unless its .env does.
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

// filesInEnv are the files that the .env of folders chooses for compose. One by which compose would use another daemon or further
// variables is refused: those no agent chooses.
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
			if names == nil { // the line may hold a password: it is not told
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
	choosing    = text.Lazy(`\b(?:DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS\w*)|COMPOSE_(?:FILE|ENV_FILES|PATH_SEPARATOR))\b`)
	chosenFiles = text.Lazy(`^(?:export +)?COMPOSE_FILE=["']?([A-Za-z0-9_./:-]+)["']?$`)
)

// nameInEnv is the name that an .env gives a project, if it says so plainly. One that gives compose other files or options is refused.
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
		if value = strings.Trim(value, `"'`); !plain || name != "" || !serviceNames().MatchString(value) { // the line may hold a password: it is not told
			return "", unknown("%s chooses compose's files, options or daemon, by a variable of compose's or docker's", quoted(file))
		}
		name = value
	}
	if err != nil {
		return "", unknown("%s cannot be read: %v", quoted(file), err)
	}
	return name, nil
}

// stack judges the name of a stack, which is its folder's, or another of the same service: under any other it would be a copy of the whole.
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
