package probe

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"slices"
)

const (
	// maxColumns limits the columns of a result, as the servers do.
	maxColumns = 4096
	// maxGreeting limits a server's first packet, in bytes.
	maxGreeting = 4 << 10
	// packetHeader is the length of a packet's header: three bytes of length, and a sequence number.
	packetHeader = 4
)

// First bytes of packets (MySQL client/server protocol), with their meaning where they do not start a number.
const (
	packetOK       = 0x00
	packetMoreAuth = 0x01
	packetGreeting = 0x0a
	packetFile     = 0xfb
	packetSwitch   = 0xfe
	packetError    = 0xff
)

// tlsCapability is CLIENT_SSL.
const tlsCapability = 1 << 11

// mysqlConn inspects the packets of MySQL before the driver does. The driver would allocate memory for as many columns as a result
// announces, and give the password to any server that asks for it. mysqlConn also makes the TLS connection itself, so that it sees every
// packet; the driver sees a connection without TLS.
type mysqlConn struct {
	net.Conn                 // as dialled; data is read and written through stream
	attempt  context.Context //nolint:containedctx // for the handshake, in Write
	d        *database
	wire     *wire
	secured  *tls.Config // nil for no TLS

	stream   net.Conn
	in       *bufio.Reader
	loggedIn bool   // the driver has sent a command
	columns  bool   // the next packet may hold the number of columns
	shift    byte   // difference of sequence numbers: the driver does not know of the request for TLS
	head     []byte // of the current packet, as the driver should see it
	left     int    // bytes of the current packet, after the head
	failed   error  // the error of this connection; the driver's error does not say it
}

// dialMySQL connects, waits for the greeting, and decides whether to use TLS.
func dialMySQL(ctx context.Context, d *database, w *wire) (*mysqlConn, error) {
	secured, err := d.secrecy.config(d.now)
	if err != nil {
		return nil, err
	}
	conn, err := w.dial(ctx, d.network, d.address)
	if err != nil {
		return nil, err
	}
	c := &mysqlConn{Conn: conn, attempt: ctx, d: d, wire: w, stream: conn, in: bufio.NewReaderSize(conn, maxGreeting)}
	capable, err := c.greeted()
	switch {
	case err != nil:
		return nil, err
	case capable:
		c.secured = secured
	case d.secrecy.level > preferred:
		return nil, &foundError{staysDown(d.is("has no TLS, which the URL asks for"))}
	}
	return c, nil
}

// greeted inspects the greeting, which is left for the driver, and reports whether the server supports TLS. It returns true, too, if the
// server refuses the connection.
func (c *mysqlConn) greeted() (tls bool, err error) {
	head, err := c.in.Peek(packetHeader)
	if err != nil {
		return false, err
	}
	n := packetLength(head)
	if head[3] != 0 || n == 0 || n > maxGreeting-packetHeader {
		return false, errors.New("it begins with something else")
	}
	greeting, err := c.in.Peek(packetHeader + n)
	if err != nil {
		return false, err
	}
	greeting = greeting[packetHeader:]
	if greeting[0] == packetError {
		return true, nil
	}
	const capabilities, shortest = 4 + 8 + 1, 44 // offset after the version, and minimum length there
	_, rest, found := bytes.Cut(greeting[1:], []byte{0})
	if greeting[0] != packetGreeting || !found || len(rest) < shortest {
		return false, errors.New("it greets in another way")
	}
	return binary.LittleEndian.Uint16(rest[capabilities:])&tlsCapability != 0, nil
}

func packetLength(head []byte) int { return int(head[0]) | int(head[1])<<8 | int(head[2])<<16 }

// why returns this connection's error if it caused the driver's error.
func (c *mysqlConn) why(err error) error {
	if err != nil && c.failed != nil {
		return c.failed
	}
	return err
}

// Read reads at most one packet, because the meaning of the next may depend on what the driver writes.
func (c *mysqlConn) Read(b []byte) (int, error) {
	if len(c.head) == 0 && c.left == 0 {
		if c.failed = c.next(); c.failed != nil {
			return 0, c.failed
		}
	}
	if len(c.head) > 0 {
		n := copy(b, c.head)
		c.head = c.head[n:]
		return n, nil
	}
	n, err := c.in.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}

// next starts a packet.
func (c *mysqlConn) next() error {
	head, err := c.in.Peek(packetHeader)
	if err != nil {
		return err
	}
	c.left = packetLength(head)
	if c.left > maxAnswered {
		return c.wire.flood()
	}
	const enough = 64 // enough to inspect
	begin, err := c.in.Peek(packetHeader + min(c.left, enough))
	if err != nil {
		return err
	}
	if err := c.judge(begin[packetHeader:]); err != nil {
		return err
	}
	c.head = slices.Clone(begin[:packetHeader])
	c.head[3] -= c.shift
	_, err = c.in.Discard(packetHeader)
	return err
}

// judge refuses a packet that the driver must not see, by its start.
func (c *mysqlConn) judge(begin []byte) error {
	switch {
	case len(begin) == 0:
		return nil
	case !c.loggedIn:
		if wantsPassword(begin, c.left) && !c.d.givesPassword(c.secured != nil) {
			return c.d.keepsPassword("tls=true")
		}
		return nil
	case !c.columns || begin[0] == packetOK || begin[0] == packetError || begin[0] == packetFile: // after these, another result may follow
		return nil
	}
	c.columns = false // columns and rows follow; the driver ignores further results
	if columnsOf(begin) > maxColumns {
		return c.wire.flood()
	}
	return nil
}

// wantsPassword reports whether a packet of n bytes with this start makes the driver send the password, at best encrypted with a key that
// the server has chosen. Other login methods only prove knowledge of it.
func wantsPassword(begin []byte, n int) bool {
	const known = 3 // caching_sha2_password has the password in its cache
	switch begin[0] {
	case packetMoreAuth:
		return n != 2 || begin[1] != known
	case packetSwitch:
		name, _, _ := bytes.Cut(begin[1:], []byte{0})
		return string(name) == "mysql_clear_password" || string(name) == "sha256_password"
	}
	return false
}

// columnsOf reads a length-encoded number. If the packet ends within it, the result exceeds any valid number.
func columnsOf(begin []byte) uint64 {
	widths := map[byte]int{0xfc: 2, 0xfd: 3, 0xfe: 8}
	width, long := widths[begin[0]]
	switch {
	case !long:
		return uint64(begin[0])
	case len(begin) <= width:
		return maxColumns + 1
	}
	var number [8]byte
	copy(number[:], begin[1:1+width])
	return binary.LittleEndian.Uint64(number[:])
}

// Write takes one packet from the driver.
func (c *mysqlConn) Write(packet []byte) (int, error) {
	out := slices.Clone(packet)
	switch {
	case len(out) < packetHeader:
	case out[3] == 0: // a command, which starts an exchange
		c.loggedIn, c.columns, c.shift = true, true, 0
	case !c.loggedIn && c.secured != nil:
		if c.shift == 0 {
			if c.failed = c.secure(out); c.failed != nil {
				return 0, c.failed
			}
		} else if bytes.Equal(out[packetHeader:], []byte{1}) { // asks for the key that sha256_password needs without TLS
			out = append(append([]byte{byte(len(c.d.password) + 1), byte((len(c.d.password) + 1) >> 8), 0, out[3]}, c.d.password...), 0)
		}
		out[3] += c.shift
	}
	if _, err := c.stream.Write(out); err != nil {
		return 0, err
	}
	return len(packet), nil
}

// secure requests TLS with the start of the login, and makes it. The login itself then announces TLS.
func (c *mysqlConn) secure(login []byte) error {
	const asked = 32                                            // bytes of the login, up to the user name
	if len(login) < packetHeader+asked || c.in.Buffered() > 0 { // anyone may have sent what came before TLS
		return errors.New("it says more than a greeting")
	}
	login[packetHeader+1] |= tlsCapability >> 8
	request := append([]byte{asked, 0, 0, login[3]}, login[packetHeader:packetHeader+asked]...)
	if _, err := c.Conn.Write(request); err != nil {
		return err
	}
	secured := tls.Client(c.Conn, c.secured)
	if err := secured.HandshakeContext(c.attempt); err != nil {
		return err
	}
	c.stream, c.in, c.shift = secured, bufio.NewReader(secured), 1
	return nil
}
