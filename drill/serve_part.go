package main

import (
	"context"
	"fmt"
	"strings"
)

// servePart runs a server of the homelab that is none of its small services, until ctx ends. The first argument says which.
func servePart(ctx context.Context, args []string) error {
	given := append(args, "", "", "", "")
	switch kind, a, b, c := given[0], given[1], given[2], given[3]; kind {
	case "orders":
		return serveOrders(ctx, a, b, c)
	case "portal":
		return servePortal(ctx, a, b)
	case "names":
		return serveNames(ctx, a, b)
	case "disk":
		return holdDisk(ctx, a)
	case "uploads":
		return serveUploads(ctx, a, b)
	case "box":
		return serveBox(ctx)
	case "ask-box":
		return askBox(ctx, a)
	default:
		return fmt.Errorf("no server of the homelab is called %s", strings.Join(args, " "))
	}
}

// own returns a program of the homelab that servePart runs.
func (lab *Lab) own(name string, args ...string) Program {
	return Program{
		Name: name, Argv: append([]string{lab.self, "part", name}, args...), Dir: lab.Folder(name),
		Env: serviceEnviron(), Log: lab.Path("srv", name, name+".log"),
	}
}
