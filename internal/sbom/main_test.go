package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pack returns the path of an archive with one file.
func pack(t *testing.T, name string, mode int64, content []byte) string {
	t.Helper()
	var text bytes.Buffer
	packed, err := gzip.NewWriterLevel(&text, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewWriter(packed)
	if err := files.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: mode, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "archive.tar.gz")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSbom_AnArchiveWithoutGoProgramsIsRefused(t *testing.T) {
	t.Parallel()
	for name, archive := range map[string]string{
		"no program in it": pack(t, "claudeops/README.md", 0o644, []byte("# claudeops")),
		"claudeops/run":    pack(t, "claudeops/run", 0o755, []byte("#!/bin/sh\n")),
	} {
		if _, err := programsIn(archive); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error that says %q, got %v", name, err)
		}
	}
}

// This test is a Go program, too.
func TestSbom_ADocumentNamesWhatTheLinkerRecorded(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	programs, err := programsIn(pack(t, "claudeops/claudeops", 0o755, content))
	if err != nil {
		t.Fatal(err)
	}
	bom := describe(programs, "v1.2.3", time.Unix(0, 0).UTC())
	got := map[string]bool{}
	for _, c := range *bom.Components {
		if c.BOMRef == "program:claudeops" && c.Version != "v1.2.3" {
			t.Errorf("the program is of version %q", c.Version)
		}
		got[c.Name] = true
	}
	for _, want := range []string{"claudeops", "std", "github.com/CycloneDX/cyclonedx-go", "github.com/mattn/go-sqlite3", "sqlite"} {
		if !got[want] {
			t.Errorf("%s is not named", want)
		}
	}
	if bom.Metadata.Timestamp != "1970-01-01T00:00:00Z" {
		t.Errorf("its time is %s, not the one given", bom.Metadata.Timestamp)
	}
}
