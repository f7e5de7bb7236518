# start.sh PORT PORT PORT: starts an API server of Kubernetes at the first port of loopback, with its etcd at the others, and makes root its administrator.
# Nobody runs pods, and no controller makes them.
set -e
mkdir -p -m 700 /run/cluster /root/.kube
cd /run/cluster
openssl genrsa -out accounts.key 2048 2>/dev/null
token=$(openssl rand -hex 16)
echo "$token,root,root,system:masters" >tokens
cat >/root/.kube/config <<C
apiVersion: v1
kind: Config
clusters: [{name: homelab, cluster: {server: "https://127.0.0.1:$1", certificate-authority: /run/cluster/apiserver.crt}}]
users: [{name: root, user: {token: $token}}]
contexts: [{name: homelab, context: {cluster: homelab, user: root}}]
current-context: homelab
C
chmod 600 /root/.kube/config
systemd-run -q --unit=etcd-of-cluster etcd --socket-reuse-port --data-dir=/run/cluster/etcd --unsafe-no-fsync --log-level=error \
	--listen-client-urls="http://127.0.0.1:$2" --advertise-client-urls="http://127.0.0.1:$2" --listen-peer-urls="http://127.0.0.1:$3" --initial-advertise-peer-urls="http://127.0.0.1:$3" \
	--initial-cluster="default=http://127.0.0.1:$3"
systemd-run -q --unit=kube-apiserver -p WorkingDirectory=/run/cluster kube-apiserver --permit-port-sharing --etcd-servers="http://127.0.0.1:$2" --bind-address=127.0.0.1 --secure-port="$1" \
	--endpoint-reconciler-type=none --cert-dir=/run/cluster --token-auth-file=tokens --authorization-mode=RBAC --service-cluster-ip-range=10.96.0.0/16 \
	--service-account-issuer=https://kubernetes.default.svc --service-account-key-file=accounts.key --service-account-signing-key-file=accounts.key
until kubectl get --raw /readyz >/dev/null 2>&1; do
	systemctl -q is-active kube-apiserver && systemctl -q is-active etcd-of-cluster || { journalctl -n 40 -u kube-apiserver -u etcd-of-cluster; exit 1; }
	sleep 0.2
done
