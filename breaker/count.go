package breaker

import (
	"errors"
	"fmt"
	"io/fs"
)

// CountStates counts the hooks of the state file at path by the state of their circuits. It waits for nobody and changes nothing. A
// missing file has no hooks; nor has a corrupt one, which the next run of a hook sets aside.
func CountStates(path string) (map[State]int, error) {
	count := map[State]int{}
	return count, eachHook(path, func(_ string, h Hook) { count[h.State.known()]++ })
}

// eachHook hands f each hook of the state file at path.
func eachHook(path string, f func(command string, h Hook)) error {
	text, err := readStateFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("hook state: %w", err)
	}
	doc, err := parseDocument(text)
	if err != nil {
		return nil //nolint:nilerr // whoever sets it aside says so
	}
	w := &work{doc: doc}
	for command, at := range w.names() {
		h, _, _ := decodeHook(doc.hooks.value(at)) // a strange one starts afresh
		f(command, h)
	}
	return nil
}
