package discover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"
)

const (
	maxDepth       = 8       // nesting of directories
	maxEntries     = 100_000 // files and directories examined
	maxFiles       = 1000    // directories with compose files
	maxComposeFile = 1 << 20 // bytes
)

// errEnough ends a walk that has reached a limit.
var errEnough = errors.New("enough")

// composeNames are the names that docker compose looks for, in order. An override of the file that it takes is read too.
var composeNames = []string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"}

// isComposeName matches overrides, too.
var isComposeName = regexp.MustCompile(`^(docker-)?compose(\.override)?\.ya?ml$`).MatchString

// composeFiles collects the services in compose files below the repositories directory. Links are not followed.
func (c *collection) composeFiles(ctx context.Context, o Options) error {
	if o.ReposDir == "" {
		return errors.New("no folder of repositories is named (CLAUDEOPS_REPOS_DIR), so that no compose file was read")
	}
	root, err := os.OpenRoot(o.ReposDir)
	if err != nil {
		return fmt.Errorf("the folder of repositories (CLAUDEOPS_REPOS_DIR=%s) cannot be opened: %w", o.ReposDir, reason(err))
	}
	defer func() { _ = root.Close() }() // it was only read
	files, cut := composeFilesBelow(ctx, root.FS())
	for _, file := range files {
		if ctx.Err() != nil {
			return fmt.Errorf("the compose files below %s were not all read in time", o.ReposDir)
		}
		text, err := readBounded(root, file)
		if err == nil {
			err = c.composeFile(o.ReposDir, file, text)
		}
		if err != nil {
			c.leaveOut("compose file "+shown(file), brief(err.Error()))
		}
	}
	if cut != nil {
		return fmt.Errorf("the folder of repositories (CLAUDEOPS_REPOS_DIR=%s) was not seen whole: %w", o.ReposDir, cut)
	}
	return nil
}

// reason returns the system's error without the path, which the caller names.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// composeFilesBelow returns the compose files of each directory that docker compose would use. The error says why there may be more.
func composeFilesBelow(ctx context.Context, below fs.FS) (files []string, err error) {
	seen := 0
	folders := map[string][]string{}
	err = fs.WalkDir(below, ".", func(at string, entry fs.DirEntry, err error) error {
		seen++
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case seen > maxEntries || len(folders) >= maxFiles:
			return errEnough
		case err != nil:
			return fs.SkipDir // not readable for this user
		case entry.IsDir():
			if name := entry.Name(); name == ".git" || name == "node_modules" || strings.Count(at, "/") >= maxDepth {
				return fs.SkipDir
			}
		case entry.Type().IsRegular() && isComposeName(entry.Name()):
			folders[path.Dir(at)] = append(folders[path.Dir(at)], entry.Name())
		}
		return nil
	})
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		first := func(names ...string) bool {
			i := slices.IndexFunc(names, func(name string) bool { return slices.Contains(folders[folder], name) })
			if i >= 0 {
				files = append(files, path.Join(folder, names[i]))
			}
			return i >= 0
		}
		if first(composeNames...) { // without it, there is nothing to override
			bare := strings.TrimSuffix(files[len(files)-1], path.Ext(files[len(files)-1]))
			first(path.Base(bare)+".override.yaml", path.Base(bare)+".override.yml")
		}
	}
	if errors.Is(err, errEnough) {
		err = fmt.Errorf("it has more than %d files and folders, or compose files in more than %d of them", maxEntries, maxFiles)
	}
	return files, err
}

func readBounded(root *os.Root, name string) (text []byte, err error) {
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	stat, err := file.Stat()
	switch {
	case err != nil:
		return nil, reason(err)
	case !stat.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case stat.Size() > maxComposeFile:
		return nil, fmt.Errorf("larger than %d MiB", maxComposeFile>>20)
	}
	return io.ReadAll(io.LimitReader(file, maxComposeFile))
}

// document is the part of a compose file that is used.
type document struct {
	Name     string                    `yaml:"name"`
	Services map[string]map[string]any `yaml:"services"`
}

// composeFile collects the services of one file: those that run, and those that should.
func (c *collection) composeFile(dir, file string, text []byte) error {
	doc, err := readCompose(text)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Join(dir, path.Dir(file)))
	if err != nil {
		return err
	}
	project := c.projects[filepath.Join(folder, path.Base(file))]
	if project == "" {
		project = projectName(doc.Name, filepath.Base(folder))
	}
	jobs := map[string]bool{} // another service waits for their end
	for _, service := range doc.Services {
		for needed, condition := range dependencies(service["depends_on"]) {
			jobs[needed] = jobs[needed] || condition == "service_completed_successfully"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Services)) {
		c.defined(project, name, file, doc.Services[name], jobs[name])
	}
	return nil
}

func readCompose(text []byte) (doc document, err error) {
	defer func() {
		if p := recover(); p != nil { // the parser panics in cases that it considers impossible
			err = fmt.Errorf("not YAML: %v", p)
		}
	}()
	err = yaml.Unmarshal(text, &doc)
	var wrong *yaml.TypeError
	if errors.As(err, &wrong) { // keep what could be read; the rest is not a service
		err = nil
	}
	return doc, err
}

// projectName returns docker compose's name for a project, given the name in its file and its directory.
func projectName(name, folder string) string {
	if name == "" || strings.Contains(name, "$") {
		name = folder
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return strings.TrimLeft(name, "_-")
}

// defined collects a service that a compose file defines.
func (c *collection) defined(project, name, file string, service map[string]any, job bool) {
	known := c.byKey["compose\x00"+project+"\x00"+name]
	unwanted := len(list(service["profiles"])) > 0 || number(service["scale"]) == 0 || number(member(service["deploy"], "replicas")) == 0
	if known == nil && unwanted {
		return // it runs only on request
	}
	given := pairs(service["labels"])
	one := c.ofCompose(project, name)
	one.ignored = one.ignored || ignores(given)
	one.labels.take(given)
	one.job = one.job || job
	one.from = add(one.from, "defined in "+shown(file))
	for needed := range dependencies(service["depends_on"]) {
		one.needs = add(one.needs, needed)
	}
	slices.Sort(one.needs)
	if len(one.containers) > 0 {
		return // running containers are a better source than the file
	}
	container := asText(service["container_name"])
	switch {
	case strings.Contains(container, "$"):
		one.ignored = true
		c.leaveOut("service "+shown(name)+" of "+shown(file), "it does not run, and its container_name has a variable in it")
		return
	case container == "":
		container = project + "-" + name + "-1"
	}
	one.containers, one.absent = []string{container}, true
	one.image = asText(service["image"])
	for _, entry := range list(service["ports"]) {
		if address, public, private, ok := readPort(entry); ok {
			one.ports = add(one.ports, c.published(address, public, private))
		}
	}
	one.from = add(one.from, "no container of it was found")
}

// dependencies returns the services that a service waits for, each with the condition; that of the short form is service_started.
func dependencies(value any) map[string]string {
	needed := map[string]string{}
	for _, name := range list(value) {
		if name := asText(name); name != "" {
			needed[name] = "service_started"
		}
	}
	if byName, ok := value.(map[string]any); ok {
		for name, what := range byName {
			needed[name] = asText(member(what, "condition"))
		}
	}
	return needed
}

// readPort reads a published TCP port: "8080:80", "127.0.0.1:8080:80/tcp" or {published: 8080, target: 80}. Ranges, variables and ports
// that the engine chooses are not supported.
func readPort(value any) (address string, public, private int, ok bool) {
	if _, long := value.(map[string]any); long {
		if protocol := asText(member(value, "protocol")); protocol != "" && protocol != "tcp" {
			return "", 0, 0, false
		}
		public, private = number(member(value, "published")), number(member(value, "target"))
		address = asText(member(value, "host_ip"))
	} else {
		short, protocol, _ := strings.Cut(asText(value), "/")
		parts := strings.Split(short, ":")
		if protocol != "" && protocol != "tcp" || len(parts) < 2 {
			return "", 0, 0, false
		}
		address = strings.Trim(strings.Join(parts[:len(parts)-2], ":"), "[]")
		public, private = number(parts[len(parts)-2]), number(parts[len(parts)-1])
	}
	isPort := func(n int) bool { return n > 0 && n < 1<<16 }
	return address, public, private, isPort(public) && isPort(private)
}

// pairs reads names with values, which compose accepts as a mapping or as a list of "name=value".
func pairs(value any) map[string]string {
	read := map[string]string{}
	for _, entry := range list(value) {
		name, given, _ := strings.Cut(asText(entry), "=")
		read[name] = given
	}
	if byName, ok := value.(map[string]any); ok {
		for name, given := range byName {
			read[name] = asText(given)
		}
	}
	return read
}

func list(value any) []any {
	elements, _ := value.([]any)
	return elements
}

func member(value any, name string) any {
	members, _ := value.(map[string]any)
	return members[name]
}

// asText returns a scalar as text; empty for anything else.
func asText(value any) string {
	switch value.(type) {
	case string, int, bool, float64:
		return fmt.Sprint(value)
	}
	return ""
}

// number returns a scalar as a number; -1 for anything else.
func number(value any) int {
	if n, err := strconv.Atoi(asText(value)); err == nil {
		return n
	}
	return -1
}
