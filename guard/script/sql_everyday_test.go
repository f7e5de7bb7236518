package script_test

import (
	"testing"

	"github.com/claudeops/claudeops/guard/script"
)

// What an operator types while something is wrong: each of these has to work at once.
func TestSQLEveryday(t *testing.T) {
	for d, texts := range map[script.Dialect][]string{script.PostgreSQL: postgresEveryday, script.MySQL: mysqlEveryday, script.SQLite: sqliteEveryday} {
		for _, text := range texts {
			checkSQL(t, d, []sqlRow{{"observe", text}})
		}
	}
}

var postgresEveryday = []string{
	// Is it up, and what is it?
	"SELECT version();", "select now()", "SELECT current_database(), current_user, inet_server_port()", "SHOW server_version_num", "SHOW port",
	"SHOW listen_addresses", "SHOW config_file; SHOW hba_file; SHOW log_directory", "SELECT pg_current_logfile()", "SELECT pg_conf_load_time()",
	"SELECT oid, datname, datallowconn, datconnlimit FROM pg_database ORDER BY 1", "SELECT extname, extversion FROM pg_extension",
	"SELECT * FROM pg_available_extensions WHERE installed_version IS NOT NULL", "SELECT rolname, rolsuper, rolreplication FROM pg_roles",
	"SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_'", "SELECT * FROM pg_hba_file_rules WHERE error IS NOT NULL",
	"SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
	"SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = 'orders' ORDER BY ordinal_position",

	// Connections.
	"select count(*), state from pg_stat_activity group by state", "SELECT count(*) FROM pg_stat_activity WHERE datname = 'shop' AND state <> 'idle'",
	"SELECT max(now() - xact_start) FROM pg_stat_activity WHERE state IN ('idle in transaction', 'active')",
	"SELECT pid, usename, client_addr, client_port, backend_start FROM pg_stat_activity ORDER BY backend_start LIMIT 10",
	"SELECT client_addr, count(*) AS n FROM pg_stat_activity WHERE client_addr IS NOT NULL GROUP BY client_addr HAVING count(*) > 1 ORDER BY n DESC",
	"SELECT application_name, state, count(*), max(now() - state_change) FROM pg_stat_activity GROUP BY 1, 2 ORDER BY 3 DESC NULLS LAST",
	"SELECT pid, backend_xmin, age(backend_xmin) FROM pg_stat_activity WHERE backend_xmin IS NOT NULL ORDER BY 3 DESC",
	"SELECT datname, numbackends FROM pg_stat_database ORDER BY numbackends DESC",
	"SELECT rolname, rolconnlimit, (SELECT count(*) FROM pg_stat_activity a WHERE a.usename = r.rolname) AS used FROM pg_roles r WHERE rolcanlogin",
	"SHOW superuser_reserved_connections", "SHOW idle_in_transaction_session_timeout", "SHOW tcp_keepalives_idle",
	"SELECT pid, ssl, version, cipher FROM pg_stat_ssl", "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientRead' AND state = 'idle in transaction'",
	"SELECT setting::int FROM pg_settings WHERE name = 'max_connections'",
	"SELECT a.n, s.setting::int, a.n * 100 / s.setting::int AS pct FROM (SELECT count(*) AS n FROM pg_stat_activity) a, (SELECT setting FROM pg_settings WHERE name = 'max_connections') s",

	// Replication.
	"SELECT pid, application_name, state, sent_lsn, write_lsn, flush_lsn, replay_lsn FROM pg_stat_replication",
	"SELECT application_name, write_lag, flush_lag, replay_lag FROM pg_stat_replication",
	"SELECT pg_size_pretty(pg_wal_lsn_diff(sent_lsn, replay_lsn)) FROM pg_stat_replication", "SELECT pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()",
	"SELECT pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AS caught_up", "SELECT extract(epoch FROM now() - pg_last_xact_replay_timestamp())::int AS lag",
	"SELECT status, last_msg_receipt_time, now() - last_msg_receipt_time AS silent FROM pg_stat_wal_receiver",
	"SELECT slot_name, slot_type, active, wal_status, safe_wal_size FROM pg_replication_slots", "SELECT * FROM pg_stat_replication_slots",
	"SELECT case when pg_is_in_recovery() then 'replica' else 'primary' end AS role", "SHOW max_wal_senders", "SHOW wal_level", "SHOW primary_slot_name",
	"SHOW recovery_min_apply_delay", "SHOW synchronous_standby_names", "SELECT * FROM pg_stat_recovery_prefetch", "SELECT * FROM pg_publication_tables",
	"SELECT archived_count, failed_count, last_failed_wal, last_failed_time FROM pg_stat_archiver", "SHOW archive_command; SHOW archive_mode",
	"SELECT count(*), pg_size_pretty(sum(size)), min(modification) FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'",
	"SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'", "SELECT system_identifier FROM pg_control_system()",

	// Locks and transactions.
	"SELECT * FROM pg_locks WHERE NOT granted", "SELECT mode, count(*) FROM pg_locks GROUP BY mode", "SELECT pg_blocking_pids(4711)",
	"SELECT pid, locktype, relation::regclass, page, tuple, mode, granted, fastpath FROM pg_locks WHERE pid = 4711",
	"SELECT l.pid, l.mode, a.query, now() - a.xact_start FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.relation = 'public.orders'::regclass ORDER BY 4 DESC",
	"SELECT a.pid AS waiting, b.pid AS holding, left(b.query, 60) FROM pg_stat_activity a CROSS JOIN LATERAL unnest(pg_blocking_pids(a.pid)) AS w(pid) JOIN pg_stat_activity b ON b.pid = w.pid",
	"SELECT datname, deadlocks, conflicts FROM pg_stat_database", "SHOW deadlock_timeout", "SHOW lock_timeout", "SHOW max_locks_per_transaction",
	"SELECT * FROM pg_prepared_xacts ORDER BY prepared", "SELECT virtualtransaction, count(*) FROM pg_locks GROUP BY 1 ORDER BY 2 DESC LIMIT 5",

	// Space, vacuum, bloat.
	"SELECT pg_size_pretty(pg_database_size('shop'))", "SELECT pg_size_pretty(pg_total_relation_size('orders')), pg_size_pretty(pg_indexes_size('orders'))",
	"SELECT relname, last_autovacuum, autovacuum_count, n_mod_since_analyze FROM pg_stat_user_tables WHERE relname = 'orders'",
	"SELECT relname, round(n_dead_tup * 100.0 / greatest(n_live_tup + n_dead_tup, 1), 1) AS dead_pct FROM pg_stat_all_tables ORDER BY 2 DESC LIMIT 10",
	"SELECT datname, age(datfrozenxid), 2^31 - age(datfrozenxid) AS left_xids FROM pg_database ORDER BY 2 DESC", "SELECT * FROM pg_stat_progress_vacuum",
	"SELECT * FROM pg_stat_progress_create_index", "SELECT pid, datname, relid::regclass, phase FROM pg_stat_progress_cluster", "SELECT * FROM pg_stat_progress_basebackup",
	"SELECT relname, reloptions FROM pg_class WHERE reloptions IS NOT NULL", "SHOW autovacuum; SHOW autovacuum_max_workers; SHOW maintenance_work_mem",
	"SELECT schemaname || '.' || relname AS t, pg_size_pretty(pg_table_size(relid)) FROM pg_stat_user_tables ORDER BY pg_table_size(relid) DESC LIMIT 10",
	"SELECT indexrelname, idx_scan, pg_size_pretty(pg_relation_size(indexrelid)) FROM pg_stat_user_indexes ORDER BY pg_relation_size(indexrelid) DESC LIMIT 10",
	"SELECT * FROM pgstatindex('orders_pkey')", "SELECT sequencename, last_value FROM pg_sequences", "SELECT last_value, is_called FROM orders_id_seq",
	"SELECT temp_files, temp_bytes FROM pg_stat_database WHERE datname = 'shop'", "SHOW temp_file_limit", "SHOW work_mem",
	"SELECT checkpoints_timed, checkpoints_req, buffers_backend FROM pg_stat_bgwriter", "SELECT name, setting FROM pg_settings WHERE name LIKE 'checkpoint%'",

	// Slow queries.
	"SELECT pid, now() - query_start AS d, query FROM pg_stat_activity WHERE state = 'active' ORDER BY d DESC", "SHOW log_min_duration_statement",
	"SELECT queryid, calls, mean_exec_time, rows FROM pg_stat_statements ORDER BY mean_exec_time DESC LIMIT 10", "SELECT dealloc, stats_reset FROM pg_stat_statements_info",
	"SELECT query, calls, shared_blks_read FROM pg_stat_statements WHERE query ILIKE '%orders%' ORDER BY shared_blks_read DESC LIMIT 5",
	"SELECT relname, seq_scan, seq_tup_read, idx_scan FROM pg_stat_user_tables WHERE seq_scan > coalesce(idx_scan, 0) ORDER BY seq_tup_read DESC LIMIT 10",
	"SELECT relname, heap_blks_read, heap_blks_hit, heap_blks_hit * 100 / nullif(heap_blks_hit + heap_blks_read, 0) AS pct FROM pg_statio_user_tables",
	"EXPLAIN SELECT * FROM orders WHERE state = 'open' ORDER BY created_at DESC LIMIT 20", "EXPLAIN VERBOSE SELECT count(*) FROM orders",
	"EXPLAIN (ANALYZE, BUFFERS, TIMING off, SUMMARY on) SELECT o.id FROM orders o WHERE total > (SELECT avg(total) FROM orders)",
	"SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'orders'", "SELECT attname, null_frac, n_distinct, correlation FROM pg_stats WHERE tablename = 'orders'",
	"SELECT wait_event_type, wait_event FROM pg_stat_activity WHERE pid = 4711", "SELECT * FROM pg_stat_wal", "SELECT * FROM pg_stat_slru",
	"SELECT pid, leader_pid, backend_type FROM pg_stat_activity WHERE leader_pid IS NOT NULL",

	// The application's data.
	"SELECT count(*) FROM orders WHERE created_at > now() - interval '10 min'", "SELECT state, count(*) FROM orders GROUP BY state",
	"SELECT max(created_at), now() - max(created_at) AS age FROM orders", "SELECT * FROM orders WHERE id = 7", "SELECT * FROM orders ORDER BY created_at DESC LIMIT 5",
	"SELECT date_trunc('minute', created_at) AS m, count(*) FROM orders WHERE created_at > now() - interval '1 hour' GROUP BY m ORDER BY m",
	"SELECT EXISTS (SELECT 1 FROM orders WHERE state = 'stuck')", "SELECT to_char(created_at, 'HH24:MI') FROM orders WHERE total BETWEEN 1 AND 5",
	"SELECT string_agg(state, ', ' ORDER BY state) FROM (SELECT DISTINCT state FROM orders) s", "SELECT id FROM orders WHERE state = ANY ('{open,paid}')",
	`\dt`, `\d orders`, `\di+ orders*`, `\dS+ pg_stat_activity`, `\dv`, `\ds`, `\dp orders`, `\db+`, `\drds`, `\dg`, `\z`, `\df *lag*`,
	"\\timing\nSELECT count(*) FROM orders;", "\\pset format unaligned\n\\t on\nSELECT 1;", "\\x auto\nSELECT * FROM pg_stat_archiver;",
}

var mysqlEveryday = []string{
	"SELECT VERSION(), @@hostname, @@port", "SELECT CURRENT_USER(), USER(), DATABASE()", "SELECT @@read_only", "SHOW STATUS LIKE 'Uptime'", "show databases;",
	"SHOW GLOBAL STATUS LIKE 'Threads_running'", "SHOW GLOBAL STATUS LIKE 'Connection_errors%'", "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock%'",
	"SHOW GLOBAL VARIABLES LIKE 'wait_timeout'", "SHOW VARIABLES WHERE Variable_name LIKE 'innodb_buffer%' OR Variable_name = 'max_connections'",
	"SHOW FULL PROCESSLIST;", "SELECT COUNT(*) FROM information_schema.processlist", "SELECT command, COUNT(*) FROM information_schema.processlist GROUP BY command",
	"SELECT * FROM information_schema.processlist WHERE time > 60 AND command NOT IN ('Sleep', 'Binlog Dump')\\G",
	"SELECT db, user, SUM(time) FROM information_schema.processlist GROUP BY db, user ORDER BY 3 DESC", "SHOW ENGINE INNODB MUTEX", "SHOW ENGINE PERFORMANCE_SCHEMA STATUS",
	"SELECT trx_id, trx_state, trx_started, trx_rows_locked FROM information_schema.innodb_trx", "SHOW OPEN TABLES WHERE In_use > 0", "SHOW PLUGINS",
	"SELECT table_schema, table_name, data_free FROM information_schema.tables WHERE data_free > 1024 * 1024 ORDER BY data_free DESC LIMIT 10",
	"SELECT SUM(data_length + index_length) / POW(1024, 3) AS gb FROM information_schema.tables", "SHOW TABLE STATUS\\G", "SHOW CREATE TABLE orders", "SHOW INDEXES FROM orders",
	"SHOW COLUMNS FROM orders LIKE 'st%'", "SHOW TRIGGERS", "SHOW EVENTS", "SHOW PROCEDURE STATUS WHERE Db = 'shop'", "SHOW WARNINGS; SHOW ERRORS", "SHOW CHARACTER SET LIKE 'utf8%'",
	"SHOW SLAVE STATUS", "SHOW SLAVE HOSTS", "SHOW MASTER STATUS\\G", "SELECT @@server_id, @@log_bin", "SHOW STATUS LIKE 'Slave%'",
	"EXPLAIN SELECT state, COUNT(*) FROM orders WHERE created_at > NOW() - INTERVAL 1 DAY GROUP BY state", "EXPLAIN EXTENDED SELECT * FROM orders",
	"EXPLAIN SELECT o.id FROM orders o LEFT JOIN orders p ON (p.id = o.id + 1) WHERE p.id IS NULL", "DESCRIBE orders", "DESCRIBE orders state",
	"SELECT COUNT(*) FROM orders WHERE state = 'open'", "SELECT * FROM orders ORDER BY id DESC LIMIT 5\\G", "SELECT MAX(created_at), TIMEDIFF(NOW(), MAX(created_at)) FROM orders",
	"SELECT DATE(created_at) AS d, HOUR(created_at) AS h, COUNT(*) FROM orders GROUP BY d, h ORDER BY d DESC, h DESC LIMIT 24",
	"SELECT GROUP_CONCAT(DISTINCT state ORDER BY state SEPARATOR ', ') FROM orders", "SELECT id, CASE WHEN total > 5 THEN 'big' ELSE 'small' END AS size FROM orders",
	"SELECT COALESCE(SUM(total), 0) FROM orders WHERE created_at BETWEEN DATE_SUB(NOW(), INTERVAL 15 MINUTE) AND NOW()", "SELECT UNIX_TIMESTAMP(), UTC_TIMESTAMP(), FROM_UNIXTIME(0)",
	"USE shop; SHOW TABLES;", "use shop;\nSELECT 1;", "SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop' AND table_name LIKE 'ord%'",
	"SELECT index_name, GROUP_CONCAT(column_name ORDER BY seq_in_index) FROM information_schema.statistics WHERE table_name = 'orders' GROUP BY index_name",
	"SELECT file_name, event_name FROM performance_schema.file_instances LIMIT 5", "SELECT * FROM performance_schema.threads WHERE type = 'FOREGROUND'",
	"SELECT `id`, `state` FROM `shop`.`orders` WHERE `state` IN ('open', \"paid\")", "SELECT privilege_type, grantee FROM information_schema.user_privileges WHERE is_grantable = 'YES'",
	"SELECT CONCAT(ROUND(@@innodb_buffer_pool_size / 1024 / 1024), ' MB') AS pool", "SHOW COLLATION LIKE 'utf8mb4%'", "SHOW PRIVILEGES", "SHOW ENGINES;",
	"(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1", "SELECT 1 FROM DUAL WHERE EXISTS (SELECT * FROM orders)", "SHOW TABLES LIKE '%order%'", "SHOW SESSION STATUS LIKE 'Handler%'",
}

var sqliteEveryday = []string{
	"SELECT count(*) FROM orders", "select * from orders limit 3;", "SELECT * FROM orders ORDER BY id DESC LIMIT 10", "SELECT name, sql FROM sqlite_master", "PRAGMA integrity_check",
	"PRAGMA quick_check;", "PRAGMA table_info(sessions)", "PRAGMA index_list('orders')", "PRAGMA foreign_key_list(orders)", "PRAGMA journal_mode", "PRAGMA user_version",
	"PRAGMA table_list", "PRAGMA wal_autocheckpoint", "PRAGMA synchronous; PRAGMA cache_size; PRAGMA encoding", "SELECT max(started_at) FROM sessions",
	"SELECT status, count(*) FROM sessions GROUP BY status", "SELECT tier, avg(julianday('now') - julianday(started_at)) * 86400 FROM sessions GROUP BY tier",
	"SELECT date(created_at), count(*) FROM orders GROUP BY 1 ORDER BY 1 DESC", "SELECT tbl_name, count(*) FROM sqlite_master WHERE type = 'index' GROUP BY 1",
	"SELECT (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM sessions) AS sessions", "SELECT substr(body, 1, 40) || '…' FROM orders",
	"SELECT * FROM orders WHERE state IS NOT NULL AND state LIKE 'op%' COLLATE NOCASE", "SELECT id, lag(id) OVER (ORDER BY id) AS previous FROM orders",
	"SELECT page_count * page_size / 1024 AS kb FROM pragma_page_count, pragma_page_size", "SELECT iif(total > 5, 'big', 'small'), ifnull(state, '-') FROM orders",
	"SELECT o.id FROM orders o LEFT JOIN sessions s ON (s.tier = o.id) WHERE s.tier IS NULL", "SELECT unixepoch('now') - unixepoch(max(started_at)) AS age FROM sessions",
	".tables", ".schema", ".indexes", ".mode line\nSELECT * FROM orders LIMIT 1;", ".headers on\nSELECT 1;\n", ".databases\n.show",
	".timer on\n.eqp on\nSELECT count(*) FROM orders;", ".fullschema", ".stats on\nSELECT 1;", ".mode json\nSELECT id FROM orders;", ".separator ,\n.mode list\nSELECT 1, 2;",
}
