package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// webAssets is where the Makefile installs the npm packages of the dashboard and its tests.
const webAssets = "../.bin/web-assets/node_modules"

// axe is the program axe-core, for a page to run.
var axe = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile(filepath.Join(webAssets, "axe-core", "axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("%w: run `make web-assets`", err)
	}
	return string(text), nil
})

// violation is a rule of axe-core that a page breaks, and where.
type violation struct {
	Rule  string   `json:"rule"`
	Help  string   `json:"help"`
	Nodes []string `json:"nodes"`
}

// violations fails where axe-core finds any.
func (b *tab) violations(where string) {
	b.t.Helper()
	b.clean(where, b.broken("{}"))
}

// badColours is violations for a page in another colour scheme, of which all else was looked at.
func (b *tab) badColours(where string) {
	b.t.Helper()
	b.clean(where, b.broken("{runOnly: ['color-contrast', 'link-in-text-block']}"))
}

func (b *tab) clean(where string, broken []violation) {
	b.t.Helper()
	for _, v := range broken {
		b.t.Errorf("%s: axe-core finds %s: %s\n\t%s", where, v.Rule, v.Help, strings.Join(v.Nodes, "\n\t"))
	}
}

// broken are the rules that the page breaks, of all or of those that the options name.
func (b *tab) broken(options string) []violation {
	b.t.Helper()
	program, err := axe()
	must(b.t, err)
	b.until("the whole page", "document.readyState === 'complete'") // with its styles
	if !eval[bool](b, "!!window.axe") {
		eval[any](b, program+"; null")
	}
	return eval[[]violation](b, `(window.still = true) && axe.run(document, {resultTypes: ['violations'], preload: false, ...`+options+`}).then(r => r.violations.map(v => ({rule: v.id,
		help: v.help, nodes: v.nodes.slice(0, 4).map(n => n.target.join(' ') + '  ' + n.html.slice(0, 200) + '  ' + n.failureSummary)}))).finally(() => { window.still = false })`)
}
