package cycle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/probe"
)

const (
	// maxBoundFile limits the size of a file that a proposal binds, in bytes.
	maxBoundFile = 512 << 20
	// maxBoundFiles limits the files of a folder that a proposal binds.
	maxBoundFiles = 2000
	// maxBoundImages limits the images that a proposal binds by the names in compose files.
	maxBoundImages = 100
	// imagePrefix begins the name of an image in what a proposal binds.
	imagePrefix = "image "
	// bindTime limits the time for comparing files, and again for asking the engine.
	bindTime = 10 * time.Second
)

// bind returns the state, by name, of everything that a call depends on: its program, the files that the verdict on it has read, the files
// that its arguments name, and the containers with their images. An approved call runs only while all of that is the same.
func (w *workplace) bind(ctx context.Context, program string, call guard.Call, v guard.Verdict) (map[string]string, error) {
	look := looker{environ: w.runner.Environ, dir: call.Dir}
	bound, err := bindFiles(ctx, look, program, call, v.Project)
	if err != nil || !usesEngine(v.Argv) {
		return bound, err
	}
	ctx, cancel := context.WithTimeout(ctx, bindTime)
	defer cancel()
	all, err := probe.Identities(ctx, w.network.Environ, true)
	if err != nil {
		return nil, fmt.Errorf("the containers that it is about are not known: %w", err)
	}
	maps.Copy(bound, boundContainers(v.Argv, slices.Collect(maps.Keys(v.Project.Read)), all))
	images := slices.DeleteFunc(slices.Clone(v.Project.Images), func(image string) bool { return strings.HasPrefix(image, "-") })
	for _, image := range images[:min(len(images), maxBoundImages)] { // of a service without a container, too
		id, err := look.run(ctx, []string{strings.TrimSuffix(v.Argv[0], "-compose"), "image", "inspect", "--format", "{{.Id}}", image})
		if err != nil {
			id = "none"
		}
		bound[imagePrefix+image] = strings.TrimSpace(id)
	}
	return bound, ctx.Err()
}

// bindFiles is the part of bind that is about files.
func bindFiles(ctx context.Context, look looker, program string, call guard.Call, project guard.Project) (map[string]string, error) {
	slow := fmt.Errorf("to compare the files that it depends on takes more than %s", bindTime)
	ctx, cancel := context.WithTimeoutCause(ctx, bindTime, slow)
	defer cancel()
	bound := map[string]string{}
	for path, text := range project.Read {
		bound["file "+path] = "unreadable"
		if text != nil {
			bound["file "+path] = placed(path, digestOf(text))
		}
	}
	add := func(kind, path string, digestOf func(ctx context.Context, path string) (string, error)) error {
		if bound[kind+path] != "" { // a large one named often is read once
			return nil
		}
		digest, err := digestOf(ctx, path)
		if err == nil && digest != "" {
			bound[kind+path] = placed(path, digest)
		}
		return err
	}
	named := slices.Concat(namedFiles(call), project.Named, project.Manifests)
	for _, path := range slices.Concat(named, []string{program}, look.clusterFiles(call.Argv)) {
		if err := add("file ", path, fileDigest); err != nil {
			return nil, err
		}
	}
	for _, path := range project.Manifests {
		if err := add("folder ", path, folderDigest); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// reachesCluster reports whether an argument list calls kubectl or helm, perhaps behind sudo, perhaps by its path.
func reachesCluster(argv []string) bool {
	return slices.ContainsFunc(argv, func(word string) bool { return slices.Contains([]string{"kubectl", "helm"}, filepath.Base(word)) })
}

// slashedPaths returns the paths that words of first aid name by a slash, or by a dot alone. The policy need not know the options of a
// its program, so each of these may be a chart or manifests.
func slashedPaths(call guard.Call) (paths []string) {
	for _, word := range call.Argv[1:] {
		if _, value, joined := strings.Cut(word, "="); joined {
			word = value
		} else if strings.HasPrefix(word, "-") {
			word = word[min(2, len(word)):] // -f./FOLDER
		}
		switch {
		case filepath.IsAbs(word):
			paths = append(paths, word)
		case word == "." || strings.ContainsRune(word, '/'):
			paths = append(paths, filepath.Join(call.Dir, word))
		}
	}
	return paths
}

// folderDigest returns the digest of all files below a folder, by their names; empty if the path is no folder. Links are followed, as helm
// does.
func folderDigest(ctx context.Context, path string) (string, error) {
	root, err := filepath.EvalSymlinks(path)
	if is, failed := os.Stat(root); err != nil || failed != nil || !is.IsDir() {
		return "", nil //nolint:nilerr // whether the call may name it is judged elsewhere
	}
	sum, files, seen := sha256.New(), 0, map[string]bool{}
	var add func(name, folder string) error
	add = func(name, folder string) error {
		return filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
			within := name + file[len(folder):]
			switch {
			case err != nil:
				return err
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case d.IsDir():
				seen[file] = true
				return nil
			case unreadGit(within):
				return nil
			}
			if d.Type()&fs.ModeSymlink != 0 {
				real, err := filepath.EvalSymlinks(file)
				if err == nil && kernels(real) {
					return fmt.Errorf("%s leads to %s, which is not compared", file, real)
				}
				if is, failed := os.Stat(real); err == nil && failed == nil && is.IsDir() && !seen[real] {
					if err := add(within, real); err != nil {
						return err
					}
				}
			}
			if files++; files > maxBoundFiles {
				return fmt.Errorf("%s has more than %d files, which are not compared", path, maxBoundFiles)
			}
			digest, err := fileDigest(ctx, file)
			if err == nil {
				_, err = fmt.Fprintf(sum, "%q %s\n", within, placed(file, digest))
			}
			return err
		})
	}
	if err := add("", root); err != nil {
		return "", fmt.Errorf("compare what lies in a folder: %w", err)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

// kernels reports whether a path is one of the kernel, where reading may block or have effects.
func kernels(path string) bool {
	return slices.ContainsFunc([]string{"/dev/", "/proc/", "/sys/"}, func(dir string) bool { return strings.HasPrefix(path+"/", dir) })
}

// unreadGit reports whether a path in a folder lies in a .git and is read by neither helm nor kubectl: that changes with every fetch.
func unreadGit(within string) bool {
	return strings.Contains(within, "/.git/") && !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(within))
}

// clusterFiles returns the files that say which cluster a call of kubectl or helm reaches.
func (l looker) clusterFiles(argv []string) []string {
	if !reachesCluster(argv) {
		return nil
	}
	if files := config.Lookup(l.environ, "KUBECONFIG"); files != "" {
		return filepath.SplitList(files)
	}
	return []string{filepath.Join(config.Lookup(l.environ, "HOME"), ".kube", "config")}
}

// usesEngine reports whether an argument list is about containers of this machine's engine.
func usesEngine(argv []string) bool {
	return len(argv) > 0 && slices.Contains([]string{"docker", "docker-compose", "podman", "podman-compose"}, argv[0])
}

// idStart matches names of containers that an engine also reads as the start of an id. What is longer was written as an id.
var idStart = regexp.MustCompile(`^[0-9a-f]{1,11}$`)

// maxNamed limits a name that is another's to choose, in characters.
const maxNamed = 60

// meansAnother returns why a remediation would act on another container than the one it names: an engine takes a name that no container
// has for the start of an id. It is empty if none would.
func (w *workplace) meansAnother(ctx context.Context, v guard.Verdict) string {
	argv := v.Argv
	named := func(word string) bool {
		_, known := w.Inventory.Lookup(word)
		return idStart.MatchString(word) && (known || strings.Trim(word, "0123456789") != "") // not the value of --time
	}
	if len(v.Remediations()) == 0 || !usesEngine(argv) || strings.HasSuffix(argv[0], "-compose") || argv[1] == "compose" ||
		!slices.ContainsFunc(argv, named) {
		return ""
	}
	look := looker{environ: w.runner.Environ, dir: w.workDir()}
	out, err := look.run(ctx, []string{argv[0], "ps", "--all", "--no-trunc", "--format", "{{.ID}} {{.Names}}"})
	if err != nil {
		return "it cannot be seen which container that is: " + err.Error()
	}
	has, others := map[string]bool{}, map[string]string{}
	for line := range strings.Lines(out) {
		id, names, _ := strings.Cut(strings.TrimSpace(line), " ")
		for name := range strings.SplitSeq(names, ",") {
			has[name] = true
		}
		for _, word := range argv {
			if named(word) && strings.HasPrefix(id, word) {
				others[word] = names
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(others)) {
		if !has[word] {
			return fmt.Sprintf("no container is named %s, and %s would take that for the start of the id of %s",
				word, argv[0], notify.Unlinked(text.Shorten(others[word], maxNamed)))
		}
	}
	return ""
}

// goneWithSession returns a path that a call depends on and that is removed when its session ends; empty if there is none.
func goneWithSession(folder string, call guard.Call) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil { // as the call's own folder is
		folder = real
	}
	for _, path := range append([]string{call.Dir}, namedFiles(call)...) {
		if within, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(within) {
			return path
		}
	}
	return ""
}

// namedFiles returns the paths that words of a call name, whether there is such a file or not. An option may hold one after its "=".
func namedFiles(call guard.Call) (paths []string) {
	for _, word := range call.Argv[1:] {
		_, value, _ := strings.Cut(word, "=")
		for _, path := range []string{word, value} {
			if path == "" || strings.HasPrefix(path, "-") || strings.ContainsRune(path, 0) {
				continue
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(call.Dir, path)
			}
			paths = append(paths, path)
		}
	}
	return paths
}

// boundContainers returns the containers that a call of an engine's program is about: those that it names and, of a compose project whose
// files were read, those of the services that it names, or of all if it names none.
func boundContainers(argv, project []string, all []probe.Identity) map[string]string {
	bound := map[string]string{}
	named := func(c probe.Identity) bool {
		return slices.ContainsFunc(argv[1:], func(word string) bool {
			return word == c.Name || len(word) >= 12 && strings.HasPrefix(c.ID, word)
		})
	}
	var members []probe.Identity
	ofProject := func(file string) bool { return slices.Contains(project, file) }
	for _, c := range all {
		if files := c.Labels["com.docker.compose.project.config_files"]; slices.ContainsFunc(strings.Split(files, ","), ofProject) {
			members = append(members, c)
		}
	}
	service := func(c probe.Identity) bool { return slices.Contains(argv[1:], c.Labels["com.docker.compose.service"]) }
	if one := slices.ContainsFunc(members, service); one {
		members = slices.DeleteFunc(members, func(c probe.Identity) bool { return !service(c) })
	}
	for _, c := range all {
		if named(c) || slices.ContainsFunc(members, func(m probe.Identity) bool { return m.ID == c.ID }) {
			bound["container "+cmp.Or(c.Name, c.ID)] = c.ID + " of image " + strings.TrimSuffix(c.Image+", "+c.ImageName, ", ")
		}
	}
	return bound
}

// difference names what differs between the state that a proposal binds and the state now, as a clause; empty if nothing does.
func difference(was, is map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		switch now, there := is[name]; {
		case !there:
			return name + " is gone"
		case now != was[name] && strings.HasPrefix(name, "container "):
			id, image, _ := strings.Cut(was[name], " ")
			switch otherID, otherImage, _ := strings.Cut(now, " "); {
			case id == otherID:
				return "the name of the image of " + name + " means another image now"
			case image == otherImage:
				return name + " was replaced by another"
			}
			return name + " was replaced, and has another image"
		case now != was[name] && strings.HasPrefix(name, imagePrefix):
			return name + " means another one now"
		case now != was[name]:
			return name + " has changed"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, there := was[name]; !there {
			return name + " is new"
		}
	}
	return ""
}

// placed adds to a file's digest where links lead: what a compose file names lies beside it.
func placed(path, digest string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		return digest + " at " + real
	}
	return digest
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// fileDigest returns the digest of a regular file; empty if there is none at the path.
func fileDigest(ctx context.Context, path string) (digest string, err error) {
	is, err := os.Stat(path)
	if err != nil || !is.Mode().IsRegular() {
		return "", nil // whether the call may name it is judged elsewhere
	}
	if is.Size() > maxBoundFile {
		return "", fmt.Errorf("%s has more than %d MiB, which is not read", path, maxBoundFile>>20)
	}
	f, err := os.Open(path)
	if err != nil {
		return "unreadable", nil // a change of that is a difference, too
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	timed := readFunc(func(b []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return f.Read(b)
	})
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(timed, maxBoundFile)); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

// readFunc is a reader.
type readFunc func(b []byte) (int, error)

func (read readFunc) Read(b []byte) (int, error) { return read(b) }
