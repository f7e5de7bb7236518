package shim

// Calls that this architecture does not have, as numbers that no call has.
const (
	sysFork = -1 - iota
	sysVfork
	sysChmod
	sysChown
	sysLchown
)
