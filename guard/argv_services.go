package guard

import (
	"strings"

	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/inventory"
)

// serviceNames matches plain words, which no program splits or reads as an option: NAME, KIND/NAME, GROUP:NAME, HOST/IMAGE:TAG.
var serviceNames = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9_.:@/+-]*$`)

func (j *judge) inventory() (*inventory.Inventory, error) {
	if j.world.Inventory == nil {
		return nil, nil
	}
	return j.world.Inventory()
}

// serviceScript judges `service NAME ACTION`.
func (j *judge) serviceScript(c *invocation) error {
	switch {
	case len(c.operands) >= 2 && c.operands[1] != "status":
		c.graver = Restart
	case len(c.operands) < 2 && !c.has("--status-all", "-l", "--list"):
		return unknown("`service` takes a name and an action")
	case len(c.operands) >= 2 && (strings.HasSuffix(c.operands[0], ".sh") || strings.ContainsAny(c.operands[0], "/:")): // the script strips .sh
		return unknown("%s is no service; write its plain name", quoted(c.operands[0]))
	}
	return nil
}
