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
	path, err := followed(path)
	if err != nil {
		return count, fmt.Errorf("hook state: %w", err)
	}
	text, err := readStateFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return count, nil
	}
	if err != nil {
		return count, fmt.Errorf("hook state: %w", err)
	}
	doc, err := parseDocument(text)
	if err != nil {
		return count, nil //nolint:nilerr // whoever sets it aside says so
	}
	w := &work{doc: doc}
	for _, at := range w.names() {
		h, _, _ := decodeHook(doc.hooks.value(at)) // a strange one starts afresh
		count[h.State.known()]++
	}
	return count, nil
}
