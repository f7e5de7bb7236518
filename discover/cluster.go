package discover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/probe"
)

const (
	maxClusterText  = 8 << 20     // bytes of kubectl's output
	maxNamespaces   = 100         // how many are asked one by one
	connectTime     = time.Second // for one port of the cluster
	connectsAtOnce  = 16
	clusterTemplate = `{{range .items}}{{.metadata.namespace}} {{.metadata.name}} {{.spec.clusterIP}}{{range .spec.ports}} {{.protocol}}/{{.port}}{{end}}{{"\n"}}{{end}}`
	nameTemplate    = `{{range .items}}{{.metadata.name}}{{"\n"}}{{end}}`
)

// clusterService is a Kubernetes service.
type clusterService struct {
	namespace, name string
	ports           []port
}

// cluster collects the services in the namespaces that kubectl may read, if this machine can connect to them. Others are only for use
// inside the cluster.
func (c *collection) cluster(ctx context.Context, o Options) error {
	if !clusterConfigured(o.Environ) {
		return nil
	}
	listed, err := c.clusterServices(ctx, o.Environ)
	if err != nil {
		return fmt.Errorf("kubectl was not asked for services: %w", err)
	}
	var connects errgroup.Group
	connects.SetLimit(connectsAtOnce)
	for i := range listed {
		connects.Go(func() error {
			listed[i].ports = slices.DeleteFunc(listed[i].ports, func(p port) bool { return !connectsTo(ctx, p.address) })
			return nil
		})
	}
	_ = connects.Wait() // none returns an error
	elsewhere := 0
	for _, s := range listed {
		if len(s.ports) == 0 {
			elsewhere++
			continue
		}
		one := c.candidate("kubernetes\x00"+s.namespace+"\x00"+s.name, candidate{project: s.namespace, service: s.name, namespaced: true})
		one.ports = add(one.ports, s.ports...)
		one.from = add(one.from, "service "+shown(s.name)+" of Kubernetes namespace "+shown(s.namespace))
	}
	if elsewhere > 0 {
		c.leaveOut(text.Count(elsewhere, "service")+" of Kubernetes", "no port takes connections from here")
	}
	return nil
}

// clusterServices lists the services of all namespaces, or else of each namespace that may be read.
func (c *collection) clusterServices(ctx context.Context, environ []string) ([]clusterService, error) {
	list := func(template string, args ...string) (string, error) {
		return kubectl(ctx, environ, append([]string{"get"}, append(args, "-o", "go-template="+template)...)...)
	}
	all, allErr := list(clusterTemplate, "services", "--all-namespaces=true")
	if allErr == nil {
		return readClusterServices(all), nil
	}
	names, err := list(nameTemplate, "namespaces")
	if err != nil { // the configuration still names one
		current, err := list(clusterTemplate, "services")
		if err != nil {
			return nil, allErr
		}
		return readClusterServices(current), nil
	}
	var found []clusterService
	namespaces := strings.Fields(names)
	for _, namespace := range namespaces[:min(len(namespaces), maxNamespaces)] {
		some, err := list(clusterTemplate, "services", "--namespace="+namespace)
		if err != nil {
			c.leaveOut("Kubernetes namespace "+shown(namespace), "its services may not be read")
			continue
		}
		found = append(found, readClusterServices(some)...)
	}
	if more := len(namespaces) - maxNamespaces; more > 0 {
		c.leaveOut(text.Count(more, "Kubernetes namespace"), "there are too many to ask one by one")
	}
	return found, nil
}

// readClusterServices parses lines of clusterTemplate, without the cluster's own services and those without an address.
func readClusterServices(lines string) (found []clusterService) {
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		if len(fields) < 4 || net.ParseIP(fields[2]) == nil || strings.HasPrefix(fields[0], "kube-") || fields[0] == "default" && fields[1] == "kubernetes" {
			continue
		}
		s := clusterService{namespace: fields[0], name: fields[1]}
		for _, p := range fields[3:] {
			if number, tcp := strings.CutPrefix(p, "TCP/"); tcp {
				s.ports = append(s.ports, port{address: net.JoinHostPort(fields[2], number)})
			}
		}
		found = append(found, s)
	}
	return found
}

func kubectl(ctx context.Context, environ []string, args ...string) (string, error) {
	out, exit, err := probe.Output(ctx, environ, maxClusterText, append([]string{"kubectl", "--request-timeout=10s"}, args...)...)
	if err == nil && exit != 0 {
		err = errors.New("it may not list them, or does not reach its cluster")
	}
	return string(out), err
}

func connectsTo(ctx context.Context, address string) bool {
	conn, err := (&net.Dialer{Timeout: connectTime}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
