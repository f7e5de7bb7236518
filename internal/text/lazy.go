package text

import (
	"regexp"
	"sync"
)

// Lazy returns a regular expression that is compiled on first use. The program has some hundred of them, and compiling all at the start
// would take longer than most commands.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
