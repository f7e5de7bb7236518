package guard

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// project is the name of a compose project: that of its files, or the one that is given where it is the same, or where the inventory
// knows it and nothing is made of any files. It is empty where that cannot be read. On another host, where nobody sees which files compose
// finds, they are named, and so is the project by the inventory.
func (k *walker) project(u *use) string {
	inv, err := k.inventory()
	known := func(name string) bool { _, known := inv.Lookup(name); return err == nil && known }
	given, name := u.value("-p", "--project-name"), k.projectOfFiles(u)
	if u.f.place != "" && (len(u.composeFiles()) == 0 || !known(name)) {
		name = ""
	}
	switch {
	case given == nil, given.text == name:
		return name
	case known(given.text) && makesNothing(u) && k.fileless(u):
		return given.text
	}
	return ""
}

// makesNothing reports whether a step of compose takes the containers that are there.
func makesNothing(u *use) bool {
	return slices.Contains([]string{"restart", "start", "stop", "unpause"}, step(u.name)) // a kill is a stop
}

// fileless reports whether compose finds no files: none is named, and none lies in the folder or above it, where that can be seen.
func (k *walker) fileless(u *use) bool {
	if len(u.composeFiles()) > 0 {
		return false
	}
	if k.world.Hypothetical || u.f.place != "" {
		return true
	}
	for _, dir := range k.resolved(k.cwds, u.f) {
		for ; len(lyingIn(dir)) == 0; dir = path.Dir(dir) {
			if dir == "/" || dir == "." {
				break
			}
		}
		if len(lyingIn(dir)) > 0 {
			return false
		}
	}
	return true
}

// projectOfFiles is the name that a project's files, all of one folder, give it, or that folder's.
func (k *walker) projectOfFiles(u *use) string {
	files := u.composeFiles()
	for _, file := range files[min(1, len(files)):] {
		if path.Dir(file) != path.Dir(files[0]) {
			return ""
		}
	}
	dir := "."
	if len(files) > 0 {
		dir = path.Dir(files[0])
	}
	places := k.places(dir)
	if len(places) != 1 {
		return ""
	}
	name := path.Base(places[0])
	if !k.world.Hypothetical && u.f.place == "" {
		if len(files) == 0 {
			files = lyingIn(places[0])
		}
		given, ok := k.namedProject(places[0], files)
		if !ok || len(files) == 0 { // compose would look in the folders above
			return ""
		}
		if real, err := filepath.EvalSymlinks(places[0]); given == "" && (err != nil || path.Base(real) != name) {
			k.deny(u, Unknown, quoted(places[0])+" is a link, and some versions of compose name the project by its real folder; go there (cd), or name its file by it")
			return ""
		}
		name = reasonOr(given, name)
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return strings.TrimLeft(name, "-_")
}

// composeFiles are the files that are named.
func (u *use) composeFiles() (files []string) {
	for _, g := range u.given {
		if slices.Contains(g.option.names, "--file") && len(g.values) > 0 {
			files = append(files, g.values[0].text)
		}
	}
	return files
}

// lyingIn are the files that compose takes in a folder.
func lyingIn(dir string) (files []string) {
	there := func(name string) bool { _, err := os.Lstat(path.Join(dir, name)); return err == nil }
	i := slices.IndexFunc(composeDefaults, there)
	if i < 0 {
		return nil
	}
	for _, name := range composeOverrides {
		if there(name) {
			files = append(files, name)
		}
	}
	return append([]string{composeDefaults[i]}, files...)
}

// namedProject is the name that a project's files give it, the last one that does so, unless its .env does. It reports false where that
// cannot be read: put together from variables, or said by the .env of another folder.
func (k *walker) namedProject(dir string, files []string) (name string, ok bool) {
	for _, at := range append(slices.Clone(k.cwds), dir) {
		given, ok := namedInEnv(path.Join(at, ".env"))
		if !ok || given != "" && at != dir {
			return "", false
		}
		name = given
	}
	if name != "" {
		return name, true
	}
	for _, file := range files {
		given, ok := namedInFile(path.Join(dir, path.Base(file)))
		if !ok || strings.Contains(given, "$") {
			return "", false
		}
		name = reasonOr(given, name)
	}
	return name, true
}

// namedInEnv is the name that an .env gives a project, if it says so plainly. One that gives compose other files or options is not read.
func namedInEnv(file string) (name string, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", os.IsNotExist(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || !strings.Contains(line, "COMPOSE_") && !strings.Contains(line, "DOCKER_HOST") && !strings.Contains(line, "DOCKER_CONTEXT") {
			continue
		}
		value, plain := strings.CutPrefix(line, "COMPOSE_PROJECT_NAME=")
		value = strings.Trim(value, `"'`)
		if !plain || name != "" || !serviceNames().MatchString(value) {
			return "", false
		}
		name = value
	}
	return name, true
}

// namedInFile is the name that a compose file gives its project.
func namedInFile(file string) (name string, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}
	for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var project struct {
			Name string `yaml:"name"`
		}
		if err := documents.Decode(&project); err != nil {
			return name, errors.Is(err, io.EOF)
		}
		name = reasonOr(project.Name, name)
	}
}

// composeLinks refuses a project whose files are links that lead out of the repositories: of a file that it cannot read compose shows
// what stands in it.
func (k *walker) composeLinks(u *use) {
	k.composeContents(u, u.composeFiles())
	if u.failed || k.world.Hypothetical || u.f.place != "" {
		return
	}
	dirs := slices.Clone(k.cwds)
	for _, file := range u.composeFiles() {
		dirs = append(dirs, k.places(path.Dir(file))...)
	}
	repos, err := filepath.EvalSymlinks(k.world.ReposDir)
	for _, dir := range dirs {
		for _, name := range slices.Concat([]string{".env"}, composeDefaults, composeOverrides) {
			p := path.Join(dir, name)
			info, missing := os.Lstat(p)
			if missing != nil || info.Mode().IsRegular() {
				continue
			}
			if real, broken := filepath.EvalSymlinks(p); err != nil || broken != nil || k.committable(p) && !below(real, repos) || k.machineSecret(real) {
				k.deny(u, Unknown, quoted(p)+" is a link that leads out of the repositories")
				return
			}
		}
	}
}

// stack judges the name of a stack, which is its folder's, or another of the same service: under any other it would be a copy of the whole.
func (k *walker) stack(u *use) {
	file := u.value("--compose-file")
	if file == nil || len(u.operands) != 1 {
		return
	}
	k.composeContents(u, []string{file.text})
	name := u.operands[0].text
	inv, err := k.inventory()
	_, known := inv.Lookup(name)
	known = known && err == nil
	for _, dir := range k.places(path.Dir(file.text)) {
		folder := path.Base(dir)
		if same := folder == name && u.f.place == "" || known && inv.Service(folder) == inv.Service(name); !same {
			k.deny(u, Unknown, quoted(name)+" is not the folder of its file, nor does the inventory know both as one service")
			return
		}
	}
}
