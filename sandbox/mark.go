package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// endMarked ends the processes of a call whose shim has been killed. They carry its mark. They cannot start others, because the shim no
// longer answers their forks.
func endMarked(mark uint64) error {
	for deadline := time.Now().Add(grace); ; {
		all, err := procfs.All()
		if err != nil {
			return err
		}
		found := 0
		for _, p := range all {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.PID))
			if err != nil || p.Threads == 0 || !strings.Contains(string(text), strconv.FormatUint(mark, 10)) {
				continue // it has ended, or is another's
			}
			found++
			if err := unix.Kill(p.PID, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("end process %d: %w", p.PID, err)
			}
		}
		if found == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d processes that it left do not end", found)
		}
		time.Sleep(10 * time.Millisecond) // they are not child processes, so nothing reports their end
	}
}
