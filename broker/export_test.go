package broker

import (
	"context"
	"encoding/json"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeConn serves one connection of any kind.
func (d *Door) ServeConn(ctx context.Context, conn net.Conn) {
	d.prepare()
	d.serve(ctx, conn)
}

// prepare does what Serve does before the first connection.
func (d *Door) prepare() {
	if d.repeats == nil {
		d.repeats, d.end = repeats{}, func(error) {}
	}
}

// Call makes a call as if it had come over a connection.
func (d *Door) Call(ctx context.Context, name, arguments string) (text string, failed bool) {
	d.prepare()
	for _, t := range tools(d.Tier, d.Confined) {
		if t.name == name {
			result := d.answer(ctx, t, &mcp.CallToolParamsRaw{Name: name, Arguments: json.RawMessage(arguments)})
			return result.Content[0].(*mcp.TextContent).Text, result.IsError
		}
	}
	return "no such tool", true
}
