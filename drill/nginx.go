package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// nginxProxy is the nginx of the homelab, in front of one of its processes.
type nginxProxy struct {
	path    string
	dir     string
	address string
}

func newNginx(dir, address, upstream string) (*nginxProxy, error) {
	path, err := exec.LookPath("nginx")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/nginx")
	}
	if err != nil {
		return nil, missing("nginx is not installed (Debian's package nginx-light)")
	}
	n := &nginxProxy{path: path, dir: dir, address: address}
	return n, errors.Join(os.MkdirAll(dir, 0o700), n.route(upstream))
}

func (n *nginxProxy) server(name, upstream string) Program {
	return Program{
		Name: name, Argv: []string{n.path, "-p", n.dir, "-e", "stderr", "-c", filepath.Join(n.dir, "nginx.conf")}, Dir: n.dir,
		Env: []string{"PATH=/usr/bin:/bin"}, Log: filepath.Join(n.dir, name+".log"), Ready: listens(n.address),
		Deploy: func() error { return n.route(upstream) },
	}
}

// route writes the configuration, which nginx reads at its next start.
func (n *nginxProxy) route(upstream string) error {
	config := fmt.Sprintf(nginxConfig, n.dir, n.address, upstream)
	return os.WriteFile(filepath.Join(n.dir, "nginx.conf"), []byte(config), 0o600)
}

// nginxConfig keeps all that nginx writes in the folder of the homelab, and needs no second user.
const nginxConfig = `daemon off;
master_process off;
pid %[1]s/pid;
error_log stderr;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	server {
		listen %[2]s;
		location / {
			proxy_pass http://%[3]s;
			proxy_connect_timeout 1s;
			proxy_read_timeout 2s;
		}
	}
}
`
