package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"sync"
	"time"
)

//go:embed templates/*.html
var templateFiles embed.FS

// What stands below assets/vendor is other people's, unchanged, with their licences beside it.
//
//go:embed assets
var assetFiles embed.FS

// An assetFile is one file that pages refer to.
type assetFile struct {
	content []byte
	version string // of the content: a part of its hash
	kind    string // the Content-Type
}

// assets are the embedded files by their path below assets/. They cannot change while the program runs.
var assets = sync.OnceValue(func() map[string]assetFile {
	kinds := map[string]string{".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}
	files := map[string]assetFile{}
	err := fs.WalkDir(assetFiles, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := assetFiles.ReadFile(name)
		if err != nil {
			return err
		}
		hash := sha256.Sum256(content)
		kind, known := kinds[path.Ext(name)]
		if !known {
			kind = "application/octet-stream"
		}
		files[name[len("assets/"):]] = assetFile{
			content: content, version: hex.EncodeToString(hash[:6]),
			kind: mime.FormatMediaType(kind, map[string]string{"charset": "utf-8"}),
		}
		return nil
	})
	if err != nil {
		panic("read the embedded assets: " + err.Error()) // they are part of the program
	}
	return files
})

// asset is the address of an asset, which changes with its content, so that browsers may keep it for ever. It stands at the root, whatever
// the instance.
func asset(name string) string {
	file, known := assets()[name]
	if !known {
		panic("no asset is called " + name) // a template names it
	}
	return "/assets/" + name + "?v=" + file.version
}

// serveAsset answers GET /assets/{path...}.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("path")
	file, known := assets()[name]
	if !known {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", file.kind)
	header.Set("ETag", `"`+file.version+`"`)
	if r.URL.Query().Get("v") == file.version {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(file.content))
}
