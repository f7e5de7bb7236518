package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// wakeName is the file in the state directory that asks for a cycle; it holds the trigger.
	wakeName = "wake"
	maxWake  = 64
)

// wakers are the triggers of cycles that are asked for outside of the schedule.
var wakers = []string{"alert", "approval", "manual"}

// Wake asks a running `claudeops cron` for a cycle with a trigger: alert, approval or manual. Requests that come before that cycle begins
// are one request, and the last trigger counts. Without a running cron nothing happens until the next cycle, which makes the request moot.
func Wake(stateDir, trigger string) error {
	if !slices.Contains(wakers, trigger) {
		return fmt.Errorf("%q starts no cycle: it is one of %s", trigger, strings.Join(wakers, ", "))
	}
	if err := Replace(filepath.Join(stateDir, wakeName), []byte(trigger+"\n")); err != nil {
		return fmt.Errorf("ask for a cycle: %w", err)
	}
	return nil
}

// Awaited reports whether a request for a cycle waits to be taken.
func Awaited(stateDir string) (bool, error) {
	_, err := os.Lstat(filepath.Join(stateDir, wakeName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// TakeWake removes the request for a cycle and returns its trigger; empty if there is none. The text of another writer counts as manual.
func TakeWake(stateDir string) (trigger string, err error) {
	path := filepath.Join(stateDir, wakeName)
	content, err := ReadFile(path, maxWake)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if removed := os.RemoveAll(path); removed != nil { // whatever is in the place of a file goes, so that it asks only once
		return "", fmt.Errorf("take the request for a cycle: %w", removed)
	}
	if trigger = strings.TrimSpace(string(content)); err != nil || !slices.Contains(wakers, trigger) {
		trigger = "manual"
	}
	return trigger, nil
}
