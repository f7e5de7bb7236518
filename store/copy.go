package store

import (
	"context"

	"github.com/claudeops/claudeops/statefile"
)

// Take applies to the file what an agent did to its copy of it, which was base when it was handed out, and returns what it removed or altered
// there (statefile.State.Take). Which records tell of acts that are known is found out when the session is settled.
func (l *Ledger) Take(ctx context.Context, base, copied *statefile.State, streaks bool) (lost []statefile.Lost, err error) {
	report, err := l.sparing().write(ctx, func(st *statefile.State) error {
		lost = st.Take(base, copied, streaks)
		return nil
	}, func() error { return nil })
	if err != nil {
		return nil, err
	}
	return lost, l.tell(ctx, notices(report))
}
