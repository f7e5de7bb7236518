package probe

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/container"
	docker "github.com/moby/moby/client"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

const (
	// maxContainer limits an engine's answer about one container, in bytes.
	maxContainer = 4 << 20
	// maxContainers limits its list of containers, in bytes; this is enough for about ten thousand.
	maxContainers = 64 << 20
	// dockerSocket is the default socket of a Docker engine.
	dockerSocket = "/var/run/docker.sock"
)

// engineOf returns the URL of an environment's engine: DOCKER_HOST, or else the first existing socket of Docker, rootless Docker and
// podman.
func engineOf(environ []string) string {
	if host := config.Lookup(environ, "DOCKER_HOST"); host != "" {
		return host
	}
	runtime := config.Lookup(environ, "XDG_RUNTIME_DIR")
	if runtime == "" { // as under cron
		runtime = filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	}
	return "unix://" + firstSocket(dockerSocket, runtime+"/docker.sock", runtime+"/podman/podman.sock", "/run/podman/podman.sock")
}

// firstSocket returns the first path that is a socket, or the first path.
func firstSocket(paths ...string) string {
	for _, path := range paths {
		if stat, err := os.Stat(path); err == nil && stat.Mode().Type() == fs.ModeSocket {
			return path
		}
	}
	return paths[0]
}

// engine is a container engine with Docker's API.
type engine struct {
	address    string // its URL, without a password
	socket     string // path; empty if it is reached over the network
	client     *docker.Client
	transport  *engineTransport
	negotiated chan struct{} // holds one token, which is taken to negotiate the API version
	version    bool          // the API version is known; only the holder of the token may access it
}

// openEngine does not connect yet.
func openEngine(address string, environ []string) (*engine, error) {
	u, err := docker.ParseHostURL(address)
	if err != nil {
		return nil, errors.New("the engine's URL cannot be read; write it like unix:///var/run/docker.sock or tcp://host:2376")
	}
	e := &engine{address: withoutUser(address), transport: &engineTransport{max: maxContainer}, negotiated: make(chan struct{}, 1)}
	e.negotiated <- struct{}{}
	dialer := &net.Dialer{}
	network, socket := "", ""
	base := &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: maxHeader}
	base.DialContext = func(ctx context.Context, asked, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, cmp.Or(network, asked), cmp.Or(socket, address))
		if err != nil {
			return nil, err
		}
		return &listener{Conn: conn, spoken: make(chan struct{})}, nil
	}
	scheme := "http"
	switch u.Scheme {
	case "unix":
		e.socket = u.Host
		network, socket = "unix", u.Host
	case "tcp", "http", "https":
		base.TLSClientConfig, err = engineTLS(environ, u.Scheme == "https")
		if err != nil {
			return nil, err
		}
		if base.TLSClientConfig != nil {
			scheme = "https"
		}
	case "ssh":
		return nil, fmt.Errorf("the engine %s is not asked by ssh; name a socket or a tcp:// address that `ssh -L` forwards", e.address)
	default:
		return nil, fmt.Errorf("the engine %s cannot be asked; write it like unix:///var/run/docker.sock or tcp://host:2376", e.address)
	}
	e.transport.base = base
	e.client, err = docker.New(docker.WithHost(address), docker.WithScheme(scheme), docker.WithUserAgent("claudeops"),
		docker.WithHTTPClient(&http.Client{Transport: e.transport, CheckRedirect: docker.CheckRedirect}))
	if err != nil {
		return nil, fmt.Errorf("the engine %s cannot be asked: %w", e.address, err)
	}
	return e, nil
}

// engineTLS returns the TLS configuration of DOCKER_TLS_VERIFY and DOCKER_CERT_PATH, as the docker program reads them; nil for no TLS.
func engineTLS(environ []string, https bool) (*tls.Config, error) {
	dir, verify := config.Lookup(environ, "DOCKER_CERT_PATH"), config.Lookup(environ, "DOCKER_TLS_VERIFY") != ""
	if dir == "" && !verify {
		if https {
			return &tls.Config{MinVersion: tls.VersionTLS12}, nil
		}
		return nil, nil
	}
	if dir == "" {
		dir = filepath.Join(config.Lookup(environ, "HOME"), ".docker")
	}
	certificate, err := tls.LoadX509KeyPair(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"))
	if err != nil {
		return nil, fmt.Errorf("the engine's TLS certificate (DOCKER_CERT_PATH=%s) cannot be read: %w", dir, err)
	}
	roots, err := readCA(filepath.Join(dir, "ca.pem"))
	if err != nil {
		return nil, fmt.Errorf("the engine's TLS authority %w", err)
	}
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		RootCAs:            roots,
		Certificates:       []tls.Certificate{certificate},
		InsecureSkipVerify: !verify, //nolint:gosec // that is what leaving DOCKER_TLS_VERIFY out asks for
	}, nil
}

// engineTransport limits answers, and marks errors of connecting, which the client library would reduce to a text.
type engineTransport struct {
	base *http.Transport
	max  int // maximum size of an answer, in bytes
}

// notReached is why an engine was not reached. The cause is visible only to errors.As, because the library replaces errors whose cause it
// knows.
type notReached struct{ cause error }

func (e *notReached) Error() string { return "the engine was not reached" }

// tooLarge is the error for an answer of more bytes than this.
type tooLarge int

func (e tooLarge) Error() string { return fmt.Sprintf("an answer of more than %d MiB", int(e)>>20) }

func (t *engineTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.base.RoundTrip(request)
	switch {
	case err == nil:
		response.Body = &boundedBody{ReadCloser: response.Body, left: t.max, max: t.max}
		return response, nil
	case request.Context().Err() != nil:
		return nil, request.Context().Err()
	}
	return nil, &notReached{err}
}

type boundedBody struct {
	io.ReadCloser
	left, max int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, tooLarge(b.max)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// negotiate agrees on the API version, once. It is a separate step so that an error of the ping is not lost.
func (e *engine) negotiate(ctx context.Context) error {
	select {
	case <-e.negotiated:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { e.negotiated <- struct{}{} }()
	if e.version {
		return nil
	}
	_, err := e.client.Ping(ctx, docker.PingOptions{NegotiateAPIVersion: true})
	e.version = err == nil
	return err
}

// inspect returns the container with that name.
func (e *engine) inspect(ctx context.Context, name string) (container.InspectResponse, error) {
	if err := e.negotiate(ctx); err != nil {
		return container.InspectResponse{}, err
	}
	found, err := e.client.ContainerInspect(ctx, name, docker.ContainerInspectOptions{})
	if err == nil && !means(name, found.Container) {
		err = errdefs.ErrNotFound.WithMessage("no such container")
	}
	return found.Container, err
}

// shortID is the length of the short form of an id.
const shortID = 12

// means reports whether name is the container's name, or at least the short form of its id. Engines accept shorter prefixes of ids, so a
// service named "db" could match any container whose id begins with it.
func means(name string, found container.InspectResponse) bool {
	name = strings.TrimPrefix(name, "/")
	return name == strings.TrimPrefix(found.Name, "/") || len(name) >= shortID && strings.HasPrefix(found.ID, name)
}

// fault explains why the engine did not answer the request.
func (e *engine) fault(err error, timeout time.Duration) string {
	var unreached *notReached
	var large tooLarge
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fmt.Sprintf("no answer from the Docker engine at %s within %s", e.address, timeout)
	case errors.As(err, &large):
		return fmt.Sprintf("the Docker engine at %s gave %s", e.address, large)
	case errors.As(err, &unreached):
		return e.unreached(unreached.cause)
	}
	return fmt.Sprintf("the Docker engine at %s says: %s", e.address, strings.TrimPrefix(err.Error(), "Error response from daemon: "))
}

func (e *engine) unreached(err error) string {
	var name *net.DNSError
	var number syscall.Errno
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		return fmt.Sprintf("the certificate of the Docker engine at %s is not believed: %s", e.address, certificate.Err)
	case errors.As(err, &name) && !name.IsNotFound:
		return noResolver
	case errors.As(err, &name):
		return fmt.Sprintf("the Docker engine at %s was not reached: the name %s was not found", e.address, name.Name)
	case errors.Is(err, fs.ErrPermission) && e.socket != "":
		return fmt.Sprintf("not allowed to ask the Docker engine at %s (permission denied): %s", e.address, mayOpen(e.socket))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("no answer from the Docker engine at %s: is it running? Start it, or name the one that does in DOCKER_HOST", e.address)
	case errors.As(err, &number):
		return fmt.Sprintf("no answer from the Docker engine at %s: %s", e.address, number)
	case strings.Contains(err.Error(), "malformed HTTP"), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("what listens at %s does not speak the Docker engine's API; does it want TLS (DOCKER_TLS_VERIFY)?", e.address)
	}
	return fmt.Sprintf("no answer from the Docker engine at %s: %s", e.address, err)
}

// access is who may open a socket.
type access struct {
	owner, group string
	mode         fs.FileMode
}

// mayOpen says how this user can be allowed to open a socket.
func mayOpen(socket string) string {
	who := userName(os.Getuid())
	stat, err := os.Stat(socket)
	if err != nil {
		return fmt.Sprintf("the user %s may not enter the folder %s; name an engine that it may ask in DOCKER_HOST", who, filepath.Dir(socket))
	}
	is := access{mode: stat.Mode().Perm()}
	if of, ok := stat.Sys().(*syscall.Stat_t); ok {
		is.owner, is.group = userName(int(of.Uid)), strconv.Itoa(int(of.Gid))
		if known, err := user.LookupGroupId(is.group); err == nil {
			is.group = known.Name
		}
	}
	return is.remedy(who)
}

// remedy says how a user can be allowed to open the socket. It does not suggest the group root, which would allow much more.
func (a access) remedy(who string) string {
	const groupOpens = 0o020 // connecting requires write access
	switch {
	case a.mode&groupOpens != 0 && a.group != "root":
		return fmt.Sprintf("add the user %s to the group %s, which the socket belongs to", who, a.group)
	case a.owner != "root":
		return fmt.Sprintf("the socket is for the user %s alone: run claudeops as that user, or name another engine in DOCKER_HOST", a.owner)
	}
	return fmt.Sprintf("the socket is root's (%s:%s, mode %04o): let the engine give it to a group of its own (`dockerd --group docker`, or SocketGroup=docker in "+
		"docker.socket) and add the user %s to that, or run claudeops as root", a.owner, a.group, a.mode, who)
}

// userName returns the name of a user, or the id if it has none.
func userName(uid int) string {
	id := strconv.Itoa(uid)
	if known, err := user.LookupId(id); err == nil {
		return known.Username
	}
	return id
}

// EngineAddress returns the URL of the engine that container checks without `engine` use in an environment, for people.
func EngineAddress(environ []string) string { return withoutUser(engineOf(environ)) }

// ListedContainer is a container in an engine's list.
type ListedContainer struct {
	Name    string // without the slash
	Image   string
	Running bool              // or about to: restarting, paused
	Restart string            // its restart policy: no, always, on-failure, unless-stopped
	Labels  map[string]string // set by the author of the image or the container
	Ports   []Port            // published on the host
}

// Port is a published port of a container.
type Port struct {
	Address  string // on the host; 0.0.0.0 or :: for all addresses
	Public   uint16 // on the host
	Private  uint16 // in the container
	Protocol string // tcp, udp or sctp
}

// Containers lists all containers of an environment's engine, including stopped ones. Errors are for people.
func Containers(ctx context.Context, environ []string) (containers []ListedContainer, err error) {
	err = listing(ctx, environ, true, func(e *engine, item *container.Summary) error {
		c, err := e.listed(ctx, item)
		switch {
		case errdefs.IsNotFound(err): // it was removed meanwhile
			return nil
		case err == nil:
			containers = append(containers, c)
		}
		return err
	})
	return containers, err
}

// Identity is what a container is, what it was made from, and where networks see it.
type Identity struct {
	ID    string
	Name  string // without the slash
	Image string // the id of its image
	// ImageName is the image as the container's definition names it; the id where that name has another image by now.
	ImageName string
	Labels    map[string]string
	Network   string // its network mode: bridge, host, none, container:ID, or the name of a network
	Addresses []netip.Addr
}

// Identities lists the containers of an environment's engine with one request: the running ones, or all. Errors are for people.
func Identities(ctx context.Context, environ []string, all bool) (containers []Identity, err error) {
	err = listing(ctx, environ, all, func(_ *engine, item *container.Summary) error {
		one := Identity{ID: item.ID, Image: item.ImageID, ImageName: item.Image, Labels: item.Labels, Network: item.HostConfig.NetworkMode}
		for _, name := range item.Names {
			if name = strings.TrimPrefix(name, "/"); !strings.Contains(name, "/") { // a name with another slash is a link of another container
				one.Name = name
			}
		}
		if item.NetworkSettings != nil {
			for _, n := range item.NetworkSettings.Networks {
				for _, addr := range []netip.Addr{n.IPAddress, n.GlobalIPv6Address} {
					if addr.IsValid() {
						one.Addresses = append(one.Addresses, addr)
					}
				}
			}
		}
		containers = append(containers, one)
		return nil
	})
	return containers, err
}

// listing calls each for the containers of an environment's engine: the running ones, or all. Errors are for people.
func listing(ctx context.Context, environ []string, all bool, each func(e *engine, item *container.Summary) error) error {
	e, err := openEngine(engineOf(environ), environ)
	if err != nil {
		return err
	}
	defer e.transport.base.CloseIdleConnections()
	e.transport.max = maxContainers
	began := time.Now()
	fault := func(err error) error { return errors.New(e.fault(err, time.Since(began).Round(time.Second))) }
	if err := e.negotiate(ctx); err != nil {
		return fault(err)
	}
	list, err := e.client.ContainerList(ctx, docker.ContainerListOptions{All: all})
	if err != nil {
		return fault(err)
	}
	for i := range list.Items {
		if err := each(e, &list.Items[i]); err != nil {
			return fault(err)
		}
	}
	return nil
}

// listed returns a container with its restart policy, which the list lacks.
func (e *engine) listed(ctx context.Context, item *container.Summary) (ListedContainer, error) {
	found, err := e.client.ContainerInspect(ctx, item.ID, docker.ContainerInspectOptions{})
	if err != nil {
		return ListedContainer{}, err
	}
	c := ListedContainer{Name: strings.TrimPrefix(found.Container.Name, "/"), Image: item.Image, Labels: item.Labels}
	switch item.State {
	case container.StateRunning, container.StateRestarting, container.StatePaused:
		c.Running = true
	}
	if found.Container.HostConfig != nil {
		c.Restart = string(found.Container.HostConfig.RestartPolicy.Name)
	}
	for _, port := range item.Ports {
		if port.PublicPort != 0 {
			c.Ports = append(c.Ports, Port{Address: port.IP.String(), Public: port.PublicPort, Private: port.PrivatePort, Protocol: port.Type})
		}
	}
	return c, nil
}

// EngineProgram returns the program of the containers' engine: docker or podman, whichever is in the PATH of an environment.
func EngineProgram(environ []string) string {
	path := config.Lookup(environ, "PATH")
	_, docker := child.Find("docker", path)
	_, podman := child.Find("podman", path)
	if podman && !docker {
		return "podman"
	}
	return "docker"
}
