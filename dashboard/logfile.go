package dashboard

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/claudeops/claudeops/store"
)

// errForeignLog refuses a path that stands in a database, and that is no session log's: whoever handed the database over could name any file.
var errForeignLog = errors.New("the path that the database has for it is not named as the log of this session")

// logPath is where the raw log of a session stands: in the results directory, and for a database that was named in the folder that it says.
func (i *Instance) logPath(s store.Session) (string, error) {
	name := fmt.Sprintf("session-%d.ndjson", s.ID)
	if i.own != nil {
		return filepath.Join(i.own.Config.ResultsDir, name), nil
	}
	if !filepath.IsAbs(s.LogPath) || filepath.Base(s.LogPath) != name {
		return "", errForeignLog
	}
	return filepath.Join(filepath.Dir(s.LogPath), name), nil
}
