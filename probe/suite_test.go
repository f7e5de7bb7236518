package probe

import (
	"cmp"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/servers"
)

// suite has the servers that the tests of this package share.
var suite servers.Suite

func TestMain(m *testing.M) {
	code := m.Run()
	suite.End()
	os.Exit(code)
}

// attempt makes one attempt of a check of the service shop, as if it were the last.
func attempt(ctx context.Context, c *Client, k *Check) check.Result {
	r := k.Options.Prepare(c, k, "shop")(ctx)
	r.Status = cmp.Or(r.Status, check.Unknown)
	return r
}

// attemptBy makes one attempt of a check within its timeout.
func attemptBy(t testing.TB, c *Client, k *Check) check.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), k.Timeout)
	defer cancel()
	return attempt(ctx, c, k)
}

// attemptOnce is attemptBy with a new client.
func attemptOnce(t testing.TB, k *Check, s Settings) check.Result {
	t.Helper()
	c := newClient(s)
	defer c.close()
	return attemptBy(t, c, k)
}

// attemptOf prepares the attempt of a check with these settings.
func attemptOf(k *Check, s Settings) Try { return k.Options.Prepare(newClient(s), k, "shop") }

// unmarked returns an error as if it were shown in full.
func unmarked(text string) string {
	return strings.ReplaceAll(regexp.MustCompile("\x0e[0-9]+:").ReplaceAllString(text, ""), "\x0f", "")
}
