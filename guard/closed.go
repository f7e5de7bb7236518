package guard

// ClosedNames returns the patterns of closed names, a file's and a folder's, for programs that take patterns.
func ClosedNames() (patterns []string) {
	table := filesTable()
	for _, list := range table.Names {
		for _, p := range list.Closed {
			patterns = append(patterns, p.pattern, p.pattern+".*", p.pattern+"~", p.pattern+"-20*", p.pattern+"-old", p.pattern+"-wal") // and its copies
		}
	}
	for _, p := range table.Folders {
		patterns = append(patterns, p.pattern+"/**")
	}
	return patterns
}
