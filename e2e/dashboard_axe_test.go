package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// webAssets is the directory in which the Makefile installs the npm packages of the dashboard and its tests.
const webAssets = "../.bin/web-assets/node_modules"

// axe is the source of axe-core, to be run in a page.
var axe = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile(filepath.Join(webAssets, "axe-core", "axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("%w: run `make web-assets`", err)
	}
	return string(text), nil
})

// violation is a rule of axe-core that a page violates, and where.
type violation struct {
	Rule  string   `json:"rule"`
	Help  string   `json:"help"`
	Nodes []string `json:"nodes"`
}

// violations fails the test if axe-core finds any.
func (b *tab) violations(where string) {
	b.t.Helper()
	b.clean(where, b.broken("{}"))
}

// badColours is violations for another colour scheme of a page whose other rules were checked already.
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

// broken returns the violated rules: of all, or of those in options.
func (b *tab) broken(options string) []violation {
	b.t.Helper()
	program, err := axe()
	must(b.t, err)
	b.until("the whole page", "document.readyState === 'complete'") // including its styles
	if !eval[bool](b, "!!window.axe") {
		eval[any](b, program+"; null")
	}
	return eval[[]violation](b, `(window.still = true) && axe.run(document, {resultTypes: ['violations'], preload: false, ...`+options+`}).then(r => r.violations.map(v => ({rule: v.id,
		help: v.help, nodes: v.nodes.slice(0, 4).map(n => n.target.join(' ') + '  ' + n.html.slice(0, 200) + '  ' + n.failureSummary)}))).finally(() => { window.still = false })`)
}
