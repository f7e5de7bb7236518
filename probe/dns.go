package probe

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
)

const (
	// dnsPort is the default port of DNS servers.
	dnsPort = "53"
	// maxPacket limits an answer over UDP, in bytes. Requests ask for no more than the 512 that every server supports.
	maxPacket = 4 << 10
	// maxOthers limits the unrelated packets that may arrive before the answer.
	maxOthers = 1000
)

func init() {
	register(Type{Name: "dns", What: "a dns check", Doc: "Asks for a name.", Recorded: check.DNS,
		Called: "dns name", Written: "a name is written type: dns, name: NAME",
		Options: func() Options { return &DNS{Record: "A"} }})
}

// DNS queries a name.
type DNS struct {
	Name   string
	Record string   // A, AAAA, CNAME, MX, NS, PTR, SOA, SRV, TXT or CAA
	Server string   // host or host:port; empty for the system's servers
	Answer []string // each must be among the answers; empty for any answer
}

// Fields returns the keys of the services file.
func (d *DNS) Fields() []strict.Field {
	const label = `[^\\x00-\\x2c\\x2e\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\x7f]{1,63}`
	records := []string{"A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT", "CAA"}
	record := strict.Judged(&d.Record, "", func(text string) string {
		if !slices.Contains(records, text) {
			return strict.Quote(text) + " is none of " + strings.Join(records, ", ")
		}
		return ""
	})
	record.Schema = `"enum":["` + strings.Join(records, `","`) + `"]`
	return []strict.Field{
		{Name: "name", Doc: "the name that is asked for; for `record: PTR` an IP address does", Required: "the name that is asked for",
			Takes: strict.Judged(&d.Name, `"maxLength":254,"pattern":"^((\\*\\.)?`+label+`(\\.`+label+`)*\\.?|\\.|[0-9A-Fa-f]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)$"`,
				func(string) string { return "" })}, // judged together with the record
		{Name: "record", Doc: "`A`, `AAAA`, `CNAME`, `MX`, `NS`, `PTR`, `SOA`, `SRV`, `TXT` or `CAA`", Takes: record},
		{Name: "server", Default: "the system's", Doc: "a host, or a host with a port: `10.0.0.53`, `ns1:5353`, `[2001:db8::53]:53`",
			Takes: reached(&d.Server, `"pattern":"^(`+hostPattern+`(:[0-9]{1,5})?|`+ip6Pattern+`|\\[`+ip6Pattern+`\\](:[0-9]{1,5})?)$"`, serverHost)},
		{Name: "answer", Default: "any", Doc: "a text or a list; each must be among the answers, without regard to case and to a dot at the end",
			Takes: strict.Takes{Schema: `"anyOf":[{"type":"string","minLength":1},{"type":"array","minItems":1,"items":{"type":"string","minLength":1}}]`, Read: d.readAnswer}},
	}
}

func (d *DNS) readAnswer(r *strict.Reader, name string, n *strict.Node) {
	const expected = "what must be among the answers"
	answers := []strict.Node{*n}
	if n.Kind == strict.List {
		answers = n.Content
	}
	if len(answers) == 0 {
		r.Fault(n, name, "empty; must be "+expected+", or left out for any")
	}
	for i := range answers {
		answer, _ := r.NonEmpty(&answers[i], name, expected)
		d.Answer = append(d.Answer, answer)
	}
}

// Finish judges the name according to its record.
func (d *DNS) Finish(r *strict.Reader, n *strict.Node, _ string) {
	name := n.Member("name")
	if name == nil || name.Kind != strict.Text {
		return
	}
	address, err := netip.ParseAddr(d.Name)
	switch isAddress := err == nil && address.Zone() == ""; {
	case isAddress && d.Record != "PTR":
		r.Fault(name, "name", strict.Quote(d.Name)+" is an address, for which `record: PTR` looks up the name; must be a name like www.example.org")
	case !isAddress && !isDomain(d.Name):
		r.Fault(name, "name", strict.Quote(d.Name)+" is not a DNS name; write it like www.example.org")
	}
}

// isDomain reports whether DNS can be queried for a name: labels of at most 63 bytes in ASCII, with or without a dot at the end. Underscores,
// non-ASCII letters, slashes (RFC 2317) and a star as the first label are allowed.
func isDomain(name string) bool {
	if name == "." {
		return true // the root
	}
	name = strings.TrimSuffix(name, ".")
	asked := ascii(name)
	if _, ok := dns.IsDomainName(asked); !ok || !isASCII(asked) {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimPrefix(name, "*."), ".") {
		if label == "" || strings.ContainsFunc(label, func(r rune) bool { return !isLetter(r) && r != '/' }) {
			return false
		}
	}
	return true
}

// About describes the check.
func (d *DNS) About() About {
	about := About{Target: d.Record + " " + d.Name, Asked: "the DNS server", Host: systemDNS}
	if d.Server != "" {
		about.Asked, about.Host = d.Server, BareHost(d.Server)
	}
	return about
}

// nameCheck is a dns check, prepared.
type nameCheck struct {
	timeout    time.Duration
	want       *DNS
	question   dns.Question
	resolvConf string // file with the system's servers, used unless the check names a server
	systemPort string // port of the system's servers
}

// Prepare returns the attempt.
func (d *DNS) Prepare(c *Client, k *Check, _ string) Try {
	kind := dns.StringToType[cmp.Or(d.Record, "A")]
	n := &nameCheck{
		timeout: k.Timeout, want: d,
		question:   dns.Question{Name: questionName(d.Name, kind), Qtype: kind, Qclass: dns.ClassINET},
		resolvConf: c.resolvConf,
		systemPort: c.systemPort,
	}
	return n.attempt
}

// questionName returns the name to query: with a dot at the end, in ASCII; for an IP address, its name in arpa.
func questionName(name string, kind uint16) string {
	if address, err := netip.ParseAddr(name); err == nil && kind == dns.TypePTR {
		name, _ = dns.ReverseAddr(address.Unmap().String())
	}
	return dns.Fqdn(ascii(name))
}

// attempt queries the check's server, or the system's.
func (n *nameCheck) attempt(ctx context.Context) check.Result {
	servers, fault := n.servers()
	if fault != "" {
		return unmade(fault)
	}
	return n.askAll(ctx, servers)
}

// askAll queries the servers one after the other until one answers; of the system's, until one knows. Where none does, the name may still be
// well.
func (n *nameCheck) askAll(ctx context.Context, servers []string) check.Result {
	systems := n.want.Server == ""
	for i, server := range servers {
		began := time.Now()
		answer, fault, err := n.ask(ctx, server, len(servers)-i)
		switch {
		case fault != "" && !systems:
			return failed(err, fault)
		case fault != "" || systems && answer.Rcode != dns.RcodeSuccess && answer.Rcode != dns.RcodeNameError:
			continue
		}
		found := check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(time.Since(began))}
		if found.Error = n.judge(answer, server); found.Error != "" {
			found.Status = check.Down
		}
		return found
	}
	return unmade(noResolver)
}

// servers returns the addresses to query, in order.
func (n *nameCheck) servers() (addresses []string, fault string) {
	if server := n.want.Server; server != "" {
		if _, _, err := net.SplitHostPort(server); err != nil {
			server = net.JoinHostPort(strings.Trim(server, "[]"), dnsPort)
		}
		return []string{ascii(server)}, ""
	}
	config, err := dns.ClientConfigFromFile(n.resolvConf)
	if err != nil {
		return nil, fmt.Sprintf("the system's DNS servers are not known: %s cannot be read: %s", n.resolvConf, plain(err))
	}
	if len(config.Servers) == 0 {
		return nil, fmt.Sprintf("the system's DNS servers are not known: %s names none; give the check a server", n.resolvConf)
	}
	for _, server := range config.Servers {
		addresses = append(addresses, net.JoinHostPort(server, n.systemPort))
	}
	return addresses[:min(len(addresses), 3)], "" // as many as other resolvers use
}

// ask queries one server with its share of the remaining time. left counts the remaining servers, including this one.
func (n *nameCheck) ask(ctx context.Context, server string, left int) (answer *dns.Msg, fault string, err error) {
	within := n.timeout
	if end, bounded := ctx.Deadline(); bounded && left > 1 {
		within = time.Until(end) / time.Duration(left)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, within)
		defer cancel()
	}
	request := new(dns.Msg)
	request.SetQuestion(n.question.Name, n.question.Qtype)
	for _, network := range [...]string{"udp", "tcp"} {
		answer, err = exchange(ctx, network, server, request)
		if err != nil || !answer.Truncated {
			break
		}
	}
	var unreadable *unreadableError
	switch {
	case err == nil && answer.Truncated:
		return nil, "the answer of " + server + " is cut off, over TCP too", nil
	case err == nil:
		return answer, "", nil
	case errors.As(err, &unreadable):
		return nil, server + " answered what is not DNS: " + plain(unreadable.error), err
	case isTimeout(err) || errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, lateFault("no answer from "+server, within), err
	}
	return nil, networkFault(err, server), err
}

// unreadableError says why a packet is not an answer.
type unreadableError struct{ error }

// exchange sends the request and waits for its answer, ignoring other packets.
func exchange(ctx context.Context, network, server string, request *dns.Msg) (*dns.Msg, error) {
	dialed, err := new(net.Dialer).DialContext(ctx, network, server)
	if err != nil {
		return nil, err
	}
	conn := &dns.Conn{Conn: dialed, UDPSize: maxPacket}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if end, bounded := ctx.Deadline(); bounded {
		if err := conn.SetDeadline(end); err != nil {
			return nil, err
		}
	}
	if err := conn.WriteMsg(request); err != nil {
		return nil, err
	}
	var unreadable error
	for others := 0; ; others++ {
		packet, err := conn.ReadMsgHeader(nil)
		switch {
		case errors.Is(err, dns.ErrShortRead): // shorter than a header
		case err != nil && unreadable != nil && isTimeout(err):
			return nil, &unreadableError{unreadable}
		case err != nil:
			return nil, err
		}
		answer, err := readAnswer(packet, request)
		switch {
		case err == nil:
			return answer, nil
		case network == "tcp":
			return nil, &unreadableError{err}
		case others >= maxOthers:
			return nil, &unreadableError{fmt.Errorf("%w, and so are %d others", err, others)}
		}
		unreadable = err // it may come from another host
	}
}

func isTimeout(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed)
}

// readAnswer parses a packet that should be the answer to the request.
func readAnswer(packet []byte, request *dns.Msg) (*dns.Msg, error) {
	another := errors.New("it is the answer to another question")
	if len(packet) < 2 || binary.BigEndian.Uint16(packet) != request.Id {
		return nil, another
	}
	answer := new(dns.Msg)
	err := answer.Unpack(packet)
	same := func(a, b dns.Question) bool {
		return a.Qtype == b.Qtype && a.Qclass == b.Qclass && strings.EqualFold(a.Name, b.Name)
	}
	switch {
	case err != nil && !answer.Truncated: // a truncated one may end within a record
		return nil, err
	case !answer.Response:
		return nil, another
	case err == nil && len(answer.Question) == 0 && answer.Rcode != dns.RcodeSuccess:
		return answer, nil
	case len(answer.Question) != 1 || !same(answer.Question[0], request.Question[0]):
		return nil, another
	}
	return answer, nil
}

// judge returns what is wrong with an answer; empty if nothing is.
func (n *nameCheck) judge(answer *dns.Msg, server string) (fault string) {
	name := strings.TrimSuffix(n.question.Name, ".")
	record := dns.TypeToString[n.question.Qtype]
	switch answer.Rcode {
	case dns.RcodeSuccess:
	case dns.RcodeNameError:
		return fmt.Sprintf("%s does not exist, says %s (NXDOMAIN)", name, server)
	case dns.RcodeServerFailure:
		return fmt.Sprintf("%s could not find out about %s (SERVFAIL)", server, name)
	case dns.RcodeRefused:
		return fmt.Sprintf("%s refuses to answer about %s (REFUSED)", server, name)
	default:
		code := cmp.Or(dns.RcodeToString[answer.Rcode], fmt.Sprintf("code %d", answer.Rcode))
		return fmt.Sprintf("%s did not answer about %s (%s)", server, name, code)
	}
	values, end := valuesIn(answer.Answer, n.question)
	if len(values) == 0 {
		if !sameName(end, n.question.Name) {
			return fmt.Sprintf("%s is an alias of %s, of which %s has no %s record",
				name, quoted(strings.TrimSuffix(end, ".")), server, record)
		}
		return fmt.Sprintf("%s has no %s record, says %s", name, record, server)
	}
	var missing []string
	for _, want := range n.want.Answer {
		if !slices.ContainsFunc(values, func(v string) bool { return sameValue(n.question.Qtype, v, want) }) {
			missing = append(missing, want)
		}
	}
	if len(missing) > 0 {
		begin := func(value string) int { return alike(value, missing[0]) }
		nearest := slices.MaxFunc(values, func(a, b string) int { return begin(a) - begin(b) })
		if skip := begin(nearest) - 20; skip > 60 { // the difference is beyond what would be shown
			from := func(value string) string { return quoted("…" + string([]rune(value)[skip:])) }
			return fmt.Sprintf("%s of %s is %s, says %s; expected %s", record, name, from(nearest), server, from(missing[0]))
		}
		return fmt.Sprintf("%s of %s is %s, says %s; expected %s", record, name, listed(values), server, listed(missing))
	}
	return ""
}

// alike counts the runes at the start of two texts that differ in case at most.
func alike(a, b string) (n int) {
	as, bs := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// valuesIn returns the values of the records that answer the question, and the name at the end of a chain of aliases. Additional records
// are ignored.
func valuesIn(records []dns.RR, question dns.Question) (values []string, end string) {
	const longest = 32 // chain of aliases
	aliases := map[string]string{}
	for _, record := range records {
		if alias, isAlias := record.(*dns.CNAME); isAlias && question.Qtype != dns.TypeCNAME {
			aliases[dns.CanonicalName(alias.Hdr.Name)] = alias.Target
		}
	}
	end = question.Name
	for range longest {
		next, isAlias := aliases[dns.CanonicalName(end)]
		if !isAlias {
			break
		}
		end = next
	}
	seen := map[string]bool{}
	for _, record := range records {
		header := record.Header()
		if header.Rrtype == question.Qtype && header.Class == question.Qclass && sameName(header.Name, end) {
			if value := valueOf(record); !seen[value] {
				seen[value] = true
				values = append(values, value)
			}
		}
	}
	return values, end
}

func sameName(a, b string) bool { return strings.EqualFold(dns.Fqdn(a), dns.Fqdn(b)) }

// valueOf formats a record's data as in zone files, without quotes and without dots at the end of names.
func valueOf(record dns.RR) string {
	switch r := record.(type) {
	case *dns.CAA:
		return fmt.Sprintf("%d %s %s", r.Flag, r.Tag, unescape(r.Value))
	case *dns.TXT:
		return unescape(strings.Join(r.Txt, ""))
	}
	words := strings.Split(strings.TrimPrefix(record.String(), record.Header().String()), " ")
	for i, word := range words {
		words[i] = strings.TrimSuffix(word, ".")
	}
	return strings.Join(words, " ")
}

// unescape resolves the escapes of zone files: \" for a quote, \DDD for any byte.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch rest := text[i+1:]; {
		case text[i] != '\\' || rest == "":
			b.WriteByte(text[i])
		case len(rest) >= 3 && strings.Trim(rest[:3], "0123456789") == "":
			b.WriteByte((rest[0]-'0')*100 + (rest[1]-'0')*10 + rest[2] - '0')
			i += 3
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return b.String()
}

// sameValue reports whether a record's value is what an operator expects, ignoring case, dots after names, quotes around texts, and the
// spelling of addresses.
func sameValue(kind uint16, value, want string) bool {
	switch kind {
	case dns.TypeA, dns.TypeAAAA:
		a, errA := netip.ParseAddr(value)
		b, errB := netip.ParseAddr(strings.TrimSpace(want))
		return errA == nil && errB == nil && a.Unmap() == b.Unmap()
	case dns.TypeTXT:
		return strings.EqualFold(value, want) || strings.EqualFold(value, unescape(unquoted(want)))
	}
	return slices.EqualFunc(strings.Fields(value), strings.Fields(want), func(a, b string) bool {
		return strings.EqualFold(strings.TrimSuffix(unquoted(a), "."), ascii(strings.TrimSuffix(unquoted(b), ".")))
	})
}

func unquoted(text string) string {
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}
