// Package sandbox runs a command that the kernel confines: it reads the files that are listed, writes the folders that are listed, reaches
// no socket but the broker's, and is gone, with all its descendants, when Run returns. Landlock and seccomp do it, without any privilege;
// docs/sandbox.md says what is enforced by which. The package knows paths, calls and descriptors, and nothing of services.
package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/claudeops/claudeops/sandbox/shim"
)

// Access is what a confined command reaches. Nothing is ever subtracted from it: what is not listed, and not below what is listed, is closed.
// A path that is a link, or leads through one, opens nothing; one that does not exist is passed over.
type Access struct {
	Read    []string // files, or folders with all below them; readable and executable
	Write   []string // folders, by links too; also readable and executable
	List    []string // folders, with all below them, whose names can be listed
	Network bool     // sockets of AF_UNIX, AF_INET and AF_INET6; without it there is only the broker's
}

// Limits bound one call with all its descendants, root's too. A field that is zero has the default beside it.
type Limits = shim.Limits

// User is whom a command runs as. Only root can choose another.
type User = shim.User

// Domain is an Access as the kernel reads it. It may be used by several goroutines.
type Domain struct {
	shim    string
	ruleset *os.File
	filter  []byte
	scratch []string
}

// New makes a domain for commands that the program shim starts; its caller closes it.
func New(shimProgram string, access Access) (*Domain, error) {
	abi, err := abiVersion()
	if err != nil {
		return nil, missing(shim.StepLandlock, err)
	}
	return newDomain(shimProgram, access, abi)
}

func newDomain(shimProgram string, access Access, abi int) (*Domain, error) {
	program, err := filepath.EvalSymlinks(shimProgram)
	if err != nil {
		return nil, fmt.Errorf("find the sandbox's shim: %w", err)
	}
	filter, err := assemble(rules(access.Network, abi))
	if err != nil {
		return nil, err
	}
	var scratch []string
	for _, folder := range access.Write {
		real, err := filepath.EvalSymlinks(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("find a folder to write: %w", err)
		}
		scratch = append(scratch, real)
	}
	access.Read, access.Write = append([]string{program}, access.Read...), scratch
	ruleset, err := newRuleset(access, abi)
	if err != nil {
		return nil, err
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&filter[0])), len(filter)*int(unsafe.Sizeof(filter[0])))
	return &Domain{shim: program, ruleset: ruleset, filter: bytes, scratch: scratch}, nil
}

// Close frees the domain. Calls that run go on.
func (d *Domain) Close() error { return d.ruleset.Close() }

// Command is one call.
type Command struct {
	Path   string // of the program's file; empty is the first of Argv
	Argv   []string
	Env    []string  // all of the environment
	Dir    string    // empty is /
	Stdin  *os.File  // nil is /dev/null
	Stdout io.Writer // nil is /dev/null; what is no *os.File is written to by one goroutine until Run returns
	Stderr io.Writer // the same; one and the same as Stdout where both are to keep their order
	Limits Limits
	User   *User // nil is the user of this process

	// Connect gets each connection to the broker, in a goroutine of its own, and closes it. Run waits for it, after the command has
	// ended, too. Nil is that there is no broker: connections are refused.
	Connect func(*net.UnixConn)
}

// Result is how a call ended.
type Result struct {
	Exit  int    // the command's exit status; 128+n where signal n ended it
	Limit string // the limit that ended the call: "processes", "memory" or "scratch"; empty where none did
}
