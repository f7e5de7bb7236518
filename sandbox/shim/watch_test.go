package shim

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestScratchSizeSeesFoldersThatAreClosed(t *testing.T) {
	const nobody = 65534
	scratch := t.TempDir()
	if os.Getuid() == 0 { // modes do not restrict root
		for _, err := range []error{os.Chmod(filepath.Dir(scratch), 0o755), os.Chown(scratch, nobody, nobody)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		_ = unix.Setfsuid(nobody)
		defer func() { _ = unix.Setfsuid(0) }()
	}
	inner := filepath.Join(scratch, "outer", "inner")
	for _, err := range []error{os.MkdirAll(inner, 0o700), os.WriteFile(filepath.Join(inner, "file"), bytes.Repeat([]byte("x"), 1<<20), 0o600), os.Chmod(inner, 0o300), os.Chmod(filepath.Dir(inner), 0)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := supervisor{spec: Spec{Scratch: []string{scratch}}}
	if size := s.scratchSize(1 << 30); size < 1<<20 {
		t.Errorf("%d bytes; want those of the file too", size)
	}
	if size := s.scratchSize(1 << 10); size <= 1<<10 {
		t.Errorf("%d bytes, and no more is looked for; want more than the limit", size)
	}
}
