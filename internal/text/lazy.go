package text

import (
	"regexp"
	"sync"
)

// Lazy is a regular expression that is compiled when it is first used: some hundred of them at every start of the program take longer than
// most commands.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
