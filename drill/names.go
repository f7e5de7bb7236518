package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"

	"github.com/miekg/dns"
)

// serveNames is the DNS server of the homelab: it answers until ctx ends from the zone file that it reads at its start, and forwards
// nothing.
func serveNames(ctx context.Context, address, file string) error {
	records, err := readZone(file)
	if err != nil {
		return err
	}
	conn, err := new(net.ListenConfig).ListenPacket(ctx, "udp", address)
	if err != nil {
		return err
	}
	server := &dns.Server{PacketConn: conn, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, asked *dns.Msg) {
		answer := new(dns.Msg).SetReply(asked)
		for _, record := range records {
			if len(asked.Question) == 1 && dns.CanonicalName(record.Header().Name) == dns.CanonicalName(asked.Question[0].Name) {
				answer.Answer = append(answer.Answer, record)
			}
		}
		if len(answer.Answer) == 0 {
			answer.Rcode = dns.RcodeNameError
		}
		_ = w.WriteMsg(answer)
	})}
	defer context.AfterFunc(ctx, func() { _ = server.Shutdown() })()
	logLine("%d records from %s, listening on %s", len(records), file, address)
	if err := server.ActivateAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

func readZone(path string) ([]dns.RR, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var records []dns.RR
	parser := dns.NewZoneParser(bufio.NewReader(f), ".", path)
	for record, ok := parser.Next(); ok; record, ok = parser.Next() {
		records = append(records, record)
	}
	return records, parser.Err()
}

// writeZone writes a zone with the address of zoneName; with an empty one there is no such name.
func writeZone(path, address string) error {
	zone := "$TTL 60\nrouter.home.arpa. A 10.77.0.1\n"
	if address != "" {
		zone += fmt.Sprintf("%s. A %s\n", zoneName, address)
	}
	return os.WriteFile(path, []byte(zone), 0o600)
}
