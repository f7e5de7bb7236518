// Package sandbox runs a command that the kernel confines. The command reads the listed files, writes the listed directories, and reaches
// no socket except the broker's. It and all its descendants have ended when Run returns. Landlock and seccomp enforce this without any
// privilege; docs/agents.md says which enforces what. The package knows paths, system calls and descriptors, but no services.
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

// Access is what a confined command may use. Access is never subtracted: what is not listed, nor below something listed, is closed. A
// path that is or contains a link grants nothing, except in Write. A path that does not exist is ignored.
type Access struct {
	Read    []string // files, or directories with everything below them; readable and executable
	Write   []string // directories, also named through links; readable and executable too
	List    []string // directories in which, and below which, names can be listed
	Network bool     // allows sockets of AF_UNIX, AF_INET and AF_INET6; otherwise only the broker's
}

// Limits apply to one call with all its descendants, including those of root. A zero field has the default noted there.
type Limits = shim.Limits

// Domain is an Access in the form that the kernel needs. It is safe for concurrent use.
type Domain struct {
	shim    string
	ruleset *os.File
	filter  []byte
	scratch []string
}

// New returns a domain for commands, which the program shimProgram starts. The caller must close it.
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

// Close frees the domain. Running calls continue.
func (d *Domain) Close() error { return d.ruleset.Close() }

// Command is one call.
type Command struct {
	Path   string // path of the program; empty means the first of Argv
	Argv   []string
	Env    []string  // the whole environment
	Dir    string    // empty means /
	Stdout io.Writer // nil means /dev/null; if not an *os.File, one goroutine writes to it until Run returns
	Stderr io.Writer // as Stdout; the same writer as Stdout keeps the order of the two
	Limits Limits

	// Connect gets each connection to the broker, in its own goroutine, and must close it. Run waits for it, even after the command has
	// ended. If it is nil, there is no broker and connections are refused.
	Connect func(*net.UnixConn)
}

// Result is the outcome of a call.
type Result struct {
	Exit  int    // the command's exit status; 128+n if signal n ended it
	Limit string // the limit that ended the call: "processes", "memory" or "scratch"; empty if none did
}
