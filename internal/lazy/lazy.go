// Package lazy delays what would hold up the start of a program.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a regular expression that is compiled on first use. The programs have some hundred of them, and compiling all at the start
// would take longer than most commands.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
