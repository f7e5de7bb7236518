package servers

import (
	"context"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// DNSServer is a dnsmasq.
type DNSServer struct {
	*Process
	Addr string // over UDP and TCP
	Port int
}

// DNS starts a dnsmasq that only answers from these records, lines of its configuration such as "host-record=www.test,10.0.0.1", and
// forwards nothing.
func DNS(t T, records ...string) *DNSServer {
	t.Helper()
	s := &DNSServer{Port: freePort(t)}
	s.Addr = Address(s.Port)
	args := []string{
		"--keep-in-foreground", "--log-facility=-", "--conf-file=/dev/null", "--pid-file=", "--no-resolv", "--no-hosts", "--user=",
		"--listen-address=127.0.0.1", "--bind-interfaces", "--port=" + strconv.Itoa(s.Port),
	}
	for _, record := range records {
		args = append(args, "--"+strings.TrimSpace(record))
	}
	s.Process = start(t, program{path: find(t, "dnsmasq", "dnsmasq-base"), args: args, nobody: true, ready: s.ready})
	return s
}

// ready accepts any answer to a query.
func (s *DNSServer) ready(ctx context.Context) error {
	request := new(dns.Msg)
	request.SetQuestion("ready.invalid.", dns.TypeA)
	_, err := dns.ExchangeContext(ctx, request, s.Addr)
	return err
}
