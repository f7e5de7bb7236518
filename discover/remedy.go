package discover

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/inventory"
)

// remedyNote says what the commented-out remedies below it are.
const remedyNote = "# Uncomment a remedy to have it run when the checks find its service down, without a model: with CLAUDEOPS_MAX_TIER above 1, and without your yes with approval: none (docs/first-aid.md)\n"

// remedy returns the restart that brings a candidate back; none if one restart does not.
func (c *candidate) remedy() inventory.Remedy {
	switch {
	case c.unit != "":
		return inventory.Remedy{Restart: inventory.RestartUnit, Name: c.unit}
	case len(c.folders) == 1 && c.folders[0] != "":
		return inventory.Remedy{Restart: inventory.RestartCompose, Project: c.folders[0], Name: c.service}
	case len(c.containers) == 1:
		return inventory.Remedy{Restart: inventory.RestartContainer, Name: c.containers[0]}
	}
	return inventory.Remedy{}
}

// offer sets the service's remedy, if there is exactly one and an inventory accepts it.
func (m *merged) offer() {
	var offers []inventory.Remedy
	for _, c := range m.of {
		if r := c.remedy(); r.Given() {
			offers = append(offers, r)
		}
	}
	if len(offers) != 1 || !m.checks(offers[0]) {
		return
	}
	if _, err := inventory.Parse([]byte("services: [{name: x, remedy: " + remedyText(offers[0]) + "}]")); err == nil {
		m.Remedy = offers[0]
	}
}

// checks reports whether the service has a check of what is restarted. Without one, the name belongs to another service.
func (m *merged) checks(r inventory.Remedy) bool {
	return r.Restart == inventory.RestartCompose || slices.ContainsFunc(m.Checks, func(k Check) bool { return r.Name == k.Container || r.Name == k.Unit })
}

// remedyText formats a remedy on one line.
func remedyText(r inventory.Remedy) string {
	project := ""
	if r.Project != "" {
		project = "project: " + scalar(r.Project) + ", "
	}
	return fmt.Sprintf("{restart: %s, %sname: %s}", r.Restart, project, scalar(r.Name))
}

// offersRemedy reports whether one of the services has a remedy.
func offersRemedy(services []Service) bool {
	return slices.ContainsFunc(services, func(s Service) bool { return s.Remedy.Given() })
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
