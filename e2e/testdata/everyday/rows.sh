# rows.sh FOLDER [SECONDS]: runs the command in each file of FOLDER, for some seconds, and prints what it printed below a line with its name and exit status.
rows=$1 seconds=${2:-15} kept=$(mktemp -d)
row() {
	mkdir "$kept/$1.tmp"
	cd /repos
	TMPDIR=$kept/$1.tmp TERM=dumb timeout --kill-after=2 "$seconds" bash -c "$(cat "$rows/$1")" </dev/null >"$kept/$1" 2>&1
	echo "=== $1 $?" >"$kept/$1.exit"
}
export rows seconds kept
export -f row
ls "$rows" | xargs -P 8 -I{} bash -c 'row {}' 2>/dev/null
for name in $(ls "$rows"); do
	cat "$kept/$name.exit"
	head -c 20000 "$kept/$name"
	echo
done
rm -rf "$kept"
