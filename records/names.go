package records

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/store"
)

// MergeNames moves records under another name of a service, written before the inventory listed it, to the service. It requires the cycle
// lock; cooldown.json is merged whenever it is read.
func (b *Records) MergeNames(ctx context.Context) (found []Notice, err error) {
	names, err := b.Store.AllNames(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range names {
		name := b.Inventory.NameOf(other)
		if name == other {
			continue
		}
		if err := b.Store.MergeName(ctx, other, name); err != nil {
			return nil, err
		}
		found = append(found, b.merged(other))
	}
	return found, nil
}

// merged is the notice of what was on record under another name of a service.
func (b *Records) merged(other string) Notice {
	name := b.Inventory.NameOf(other)
	return Notice{Level: store.Info, Service: name, Message: fmt.Sprintf("%s is another name of %s: what was on record under it is %s's now", other, name, name)}
}
