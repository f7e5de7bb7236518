package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const asideForm = "20060102T150405Z"

// SetAside gives the file at path a second name that nothing has, "PATH.WHY-TIME", and returns it: whoever replaces path next loses
// nothing, and at every moment there is a file. A directory cannot have two names: it is moved.
func SetAside(path, why string, now time.Time) (string, error) {
	base := fmt.Sprintf("%s.%s-%s", path, why, now.UTC().Format(asideForm))
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		err := os.Link(path, name)
		if errors.Is(err, fs.ErrPermission) {
			if _, there := os.Lstat(name); errors.Is(there, fs.ErrNotExist) {
				err = os.Rename(path, name)
			}
		}
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("set %s aside: %w", path, err)
		}
	}
}
