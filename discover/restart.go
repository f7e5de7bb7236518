package discover

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/inventory"
)

// aidNote says what the commented-out keys below it are.
const aidNote = "# Uncomment a first_aid to have it done when the checks find its service down, without a model: with CLAUDEOPS_MAX_TIER above 1, and without your yes with approval: none (docs/first-aid.md)\n"

// restart returns how one restart brings a candidate back; one is false if it does not. The container or unit that its check names need not
// be written.
func (c *candidate) restart() (w inventory.Way, one bool) {
	switch {
	case c.unit != "":
		return w, true
	case len(c.folders) == 1 && c.folders[0] != "":
		return inventory.Way{Kind: inventory.Compose, File: c.folders[0], Name: c.service}, true
	}
	return w, len(c.containers) == 1
}

// offer sets how the service is restarted and offers first aid, if there is exactly one way and an inventory accepts it.
func (m *merged) offer() {
	offered := *m
	offers := 0
	for _, c := range m.of {
		if w, one := c.restart(); one {
			offered.Restart = w
			offers++
		}
	}
	offered.Aid, offered.DependsOn = true, nil
	text := strings.Replace(string(Found{Services: []Service{offered.Service}}.render()), "# first_aid:", "first_aid:", 1)
	if _, err := inventory.Parse([]byte(text)); err == nil && offers == 1 {
		m.Restart, m.Aid = offered.Restart, true
	}
}

// offersAid reports whether first aid is offered for one of the services.
func offersAid(services []Service) bool {
	return slices.ContainsFunc(services, func(s Service) bool { return s.Aid })
}

// plainPath matches paths that need no second look. Labels are foreign text.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9_@+][A-Za-z0-9._@+-]*)+$`)

const maxPath = 200

// isComposeName matches the names of files, and of overrides, that docker compose looks for.
var isComposeName = regexp.MustCompile(`^(docker-)?compose(\.override)?\.ya?ml$`).MatchString

// composeFolder returns the folder of a container's compose project, or its file if that is not called as docker compose expects. It is
// empty if the labels do not name a plain one, or if docker compose would take it for another project.
func composeFolder(given map[string]string) string {
	folder, files := given[labelFolder], strings.Split(given[labelFiles], ",")
	elsewhere := func(file string) bool {
		return path.Dir(file) != folder || len(file) > maxPath || !plainPath.MatchString(file)
	}
	unusual := func(file string) bool { return !isComposeName(path.Base(file)) }
	switch {
	case slices.ContainsFunc(files, elsewhere) || projectName(path.Base(folder)) != given[labelProject]:
		return ""
	case !slices.ContainsFunc(files, unusual):
		return folder
	case len(files) == 1:
		return files[0]
	}
	return ""
}

// projectName returns docker compose's name for a project that only its folder names.
func projectName(folder string) string {
	return strings.TrimLeft(inNoProject.ReplaceAllString(strings.ToLower(folder), ""), "_-")
}

var inNoProject = regexp.MustCompile(`[^a-z0-9_-]`)
