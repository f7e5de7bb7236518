package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/claudeops/claudeops/statefile"
)

// maxTaken is up to how many bytes an agent's copy lets the file grow. A file that is full (statefile.MaxBytes) takes no reservation, and
// so permits no remediation, until a person empties it.
const maxTaken = 8 << 20

// ErrTooMuch says that an agent added more to its copy of the file than that takes.
var ErrTooMuch = errors.New("it is too much")

// Take applies to the file what an agent did to its copy of it, which was base when it was handed out, and returns what it removed or altered
// there (statefile.State.Take). Which records tell of acts that are known is found out when the session is settled.
func (l *Ledger) Take(ctx context.Context, base, copied *statefile.State, streaks bool) (lost []statefile.Lost, err error) {
	report, err := l.sparing().write(ctx, func(st *statefile.State) error {
		before, err := st.Marshal()
		if err != nil {
			return err
		}
		lost = st.Take(base, copied, streaks)
		after, err := st.Marshal()
		if err == nil && len(after) > max(maxTaken, len(before)) {
			err = fmt.Errorf("%w: %s would have %d bytes", ErrTooMuch, statefile.FileName, len(after))
		}
		return err
	}, func() error { return nil })
	if err != nil {
		return nil, err
	}
	return lost, l.tell(ctx, notices(report))
}
