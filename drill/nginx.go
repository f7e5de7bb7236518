package drill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// nginxProxy is the nginx of the homelab, in front of one of its processes.
type nginxProxy struct {
	path string
	dir  string
	port int
}

func newNginx(dir string, port, upstream int) (*nginxProxy, error) {
	path, err := exec.LookPath("nginx")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/nginx")
	}
	if err != nil {
		return nil, errors.New("nginx is not installed (Debian's package nginx-light)")
	}
	n := &nginxProxy{path: path, dir: dir, port: port}
	return n, errors.Join(os.MkdirAll(dir, 0o700), n.route(upstream))
}

func (n *nginxProxy) program(name string) program {
	return program{
		name: name, args: []string{n.path, "-p", n.dir, "-e", "stderr", "-c", filepath.Join(n.dir, "nginx.conf")},
		ready: func(ctx context.Context) error { return listens(ctx, n.port) },
	}
}

// route writes the configuration, which nginx reads at its next start.
func (n *nginxProxy) route(upstream int) error {
	config := fmt.Sprintf(nginxConfig, n.dir, n.port, upstream)
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
		listen 127.0.0.1:%[2]d;
		location / {
			proxy_pass http://127.0.0.1:%[3]d;
			proxy_connect_timeout 1s;
			proxy_read_timeout 2s;
		}
	}
}
`
