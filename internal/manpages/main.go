// Manpages writes the manual pages and shell completions of the packages:
//
//	go run ./internal/manpages DIR
//
// makes DIR/man/*.1 and DIR/completions/. With SOURCE_DATE_EPOCH set, the output is byte for byte the same.
package main

import (
	"errors"
	"log"
	"os"
	"path/filepath"

	"github.com/spf13/cobra/doc"

	"github.com/claudeops/claudeops/cli"
)

func main() {
	man, completions := filepath.Join(os.Args[1], "man"), filepath.Join(os.Args[1], "completions")
	err := errors.Join(os.MkdirAll(man, 0o755), os.MkdirAll(completions, 0o755))
	c := cli.Command()
	c.DisableAutoGenTag = true
	err = errors.Join(err,
		doc.GenManTree(c, &doc.GenManHeader{Source: "claudeops"}, man),
		c.GenBashCompletionFileV2(filepath.Join(completions, "claudeops.bash"), true),
		c.GenZshCompletionFile(filepath.Join(completions, "_claudeops")),
		c.GenFishCompletionFile(filepath.Join(completions, "claudeops.fish"), true))
	if err != nil {
		log.Fatal(err)
	}
}
