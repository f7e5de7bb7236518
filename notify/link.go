package notify

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

const (
	// linkKeyName is the file in the state directory, which no agent can read, with the key that signs links.
	linkKeyName = "link.key"
	linkKeySize = 32 // bytes
)

// Links signs the links in messages about proposals, each for one proposal, one target and the time until it expires. They are made when a
// message is sent, and stored nowhere.
type Links struct{ key []byte }

// OpenLinks reads the key of a state directory, and makes it if there is none.
func OpenLinks(stateDir string) (Links, error) {
	path := filepath.Join(stateDir, linkKeyName)
	fresh := make([]byte, linkKeySize)
	_, _ = rand.Read(fresh) // never fails
	if _, err := statedir.Create(path, []byte(hex.EncodeToString(fresh)+"\n")); err != nil {
		return Links{}, err
	}
	content, err := statedir.ReadFile(path, 4*linkKeySize)
	if err != nil {
		return Links{}, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(content)))
	if err == nil && len(key) != linkKeySize {
		err = errors.New("its length is wrong")
	}
	if err != nil {
		return Links{}, fmt.Errorf("%s is no key of links: %w; remove it, and links that were sent are void", path, err)
	}
	return Links{key}, nil
}

// Link returns the signed link to a proposal for a target. It has one parameter only: an ampersand would be markup for some services.
func (l Links) Link(dashboard string, p store.Proposal, target string) string {
	return Link(dashboard, ProposalPage(p.ID)) + "?to=" + target + "." + l.sign(p, target)
}

// Target returns the hash of the target to which a link's parameter belongs; empty if it was not signed for this proposal.
func (l Links) Target(p store.Proposal, to string) string {
	target, signature, _ := strings.Cut(to, ".")
	if target == "" || !hmac.Equal([]byte(signature), []byte(l.sign(p, target))) {
		return ""
	}
	return target
}

func (l Links) sign(p store.Proposal, target string) string {
	mac := hmac.New(sha256.New, l.key)
	_, _ = fmt.Fprintf(mac, "claudeops: link to a proposal\x00%d\x00%d\x00%s", p.ID, p.ExpiresAt.UnixMilli(), target) // writing to a hash does not fail
	return hex.EncodeToString(mac.Sum(nil))
}
