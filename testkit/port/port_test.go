package port

import (
	"net"
	"testing"
)

// No other process gets a reserved port, and only listeners with Share accept connections there.
func TestAPortThatIsKeptIsNobodyElses(t *testing.T) {
	address := Keep(t)
	if conn, err := net.Dial("tcp", address); err == nil {
		_ = conn.Close()
		t.Error("somebody answers")
	}
	if l, err := net.Listen("tcp", address); err == nil {
		_ = l.Close()
		t.Error("another got the port")
	}
	for range 3 {
		l, err := (&net.ListenConfig{Control: Share}).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
		_ = l.Close()
	}
}
