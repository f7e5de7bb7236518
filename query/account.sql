-- What the account that asks may do beyond reading: 'refuse …' and 'warn …', each with a detail. A superuser gets one line. Membership counts by
-- MEMBER: a role that is not inherited can still be set. Run it with the search_path pg_catalog, or a shadowed operator hides an answer.
WITH me AS (
  SELECT EXISTS (
    SELECT 1 FROM pg_catalog.pg_roles s WHERE s.rolsuper AND pg_catalog.pg_has_role(session_user, s.oid, 'MEMBER')
  ) AS super
)
SELECT 'refuse superuser', session_user::text FROM me WHERE super

UNION ALL
SELECT 'refuse login-role-differs', session_user || ' acts as ' || current_user WHERE session_user <> current_user

UNION ALL
-- What is asked below counts the rights that it has; these it could take.
SELECT 'refuse role that it can become', rolname::text
FROM pg_catalog.pg_roles
WHERE pg_catalog.pg_has_role(session_user, oid, 'MEMBER') AND NOT pg_catalog.pg_has_role(session_user, oid, 'USAGE')

UNION ALL
SELECT 'refuse attribute',
  concat_ws(',', CASE WHEN rolcreaterole THEN 'CREATEROLE' END, CASE WHEN rolreplication THEN 'REPLICATION' END) || ' of ' || rolname
FROM me, pg_catalog.pg_roles
WHERE NOT super AND (rolcreaterole OR rolreplication) AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER')

UNION ALL
SELECT 'refuse server role', rolname::text
FROM me, pg_catalog.pg_roles
WHERE NOT super AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER')
  AND rolname IN (
    'pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files', 'pg_signal_backend', 'pg_checkpoint', 'pg_maintain',
    'pg_write_all_data', 'pg_create_subscription', 'pg_signal_autovacuum_worker')

UNION ALL
SELECT 'refuse server function', p.oid::pg_catalog.regprocedure::text
FROM me, pg_catalog.pg_proc p
WHERE NOT super AND p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
  AND p.proname IN (
    'pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'pg_stat_file', 'lo_import', 'lo_export', 'pg_reload_conf', 'pg_rotate_logfile',
    'pg_switch_wal', 'pg_create_restore_point', 'pg_start_backup', 'pg_backup_start', 'pg_stop_backup', 'pg_backup_stop', 'pg_promote',
    'pg_wal_replay_pause', 'pg_stat_reset', 'pg_stat_reset_shared', 'pg_stat_reset_slru', 'pg_log_backend_memory_contexts')
  AND pg_catalog.has_function_privilege(session_user, p.oid, 'EXECUTE')

UNION ALL
-- Functions that act with another's rights, or that no rights bind, but for those of extensions that are known to be tame. The server's own
-- have numbers below 16384. A view's owner may use the schema of a function in it, so the account needs no right on that.
SELECT 'refuse ' || CASE WHEN p.prosecdef THEN 'definer function' ELSE 'native function' END,
  p.oid::pg_catalog.regprocedure::text || ' of ' || o.rolname
FROM me, pg_catalog.pg_proc p
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  JOIN pg_catalog.pg_roles o ON o.oid = p.proowner
  LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
  LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
WHERE NOT super AND p.oid >= 16384 AND p.prokind <> 'a'
  AND p.prorettype NOT IN (
    'trigger'::pg_catalog.regtype, 'event_trigger'::pg_catalog.regtype, 'language_handler'::pg_catalog.regtype, 'fdw_handler'::pg_catalog.regtype)
  AND (
    (p.prosecdef AND NOT pg_catalog.pg_has_role(session_user, p.proowner, 'MEMBER'))
    OR (NOT l.lanpltrusted AND NOT (
      l.lanname IN ('c', 'internal') AND e.extname IS NOT NULL AND (e.extname LIKE 'postgis%' OR e.extname IN (
        'plpgsql', 'bloom', 'btree_gin', 'btree_gist', 'citext', 'cube', 'dict_int', 'dict_xsyn', 'earthdistance', 'fuzzystrmatch', 'hstore',
        'intagg', 'intarray', 'isn', 'lo', 'ltree', 'pg_buffercache', 'pg_freespacemap', 'pg_stat_statements', 'pg_trgm', 'pg_visibility',
        'pgcrypto', 'pgrowlocks', 'pgstattuple', 'seg', 'sslinfo', 'tablefunc', 'timescaledb', 'tsm_system_rows', 'tsm_system_time',
        'unaccent', 'uuid-ossp', 'vector')))))
  AND pg_catalog.has_function_privilege(session_user, p.oid, 'EXECUTE')

UNION ALL
-- What stands on another server is read with a right there. Views, partitions and functions lead to it, so any counts.
SELECT 'refuse foreign table', c.oid::pg_catalog.regclass::text
FROM me, pg_catalog.pg_class c
WHERE NOT super AND c.relkind = 'f'

UNION ALL
SELECT 'refuse reading passwords', t || '.' || a
FROM me, (VALUES ('pg_authid', 'rolpassword'), ('pg_shadow', 'passwd'), ('pg_subscription', 'subconninfo'), ('pg_user_mapping', 'umoptions')) c (t, a)
WHERE NOT super AND pg_catalog.has_column_privilege(session_user, 'pg_catalog.' || t, a, 'SELECT')

UNION ALL
SELECT 'warn writes', pg_catalog.count(*)::text
FROM me, pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE NOT super AND c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname !~ '^(pg_|information_schema$)'
  AND (
    pg_catalog.has_table_privilege(session_user, c.oid, 'INSERT,UPDATE,DELETE,TRUNCATE')
    OR pg_catalog.has_any_column_privilege(session_user, c.oid, 'INSERT,UPDATE'))
HAVING pg_catalog.count(*) > 0

UNION ALL
SELECT 'warn create in schema', n.nspname::text
FROM me, pg_catalog.pg_namespace n
WHERE NOT super AND n.nspname !~ '^pg_' AND pg_catalog.has_schema_privilege(session_user, n.oid, 'CREATE')

UNION ALL
SELECT 'warn database', p
FROM me, pg_catalog.unnest(ARRAY['CREATE', 'TEMP']) p
WHERE NOT super AND pg_catalog.has_database_privilege(session_user, pg_catalog.current_database(), p)
