package seeded

// The last words of the homelab's agents.
const (
	nextcloudReport = `## Nextcloud works again

**Cause.** All 24 workers of PHP-FPM were busy with previews of a folder of 3,100 raw photos; Apache answered ` + "`502 Bad Gateway`" + `.

**Done.** One restart of ` + "`nextcloud`" + `. It answers in 0.24 s.

**To think about.** ` + "`pm.max_children = 24`" + ` is not much for this machine; 14 GiB of memory are free.`

	piholeReport = `## Pi-hole answers again

The resolver hung after the nightly update of the lists (gravity). A restart took 4 s; 5 of 5 test queries were answered in under 5 ms.

- clients fell back to ` + "`10.0.20.3`" + ` meanwhile
- it is the second time this month: an update of FTL is available (6.2.1 → 6.3.0)`

	giteaReport = `Gitea was slow while its nightly garbage collection ran (` + "`git gc`" + ` of 41 repositories, 02:58 to 04:31). It answers in 0.05 s since. Nothing was done.`

	backupReport = `The answer was slow while ` + "`restic`" + ` read the photo disk: ` + "`/proc/pressure/io`" + ` was at 18 % over five minutes and is at 0 again. Nothing was done.`

	traefikReport = `## The certificate is renewed

Traefik had stopped asking for a new certificate after the DNS provider's API had refused its token for two days. The token works again; a restart made Traefik ask at once.

| certificate | ends |
|---|---|
| before | in 12 days |
| now | in 90 days |`

	jellyfinReport = `## Jellyfin plays again

Four transcodes of ` + "`ffmpeg`" + ` had hung on the graphics device, and the web server waited for them. After one restart the health page answers in 60 ms.

> A newer driver is in Debian's backports; that is a person's to install.`

	homeAssistantReport = `Home Assistant had ended: ` + "`/dev/ttyUSB0`" + `, the Zigbee stick, was gone for a moment. After a restart it answers, but the stick's cable should be looked at: the kernel has logged 31 disconnects today.`

	immichTier2 = `## What I found

` + "`immich-machine-learning`" + ` is killed by the kernel at its limit of **2 GiB** whenever it loads the model for the smart search:

| | size |
|---|---|
| model ` + "`ViT-H-14-378-quickgelu`" + ` | 2.6 GiB |
| limit of the container | 2.0 GiB |

The model was changed yesterday at 21:40 (commit ` + "`4be19d0`" + `), the limit was not.

## What I did

1. Restarted the container once: killed again after 41 s.
2. Asked for a redeployment with a larger limit: **refused**, that is Tier 3's.

Handed on to Tier 3.`

	immichTier3 = `## Immich works again

**Cause.** The search model needs 2.6 GiB, the container was limited to 2 GiB. Tier 2 was right in every point; I checked both numbers again.

**Done**

1. Raised the limit to **4 GiB** in ` + "`immich/compose.override.yaml`" + ` (17 GiB of the machine are free).
2. Redeployed ` + "`immich-machine-learning`" + ` alone; nothing else was restarted.
3. Loaded the model with a search: 2.91 GiB in use, and it stays there.

**Left for a person**

- take the override over into ` + "`compose.yaml`" + ` and commit it
- or go back to the smaller model: ` + "`git revert 4be19d0`" + `

` + "```" + `yaml
services:
  immich-machine-learning:
    mem_limit: 4g
` + "```" + ``

	paperlessTier3 = `## A person is needed

The update to **2.19** brought a migration that makes checksums unique. Three documents share one:

| id | title |
|---|---|
| 812 | Tax assessment 2023 |
| 813 | Tax assessment 2023 |
| 1204 | Tax assessment 2023 (1) |

They look like the same scan, but they are somebody's papers: I removed nothing (the guard would not have let me).

**What to do**

1. Pin ` + "`paperless-ngx:2.18.4`" + ` in the stack; it starts with the present database.
2. Delete two of the three in the web interface.
3. Update again.`

	runningReport = `Prometheus has read its log and is ready. One job was scraped every second and made 1.4 million series; it is for a person to change ` + "`prometheus.yml`" + ` line 41. Nothing was restarted.`
)
