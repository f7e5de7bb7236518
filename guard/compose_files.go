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
	maxExtended     = 20
	maxComposeSteps = 100_000
)

// composeContents refuses a project whose files have compose read or fetch others.
func (k *walker) composeContents(u *use, files []string) {
	if k.world.Tier == 1 && u.action == Observe && u.f.place == "" && !k.readsNone(u) {
		k.deny(u, Unknown, "at Tier 1 compose reads no files, since who writes them could have it tell secrets by its faults: "+
			"docker ps -a --filter label=com.docker.compose.project=NAME, docker logs NAME and docker exec NAME show the same; "+
			"or docker compose -p NAME ps of a project that the inventory names, from a folder with no compose file and no .env")
		return
	}
	if slices.Contains(projectless, step(u.name)) {
		return
	}
	if u.f.place != "" && u.action == Observe {
		k.deny(u, Unknown, "elsewhere nobody sees which files a compose file names; docker ps --filter label=com.docker.compose.project=NAME, docker logs NAME and docker exec NAME show the same")
	}
	if u.failed || k.world.Hypothetical || u.f.place != "" {
		return
	}
	scan := composeScan{world: k.world}
	for _, dir := range k.cwds {
		if scan.dotEnv(dir); scan.fault != "" {
			k.deny(u, Unknown, quoted(path.Join(dir, ".env"))+" "+scan.fault+"; call it from another folder, with -f")
			return
		}
	}
	for _, file := range files {
		scan.files = append(scan.files, k.places(file)...)
	}
	if len(files) == 0 {
		scan.files = filesAbove(k.cwds)
	}
	for i := 0; i < len(scan.files) && scan.fault == ""; i++ { // grows by what is extended
		if scan.dotEnv(path.Dir(scan.files[i])); scan.fault != "" {
			scan.fault = "has an .env beside it that " + scan.fault
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

// projectless are the steps that look at no project. The .env of the folder where they are called compose reads even so.
var projectless = []string{"ls", "version", "help"}

// readsNone reports whether compose reads no file: it looks at no project or at one that the inventory names, and there is neither a
// project's file nor an .env where it would look.
func (k *walker) readsNone(u *use) bool {
	known := slices.Contains(projectless, step(u.name)) || u.has("-v", "--version", "-h", "--help")
	if given := u.value("-p", "--project-name"); given != nil && !known {
		inv, err := k.inventory()
		_, known = inv.Lookup(given.text)
		known = known && err == nil
	}
	if !known || len(u.composeFiles()) > 0 || k.world.Hypothetical {
		return known && len(u.composeFiles()) == 0
	}
	dirs := k.resolved(k.cwds, u.f)
	return len(dirs) > 0 && len(filesAbove(dirs)) == 0 && !slices.ContainsFunc(dirs, func(dir string) bool {
		_, err := os.Lstat(path.Join(dir, ".env"))
		return !os.IsNotExist(err)
	})
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
	steps int    // that were taken, since what an alias stands for may hold the alias
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
			s.project(root)
			s.node(root)
		}
	}
}

// node looks at a node and all below it. Aliases are not followed: what they stand for is a node of its own.
func (s *composeScan) node(n *yaml.Node) {
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
			s.member(s.meant(child).Value, s.meant(n.Content[i+1]))
		}
		s.node(child)
	}
}

// meant is what an alias stands for.
func (s *composeScan) meant(n *yaml.Node) *yaml.Node {
	if s.steps++; s.steps > maxComposeSteps {
		s.fault = "goes round in its aliases"
		return &yaml.Node{}
	}
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// The keys that a project, a service and what is built may have: by others compose starts programs, or takes files from elsewhere.
var (
	projectKeys = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:name|version|services|networks|volumes|configs|secrets|x-.*)$`)
	})
	serviceKeys = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:annotations|attach|blkio_config|build|cap_add|cap_drop|cgroup|cgroup_parent|command|configs|container_name|cpu_(?:count|percent|period|quota|rt_period|rt_runtime|shares)|` +
			`cpus|cpuset|depends_on|deploy|device_cgroup_rules|devices|dns|dns_opt|dns_search|domainname|entrypoint|env_file|environment|expose|extends|external_links|extra_hosts|gpus|group_add|healthcheck|` +
			`hostname|image|init|ipc|isolation|labels|links|logging|mac_address|mem_(?:limit|reservation|swappiness)|memswap_limit|network_mode|networks|oom_kill_disable|oom_score_adj|pid|pids_limit|platform|` +
			`ports|privileged|profiles|pull_policy|read_only|restart|runtime|scale|secrets|security_opt|shm_size|stdin_open|stop_grace_period|stop_signal|storage_opt|sysctls|tmpfs|tty|ulimits|user|userns_mode|` +
			`uts|volumes|volumes_from|working_dir|x-.*)$`)
	})
	buildKeys = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:args|cache_from|context|dockerfile|dockerfile_inline|extra_hosts|labels|network|no_cache|platforms|pull|shm_size|tags|target|ulimits|x-.*)$`)
	})
	anyKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(``) })
)

// project judges the keys of a compose file.
func (s *composeScan) project(root *yaml.Node) {
	s.keys(root, projectKeys(), func(key string, value *yaml.Node) {
		if key == "services" {
			s.keys(value, anyKey(), func(_ string, service *yaml.Node) {
				s.keys(service, serviceKeys(), s.builds)
			})
		}
		if key == "configs" || key == "secrets" {
			s.keys(value, anyKey(), func(_ string, mounted *yaml.Node) {
				s.keys(mounted, anyKey(), s.mounts)
			})
		}
	})
}

// mounts judges the file of a configuration or a secret, which a container shows to whoever reads it there.
func (s *composeScan) mounts(key string, value *yaml.Node) {
	if key == "file" && !s.plain(value) {
		s.fault = "gives its services a file that does not lie in its folder"
	}
}

// builds judges what an image is built of: what lies in the project's folder.
func (s *composeScan) builds(key string, value *yaml.Node) {
	switch {
	case key != "build":
	case value.Kind == yaml.MappingNode:
		s.keys(value, buildKeys(), func(key string, value *yaml.Node) {
			if (key == "context" || key == "dockerfile") && !s.plain(value) {
				s.fault = "builds of what does not lie in its folder"
			}
		})
	case !s.plain(value):
		s.fault = "builds of what does not lie in its folder"
	}
}

// keys judges the keys of a mapping, also of those that are merged into it, and has each of its values judged.
func (s *composeScan) keys(n *yaml.Node, known *regexp.Regexp, each func(key string, value *yaml.Node)) {
	n = s.meant(n)
	for i := 0; i < len(n.Content) && s.fault == ""; i++ {
		if n.Kind != yaml.MappingNode { // a list of what is merged
			s.keys(n.Content[i], known, each)
			continue
		}
		key, value := s.meant(n.Content[i]), s.meant(n.Content[i+1])
		if i++; key.Value == "<<" {
			s.keys(value, known, each)
		} else if !known.MatchString(key.Value) {
			s.fault = "has the key " + quoted(key.Value) + ", which is not granted there"
		} else {
			each(key.Value, value)
		}
	}
}

func (s *composeScan) member(key string, value *yaml.Node) {
	switch {
	case key == "env_file":
		s.envFiles(value)
	case key == "environment" || key == "args":
		s.passes(value)
	case key == "extends" && value.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(value.Content); i += 2 {
			switch name, file := s.meant(value.Content[i]).Value, s.meant(value.Content[i+1]); {
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
		n = s.meant(n)
		for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
			if name := s.meant(n.Content[i]).Value; name != "path" && name != "required" && name != "format" {
				s.fault = "has an env_file that is not named plainly"
			} else if name == "path" {
				s.envFile(s.meant(n.Content[i+1]))
			}
		}
		if n.Kind != yaml.MappingNode && n.Tag != "!!null" {
			s.envFile(n)
		}
	}
}

// envFile judges one file of variables, its name and its text.
func (s *composeScan) envFile(n *yaml.Node) {
	if !s.plain(n) || !variablesFile().MatchString(path.Base(n.Value)) {
		s.fault = "has an env_file outside of its folder, or of another name than .env, NAME.env or .env.NAME"
		return
	}
	if s.assignments(path.Join(s.dir, n.Value)); s.fault != "" {
		s.fault = "has an env_file that " + s.fault
	}
}

// dotEnv judges the .env of a folder, which compose reads itself.
func (s *composeScan) dotEnv(dir string) {
	file := path.Join(dir, ".env")
	if _, plain := namedInEnv(file); !plain {
		s.fault = "chooses compose's files or options (COMPOSE_…)"
		return
	}
	s.assignments(file)
}

// assignment is a line of a file of variables: blank, a remark, or one variable with its value. Of one without a value compose takes that
// of its environment, of one behind a value in quotes too.
var assignment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*(?:(?:export )?[A-Za-z_][A-Za-z0-9_.-]*= *(?:(?:"(?:[^"\\[:cntrl:]]|\\[nrt])*"|'[^'\\[:cntrl:]]*')[ \t]*|[^"'\s[:cntrl:]\x{85}\x{a0}][^[:cntrl:]]*)?)?(?:#[^[:cntrl:]]*)?$`)
})

// assignments judges a file of variables: compose puts others into their values.
func (s *composeScan) assignments(file string) {
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) || len(text) > maxComposeFile {
		s.fault = "cannot be read"
		return
	}
	s.variables(string(text))
	for line := range strings.Lines(string(text)) {
		if !assignment().MatchString(strings.TrimRight(line, "\r\n")) {
			s.fault = "has a line that is no plain NAME=VALUE"
		}
	}
}

// passes judges what stands behind environment: and args:, where a name without a value is handed on from the agent's environment. Such
// a name stands there literally.
func (s *composeScan) passes(value *yaml.Node) {
	switch value.Kind {
	case yaml.ScalarNode: // of a secret or a configuration
		if value.Tag != "!!null" {
			s.handsOn(value.Value)
		}
	case yaml.SequenceNode:
		for _, n := range value.Content {
			if n = s.meant(n); n.Kind != yaml.ScalarNode { // what is merged
				s.passes(n)
			} else if name, _, given := strings.Cut(n.Value, "="); !given || strings.Contains(name, "$") {
				s.handsOn(name)
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(value.Content); i += 2 {
			key, of := s.meant(value.Content[i]), s.meant(value.Content[i+1])
			if of.Tag == "!!null" {
				s.handsOn(key.Value)
			} else if of.Kind != yaml.ScalarNode { // what is merged
				s.passes(of)
			}
		}
	}
}

// handsOn judges the name of a variable that is handed on.
func (s *composeScan) handsOn(name string) {
	if strings.Contains(name, "$") {
		s.fault = "hands on variables whose names are put together"
	} else if name = strings.TrimSpace(name); s.isSet(name) && confidential().MatchString(name) {
		s.fault = "hands on the variable " + name + " of the agent's environment"
	}
}

func (s *composeScan) isSet(name string) bool {
	return slices.ContainsFunc(s.world.Environ, func(e string) bool { return strings.HasPrefix(e, name+"=") })
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
	agentsNames  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:CLAUDE|CLAUDEOPS|ANTHROPIC)_[A-Z0-9_]*`) })
	confidential = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:AWS|GOOGLE|AZURE|VAULT)_|TOKEN|SECRET|PASS|KEY|CRED|AUTH|PROXY|HEADER|COOKIE|URL$|DSN|PIN$`)
	})
)

// variables judges those that stand in a text: compose puts their values there, the agent's before those of an .env.
func (s *composeScan) variables(text string) {
	if name := agentsNames().FindString(text); name != "" {
		s.fault = "names the agent's variable " + name
		return
	}
	for _, match := range interpolated().FindAllStringSubmatch(text, -1) {
		name := match[1]
		if agents().MatchString(name) || s.isSet(name) && confidential().MatchString(name) {
			s.fault = "puts the variable " + name + " of the agent's environment into its text"
		}
	}
}
