package broker

import (
	"context"
	"encoding/json"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeConn serves one connection of any kind.
func (d *Door) ServeConn(ctx context.Context, conn net.Conn) { d.serve(ctx, conn) }

// Kept sets how many bytes of output are kept already.
func (d *Door) Kept(bytes int64) { d.kept = bytes }

// Call makes a call as if it had come over a connection.
func (d *Door) Call(ctx context.Context, name, arguments string) (text string, failed bool) {
	for _, t := range tools() {
		if t.name == name {
			result := d.answer(ctx, t, &mcp.CallToolParamsRaw{Name: name, Arguments: json.RawMessage(arguments)})
			return result.Content[0].(*mcp.TextContent).Text, result.IsError
		}
	}
	return "no such tool", true
}
