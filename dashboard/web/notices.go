package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// noticeLasts is how long the notice of an action is shown, should the page be loaded again.
const noticeLasts = 30 * time.Second

// The notices that there are, by the code that stands in an address.
const (
	noticeCounters = "counters"
	noticeHook     = "hook"
)

func noticeText(code string) string {
	switch code {
	case noticeCounters:
		return "The counters of this service were reset."
	case noticeHook:
		return "What was known of the hook is forgotten; its circuit is closed."
	}
	return ""
}

// notices signs what an action did, for the page that it leads to: an address that a stranger made shows none.
type notices struct {
	key []byte
	now func() time.Time
}

func newNotices(now func() time.Time) (notices, error) {
	key := make([]byte, sha256.Size)
	if _, err := rand.Read(key); err != nil {
		return notices{}, fmt.Errorf("make a key: %w", err)
	}
	return notices{key, now}, nil
}

// add adds a notice to an address of ours.
func (n notices) add(address, code string) string {
	until := strconv.FormatInt(n.now().Add(noticeLasts).Unix(), 10)
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + "notice=" + code + "-" + until + "-" + n.sign(code, until)
}

func (n notices) sign(code, until string) string {
	mac := hmac.New(sha256.New, n.key)
	mac.Write([]byte(code + "-" + until))
	return hex.EncodeToString(mac.Sum(nil)[:12])
}

// of is the notice that an address asks for; empty where it was not made here, or is over.
func (n notices) of(query url.Values) string {
	parts := strings.Split(query.Get("notice"), "-")
	if len(parts) != 3 || !hmac.Equal([]byte(parts[2]), []byte(n.sign(parts[0], parts[1]))) {
		return ""
	}
	if until, err := strconv.ParseInt(parts[1], 10, 64); err != nil || n.now().Unix() >= until {
		return ""
	}
	return noticeText(parts[0])
}
