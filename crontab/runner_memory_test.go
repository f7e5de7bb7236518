package crontab

import (
	"fmt"
	"strings"
	"testing"
)

// Of a program's mappings only those may be forgotten that nobody has written to or can write to.
func TestOnlyCleanMappingsOfTheProgramAreForgotten(t *testing.T) {
	block := func(first string, anonymous, swap, locked int) string {
		return fmt.Sprintf("%s\nSize: 8 kB\nRss: 8 kB\nAnonymous: %d kB\nSwap: %d kB\nLocked: %d kB\nVmFlags: rd mr\n", first, anonymous, swap, locked)
	}
	const program = "/usr/bin/claudeops"
	smaps := strings.Join([]string{
		block("00400000-00401000 r--p 00000000 fe:00 1 /usr/bin/claudeops", 0, 0, 0),
		block("00401000-00402000 r-xp 00001000 fe:00 1 /usr/bin/claudeops", 0, 0, 0),
		block("00402000-00403000 r-xp 00002000 fe:00 1 /usr/bin/claudeops", 4, 0, 0),  // a breakpoint
		block("00403000-00404000 r--p 00003000 fe:00 1 /usr/bin/claudeops", 8, 0, 0),  // relocations
		block("00404000-00405000 r--p 00003000 fe:00 1 /usr/bin/claudeops", 0, 4, 0),  // the same, in the swap
		block("00405000-00406000 r--p 00003000 fe:00 1 /usr/bin/claudeops", 0, 0, 4),  // locked
		block("00406000-00407000 rw-p 00003000 fe:00 1 /usr/bin/claudeops", 0, 0, 0),  // data
		block("00407000-00408000 r--s 00003000 fe:00 1 /usr/bin/claudeops", 0, 0, 0),  // shared
		block("00408000-00409000 r--p 00003000 fe:00 1 /usr/bin/claudeops2", 0, 0, 0), // another file
		block("00409000-0040a000 r--p 00000000 00:00 0", 0, 0, 0),
		block("0040b000-0040a000 r--p 00000000 fe:00 1 /usr/bin/claudeops", 0, 0, 0),
		"0040c000-0040d000 r--p 00000000 fe:00 1 /usr/bin/claudeops\nAnonymous: many kB\nVmFlags: rd\n",
		"0040d000-0040e000 r--p 00000000 fe:00 1 /usr/bin/claudeops\n", // cut off
	}, "")
	if got, want := fmt.Sprintf("%x", cleanMappings(strings.NewReader(smaps), program)), "[{400000 401000} {401000 402000}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The program goes on after its pages were forgotten, and more than once.
func TestSlim(t *testing.T) {
	for range 3 {
		Slim()
		if got := fmt.Sprintf("%d %s", 6*7, strings.Repeat("ab", 3)); got != "42 ababab" {
			t.Fatal(got)
		}
	}
}
