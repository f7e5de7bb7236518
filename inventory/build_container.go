package inventory

import (
	"strings"

	"github.com/claudeops/claudeops/check"
)

func containerForm() form {
	return form{
		of: check.Container, what: "a container check",
		begin: func(c *Check) { c.Container = &Container{} },
		fields: []field[Check]{
			{"container", func(b *builder, c *Check, value *node) { c.Container.Name = b.container(value) }},
			{"engine", func(b *builder, c *Check, value *node) { c.Container.Engine = b.url(value, "engine", engineURL) }},
			{"job", func(b *builder, c *Check, value *node) { c.Container.Job = b.boolean(value, "job") }},
		},
		finish: func(*builder, *Check, *node) {}, // but see containerOfService
	}
}

func (b *builder) container(value *node) string {
	given, ok := b.text(value, "container")
	name := strings.TrimPrefix(given, "/") // docker inspect writes one
	if ok && !isContainer(name) {
		b.fault(value, "container", shown(given)+" is no container's name; must be letters, digits, _, . and -, like shop-web-1")
	}
	return name
}

// containerOfService gives a container check that names no container that of its service's name.
func (b *builder) containerOfService(c *Container, service string, n *node) {
	if n.member("container") != nil || service == "" {
		return
	}
	if c.Name = strings.TrimPrefix(service, "/"); !isContainer(c.Name) {
		b.fault(n, "container", "missing, and the service's name is no container's; must be the name of the container")
	}
}

// isContainer reports whether Docker and podman could have given a container that name or id.
func isContainer(name string) bool {
	return name != "" && len(name) <= check.MaxServiceName && isLabel(rune(name[0])) && name[0] != '-' && name[0] != '_' &&
		!strings.ContainsFunc(name, func(r rune) bool { return !isLabel(r) && r != '.' })
}
