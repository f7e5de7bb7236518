package discover

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/internal/netname"
	"github.com/claudeops/claudeops/probe"
)

// Labels set by docker compose.
const (
	labelProject   = "com.docker.compose.project"
	labelService   = "com.docker.compose.service"
	labelFolder    = "com.docker.compose.project.working_dir"
	labelFiles     = "com.docker.compose.project.config_files"
	labelDependsOn = "com.docker.compose.depends_on"
	labelOneOff    = "com.docker.compose.oneoff"
)

// containers collects running containers, and stopped ones that their restart policy would start again.
func (c *collection) containers(ctx context.Context, o Options) error {
	found, err := probe.Containers(ctx, o.Environ)
	if err != nil {
		return err
	}
	for i := range found {
		c.container(&found[i])
	}
	return nil
}

func (c *collection) container(found *probe.ListedContainer) {
	given := found.Labels
	switch {
	case strings.EqualFold(given[labelOneOff], "true"): // from `docker compose run`
		return
	case given["com.docker.swarm.service.name"] != "":
		c.leaveOut("container "+shown(found.Name), "of a Swarm service, whose containers change their names; check the port that it publishes")
		return
	case given["io.kubernetes.pod.name"] != "":
		c.leaveOut("container "+shown(found.Name), "of a pod of Kubernetes, whose containers change their names")
		return
	}
	if !found.Running && (found.Restart == "" || found.Restart == "no") {
		return
	}
	var one *candidate
	from := "container " + shown(found.Name)
	if project, service := given[labelProject], given[labelService]; project != "" && service != "" {
		one = c.candidate("compose\x00"+project+"\x00"+service, candidate{project: project, service: service})
		folder := composeFolder(given)
		if !c.exists(folder) { // the engine is another machine's, or the project is gone
			folder = ""
		}
		one.folders = add(one.folders, folder)
		from += ", service " + shown(service) + " of compose project " + shown(project)
	} else {
		one = c.candidate("container\x00"+found.Name, candidate{service: found.Name})
	}
	one.ignored = one.ignored || strings.EqualFold(strings.TrimSpace(given["claudeops.ignore"]), "true")
	one.labels.take(given)
	one.containers = add(one.containers, found.Name)
	one.image = found.Image
	one.from = add(one.from, from)
	for _, entry := range strings.SplitN(given[labelDependsOn], ",", maxNeeded+1) { // an overlong rest matches no service
		needed, _, _ := strings.Cut(entry, ":") // "db:service_healthy:true"
		if needed = strings.TrimSpace(needed); needed != "" {
			one.needs = add(one.needs, needed)
		}
	}
	for _, p := range found.Ports {
		if p.Protocol == "tcp" {
			one.ports = add(one.ports, c.published(p.Address, int(p.Public), int(p.Private)))
		}
	}
}

// published returns a port as it is reached from here.
func (c *collection) published(address string, public, private int) port {
	host := c.host
	if ip, err := netip.ParseAddr(address); err == nil && !ip.IsUnspecified() && (!ip.IsLoopback() || netname.Loopback(host)) {
		host = ip.String()
	}
	return port{address: net.JoinHostPort(host, strconv.Itoa(public)), private: private}
}
