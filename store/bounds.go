package store

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Somebody else's database may hold anything. What is read of a row is bounded, so that no value takes the memory; what this program writes
// is shorter.
const (
	// mostValue is how long a value, or a row, may be that a reader takes at all, in bytes. SQLite refuses a longer one.
	mostValue = 16 << 20
	// mostText is how much of a text is read where nothing else is said, in bytes.
	mostText = 64 << 10
	// mostName is how much of a service's name is read where all services are listed, in bytes.
	mostName = 1 << 10
	// mostDocument is how much of a session's report and handoff is read, in bytes: a handoff may have 1 MiB.
	mostDocument = 2 << 20
	// mostCost is what no session costs, in US dollars: a number that is more, or none, counts as 0.
	mostCost = 1e9
)

// usd is the cost of a session where it is one.
const usd = `iif(abs(cost_usd) < 1e9, cost_usd, 0)`

// boundedRow is a row whose texts and numbers are bounded, and whose times are read from text.
type boundedRow struct{ row }

func (r boundedRow) Scan(dest ...any) error {
	to := slices.Clone(dest)
	for i, d := range dest {
		switch d := d.(type) {
		case *time.Time:
			to[i] = readTime{d}
		case **time.Time:
			to[i] = readOptional{d}
		}
	}
	if err := r.row.Scan(to...); err != nil {
		return err
	}
	for _, d := range dest {
		switch to := d.(type) {
		case *string:
			*to = cut(*to, mostText)
		case *float64:
			if math.IsNaN(*to) || math.Abs(*to) >= mostCost {
				*to = 0
			}
		default:
			if to := reflect.ValueOf(d); to.Kind() == reflect.Pointer && to.Elem().Kind() == reflect.String {
				to.Elem().SetString(cut(to.Elem().String(), mostText))
			}
		}
	}
	return nil
}

// cut is the beginning of a text that is too long, without keeping the rest of it in memory.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.Clone(text[:most])
}

// readText scans a text of which so many bytes are read.
type readText struct {
	to   *string
	most int
}

func (r readText) Scan(value any) error {
	switch v := value.(type) {
	case string:
		*r.to = cut(v, r.most)
	case []byte:
		*r.to = string(v[:min(len(v), r.most)])
	default:
		return fmt.Errorf("a text is %T", value)
	}
	return nil
}
