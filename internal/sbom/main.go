// Sbom writes the components of the programs in a release archive, as CycloneDX 1.6: every Go module that the linker recorded, the Go
// standard library, and what is linked in without being a module, SQLite and the C library.
//
//	go run ./internal/sbom [-version V] [-date UNIXTIME] ARCHIVE.tar.gz FILE
//
// For the same archive, version and date, the output is byte for byte the same.
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/renameio/v2"
	"github.com/google/uuid"
	"github.com/mattn/go-sqlite3"
)

// maxProgram limits what is read of one file of an archive, in bytes.
const maxProgram = 512 << 20

func main() {
	log.SetFlags(0)
	log.SetPrefix("sbom: ")
	version := flag.String("version", "", "the `version` of the release")
	date := flag.Int64("date", 0, "its date, in `seconds` since 1970")
	flag.Parse()
	if flag.NArg() != 2 {
		log.Fatal("want two arguments: the archive, and the file to write")
	}
	programs, err := programsIn(flag.Arg(0))
	if err != nil {
		log.Fatalf("%s: %v", flag.Arg(0), err)
	}
	var text bytes.Buffer
	bom := describe(programs, *version, time.Unix(*date, 0).UTC())
	if err := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		log.Fatal(err)
	}
	if err := renameio.WriteFile(flag.Arg(1), text.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// program is a program made by the Go linker.
type program struct {
	name   string
	digest string // SHA-256, in hexadecimal
	static bool   // the C library is linked in
	*debug.BuildInfo
}

// programsIn returns the Go programs in an archive, which must have at least one.
func programsIn(archive string) ([]program, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var programs []program
	files := tar.NewReader(unpacked)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg || header.Mode&0o111 == 0 {
			continue
		}
		p, err := read(path.Base(header.Name), files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", header.Name, err)
		}
		programs = append(programs, p)
	}
	if len(programs) == 0 {
		return nil, errors.New("no program in it")
	}
	slices.SortFunc(programs, func(a, b program) int { return cmp.Compare(a.name, b.name) })
	return programs, nil
}

func read(name string, from io.Reader) (program, error) {
	content, err := io.ReadAll(io.LimitReader(from, maxProgram))
	if err != nil {
		return program{}, err
	}
	build, err := buildinfo.Read(bytes.NewReader(content))
	if err != nil {
		return program{}, err
	}
	digest := sha256.Sum256(content)
	cgo := slices.Contains(build.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"}) // releases are linked statically
	return program{name, hex.EncodeToString(digest[:]), cgo, build}, nil
}

// describe returns the document: the release, its programs, and the components of each.
func describe(programs []program, version string, date time.Time) *cdx.BOM {
	release := cdx.Component{
		BOMRef: "claudeops", Type: cdx.ComponentTypeApplication, Name: "claudeops", Version: version,
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}}, PackageURL: purl("golang", programs[0].Main.Path, version),
	}
	parts := map[string]cdx.Component{}
	depends := []cdx.Dependency{{Ref: release.BOMRef, Dependencies: &[]string{}}}
	var digests []string
	for _, p := range programs {
		c := cdx.Component{
			BOMRef: "program:" + p.name, Type: cdx.ComponentTypeApplication, Name: p.name, Version: version,
			Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: p.digest}},
		}
		parts[c.BOMRef] = c
		digests = append(digests, p.digest)
		*depends[0].Dependencies = append(*depends[0].Dependencies, c.BOMRef)
		var needs []string
		for _, part := range partsOf(p) {
			parts[part.BOMRef] = part
			needs = append(needs, part.BOMRef)
		}
		slices.Sort(needs)
		depends = append(depends, cdx.Dependency{Ref: c.BOMRef, Dependencies: &needs})
	}
	var components []cdx.Component
	for _, c := range parts {
		components = append(components, c)
	}
	slices.SortFunc(components, func(a, b cdx.Component) int { return cmp.Compare(a.BOMRef, b.BOMRef) })

	bom := cdx.NewBOM()
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(strings.Join(digests, " "))).URN()
	bom.Metadata = &cdx.Metadata{Timestamp: date.Format(time.RFC3339), Component: &release}
	bom.Components, bom.Dependencies = &components, &depends
	return bom
}

// partsOf returns what is linked into a program.
func partsOf(p program) []cdx.Component {
	parts := []cdx.Component{library("golang", "std", strings.TrimPrefix(p.GoVersion, "go"))}
	for _, m := range p.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, library("golang", m.Path, m.Version))
		if m.Path == "github.com/mattn/go-sqlite3" {
			version, _, _ := sqlite3.Version() // of the same module
			parts = append(parts, library("generic", "sqlite", version))
		}
	}
	if p.static {
		parts = append(parts, library("generic", "glibc", libcVersion()))
	}
	return parts
}

func library(kind, name, version string) cdx.Component {
	url := purl(kind, name, version)
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: name, Version: version, PackageURL: url}
}

// purl returns a package URL. The plus is the only character in module paths and versions that needs escaping.
func purl(kind, name, version string) string {
	if version != "" {
		name += "@" + strings.ReplaceAll(version, "+", "%2B")
	}
	return "pkg:" + kind + "/" + name
}

// libcVersion returns the version of the C library on this machine, which links the programs; empty if it is not glibc. Debian's cross
// compilers have the same version.
func libcVersion() string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "getconf", "GNU_LIBC_VERSION").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(string(out), "glibc "))
}
