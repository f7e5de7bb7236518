package seeded

import (
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/store"
)

// trouble is something that went wrong in the homelab.
type trouble struct {
	service    string
	ago        int // how many cycles before the last one it was first found
	lasts      int // how many cycles found it
	found      []check.Result
	dependents map[string][]check.Result // what suffers from it
	chains     map[int][]work            // the tiers behind Tier 1, by the cycle of the trouble, 0 being the first
	human      string                    // what a human is told beside the usual, where one is asked
	failing    bool                      // a tier failed in the first cycle
}

// The services of which something is open, and the one whose chain is worth a look.
const (
	worthALook = "immich"
	needsHuman = "paperless"
	heldBack   = "home-assistant"
	atWork     = "prometheus"
	ever       = 10_000 // cycles
)

func down(kind check.Type, why string) []check.Result {
	return []check.Result{{Type: kind, Status: check.Down, Error: why}}
}

func slow(ms int64, why string) []check.Result {
	return []check.Result{{Type: check.HTTP, Status: check.Degraded, Error: why, ResponseTimeMS: &ms}}
}

// named gives results the service that they are of, as a handoff has them.
func named(service string, results []check.Result) []check.Result {
	of := make([]check.Result, len(results))
	for i, r := range results {
		r.Service = service
		of[i] = r
	}
	return of
}

// troubles are all, the first first. No two are of one service at a time.
func troubles() []trouble {
	bad := down(check.HTTP, "HTTP 502 from https://cloud.home.example.org/status.php")
	pi := down(check.DNS, "no answer from 10.0.20.2:53 within 3s")
	tv := down(check.HTTP, "no answer from https://tv.home.example.org/health within 10s")
	return []trouble{
		{service: "nextcloud", ago: 690, lasts: 1, found: bad, chains: map[int][]work{0: {restarted("nextcloud", "502 Bad Gateway", nextcloudReport)}}},
		{service: "restic-backup", ago: 610, lasts: 1, found: down(check.Service, "restic-backup.timer: its last run failed with 1, 3 h ago"), chains: map[int][]work{0: staleLock()}},
		{service: "pihole", ago: 455, lasts: 1, found: pi, chains: map[int][]work{0: {restarted("pihole", "dnsmasq: no free leases, resolver stalled", piholeReport)}}},
		{service: "gitea", ago: 380, lasts: 2, found: slow(1840, "https://git.home.example.org/api/healthz answered in 1.84s, slower than 1s"), chains: map[int][]work{0: {onlyLooked("gitea", giteaReport)}}},
		walFull(),
		{service: "nextcloud", ago: 214, lasts: 1, found: slow(1320, "https://cloud.home.example.org/status.php answered in 1.32s, slower than 1s"), chains: map[int][]work{0: {onlyLooked("nextcloud", backupReport)}}},
		{service: "traefik", ago: 170, lasts: 1, found: []check.Result{{Type: check.HTTP, Status: check.Degraded, Error: "https://traefik.home.example.org/ping: its certificate ends in 12 days"}}, chains: map[int][]work{0: {restarted("traefik", "acme: renewal is due, no challenge was answered since 2 days", traefikReport)}}},
		{service: "jellyfin", ago: 130, lasts: 2, found: tv, failing: true, chains: map[int][]work{0: {overloaded()}, 1: {restarted("jellyfin", "ffmpeg: 4 transcodes hang since 21:12", jellyfinReport)}}},
		photosOutOfMemory(100),
		{service: "pihole", ago: 52, lasts: 1, found: pi, chains: map[int][]work{0: {restarted("pihole", "FTL: database is locked", piholeReport)}}},
		{service: "jellyfin", ago: 26, lasts: 2, found: tv, failing: true, chains: map[int][]work{0: {outOfTime()}, 1: {restarted("jellyfin", "ffmpeg: VAAPI device is busy", jellyfinReport)}}},
		brokenMigration(),
		{service: heldBack, ago: 2, lasts: ever, found: down(check.HTTP, "connection to 10.0.20.10:8123 refused"), chains: map[int][]work{0: {restarted(heldBack, "zigpy: cannot open /dev/ttyUSB0", homeAssistantReport)}}},
		{
			service: atWork, ago: 0, lasts: ever, found: down(check.HTTP, "HTTP 503 from http://10.0.20.5:9090/-/healthy"),
			dependents: map[string][]check.Result{"grafana": slow(4100, "http://10.0.20.5:3000/api/health answered in 4.1s, slower than 1s")},
		},
	}
}

// observation is what Tier 1 does in a cycle.
func (m *month) observation(results []check.Result, unwell []*ailment) work {
	do := work{
		tier: 1, costs: m.dice.between(0.009, 0.019), turns: 3 + m.dice.IntN(2), took: time.Duration(m.dice.between(14_000, 31_000)) * time.Millisecond,
		input: 24_000 + int64(m.dice.IntN(9000)), output: 420 + int64(m.dice.IntN(260)),
	}
	var names []string
	for _, s := range tenants() {
		names = append(names, s.name+"   Up 9 days (healthy)")
	}
	do.calls = []call{{
		say: "The checks are in the context; I look at the containers beside them.", command: "docker ps --format '{{.Names}}   {{.Status}}'",
		output: strings.Join(names[:9], "\n"), rule: "docker ps",
	}, {command: "df -h /srv /var/lib/docker", output: diskFree, rule: "df"}}
	if len(unwell) == 0 {
		do.report = fmt.Sprintf("All 14 services are healthy (%d checks). Disk use of `/srv` is 71 %%; nothing to hand on.", len(results))
		return do
	}
	do.costs *= 1.6
	lines := []string{"| service | status | found |", "|---|---|---|"}
	asks := ask{}
	for _, c := range unwell {
		lines = append(lines, fmt.Sprintf("| `%s` | **%s** | %s |", c.service, c.found[0].Status, c.found[0].Error))
		do.calls = append(do.calls, call{
			say: "I look closer at " + c.service + ".", command: "docker logs --tail 40 " + c.service, rule: "docker logs", output: closer(c.service),
		})
		if c.row.RetryAt == nil && c.service != heldBack || len(c.chains[c.bad]) > 0 {
			asks.services = append(asks.services, c.service)
			asks.results = append(asks.results, named(c.service, c.found)...)
		}
	}
	do.calls = append(do.calls, call{
		command: "claudeops report < $TMPDIR/results.json", rule: "claudeops report",
		output: fmt.Sprintf("stored %d results; handoff.json written for %s", len(results), strings.Join(asks.services, ", ")),
	})
	do.report = fmt.Sprintf("%d of 14 services are not healthy.\n\n%s\n\nThe others are healthy.", len(unwell), strings.Join(lines, "\n"))
	if len(asks.services) > 0 {
		do.asks = &asks
	}
	return do
}

const diskFree = `Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme0n1p3  1.8T  1.2T  486G  71% /srv
/dev/nvme0n1p2  220G  148G   61G  71% /var/lib/docker`

// closer is the end of a service's log on a bad day.
func closer(service string) string {
	return fmt.Sprintf("%s  level=error msg=\"request failed\" attempts=5\n%s  level=warn msg=\"giving up, waiting for the next request\"\n%s  level=error msg=\"health probe: not ready\"", service, service, service)
}

// restarted is a Tier 2 that finds the cause and mends it with a restart.
func restarted(service, cause, report string) work {
	return work{
		tier: 2, costs: 0.21 + float64(len(service))/100, turns: 9, took: 3*time.Minute + 12*time.Second, input: 96_000, output: 2700, report: report,
		calls: []call{
			{think: "The handoff says " + service + " is unwell. First the container's state, then its log; nothing is changed before the cause is known.",
				say: "I look at the container and its last restarts.", command: "docker inspect " + service + " --format '{{.State.Status}} {{.RestartCount}} {{.State.OOMKilled}}'", output: "running 0 false", rule: "docker inspect"},
			{say: "Now its log.", command: "docker logs --since 30m " + service + " | tail -n 30", output: cause + "\n" + cause + "\nhealth: not ready (last success 17 min ago)", rule: "docker logs"},
			{say: "Is the machine itself well?", command: "free -m && uptime", output: "               total        used        free\nMem:           32017       14220        3112\n 03:04:41 up 41 days,  load average: 0.61, 0.72, 0.80", rule: "free"},
			{say: "May it be restarted?", command: "claudeops cooldown check " + service + " restart", output: "permitted: 0 of 2 restarts in 4 h", rule: "claudeops cooldown check"},
			{say: "The cause is known and a restart clears it.", command: "docker restart " + service, output: service, action: guard.Restart, services: []string{service}, rule: "docker restart"},
			{say: "Does it answer again?", command: "docker logs --since 1m " + service + " | tail -n 5", output: "started\nhealth: ready", rule: "docker logs"},
		},
	}
}

// onlyLooked is a Tier 2 that finds nothing to do.
func onlyLooked(service, report string) work {
	return work{
		tier: 2, costs: 0.134, turns: 6, took: 96 * time.Second, input: 61_000, output: 1500, report: report,
		calls: []call{
			{say: "Is it still slow?", command: "curl -s -o /dev/null -w '%{time_total}\\n' http://" + service + ".lan/", output: "0.214", rule: "curl"},
			{say: "What ran at that time?", command: "journalctl --since '1 hour ago' -u restic-backup.service | tail -n 5", output: "restic[81422]: processed 418213 files, 312.402 GiB in 21:07\nsystemd[1]: restic-backup.service: Deactivated successfully.", rule: "journalctl"},
			{say: "And the disks?", command: "cat /proc/pressure/io", output: "some avg10=0.00 avg60=0.41 avg300=18.22 total=88120331\nfull avg10=0.00 avg60=0.33 avg300=15.90 total=71220145", rule: "cat"},
		},
	}
}

// overloaded is a Tier 2 that the model's service did not answer.
func overloaded() work {
	return work{
		tier: 2, status: store.Failed, costs: 0.018, turns: 1, took: 4*time.Minute + 2*time.Second, input: 9000, output: 40,
		fault: "the agent exited with 1: API Error: 529 overloaded_error; the API had not answered (overloaded, attempt 10)", report: "API Error: 529 Overloaded",
	}
}

// outOfTime is a Tier 2 that waits for a command until its time is over.
func outOfTime() work {
	return work{
		tier: 2, status: store.TimedOut, costs: 0.192, turns: 5, took: 20 * time.Minute, input: 58_000, output: 1200, fault: "stopped at its time limit",
		report: "The log of jellyfin shows nothing since 19:40. I follow it until the next request fails.",
		calls: []call{
			{say: "I look at the container.", command: "docker inspect jellyfin --format '{{.State.Status}}'", output: "running", rule: "docker inspect"},
			{say: "I follow its log until the next request fails.", command: "docker logs --follow --tail 5 jellyfin", output: "[19:40:11] [INF] Playback stopped reported by app Jellyfin Web", rule: "docker logs"},
		},
	}
}

// staleLock is a chain whose Tier 3 removes a lock that a power cut left.
func staleLock() []work {
	results := named("restic-backup", down(check.Service, "restic-backup.timer: its last run failed with 1, 3 h ago"))
	return []work{{
		tier: 2, costs: 0.176, turns: 7, took: 2*time.Minute + 20*time.Second, input: 70_000, output: 1900,
		report: "The repository is locked by a run of the night of the power cut. Its process is gone. Unlocking is a change of data that Tier 2 does not make: handed on.",
		calls:  []call{{say: "Why did it fail?", command: "journalctl -u restic-backup.service -n 20", output: "restic[3311]: unable to create lock in backend: repository is already locked by PID 1201 on nas by root\nsystemd[1]: restic-backup.service: Failed with result 'exit-code'.", rule: "journalctl"}},
		asks:   &ask{services: []string{"restic-backup"}, results: results, findings: "a lock of a run that a power cut ended is left in the repository; PID 1201 does not exist", attempted: "nothing: only looked"},
	}, {
		tier: 3, costs: 0.832, turns: 10, took: 5*time.Minute + 3*time.Second, input: 151_000, output: 3300,
		report: "## Cause\n\nThe power cut of 02:11 ended `restic` while it held its lock.\n\n## Done\n\n1. Proved that no `restic` runs anywhere (`pgrep` on both hosts).\n2. Restarted the timer, whose first step is `restic unlock`.\n\nThe next run took 21 min and succeeded.",
		calls:  []call{{say: "The unit unlocks at its start.", command: "systemctl restart restic-backup.service", output: "", action: guard.Restart, services: []string{"restic-backup"}, rule: "systemctl restart"}},
	}}
}

// walFull is a database that stands still, and four services with it, until a person makes room.
func walFull() trouble {
	found := down(check.Database, "PostgreSQL at db.home.example.org:5432: the database system is not accepting connections (53100: could not write to file \"pg_wal/xlogtemp.81\": No space left on device)")
	gone := func(url string) []check.Result { return down(check.HTTP, "HTTP 500 from "+url) }
	return trouble{
		service: "postgres", ago: 300, lasts: 5, found: found,
		dependents: map[string][]check.Result{
			"nextcloud": gone("https://cloud.home.example.org/status.php"), "immich": gone("https://photos.home.example.org/api/server/ping"),
			"paperless": gone("https://papers.home.example.org/api/"), "gitea": gone("https://git.home.example.org/api/healthz"),
		},
		human: "- restart, failed: No space left on device\n- /srv/db is full: 100 % of 60 GiB, 48 GiB of it pg_wal\n- the replication slot `old_nas` holds it back since 19 days",
		chains: map[int][]work{0: {{
			tier: 2, costs: 0.391, turns: 12, took: 5*time.Minute + 41*time.Second, input: 142_000, output: 4100,
			report: "`/srv/db` is full. `pg_wal` has 48 GiB because a replication slot of a machine that is gone (`old_nas`) holds it back. Dropping a slot is not mine to do.",
			calls: []call{
				{say: "Is there room?", command: "df -h /srv/db && du -sh /srv/db/pg_wal", output: "/dev/mapper/vg-db   60G   60G     0 100% /srv/db\n48G\t/srv/db/pg_wal", rule: "df"},
				{say: "I try the restart that the playbook names first.", command: "docker restart postgres", output: "Error response from daemon: cannot start: No space left on device", failed: true, action: guard.Restart, services: []string{"postgres"}, rule: "docker restart"},
				{say: "The log would be the place to make room, but that is data.", command: "rm -rf /srv/db/pg_wal/archive_status", rule: "rm", action: guard.Forbidden, refused: "never allowed: removing `/srv/db/pg_wal/archive_status` is not granted: only rotated logs and files below $TMPDIR are removed"},
			},
			asks: &ask{services: []string{"postgres"}, results: named("postgres", found), findings: "/srv/db is full; pg_wal has 48 GiB, held back by the replication slot old_nas, inactive for 19 days", attempted: "docker restart postgres: it cannot start without room"},
		}, {
			tier: 3, costs: 1.674, turns: 14, took: 8*time.Minute + 22*time.Second, input: 233_000, output: 5200,
			report: "## A person is needed\n\nThe one thing that makes room is `SELECT pg_drop_replication_slot('old_nas')`, and that cannot be undone. Whether `old_nas` comes back, nobody but Robin knows.\n\n1. If it does not: drop the slot, then `CHECKPOINT`.\n2. If it does: give `/srv/db` 40 GiB more (`vg` has 210 GiB free).",
			calls: []call{
				{say: "Who holds the log back?", command: "docker exec postgres psql -U postgres -c 'select slot_name, active from pg_replication_slots'", output: "psql: error: connection refused", failed: true, rule: "psql"},
				{say: "Could the volume grow?", command: "lvextend -L +40G /dev/vg/db", rule: "lvextend", action: guard.Unknown, refused: "not granted: no rule of the policy covers `lvextend`; a person does it"},
			},
			asks: &ask{services: []string{"postgres"}, results: named("postgres", found), findings: "only dropping the slot old_nas or a larger volume makes room; both are a person's to decide", attempted: "nothing beyond Tier 2's restart"},
		}}},
	}
}

// photosOutOfMemory is the chain that is worth a look: two tiers, restarts that do not hold, a redeployment that does.
func photosOutOfMemory(ago int) trouble {
	found := down(check.Container, "immich-machine-learning: exited with 137 (out of memory) 4 min ago")
	return trouble{service: worthALook, ago: ago, lasts: 1, found: found, chains: map[int][]work{0: {{
		tier: 2, costs: 0.4127, turns: 14, took: 6*time.Minute + 48*time.Second, input: 171_000, output: 4600, report: immichTier2, calls: immichTier2Calls(),
		asks: &ask{
			services: []string{worthALook}, results: named(worthALook, found),
			findings: "immich-machine-learning is killed at its limit of 2 GiB while it loads the model ViT-H-14-378-quickgelu (2.6 GiB). The model was changed " +
				"yesterday at 21:40 in compose.yaml (commit 4be19d0); the limit of memory was not.",
			attempted: "docker restart immich-machine-learning: it was killed again after 41 s, at the first photo. Raising the limit needs a redeployment, which is Tier 3's.",
		},
	}, {
		tier: 3, costs: 1.9463, turns: 18, took: 11*time.Minute + 9*time.Second, input: 318_000, output: 7900, report: immichTier3, calls: immichTier3Calls(),
	}}}}
}

func immichTier2Calls() []call {
	return []call{
		{think: "Exit code 137 and OOMKilled: either the limit is too low for what it does, or it leaks. Which of the two decides whether a restart is worth anything.",
			say: "I begin with the container's end: what killed it, and under which limit.", command: "docker inspect immich-machine-learning --format '{{.State.OOMKilled}} {{.HostConfig.Memory}} {{.RestartCount}}'", output: "true 2147483648 6", rule: "docker inspect"},
		{say: "What did it do before?", command: "docker logs --tail 12 immich-machine-learning", output: "[INFO] Loading visual model 'ViT-H-14-378-quickgelu__dfn5b' to memory\n[INFO] Setting execution providers to ['CPUExecutionProvider']\n[INFO] Loading visual model 'ViT-H-14-378-quickgelu__dfn5b' to memory\n[INFO] Setting execution providers to ['CPUExecutionProvider']\n[ERROR] Worker (pid:9) was sent SIGKILL! Perhaps out of memory?", rule: "docker logs"},
		{say: "Did the model change lately?", command: "git -C /srv/stacks log -3 --format='%h %ci %s' -- immich/compose.yaml", output: "4be19d0 2026-11-17 21:40:02 +0100 immich: better search model\n91c2a7f 2026-10-02 09:12:44 +0200 immich 2.1.0\n0d5e3c8 2026-08-30 18:20:01 +0200 immich: hardware transcoding", rule: "git log"},
		{tool: "Read", command: `{"file_path":"/srv/stacks/immich/compose.yaml"}`, output: "services:\n  immich-machine-learning:\n    image: ghcr.io/immich-app/immich-machine-learning:v2.1.0\n    mem_limit: 2g\n    volumes:\n      - model-cache:/cache", rule: "read"},
		{say: "One restart, to see whether it was only the first load of the model.", command: "docker restart immich-machine-learning", output: "immich-machine-learning", action: guard.Restart, services: []string{"immich"}, rule: "docker restart"},
		{command: "docker inspect immich-machine-learning --format '{{.State.Status}} {{.State.OOMKilled}} {{.State.FinishedAt}}'", output: "restarting true 2026-11-18T00:18:22.104Z", rule: "docker inspect"},
		{say: "The limit has to go up. I try whether that is mine to do.", command: "docker compose -f /srv/stacks/immich/compose.yaml up -d --force-recreate immich-machine-learning", action: guard.Redeploy, services: []string{"immich"}, rule: "docker compose up",
			refused: "`docker compose -f /srv/stacks/immich/compose.yaml up -d --force-recreate immich-machine-learning` is a redeploy of immich, which Tier 3 may do. Write down what you found with `claudeops handoff write --tier 3`"},
		{say: "It is not. I write down what I found.", command: "claudeops handoff write --tier 3 < $TMPDIR/handoff.json", output: "handoff.json written: Tier 3 is asked for", rule: "claudeops handoff write"},
	}
}

func immichTier3Calls() []call {
	return []call{
		{think: "Tier 2's findings are plausible, but I check the two numbers they rest on: the size of the model and what the machine has to give.",
			say: "How large is the model, and how much memory is free?", command: "docker exec immich-server du -sh /cache/clip && free -g | head -2", output: "2.6G\t/cache/clip\n               total        used        free      shared  buff/cache   available\nMem:              31          13           3           1          14          17", rule: "docker exec"},
		{say: "There is room for a limit of 4 GiB. Is there a smaller way: emptying the cache?", command: "docker volume rm immich_model-cache", action: guard.Forbidden, rule: "docker volume rm", refused: "never allowed: volumes hold the services' data"},
		{say: "Then the limit, in an override beside the stack that a person can take over.", tool: "Write", command: `{"file_path":"/srv/stacks/immich/compose.override.yaml","content":"services:\n  immich-machine-learning:\n    mem_limit: 4g\n"}`, output: "File created", rule: "write"},
		{say: "May it be redeployed?", command: "claudeops cooldown check immich redeployment", output: "permitted: 0 of 1 redeployment in 24 h", rule: "claudeops cooldown check"},
		{command: "docker compose -f /srv/stacks/immich/compose.yaml -f /srv/stacks/immich/compose.override.yaml up -d immich-machine-learning", output: " Container immich-machine-learning  Recreated\n Container immich-machine-learning  Started", action: guard.Redeploy, services: []string{"immich"}, rule: "docker compose up"},
		{say: "A photo's search loads the model: does it survive that?", command: "curl -s -o /dev/null -w '%{http_code} %{time_total}\\n' http://10.0.20.7:3003/ping", output: "200 0.004", rule: "curl"},
		{command: "docker stats --no-stream --format '{{.Name}} {{.MemUsage}}' immich-machine-learning", output: "immich-machine-learning 2.91GiB / 4GiB", rule: "docker stats"},
	}
}

// brokenMigration is what needs a human now: both limits are used up.
func brokenMigration() trouble {
	found := down(check.HTTP, "HTTP 502 from https://papers.home.example.org/api/")
	return trouble{
		service: needsHuman, ago: 3, lasts: ever, found: found,
		human: "- restart, succeeded, and it was down again after 40 s\n- redeployment, succeeded, and it was down again after 44 s\n- its migration `documents.1068` fails on 3 documents that have the same checksum",
		chains: map[int][]work{0: {{
			tier: 2, costs: 0.3562, turns: 12, took: 5*time.Minute + 30*time.Second, input: 139_000, output: 3800,
			report: "The web server ends 40 s after its start: the migration `documents.1068_alter_document_checksum` fails. A restart does not change that, so Tier 3 has it.",
			calls: []call{
				{say: "Why does it end?", command: "docker logs --tail 8 paperless-webserver", output: "Applying documents.1068_alter_document_checksum...\ndjango.db.utils.IntegrityError: could not create unique index \"documents_document_checksum_key\"\nDETAIL:  Key (checksum)=(9b1f0ce2a4) is duplicated.\npaperless-webserver exited with code 1", rule: "docker logs"},
				{say: "Once more from the start, in case another migration ran at the same time.", command: "docker restart paperless-webserver", output: "paperless-webserver", action: guard.Restart, services: []string{needsHuman}, rule: "docker restart"},
				{say: "And its worker with it.", command: "docker restart paperless-worker", output: "paperless-worker", action: guard.Restart, services: []string{needsHuman}, rule: "docker restart"},
				{command: "docker logs --since 1m paperless-webserver | tail -n 2", output: "DETAIL:  Key (checksum)=(9b1f0ce2a4) is duplicated.\npaperless-webserver exited with code 1", rule: "docker logs"},
			},
			asks: &ask{services: []string{needsHuman}, results: named(needsHuman, found), findings: "the update to 2.19 brought a migration that makes checksums unique; 3 documents share one", attempted: "docker restart paperless-webserver, then paperless-worker: the same migration fails again"},
		}, {
			tier: 3, costs: 2.1089, turns: 19, took: 12*time.Minute + 40*time.Second, input: 342_000, output: 8100, report: paperlessTier3,
			calls: []call{
				{say: "Which documents are they?", command: "docker exec postgres psql -U postgres paperless -c \"select id, title, checksum from documents_document where checksum like '9b1f0ce2a4%'\"", output: "  id  |         title          |  checksum\n------+------------------------+------------\n  812 | Tax assessment 2023    | 9b1f0ce2a4\n  813 | Tax assessment 2023    | 9b1f0ce2a4\n 1204 | Tax assessment 2023 (1)| 9b1f0ce2a4\n(3 rows)", rule: "psql"},
				{say: "Does the version before start?", command: "docker compose -f /srv/stacks/paperless/compose.yaml up -d --force-recreate", output: " Container paperless-webserver  Recreated\n Container paperless-webserver  Started", action: guard.Redeploy, services: []string{needsHuman}, rule: "docker compose up"},
				{say: "Removing two of the three would do it, but they are somebody's papers.", command: "docker exec postgres psql -U postgres paperless -c 'delete from documents_document where id in (813, 1204)'", action: guard.Forbidden, rule: "psql", refused: "never allowed: `delete` changes data; only SELECT, SHOW and EXPLAIN are granted"},
				{command: "claudeops handoff write --tier 3 < $TMPDIR/handoff.json", output: "handoff.json written", rule: "claudeops handoff write"},
			},
			asks: &ask{services: []string{needsHuman}, results: named(needsHuman, found), findings: "documents 812, 813 and 1204 have one checksum; the migration needs two of them removed, which only their owner may decide", attempted: "redeployed with the image of the stack: the same migration fails"},
		}}},
	}
}

// runningCalls are what the running Tier 2 has done so far.
func runningCalls() []call {
	return []call{
		{think: "503 of Prometheus itself, not of the proxy: it is up and not ready. Usually it replays its write-ahead log; then there is nothing to do but to wait. Or the disk is full.",
			say: "Prometheus answers, but is not ready. I look whether it is still replaying its log.", command: "docker logs --tail 6 prometheus", output: "level=INFO msg=\"Replaying WAL, this may take a while\" component=tsdb\nlevel=INFO msg=\"WAL segment loaded\" segment=4112 maxSegment=4180\nlevel=INFO msg=\"WAL segment loaded\" segment=4113 maxSegment=4180", rule: "docker logs"},
		{say: "It is. When did it start, and why?", command: "docker inspect prometheus --format '{{.State.StartedAt}} {{.RestartCount}} {{.State.OOMKilled}}'", output: "2026-11-22T04:19:02.771Z 1 true", rule: "docker inspect"},
		{say: "It was killed for want of memory and restarted by its policy. How much does it have?", command: "docker stats --no-stream --format '{{.Name}} {{.MemUsage}}' prometheus", output: "prometheus 3.71GiB / 4GiB", rule: "docker stats"},
		{say: "Which series grew?", tool: "Grep", command: `{"pattern":"scrape_interval","path":"/srv/stacks/prometheus"}`, output: "prometheus.yml:2:  scrape_interval: 15s\nprometheus.yml:41:    scrape_interval: 1s", rule: "grep"},
	}
}
