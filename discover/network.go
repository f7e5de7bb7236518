package discover

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/probe"
)

const (
	// askTime limits the time for the engine and the cluster together, and for resolving one name.
	askTime = 5 * time.Second
	// keepTime is how long their answers are used; silentTime is how long they are not asked again after a failure.
	keepTime, silentTime = 10 * time.Second, time.Minute
)

// Network knows the hosts that are reachable over the networks of an environment's container engine and cluster: containers, services and
// pods. They are queried on demand. It leaves out this program's own containers, pods and services, and those that use this machine's
// network, which have the machine's names.
type Network struct {
	Environ []string // with DOCKER_HOST and KUBECONFIG, if set, HOME, and the PATH of kubectl

	mu    sync.Mutex
	until time.Time // until when hosts is valid
	hosts []host

	limit time.Duration // replaces askTime
	now   func() time.Time
}

// host is one container, pod or service.
type host struct {
	names     []string // its network names
	addresses []netip.Addr
	shares    bool // it uses the network of its machine, or of this process
	own       bool // it is this program's own, or leads to it
	selector  map[string]string
	labels    map[string]string
}

// Reports reports whether a container or a service has this name or address.
func (n *Network) Reports(name string) bool {
	hosts := n.ask()
	addr, _ := netip.ParseAddr(name) // no host has the zero address
	return slices.ContainsFunc(hosts, func(h host) bool {
		return !h.own && !h.shares && (slices.Contains(h.names, name) || slices.Contains(h.addresses, addr.Unmap()))
	})
}

// ask returns the current hosts, or those of a moment ago.
func (n *Network) ask() []host {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now
	if n.now != nil {
		now = n.now
	}
	if now().Before(n.until) {
		return n.hosts
	}
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(n.limit, askTime))
	defer cancel()
	var engine, cluster []host
	var engineErr, clusterErr error
	var asked sync.WaitGroup
	asked.Go(func() { engine, engineErr = engineHosts(ctx, n.Environ) })
	asked.Go(func() { cluster, clusterErr = clusterHosts(ctx, n.Environ) })
	asked.Wait()
	n.hosts = append(engine, cluster...)
	markOwn(n.hosts)
	if n.until = now().Add(keepTime); engineErr != nil || clusterErr != nil {
		n.until = now().Add(silentTime)
	}
	return n.hosts
}

// engineHosts returns the running containers.
func engineHosts(ctx context.Context, environ []string) (hosts []host, err error) {
	if socket, local := strings.CutPrefix(probe.EngineAddress(environ), "unix://"); local {
		if _, err := os.Stat(socket); os.IsNotExist(err) {
			return nil, nil
		}
	}
	found, err := probe.Identities(ctx, environ, false)
	if err != nil {
		return nil, err
	}
	shares := map[string]bool{}
	for _, c := range found {
		shares[c.ID] = c.Network == "host"
	}
	for _, c := range found {
		service := cmp.Or(c.Labels[labelService], c.Labels["com.docker.swarm.service.name"])
		if strings.Contains(service, ".") { // an image may set labels; they must not give a container a public name
			service = ""
		}
		h := host{names: []string{strings.ToLower(c.Name)}, addresses: c.Addresses, labels: c.Labels}
		if service != "" {
			h.names = append(h.names, strings.ToLower(service))
		}
		of, joins := strings.CutPrefix(c.Network, "container:")
		h.shares = shares[c.ID] || joins && shares[of]
		h.own = c.Labels["org.opencontainers.image.title"] == "claudeops"
		if i := slices.IndexFunc(found, func(other probe.Identity) bool { return joins && other.ID == of }); i >= 0 {
			h.addresses = found[i].Addresses
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// kubeTemplate makes kubectl print one line with the relevant fields of each service and pod.
const kubeTemplate = `{{range .items}}{{.kind}} {{.metadata.namespace}} {{.metadata.name}}` +
	`{{with .spec.type}} type={{.}}{{end}}{{range .spec.clusterIPs}} ip={{.}}{{end}}{{range .status.podIPs}} ip={{.ip}}{{end}}{{if .spec.hostNetwork}} host=true{{end}}` +
	`{{range $k, $v := .spec.selector}} selector={{$k}}={{$v}}{{end}}{{range $k, $v := .metadata.labels}} label={{$k}}={{$v}}{{end}}{{"\n"}}{{end}}`

// clusterHosts returns the services and pods of the cluster that kubectl is configured for: those of all namespaces, or those that kubectl
// may list.
func clusterHosts(ctx context.Context, environ []string) (hosts []host, err error) {
	if !clusterConfigured(environ) {
		return nil, nil
	}
	const most = 8 << 20
	for _, where := range []string{"--all-namespaces=true", "--all-namespaces=false"} {
		text, exit, err := probe.Output(ctx, environ, most, "kubectl", "get", "services,pods", where, "-o", "go-template="+kubeTemplate)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			hosts = append(hosts, kubeHost(strings.Fields(line))...)
		}
		if exit == 0 && len(text) < most {
			return hosts, nil
		}
	}
	if len(hosts) == 0 {
		return nil, errors.New("kubectl lists no services and pods")
	}
	return hosts, nil
}

// clusterConfigured reports whether kubectl exists, and is configured for a cluster.
func clusterConfigured(environ []string) bool {
	_, installed := child.Find("kubectl", config.Lookup(environ, "PATH"))
	_, stat := os.Stat(filepath.Join(config.Lookup(environ, "HOME"), ".kube", "config"))
	return installed && (stat == nil || config.Lookup(environ, "KUBECONFIG") != "" || config.Lookup(environ, "KUBERNETES_SERVICE_HOST") != "")
}

// kubeHost parses a line of kubeTemplate. Services without a selector may lead anywhere, and are left out.
func kubeHost(fields []string) []host {
	if len(fields) < 3 {
		return nil
	}
	kind, namespace, name := fields[0], fields[1], fields[2]
	h := host{selector: map[string]string{}, labels: map[string]string{}}
	external := false
	for _, field := range fields[3:] {
		key, value, _ := strings.Cut(field, "=")
		label, is, _ := strings.Cut(value, "=")
		switch key {
		case "ip":
			if addr, err := netip.ParseAddr(value); err == nil {
				h.addresses = append(h.addresses, addr)
			}
		case "host":
			h.shares = true
		case "type":
			external = value == "ExternalName"
		case "selector":
			h.selector[label] = is
		case "label":
			h.labels[label] = is
		}
	}
	h.own = h.labels["app.kubernetes.io/name"] == "claudeops"
	switch {
	case kind == "Pod":
		h.selector = nil
		return []host{h}
	case external || len(h.selector) == 0:
		return nil
	}
	for _, suffix := range []string{"", "." + namespace, "." + namespace + ".svc", "." + namespace + ".svc.cluster.local"} {
		h.names = append(h.names, name+suffix)
	}
	return []host{h}
}

// markOwn marks hosts with an address of this process, and services that lead to this program.
func markOwn(hosts []host) {
	var local []netip.Addr
	if all, err := net.InterfaceAddrs(); err == nil {
		for _, a := range all {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				local = append(local, prefix.Addr().Unmap())
			}
		}
	}
	for i := range hosts {
		if h := &hosts[i]; slices.ContainsFunc(h.addresses, func(a netip.Addr) bool { return slices.Contains(local, a) }) {
			h.own, h.shares = true, true
		}
	}
	for i := range hosts {
		if s := &hosts[i]; len(s.selector) > 0 {
			s.own = s.own || slices.ContainsFunc(hosts, func(pod host) bool { return pod.own && len(pod.selector) == 0 && selects(s.selector, pod.labels) })
		}
	}
}

func selects(selector, labels map[string]string) bool {
	for name, value := range selector {
		if is, has := labels[name]; !has || is != value {
			return false
		}
	}
	return true
}
