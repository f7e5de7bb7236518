package inventory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/claudeops/claudeops/check"
)

// MaxBytes is how large a services file may be: ten thousand services with several checks each.
const MaxBytes = 8 << 20

// SchemaURL is where editors find the JSON schema of services files, schema.json.
const SchemaURL = "https://raw.githubusercontent.com/claudeops/claudeops/main/inventory/schema.json"

// InvalidError says what is wrong with a services file, nearly in the file's order. Each fault is one line of text that
// begins with the line and column where it stands, as far as it stands at one place, and says what was expected. Beyond the
// first hundred one last line counts the others.
type InvalidError struct{ Faults []string }

func (e *InvalidError) Error() string {
	return "not a valid services file:\n  " + strings.Join(e.Faults, "\n  ")
}

// Read reads the services file at path: a regular file, or a link to one as Kubernetes mounts them, of at most MaxBytes.
// What is wrong with its content comes back as an *InvalidError, what hinders reading as the error of the system.
func Read(path string) (*Inventory, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("read inventory: %w", err)
	}
	inv, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("inventory %s: %w", path, err)
	}
	return inv, nil
}

// readFile reads a byte more than MaxBytes, by which Parse sees that there is too much. It waits for no pipe.
func readFile(path string) (data []byte, err error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	stat, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !stat.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file; name the services file", path)
	}
	content := bytes.NewBuffer(make([]byte, 0, min(stat.Size(), MaxBytes)+bytes.MinRead))
	_, err = content.ReadFrom(io.LimitReader(file, MaxBytes+1))
	return content.Bytes(), err
}

// Parse reads a services file. Whatever is wrong with it comes back as an *InvalidError.
func Parse(data []byte) (*Inventory, error) {
	read := &check.Reading{}
	root, ok := tree(data, read)
	if !ok {
		return nil, &InvalidError{Faults: read.Faults()}
	}
	inv, faults := newBuilder(len(data), read).inventory(&root)
	if faults != nil {
		return nil, &InvalidError{Faults: faults}
	}
	return inv, nil
}

// textFault says why data is no text that YAML could be, empty if it is.
func textFault(data []byte) (at, what string) {
	if len(data) > MaxBytes {
		return "", fmt.Sprintf("larger than %d MiB", MaxBytes>>20)
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return position(data, i), fmt.Sprintf("byte 0x%02x is not UTF-8", data[i])
		case r < ' ' && r != '\n' && r != '\r' && r != '\t' || r >= 0x7f && r < 0xa0:
			return position(data, i), fmt.Sprintf("a control character, %U; must be text", r)
		}
		i += size
	}
	return "", ""
}

// position tells the byte at offset as an editor would: from 1, in characters.
func position(data []byte, offset int) string {
	before := data[:offset]
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return place(bytes.Count(before, []byte("\n"))+1, column)
}

func place(line, column int) string { return fmt.Sprintf("line %d, column %d", line, column) }
