package script

// The functions that are known to change nothing, by dialect: by their manuals they neither write, lock, signal, sleep nor read
// files, and run no SQL that is given to them as text.

// sqlBeforeBracket are the keywords that a bracket may follow without a call: they are reserved, so that no function of somebody's
// own has such a name. For those that are not reserved see keywordBeforeBracket.
const sqlBeforeBracket = `
	in not and or exists any all some values from where select distinct on using as when then else case having union except intersect
	lateral group between row grouping rollup cube array limit offset interval table only symmetric asymmetric variadic for`

// By dialect: further such keywords, functions that change nothing, and functions that do what no tier may.
var (
	beforeBracket      = [...]string{"", "xor div mod rlike regexp index key straight_join partition match", "glob regexp match"}
	functions          = [...]string{postgresFunctions, mysqlFunctions, sqliteFunctions}
	forbiddenFunctions = [...]string{postgresForbidden, mysqlForbidden, sqliteForbidden}
)

const (
	// postgresSignals are changes that can be taken back; they are granted alone, with literal arguments.
	postgresSignals = `pg_cancel_backend pg_terminate_backend pg_wal_replay_resume pg_xlog_replay_resume pg_reload_conf`

	postgresForbidden = `
		pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml
		cursor_to_xmlschema table_to_xml table_to_xmlschema table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema
		schema_to_xml_and_xmlschema database_to_xml database_to_xmlschema database_to_xml_and_xmlschema ts_stat ts_rewrite crosstab
		connectby xpath_table set_config setval nextval pg_switch_wal pg_switch_xlog pg_promote pg_wal_replay_pause
		pg_xlog_replay_pause pg_drop_replication_slot pg_create_physical_replication_slot pg_create_logical_replication_slot
		pg_copy_physical_replication_slot pg_copy_logical_replication_slot pg_replication_slot_advance pg_sync_replication_slots
		pg_logical_slot_get_changes pg_logical_slot_get_binary_changes pg_logical_emit_message pg_create_restore_point pg_start_backup
		pg_stop_backup pg_backup_start pg_backup_stop pg_notify pg_export_snapshot pg_rotate_logfile pg_import_system_collations
		pg_extension_config_dump loread lowrite gp_read_error_log brin_summarize_new_values gin_clean_pending_list`
	// postgresForbiddenPrefixes begin the names of further ones.
	postgresForbiddenPrefixes = `lo_ dblink pg_write_ pg_file_ pg_advisory_ pg_try_advisory_ pg_stat_reset pg_replication_origin_ binary_upgrade_ heap_force_
		pg_truncate_ pg_stat_statements_reset`

	// postgresExtensions come with extensions of the server's distribution, which live in any schema.
	postgresExtensions = `pgstattuple pgstattuple_approx pgstatindex pgstatginindex pgstathashindex pg_relpages pg_stat_statements
		pg_stat_statements_info pg_freespace pg_buffercache_pages pg_buffercache_summary pg_buffercache_usage_counts similarity`

	// postgresRows return rows with columns, as those that begin with pg_ do; the others return single values.
	postgresRows = `json_each json_each_text jsonb_each jsonb_each_text json_to_record json_to_recordset jsonb_to_record jsonb_to_recordset
		json_populate_record json_populate_recordset jsonb_populate_record jsonb_populate_recordset json_table xmltable aclexplode
		_pg_expandarray pgstattuple pgstattuple_approx pgstatindex pgstatginindex pgstathashindex aurora_replica_status`

	// postgresBehindTable are the words that follow a table without an alias.
	postgresBehindTable = `where on using join cross left right full inner natural group order limit offset fetch having window union intersect
		except for tablesample`

	// postgresPrefixes begin the names of settings of extensions, before the dot.
	postgresPrefixes = `pg_stat_statements auto_explain plpgsql pgaudit pg_hint_plan timescaledb cron rds citus pg_prewarm`

	// postgresSettable are settings of a session that change how long things may take, how plans are chosen and how values look.
	postgresSettable = `statement_timeout lock_timeout idle_in_transaction_session_timeout idle_session_timeout transaction_timeout
		default_transaction_read_only transaction_read_only timezone datestyle intervalstyle extra_float_digits client_min_messages
		application_name bytea_output jit track_io_timing max_parallel_workers_per_gather enable_seqscan enable_indexscan
		enable_indexonlyscan enable_bitmapscan enable_hashjoin enable_mergejoin enable_nestloop enable_hashagg enable_sort
		enable_material enable_memoize enable_incremental_sort random_page_cost plan_cache_mode constraint_exclusion`

	postgresFunctions = `
		avg bit_and bit_or bit_xor bool_and bool_or count every max min sum stddev stddev_pop stddev_samp variance var_pop var_samp corr
		covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy mode
		percentile_cont percentile_disc array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg xmlagg any_value
		range_agg json_arrayagg json_objectagg

		row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value

		coalesce nullif greatest least cast num_nulls num_nonnulls

		abs cbrt ceil ceiling degrees div exp factorial floor gcd lcm ln log log10 mod pi power radians round scale sign sqrt trim_scale
		trunc width_bucket random acos asin atan atan2 cos cot sin tan numeric decimal float real double integer int int2 int4 int8
		bigint smallint float4 float8 bool boolean bit varbit date time timetz timestamp timestamptz interval text varchar bpchar char
		character name oid money uuid json jsonb xid8

		ascii btrim bit_length char_length character_length chr concat concat_ws convert_from convert_to decode encode format initcap
		left length lower lpad ltrim md5 normalize octet_length overlay parse_ident position quote_ident quote_literal quote_nullable
		regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
		regexp_substr repeat replace reverse right rpad rtrim sha224 sha256 sha384 sha512 split_part starts_with string_to_array
		string_to_table strpos substr substring to_ascii to_hex to_bin to_oct translate trim unistr upper get_bit get_byte set_bit
		set_byte bit_count crc32 crc32c casefold

		age clock_timestamp current_date current_time current_timestamp date_add date_bin date_part date_subtract date_trunc extract
		isfinite justify_days justify_hours justify_interval localtime localtimestamp make_date make_interval make_time make_timestamp
		make_timestamptz now statement_timestamp timeofday timezone to_char to_date to_number to_timestamp transaction_timestamp overlaps

		array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions array_prepend
		array_remove array_replace array_to_string array_upper cardinality trim_array unnest generate_series generate_subscripts
		array_sample array_shuffle array_sort array_reverse isempty lower_inc lower_inf upper_inc upper_inf range_merge int4range
		int8range numrange daterange tsrange tstzrange multirange

		to_json to_jsonb array_to_json row_to_json json_array json_object json_build_array json_build_object json_array_elements
		json_array_elements_text json_array_length json_each json_each_text json_extract_path json_extract_path_text json_object_keys
		json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset json_typeof json_exists
		json_query json_value json_table json_scalar json_serialize jsonb_array_elements jsonb_array_elements_text jsonb_array_length
		jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object
		jsonb_object_keys jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first
		jsonb_populate_record jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax jsonb_insert jsonb_strip_nulls
		jsonb_to_record jsonb_to_recordset jsonb_typeof

		xmlelement xmlforest xmlconcat xmlparse xmlserialize xmltable xpath xpath_exists xml_is_well_formed to_tsvector to_tsquery
		plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline

		abbrev broadcast family host hostmask inet_merge inet_same_family masklen netmask network set_masklen gen_random_uuid

		current_catalog current_database current_role current_schema current_schemas current_user session_user user version
		inet_client_addr inet_client_port inet_server_addr inet_server_port pg_backend_pid pg_blocking_pids pg_conf_load_time
		pg_current_logfile pg_is_other_temp_schema pg_jit_available pg_listening_channels pg_my_temp_schema
		pg_notification_queue_usage pg_postmaster_start_time pg_safe_snapshot_blocking_pids pg_trigger_depth pg_collation_for
		pg_typeof pg_encoding_to_char pg_char_to_encoding pg_client_encoding current_query pg_basetype pg_input_is_valid pg_timezone_names pg_timezone_abbrevs pg_available_extensions
		pg_available_extension_versions pg_config pg_get_keywords pg_lock_status pg_prepared_xact pg_prepared_statement pg_cursor
		has_any_column_privilege has_column_privilege has_database_privilege has_foreign_data_wrapper_privilege has_function_privilege
		has_language_privilege has_parameter_privilege has_schema_privilege has_sequence_privilege has_server_privilege
		has_table_privilege has_tablespace_privilege has_type_privilege pg_has_role row_security_active aclexplode acldefault
		pg_collation_is_visible pg_function_is_visible pg_operator_is_visible pg_opclass_is_visible pg_table_is_visible
		pg_type_is_visible format_type to_regclass to_regcollation to_regnamespace to_regoper to_regoperator to_regproc to_regprocedure
		to_regrole to_regtype regclass regproc regprocedure regrole regnamespace regtype
		pg_get_catalog_foreign_keys pg_get_constraintdef pg_get_expr pg_get_functiondef pg_get_function_arguments
		pg_get_function_identity_arguments pg_get_function_result pg_get_indexdef pg_get_partkeydef pg_get_partition_constraintdef
		pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef pg_get_triggerdef pg_get_userbyid pg_get_viewdef
		pg_index_column_has_property pg_index_has_property pg_indexam_has_property pg_describe_object pg_identify_object
		pg_identify_object_as_address pg_get_object_address pg_get_publication_tables pg_relation_is_publishable
		pg_partition_tree pg_partition_ancestors pg_partition_root pg_sequence_parameters pg_sequence_last_value currval lastval
		col_description obj_description shobj_description pg_tablespace_databases pg_tablespace_location

		pg_column_size pg_column_compression pg_column_toast_chunk_id pg_database_size pg_indexes_size pg_relation_size pg_size_bytes
		pg_size_pretty pg_table_size pg_tablespace_size pg_total_relation_size pg_relation_filenode pg_relation_filepath
		pg_filenode_relation pg_ls_waldir pg_ls_logdir pg_ls_tmpdir pg_ls_archive_statusdir pg_ls_replslotdir pg_ls_logicalsnapdir
		pg_ls_logicalmapdir pg_ls_summariesdir

		pg_is_in_recovery pg_is_in_backup pg_backup_start_time pg_is_wal_replay_paused pg_get_wal_replay_pause_state
		pg_is_xlog_replay_paused pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp
		pg_last_xlog_receive_location pg_last_xlog_replay_location pg_current_wal_lsn pg_current_wal_insert_lsn
		pg_current_wal_flush_lsn pg_current_xlog_location pg_current_xlog_insert_location pg_current_xlog_flush_location
		pg_wal_lsn_diff pg_xlog_location_diff pg_walfile_name pg_walfile_name_offset pg_split_walfile_name pg_xlogfile_name
		pg_xlogfile_name_offset pg_lsn pg_get_replication_slots pg_show_replication_origin_status pg_control_checkpoint
		pg_control_init pg_control_recovery pg_control_system pg_last_committed_xact pg_xact_commit_timestamp
		pg_xact_status pg_current_xact_id_if_assigned pg_current_snapshot pg_snapshot_xip pg_snapshot_xmax pg_snapshot_xmin
		pg_visible_in_snapshot txid_current_if_assigned txid_current_snapshot txid_snapshot_xip txid_snapshot_xmax txid_snapshot_xmin
		txid_visible_in_snapshot txid_status mxid_age pg_get_multixact_members pg_stat_have_stats pg_get_backend_memory_contexts
		pg_get_shmem_allocations pg_get_wait_events pg_get_wal_resource_managers bernoulli system
		aurora_version aurora_replica_status`
)

const (
	mysqlForbidden = `load_file sys_exec sys_eval sys_get sys_set get_lock release_lock release_all_locks nextval setval`

	// mysqlSys are functions of the schema sys.
	mysqlSys = `format_bytes format_path format_statement format_time extract_schema_from_file_name extract_table_from_file_name
		ps_thread_id ps_thread_account ps_thread_stack ps_is_account_enabled ps_is_consumer_enabled version_major version_minor
		version_patch quote_identifier list_add list_drop sys_get_config`

	mysqlFunctions = `
		avg bit_and bit_or bit_xor count group_concat json_arrayagg json_objectagg max min std stddev stddev_pop stddev_samp sum var_pop
		var_samp variance any_value grouping percentile_cont percentile_disc median
		row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value

		if ifnull nullif coalesce greatest least isnull interval cast convert binary nvl nvl2

		abs acos asin atan atan2 ceil ceiling conv cos cot crc32 crc32c degrees exp floor ln log log10 log2 mod pi pow power radians rand
		round sign sin sqrt tan truncate bit_count

		ascii bin bit_length char char_length character_length concat concat_ws elt export_set field find_in_set format from_base64 hex
		insert instr lcase left length locate lower lpad ltrim make_set match mid oct octet_length ord position quote regexp_instr
		regexp_like regexp_replace regexp_substr repeat replace reverse right rpad rtrim soundex space strcmp substr substring
		substring_index to_base64 trim ucase unhex upper weight_string natural_sort_key chr to_char sformat

		adddate addtime convert_tz curdate current_date current_time current_timestamp curtime date date_add date_format date_sub datediff
		day dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour last_day localtime localtimestamp
		makedate maketime microsecond minute month monthname now period_add period_diff quarter sec_to_time second str_to_date subdate
		subtime sysdate time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_days to_seconds unix_timestamp
		utc_date utc_time utc_timestamp week weekday weekofyear year yearweek

		json_array json_array_append json_array_insert json_contains json_contains_path json_depth json_extract json_insert json_keys
		json_length json_merge json_merge_patch json_merge_preserve json_object json_overlaps json_pretty json_quote json_remove
		json_replace json_schema_valid json_search json_set json_storage_free json_storage_size json_table json_type json_unquote
		json_valid json_value json_exists json_query json_compact json_detailed json_loose extractvalue updatexml

		charset coercibility collation compress connection_id current_role current_user database format_bytes
		format_pico_time found_rows icu_version inet_aton inet_ntoa inet6_aton inet6_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6
		is_free_lock is_used_lock is_uuid bin_to_uuid uuid_to_bin uuid uuid_short md5 sha sha1 sha2 ps_current_thread_id ps_thread_id
		row_count schema session_user statement_digest statement_digest_text system_user uncompress uncompressed_length user version
		gtid_subset gtid_subtract binlog_gtid_pos wsrep_last_seen_gtid wsrep_last_written_gtid lastval decimal dec numeric signed
		unsigned varchar nchar varbinary datetime float double`
)

const (
	sqliteForbidden = `load_extension writefile readfile edit fsdir zipfile zipfile_cds lsmode fts3_tokenizer sha3_query sqlar_compress eval
		sqlite_dbpage sqlite_dbdata sqlite_dbptr shell_add_schema shell_module_schema`

	sqliteFunctions = `
		avg count group_concat string_agg max min sum total median percentile percentile_cont percentile_disc
		row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value

		abs changes char coalesce concat concat_ws format glob hex if ifnull iif instr last_insert_rowid length like likelihood likely
		lower ltrim nullif octet_length printf quote random randomblob replace round rtrim sign soundex sqlite_compileoption_get
		sqlite_compileoption_used sqlite_offset sqlite_source_id sqlite_version substr substring subtype total_changes trim typeof
		unicode unhex unistr unistr_quote unlikely upper zeroblob

		acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power radians sin
		sinh sqrt tan tanh trunc

		date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp

		json json_array json_array_length json_each json_error_position json_extract json_group_array json_group_object json_insert
		json_object json_patch json_pretty json_quote json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array
		jsonb_each jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove
		jsonb_replace jsonb_set jsonb_tree

		cast generate_series bm25 highlight snippet regexp sha3 base64 base85 ieee754 decimal decimal_cmp varchar
		numeric dbstat`

	// sqlitePragmas show something where they have no value.
	sqlitePragmas = `
		analysis_limit application_id auto_vacuum automatic_index busy_timeout cache_size cache_spill cell_size_check checkpoint_fullfsync
		collation_list compile_options data_version database_list default_cache_size encoding foreign_keys freelist_count fullfsync
		function_list hard_heap_limit ignore_check_constraints journal_mode journal_size_limit locking_mode max_page_count mmap_size
		module_list page_count page_size pragma_list query_only read_uncommitted recursive_triggers reverse_unordered_selects
		schema_version secure_delete soft_heap_limit stats synchronous temp_store threads trusted_schema user_version wal_autocheckpoint`

	// sqlitePragmasOfTables also take the name of what they show.
	sqlitePragmasOfTables = `foreign_key_check foreign_key_list index_info index_list index_xinfo integrity_check quick_check table_info table_list
		table_xinfo`
)
