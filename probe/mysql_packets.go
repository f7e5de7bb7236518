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
	// maxColumns is how many columns a result has at most, as the servers themselves have it.
	maxColumns = 4096
	// maxGreeting is how long a server's first packet may be, in bytes.
	maxGreeting = 4 << 10
	// packetHeader is how long a packet's header is: three bytes of length, and its number in the exchange.
	packetHeader = 4
)

// First bytes of packets (MySQL client/server protocol), and what one means where it is not the beginning of a number.
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

// mysqlConn reads the packets of MySQL before its driver does, which makes room for as many columns as a result announces, and gives
// the password to whoever asks for it. TLS is made here and not by the driver, so that it hides none of them; to the driver the
// connection is one without.
type mysqlConn struct {
	net.Conn                 // as it was made; what is read and written goes by stream
	attempt  context.Context //nolint:containedctx // of the handshake, within a Write
	d        *database
	wire     *wire
	secured  *tls.Config // nil for no TLS

	stream   net.Conn
	in       *bufio.Reader
	loggedIn bool   // the driver has sent a command
	columns  bool   // the next packet may hold the number of columns
	shift    byte   // how much further the server counts than the driver does, which knows nothing of the request for TLS
	head     []byte // of the packet that is read, as the driver is to have it
	left     int    // bytes of it, after the head
	failed   error  // why nothing more is read or written, which the driver's error does not say
}

// dialMySQL connects, waits for the greeting, and decides by it whether there will be TLS.
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

// greeted looks at the greeting, which is left for the driver, and reports whether the server speaks TLS, or does not come to that.
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
	const capabilities, shortest = 4 + 8 + 1, 44 // their offset after the version, and the least length there
	_, rest, found := bytes.Cut(greeting[1:], []byte{0})
	if greeting[0] != packetGreeting || !found || len(rest) < shortest {
		return false, errors.New("it greets in another way")
	}
	return binary.LittleEndian.Uint16(rest[capabilities:])&tlsCapability != 0, nil
}

func packetLength(head []byte) int { return int(head[0]) | int(head[1])<<8 | int(head[2])<<16 }

// why is the error of this side where an error of the driver's comes from it.
func (c *mysqlConn) why(err error) error {
	if err != nil && c.failed != nil {
		return c.failed
	}
	return err
}

// Read reads of one packet at most: what is to come after it may depend on what the driver says to it.
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

// next begins a packet.
func (c *mysqlConn) next() error {
	head, err := c.in.Peek(packetHeader)
	if err != nil {
		return err
	}
	c.left = packetLength(head)
	if c.left > maxAnswered {
		return c.wire.flood()
	}
	const enough = 64 // for what is looked at
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

// judge says what the driver must not see of a packet that begins so.
func (c *mysqlConn) judge(begin []byte) error {
	switch {
	case len(begin) == 0:
		return nil
	case !c.loggedIn:
		if wantsPassword(begin, c.left) && !c.d.givesPassword(c.secured != nil) {
			return c.d.keepsPassword("tls=true")
		}
		return nil
	case !c.columns || begin[0] == packetOK || begin[0] == packetError || begin[0] == packetFile: // after these another result may come
		return nil
	}
	c.columns = false // what follows are columns and rows; the driver passes over further results
	if columnsOf(begin) > maxColumns {
		return c.wire.flood()
	}
	return nil
}

// wantsPassword reports whether a packet of n bytes that begins so makes the driver give the password, encrypted at best with a key
// that the server has chosen. Other ways to log in prove that both sides know it.
func wantsPassword(begin []byte, n int) bool {
	const known = 3 // to caching_sha2_password, by its cache
	switch begin[0] {
	case packetMoreAuth:
		return n != 2 || begin[1] != known
	case packetSwitch:
		name, _, _ := bytes.Cut(begin[1:], []byte{0})
		return string(name) == "mysql_clear_password" || string(name) == "sha256_password"
	}
	return false
}

// columnsOf reads a number as the protocol writes it; it is more than there can be where the packet ends within it.
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

// Write takes a packet, as the driver writes them.
func (c *mysqlConn) Write(packet []byte) (int, error) {
	out := slices.Clone(packet)
	switch {
	case len(out) < packetHeader:
	case out[3] == 0: // which begins an exchange, by a command
		c.loggedIn, c.columns, c.shift = true, true, 0
	case !c.loggedIn && c.secured != nil:
		if c.shift == 0 {
			if c.failed = c.secure(out); c.failed != nil {
				return 0, c.failed
			}
		} else if bytes.Equal(out[packetHeader:], []byte{1}) { // for the key that sha256_password needs where there is no TLS
			out = append(append([]byte{byte(len(c.d.password) + 1), byte((len(c.d.password) + 1) >> 8), 0, out[3]}, c.d.password...), 0)
		}
		out[3] += c.shift
	}
	if _, err := c.stream.Write(out); err != nil {
		return 0, err
	}
	return len(packet), nil
}

// secure asks for TLS by the beginning of the login, and makes it. The login itself says then that there is TLS.
func (c *mysqlConn) secure(login []byte) error {
	const asked = 32                                            // bytes of the login, up to the user's name
	if len(login) < packetHeader+asked || c.in.Buffered() > 0 { // what came before TLS may be anyone's
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
