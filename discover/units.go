package discover

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/probe"
)

// units collects the enabled systemd services that run, or have failed.
func (c *collection) units(ctx context.Context, o Options) error {
	enabled, err := probe.Systemctl(ctx, o.Environ, "list-unit-files", "--type=service", "--state=enabled,indirect,generated",
		"--no-legend", "--no-pager", "--plain")
	if err != nil {
		return fmt.Errorf("systemd was not asked for units: %w", err)
	}
	loaded, err := probe.Systemctl(ctx, o.Environ, "list-units", "--type=service", "--all", "--no-legend", "--no-pager", "--plain", "--full")
	if err != nil {
		return fmt.Errorf("systemd was not asked for units: %w", err)
	}
	for _, name := range operatorsUnits(enabled, loaded) {
		one := c.candidate("unit\x00"+name, candidate{service: strings.TrimSuffix(name, ".service"), unit: name})
		one.from = add(one.from, "systemd unit "+shown(name))
	}
	return nil
}

// operatorsUnits returns the enabled units that run or should, without those of the operating system.
func operatorsUnits(enabled, loaded []byte) (names []string) {
	files := map[string]bool{}
	for line := range bytes.Lines(enabled) {
		if fields := strings.Fields(string(line)); len(fields) > 0 {
			files[fields[0]] = true
		}
	}
	for line := range bytes.Lines(loaded) {
		fields := strings.Fields(strings.TrimLeft(string(line), "●* ")) // UNIT LOAD ACTIVE SUB DESCRIPTION
		if len(fields) < 4 {
			continue
		}
		name, active, sub := fields[0], fields[2], fields[3]
		file := name
		if template, _, instance := strings.Cut(name, "@"); instance {
			file = template + "@.service"
		}
		meant := sub == "running" || active == "failed" || active == "activating" || active == "reloading"
		if meant && (files[name] || files[file]) && !systemsOwn(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// systemsOwn reports whether a unit belongs to the distribution and is not worth monitoring. ssh and cron are not such units: their
// failure matters.
func systemsOwn(name string) bool {
	bare := strings.TrimSuffix(name, ".service")
	bare, _, _ = strings.Cut(bare, "@")
	for _, prefix := range []string{
		"systemd-", "dbus", "getty", "serial-getty", "console-", "container-getty", "user-runtime-dir", "NetworkManager", "networkd-", "ifup",
		"cloud-", "snap", "apt-", "dpkg-", "dnf-", "packagekit", "unattended-upgrades", "e2scrub", "lvm2-", "blk-availability", "multipath",
		"plymouth", "keyboard-setup", "setvtrgb", "kmod", "modprobe", "initrd-", "dracut-", "grub", "rpm-", "man-db", "logrotate", "fwupd",
		"polkit", "accounts-daemon", "udisks2", "upower", "ModemManager", "wpa_supplicant", "avahi-", "bluetooth", "cups", "colord",
		"rtkit-daemon", "power-profiles", "switcheroo", "thermald", "irqbalance", "apparmor", "ufw", "selinux", "qemu-guest-agent",
		"open-vm-tools", "vgauth", "vmtoolsd", "hv-", "amazon-ssm", "google-", "waagent", "walinux", "gdm", "lightdm", "sddm",
	} {
		if strings.HasPrefix(bare, prefix) {
			return true
		}
	}
	return bare == "user" || bare == "networking" || bare == "emergency" || bare == "rescue" || bare == "rc-local"
}
