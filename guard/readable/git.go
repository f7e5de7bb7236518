package readable

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Git keeps every file that was ever committed, compressed and unnamed, often many in one pack file. Nothing can be excluded from an
// object store, so it is open only if the history holds nothing that would be closed in the working tree.

// Limits of a history. A store beyond them is closed.
const (
	maxStore   = 2 << 30 // bytes of the store
	maxObjects = 200_000
	maxHistory = 10 * time.Second

	// Files that were staged but never committed have no name. Among those that are larger, only a private key closes the store: most are
	// earlier states of code.
	maxNameless = 4 << 10
)

// store is a directory of git objects.
type store struct {
	key string // the names, sizes and inodes for which why holds
	why string // why it is closed; empty if it is open
}

// readHistories examines the stores that have changed.
func (l *List) readHistories(ctx context.Context, n *node) error {
	if n.store != nil && n.closedReason == "" {
		if key := storeKey(n); key != n.store.key {
			n.store.key = key
			n.store.why = l.history(ctx, n)
		}
	}
	for _, d := range n.dirs {
		if err := l.readHistories(ctx, d); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// storeKey returns a text that changes with the objects.
func storeKey(n *node) string {
	var key strings.Builder
	for _, d := range slices.Concat([]*node{n}, n.dirs) {
		fmt.Fprintf(&key, "%s %d\n", d.path, len(d.files))
		for _, f := range d.files {
			fmt.Fprintf(&key, "%s %d %d\n", f.name, f.size, f.id.ino)
		}
	}
	return key.String()
}

// history returns what is closed in a repository's history; empty if nothing is.
func (l *List) history(ctx context.Context, n *node) string {
	if n.around == settings {
		return "the history of configuration is that of its credentials too"
	}
	var size int64
	for _, d := range slices.Concat([]*node{n}, n.dirs) {
		if d.closedReason != "" {
			return d.closedReason
		}
		for _, f := range d.files {
			size += f.size
		}
	}
	if size > maxStore {
		return "the history is too large to be looked through"
	}
	ctx, cancel := context.WithTimeout(ctx, maxHistory)
	defer cancel()
	gitDir := filepath.Dir(n.path)
	tree := gitDir
	if filepath.Base(gitDir) == ".git" {
		tree = filepath.Dir(gitDir)
	}
	h := history{git: gitDir, files: map[string]suspect{}}
	judge := func(rel string, of verdict) verdict {
		path := filepath.Join(tree, rel)
		if l.secret(path) {
			return closed
		}
		return l.byName(&node{manner: n.around, of: of}, path)
	}
	why, err := h.closed(ctx, judge)
	if err != nil {
		return "its history could not be looked through: " + err.Error()
	}
	return why
}

// history is what was read from a repository's objects.
type history struct {
	git   string
	trees map[string][]entry
	files map[string]suspect // blobs whose content must be examined
	blobs map[string]int64   // sizes in bytes, of all blobs
}

// suspect is the name of a blob, with the verdict on that name.
type suspect struct {
	name string
	verdict
}

// entry is one entry of a tree.
type entry struct {
	name, id string
	folder   bool
}

// closed returns the first file in the history that is closed; empty if none is.
func (h *history) closed(ctx context.Context, judge func(rel string, of verdict) verdict) (string, error) {
	if err := h.list(ctx); err != nil {
		return "", err
	}
	inner := map[string]bool{} // trees that are part of another tree
	for _, entries := range h.trees {
		for _, e := range entries {
			if e.folder {
				inner[e.id] = true
			}
			delete(h.blobs, e.id)
		}
	}
	seen := map[string]bool{}
	for id := range h.trees {
		if !inner[id] {
			if name := h.judgeTree(id, "", plain, judge, seen); name != "" {
				return "its history holds " + name + ", whose name is that of a credential", nil
			}
		}
	}
	for id, size := range h.blobs { // without a name: staged and never committed
		if size > 0 {
			h.files[id] = suspect{"", look}
		}
	}
	return h.lookInto(ctx)
}

// judgeTree judges the names in a tree and below it, and returns the first that is closed.
func (h *history) judgeTree(id, dir string, of verdict, judge func(string, verdict) verdict, seen map[string]bool) string {
	key := id + " " + filepath.Base(dir) + strconv.Itoa(int(of))
	if seen[key] {
		return ""
	}
	seen[key] = true
	for _, e := range h.trees[id] {
		name := filepath.Join(dir, e.name)
		if e.folder {
			v := max(of, folder(name))
			if v == closed {
				return name
			}
			if found := h.judgeTree(e.id, name, v, judge, seen); found != "" {
				return found
			}
			continue
		}
		switch v := judge(name, of); {
		case v == closed:
			return name
		case v > h.files[e.id].verdict && v != public:
			h.files[e.id] = suspect{name, v}
		}
	}
	return ""
}

// list reads the ids of all objects, and all trees.
func (h *history) list(ctx context.Context) error {
	h.trees, h.blobs = map[string][]entry{}, map[string]int64{}
	var trees []string
	err := h.run(ctx, nil, func(r *bufio.Reader) error {
		for count := 0; ; count++ {
			id, kind, size, err := readHeader(r)
			switch {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			case count == maxObjects:
				return errors.New("it is too long")
			case kind == "tree":
				trees = append(trees, id)
			case kind == "blob":
				h.blobs[id] = size
			}
		}
	}, "--batch-all-objects", "--unordered", "--batch-check")
	if err != nil {
		return err
	}
	return h.contents(ctx, trees, func(id string, content []byte) (err error) {
		h.trees[id], err = parseTree(content, len(id)/2)
		return err
	})
}

// readHeader reads git's line about an object: its id, kind and size in bytes.
func readHeader(r *bufio.Reader) (id, kind string, size int64, err error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", "", 0, err
	}
	fields := strings.Fields(line)
	if len(fields) == 3 {
		size, err = strconv.ParseInt(fields[2], 10, 64)
	}
	if len(fields) != 3 || err != nil || size < 0 {
		return "", "", 0, fmt.Errorf("git says %q", line)
	}
	return fields[0], fields[1], size, nil
}

// lookInto judges the content of the files whose names do not decide.
func (h *history) lookInto(ctx context.Context) (found string, err error) {
	var ids []string
	for id := range h.files {
		ids = append(ids, id)
	}
	err = h.contents(ctx, ids, func(id string, content []byte) error {
		if found != "" {
			return nil
		}
		name := h.files[id].name
		if name == "" && len(content) > maxNameless && !bytes.Contains(content, []byte("PRIVATE KEY")) {
			return nil // larger than a file of credentials
		}
		if why := byContent(name, content, h.files[id].verdict, name == ""); why != "" {
			if name == "" {
				name = "a file without a name (object " + id[:12] + ")"
			}
			found = "its history holds " + name + ": " + why
		}
		return nil
	})
	return found, err
}

// contents reads objects and calls each for every one.
func (h *history) contents(ctx context.Context, ids []string, each func(id string, content []byte) error) error {
	if len(ids) == 0 {
		return nil
	}
	return h.run(ctx, ids, func(r *bufio.Reader) error {
		for range ids {
			id, _, size, err := readHeader(r)
			if err != nil {
				return fmt.Errorf("read an object: %w", err)
			}
			if size > maxLook<<4 {
				return fmt.Errorf("object %s is too large to be looked into", id)
			}
			content := make([]byte, size+1)
			if _, err := io.ReadFull(r, content); err != nil {
				return fmt.Errorf("git ended early: %w", err)
			}
			if err := each(id, content[:size]); err != nil {
				return err
			}
		}
		return nil
	}, "--batch", "--buffer")
}

// parseTree parses a tree, which repeats: MODE NAME, a NUL, the binary id.
func parseTree(content []byte, length int) (all []entry, err error) {
	for len(content) > 0 {
		head, rest, found := bytes.Cut(content, []byte{0})
		mode, name, spaced := bytes.Cut(head, []byte{' '})
		if !found || !spaced || len(rest) < length {
			return nil, errors.New("a tree of it is damaged")
		}
		if m := string(mode); m != "160000" { // a submodule is another repository
			all = append(all, entry{string(name), hex.EncodeToString(rest[:length]), m == "40000"})
		}
		content = rest[length:]
	}
	return all, nil
}

// run calls git cat-file. It runs no program and contacts no host that a repository's configuration names.
func (h *history) run(ctx context.Context, ids []string, read func(*bufio.Reader) error, args ...string) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--git-dir=" + h.git, "cat-file"}, args...)...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	}
	cmd.Dir, cmd.WaitDelay = "/", time.Second
	if ids != nil {
		cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	}
	var complaint beginning // what git could not read, without failing
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run git: %w", err)
	}
	readErr := read(bufio.NewReaderSize(out, 1<<16))
	if readErr != nil {
		cancel()
	}
	waitErr := cmd.Wait()
	if readErr != nil {
		return readErr
	}
	if said, _, _ := strings.Cut(string(complaint), "\n"); said != "" {
		return fmt.Errorf("git cat-file: %s", said)
	}
	if waitErr != nil {
		return fmt.Errorf("git cat-file: %w", waitErr)
	}
	return nil
}

// beginning keeps the first 1 KiB that is written to it.
type beginning []byte

func (b *beginning) Write(p []byte) (int, error) {
	*b = append(*b, p[:min(len(p), 1<<10-len(*b))]...)
	return len(p), nil
}
