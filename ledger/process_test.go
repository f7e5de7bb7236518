package ledger_test

import (
	"fmt"
	"os"
	"testing"
)

// The test binary is also used for another process that reserves in the state directory named by RECORDS_TEST_FULL.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RECORDS_TEST_FULL"); dir != "" {
		if err := reserveOnFullDisk(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
