package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

// uploads takes files and keeps them in a folder of the homelab's small file system. It has a fault that real ones have: a debug log that
// it opens on demand is never closed, not even when its file was deleted.
type uploads struct {
	dir string

	mu  sync.Mutex
	log *os.File
}

// maxUpload bounds a file.
const maxUpload = 64 << 10

func serveUploads(ctx context.Context, address, dir string) error {
	u := &uploads{dir: dir}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /files/{name}", u.put)
	mux.HandleFunc("POST /debug", u.debug)
	return serveHTTP(ctx, address, mux)
}

func (u *uploads) put(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(io.LimitReader(r.Body, maxUpload))
	if err == nil {
		err = u.store(filepath.Base(r.PathValue("name")), append([]byte("stored\n"), text...))
	}
	if err != nil {
		logLine("error: %s %s: %v", r.Method, r.URL.Path, err)
		http.Error(w, "internal server error", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

// store replaces a file once its new content is there.
func (u *uploads) store(name string, text []byte) error {
	f, err := os.CreateTemp(u.dir, ".upload-")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), filepath.Join(u.dir, name))
}

// debug writes a log that takes all space there is.
func (u *uploads) debug(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var err error
	if u.log, err = fillDisk(filepath.Join(u.dir, "debug.log")); err != nil {
		logLine("error: %s %s: %v", r.Method, r.URL.Path, err)
		http.Error(w, "internal server error", http.StatusInternalServerError)
		return
	}
	_, _ = fmt.Fprintln(w, "debug log is on")
}
