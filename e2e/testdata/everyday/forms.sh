# What a refusal names in the place of a database's client: `claudeops query SERVICE STATEMENT`, made of the client's words.
service=shop-db # what a client asks that says nothing else
# ask SERVICE SED TEXT: each statement of the text or of standard input, its answer without the count of rows.
ask() {
	local text=${3:-$(cat)} statement failed=0
	while read -r -d ';' statement || [[ $statement ]]; do
		[[ $statement ]] || continue
		claudeops query "$1" "$statement" | sed "$2/^([0-9]* rows\{0,1\}\( shown.*\)\{0,1\})\$/d"
		((PIPESTATUS[0])) && failed=1
	done < <(printf %s "$text")
	return "$failed"
}
unnamed='1{/^claudeops: /!d};' # without the columns' names
psql() {
	local service=$service head= text=
	while (($#)); do
		case $1 in -[!-]*t* | -t) head=$unnamed ;; esac
		case $1 in
		-h) [[ $2 != db2* ]] || service=replica; shift ;;
		-d) [[ $2 != blog && $2 != wiki ]] || service=$2; shift ;;
		-[UpPF]) shift ;;
		-c | -[!-]*c) [[ $2 = '\timing'* || $2 = '\x'* ]] || text+="$2;"; shift ;;
		esac
		shift
	done
	ask "$service" "$head" "${text:-$(sed '/^\\timing/d')}"
}
mysql() {
	local head= text=
	while (($#)); do
		case $1 in -N*) head=$unnamed ;; esac
		case $1 in
		-[hPuD]) shift ;;
		-e | -[!-]*e) text=$2; shift ;;
		esac
		shift
	done
	ask mariadb "$head" "$(sed 's/\\G/;/g' <<<"${text:-$(cat)}")"
}
mariadb() { mysql "$@"; }
redis-cli() {
	local service=redis
	while [[ $1 = -* ]]; do
		case $1 in
		-p) [[ $2 != 26379 ]] || service=sentinel; shift ;;
		-[hni]) shift ;;
		esac
		shift
	done
	ask "$service" '' "${*:-$(tr '\n' ';')}"
}
# A client in a container, on a host, or run as the database's user, is one too.
elsewhere() {
	local service=$service
	[[ " $* " != *\ postgres-replica\ * && " $* " != *\ db2.example.org\ * ]] || service=replica
	if [[ $1 = ssh && ${*: -1} = *psql* ]]; then
		eval "${*: -1}"
		return
	fi
	while (($#)) && [[ $1 != psql && $1 != mysql && $1 != mariadb && $1 != redis-cli ]]; do shift; done
	"$@"
}
for program in sudo docker kubectl ssh; do
	eval "$program() { if [[ \$* = *@(psql|mysql|mariadb|redis-cli)* ]]; then elsewhere $program \"\$@\"; else command $program \"\$@\"; fi; }"
done
unset program
