package inventory

import (
	"net/url"
	"path"
	"regexp"
	"time"

	"github.com/claudeops/claudeops/check"
)

// What a check has that says nothing else.
const (
	DefaultTimeout         = 10 * time.Second
	DefaultAttempts        = 2
	DefaultSettle          = 30 * time.Second
	DefaultRedirects       = 5
	DefaultCertificateDays = 14
)

// Check is one way to see whether a service is well. Exactly one of the pointers is set, by Type.
type Check struct {
	Type          check.Type
	Timeout       time.Duration // of one attempt
	Attempts      int           // the first one that succeeds counts; at least 1
	DegradedAfter time.Duration // an answer that took as long is degraded; 0 is never

	HTTP      *HTTP
	DNS       *DNS
	Container *Container
	Database  *Database
	TCP       *TCP    // of type service, as Unit and Plugin
	Unit      *Unit   //
	Plugin    *Plugin //
}

// HTTP asks a URL.
type HTTP struct {
	URL             string
	Method          string            // GET where the file says nothing
	Headers         map[string]string // by canonical name
	HeadersEnv      map[string]string // by canonical name, the variable whose value it has
	Status          []StatusRange     // of the last answer; never empty
	Body            string            // what the body must contain; empty for anything
	BodyRegex       *regexp.Regexp    // what the body must match; nil for anything
	Redirects       int               // how many are followed; 0: the redirect is the answer
	CertificateDays int               // a certificate that ends sooner is degraded; 0 does not look
	CA              string            // file with the certificates that are believed; empty for the system's
	Insecure        bool              // any certificate is believed
}

// StatusRange is a range of HTTP status codes, both ends in it.
type StatusRange struct{ From, To int }

// DNS asks for a name.
type DNS struct {
	Name   string
	Record string   // A, AAAA, CNAME, MX, NS, PTR, SOA, SRV, TXT or CAA
	Server string   // host or host:port; empty for the system's
	Answer []string // each must be among the answers; empty for any answer
}

// Container looks at a container of Docker or podman.
type Container struct {
	Name   string
	Engine string // URL of the engine; empty for DOCKER_HOST, else the local socket
	Job    bool   // one that ends: it is well while it runs and once it has exited with 0
}

// Database asks a database.
type Database struct {
	URL         string        // postgres, mysql, redis, rediss or sqlite; postgresql and mariadb are read as the first two
	PasswordEnv string        // the variable with the password; empty where the URL has all that is needed
	Query       string        // empty for the least there is
	MaxLag      time.Duration // a replica further behind is degraded; 0 does not ask
}

// TCP connects to an address.
type TCP struct{ Address string } // host:port, or the path of a socket

// Unit looks at a unit of systemd.
type Unit struct {
	Name string // with its suffix
	User bool   // of the user's own manager
}

// Plugin runs a monitoring plugin, as Nagios has them: exit code 0 ok, 1 warning, 2 critical, 3 unknown, the first line says what.
type Plugin struct {
	Command []string // a path or a name in PATH, and its arguments
	Host    string   // whom it asks, so that no host is asked too much at once; empty for this machine
}

// Target is whom a check asks, for people: without a password.
func (c *Check) Target() string {
	switch {
	case c.HTTP != nil:
		return withoutUser(c.HTTP.URL)
	case c.DNS != nil:
		return c.DNS.Record + " " + c.DNS.Name
	case c.Container != nil:
		return c.Container.Name
	case c.Database != nil:
		return withoutUser(c.Database.URL)
	case c.TCP != nil:
		return c.TCP.Address
	case c.Unit != nil:
		return c.Unit.Name
	case c.Plugin != nil:
		return path.Base(c.Plugin.Command[0])
	}
	return ""
}

// withoutUser is a URL without its user, its query and its fragment.
func withoutUser(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
