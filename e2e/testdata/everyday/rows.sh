# rows.sh FOLDER [SECONDS [BYTES [NUMBER]]]: runs the command in each file of FOLDER, a number of them at once, each for some seconds, and prints what
# it printed, some of it, below a line with its name and exit status. What they printed stands in open files, which no command can remove.
rows=$1 seconds=${2:-15} bytes=${3:-20000} number=${4:-8} kept=$(mktemp -d) names=($(ls "$1"))
(cd "$kept" && mkdir "${names[@]/%/.tmp}")
worker() {
	for fd in "$out" "${ins[@]}"; do exec {fd}<&-; done # a command names the files that it inherits
	for ((i = $1; i < ${#names[@]}; i += number)); do
		name=${names[i]}
		cd /repos
		exec 4>"$kept/$name" 3<"$kept/$name" || continue
		TMPDIR=$kept/$name.tmp TERM=dumb timeout --kill-after=2 "$seconds" bash -c "$(<"$rows/$name")" </dev/null >&4 2>&1 3<&- 4>&-
		echo "=== $name $?"
		LC_ALL=C read -r -N "$bytes" text <&3
		printf '%s\n' "$text"
	done
}
for ((n = 0; n < number; n++)); do
	exec {out}>"$kept/$n" {in}<"$kept/$n"
	worker "$n" >&$out 2>/dev/null {in}<&- &
	exec {out}>&-
	ins+=("$in")
done
wait
for in in "${ins[@]}"; do cat <&"$in"; done
rm -rf "$kept"
