# probe.sh NAME [ARG...] is a hook that writes down all that it was given.
name=$1
into=$TEST_DIR/probe/$name.$$
{
	for arg; do printf '[%s]' "$arg"; done
	printf '\nin %s\n' "$(pwd)"
	env | grep -vE '^(_|SHLVL)=' | sort
} > "$into.part"
cat >> "$into.part"
mv "$into.part" "$into"
