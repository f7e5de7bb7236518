#!/bin/sh
# kernel.sh ARCHITECTURE PACKAGE.deb…: TestEscape in an emulated machine of amd64 or arm64, on the kernel of Debian's packages. It prints what
# the machine's console shows. Needs root, debootstrap, e2fsprogs, kmod, cpio, qemu-system-x86 or qemu-system-arm, and gcc-aarch64-linux-gnu.
set -eu
arch=$1
shift
case $arch in
amd64) cc=x86_64-linux-gnu-gcc machine='qemu-system-x86_64 -cpu max' console=ttyS0 ;;
arm64) cc=aarch64-linux-gnu-gcc machine='qemu-system-aarch64 -machine virt -cpu cortex-a72' console=ttyAMA0 ;;
*) echo "kernel.sh: no architecture $arch" >&2 && exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root boot=$work/boot
for package; do dpkg -x "$package" "$work/kernel"; done

# A system whose packages are unpacked and not configured, with the programs of the test. In the place of go and cc it has a copier.
debootstrap --foreign --variant=minbase --arch="$arch" --include=iproute2,python3,busybox-static bookworm "$root" >"$work/log" || { cat "$work/log" && exit 1; }
for package in "$root"/var/cache/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
mkdir -p "$root/usr/local/bin" "$root/programs" "$root/project/sandbox"
cd "$(dirname "$0")/.."
cp -r testdata "$root/project/sandbox"
export CGO_ENABLED=0 GOARCH="$arch"
go test -c -o "$root/programs/test" .
go build -o "$root/programs/claudeops-shim" ../cmd/claudeops-shim
$cc -w -o "$root/programs/escape" testdata/escape.c -lrt
cat >"$root/usr/local/bin/cc" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
cp "/programs/${2##*/}" "$2"
END
cat >"$root/start" <<'END'
#!/bin/sh
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mkdir -p /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
ip link set lo up
uname -srm
cd /project/sandbox && /programs/test -test.run '^TestEscape$' -test.v
echo o >/proc/sysrq-trigger
sleep 60
END
chmod +x "$root/usr/local/bin/cc" "$root/start"
ln "$root/usr/local/bin/cc" "$root/usr/local/bin/go"
chmod 755 "$root"

# What finds the disk. Extended attributes want a file system on one.
version=$(ls "$work/kernel/lib/modules")
depmod -b "$work/kernel" "$version"
mkdir -p "$boot/dev" "$boot/root" "$boot/modules"
cp "$root/bin/busybox" "$boot/busybox"
for module in virtio_pci virtio_mmio virtio_blk ext4; do
	modprobe -d "$work/kernel" -S "$version" --show-depends "$module" | sed -n 's/^insmod //p'
done | awk '!seen[$1]++ { printf "%02d %s\n", NR, $1 }' | while read -r number file; do cp "$file" "$boot/modules/$number-${file##*/}"; done
cat >"$boot/init" <<'END'
#!/busybox sh
/busybox mount -t devtmpfs dev /dev
for module in /modules/*; do /busybox insmod "$module"; done
until [ -b /dev/vda ]; do /busybox sleep 1; done
/busybox mount -t ext4 /dev/vda /root
/busybox mount -o move /dev /root/dev
exec /busybox switch_root /root /start
END
chmod +x "$boot/init"
(cd "$boot" && find . | cpio --quiet -o -H newc | gzip >"$work/initrd")
mke2fs -q -t ext4 -d "$root" "$work/disk" 1G
$machine -m 2048 -smp 2 -nographic -no-reboot -kernel "$work"/kernel/boot/vmlinuz-* -initrd "$work/initrd" \
	-drive "file=$work/disk,if=virtio,format=raw" -append "console=$console quiet" </dev/null
