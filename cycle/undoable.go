package cycle

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// undoable is a command whose effect can be undone: how to see what runs, before and after it, and how to bring that back.
type undoable struct {
	look []string // an argument list that prints what runs
	// detail gets the words that look prints as further arguments, and prints the details of what they name; nil: look has all of them.
	detail []string
	read   func(output string) (running, error)
	undo   func(was, became running) []undoing
	clears bool // it only removes what runs; a later command brings something up again
}

// running is what runs, by name: the image of a compose service with its reference, the revision of a release or of a deployment.
type running map[string]string

// undoing is a way back to what ran before.
type undoing struct {
	names []string   // what it changes
	steps [][]string // argument lists; the last is the redeployment
}

// undoableBy returns how to undo a command; known is false if it is none that can be undone.
func undoableBy(argv []string) (u undoable, known bool) {
	if len(argv) == 0 {
		return u, false
	}
	switch path.Base(argv[0]) {
	case "docker":
		options, rest := leading(argv[1:], "-H", "--host", "-c", "--context", "--config", "-l", "--log-level")
		if docker := slices.Concat([]string{"docker"}, options); len(rest) > 0 && rest[0] == "compose" {
			return composeUndo(docker, slices.Concat(docker, rest[:1]), rest[1:])
		}
	case "docker-compose":
		return composeUndo([]string{"docker"}, argv[:1], argv[1:])
	case "helm":
		return helmUndo(argv[1:])
	case "kubectl":
		return kubectlUndo(argv[1:])
	}
	return u, false
}

// leading splits arguments into the options before the first operand, and the rest. valued are the options whose value is an argument of
// its own.
func leading(args []string, valued ...string) (options, rest []string) {
	i := 0
	for i < len(args) && strings.HasPrefix(args[i], "-") {
		if slices.Contains(valued, args[i]) {
			i++
		}
		i++
	}
	i = min(i, len(args))
	return args[:i], args[i:]
}

// operandsOf returns the arguments that are no options, nor values of the valued ones.
func operandsOf(args []string, valued ...string) (operands []string) {
	for len(args) > 0 {
		_, args = leading(args, valued...)
		if len(args) > 0 {
			operands, args = append(operands, args[0]), args[1:]
		}
	}
	return operands
}

// composeUndo tags the former images with the references that the compose file names, and creates the containers anew.
func composeUndo(docker, compose, args []string) (u undoable, known bool) {
	options, rest := leading(args, "-f", "--file", "-p", "--project-name", "--project-directory", "--env-file", "--profile", "--ansi", "--progress", "--parallel")
	if len(rest) == 0 || rest[0] != "up" && rest[0] != "down" {
		return u, false
	}
	compose = slices.Concat(compose, options)
	return undoable{
		look:   slices.Concat(compose, []string{"ps", "-a", "-q"}),
		detail: slices.Concat(docker, []string{"inspect", "--format", `{{index .Config.Labels "com.docker.compose.service"}} {{.Image}} {{.Config.Image}}`}),
		read:   readImages,
		clears: rest[0] == "down",
		undo: func(was, became running) []undoing {
			var names []string
			var steps [][]string
			for _, service := range slices.Sorted(maps.Keys(was)) {
				image, _, _ := strings.Cut(was[service], " ")
				now, reference, _ := strings.Cut(became[service], " ")
				if now == "" || now == image || strings.Contains(reference, "sha256:") { // what is named by its digest cannot be tagged
					continue
				}
				names = append(names, service)
				steps = append(steps, slices.Concat(docker, []string{"tag", image, reference}))
			}
			if names == nil {
				return nil
			}
			up := slices.Concat(compose, []string{"up", "-d", "--no-build", "--no-deps", "--pull", "never"}, names)
			return []undoing{{names, append(steps, up)}}
		},
	}, true
}

// readImages reads lines of a compose service, its image and the image's reference.
func readImages(output string) (running, error) {
	found := running{}
	for line := range strings.Lines(output) {
		service, image, _ := strings.Cut(strings.TrimSpace(line), " ")
		if service != "" && image != "" {
			found[service] = image
		}
	}
	return found, nil
}

// helmUndo rolls a release back to the revision before.
func helmUndo(args []string) (u undoable, known bool) {
	valued := []string{
		"-n", "--namespace", "--kube-context", "--kubeconfig", "--burst-limit", "--qps", "--timeout", "-f", "--values", "--version", "--description", "--history-max",
	}
	operands := operandsOf(args, valued...)
	if len(operands) < 2 || operands[0] != "upgrade" && operands[0] != "rollback" {
		return u, false
	}
	release, where := operands[1], chosen(args, "-n", "--namespace", "--kube-context", "--kubeconfig")
	return undoable{
		look: slices.Concat([]string{"helm", "history", release, "--max", "1", "-o", "json"}, where),
		read: func(output string) (running, error) {
			var history []struct {
				Revision int `json:"revision"`
			}
			if err := json.Unmarshal([]byte(output), &history); err != nil || len(history) == 0 {
				return nil, err
			}
			return running{release: strconv.Itoa(history[len(history)-1].Revision)}, nil
		},
		undo: func(was, became running) []undoing {
			if was[release] == "" || was[release] == became[release] {
				return nil
			}
			return []undoing{{[]string{release}, [][]string{slices.Concat([]string{"helm", "rollback", release, was[release]}, where)}}}
		},
	}, true
}

// kubectlUndo rolls deployments back to the revision before.
func kubectlUndo(args []string) (u undoable, known bool) {
	valued := []string{
		"-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-f", "--filename", "-o", "--output", "--timeout", "--field-manager", "--to-revision",
	}
	operands := operandsOf(args, valued...)
	where := chosen(args, "--context", "--kubeconfig", "--cluster", "--user")
	what := chosen(args, "-n", "--namespace")
	switch {
	case len(operands) > 0 && operands[0] == "apply":
		what = slices.Concat(what, chosen(args, "-f", "--filename"))
		if slices.Contains(args, "-R") || slices.Contains(args, "--recursive") {
			what = append(what, "-R")
		}
	case len(operands) > 2 && operands[0] == "set" && operands[1] == "image":
		what = slices.Concat(what, slices.DeleteFunc(operands[2:], func(word string) bool { return strings.Contains(word, "=") }))
	case len(operands) > 2 && operands[0] == "rollout" && operands[1] == "undo":
		what = slices.Concat(what, operands[2:])
	default:
		return u, false
	}
	return undoable{
		look: slices.Concat([]string{"kubectl", "get", "--ignore-not-found", "-o", "json"}, where, what),
		read: readRevisions,
		undo: func(was, became running) (all []undoing) {
			for _, name := range slices.Sorted(maps.Keys(was)) {
				if became[name] == "" || became[name] == was[name] {
					continue
				}
				namespace, deployment, _ := strings.Cut(name, "/")
				all = append(all, undoing{[]string{name}, [][]string{slices.Concat(
					[]string{"kubectl", "rollout", "undo", "deployment/" + deployment, "-n", namespace, "--to-revision=" + was[name]}, where)}})
			}
			return all
		},
	}, true
}

// revised is a Kubernetes object, or a list of them.
type revised struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Items []revised `json:"items"`
}

// readRevisions reads the revisions of the deployments among objects, by namespace and name.
func readRevisions(output string) (running, error) {
	found := running{}
	if strings.TrimSpace(output) == "" {
		return found, nil
	}
	var all revised
	if err := json.Unmarshal([]byte(output), &all); err != nil {
		return nil, err
	}
	for _, one := range append(all.Items, all) {
		if revision := one.Metadata.Annotations["deployment.kubernetes.io/revision"]; one.Kind == "Deployment" && revision != "" {
			found[one.Metadata.Namespace+"/"+one.Metadata.Name] = revision
		}
	}
	return found, nil
}

// chosen returns those of the arguments that are the named options, with their values.
func chosen(args []string, names ...string) (options []string) {
	for i, arg := range args {
		name, _, joined := strings.Cut(arg, "=")
		switch {
		case slices.Contains(names, name) && joined:
			options = append(options, arg)
		case slices.Contains(names, arg) && i+1 < len(args):
			options = append(options, arg, args[i+1])
		}
	}
	return options
}
