# On random numbers a divisor for every pair came first: it fits anything, and so says nothing.
awk 'BEGIN { srand(7); for (i = 0; i < 64; i++) printf "%.9f\n", rand() }' >v.csv
"$program" identify v.csv --json >said || fail "identify failed"
first=$(tr -d ' \n' <said | sed 's/.*\[{"rope_type":"\([a-z0-9_-]*\)".*/\1/;q' | head -c 40)
case $first in longrope*) fail "the first is $first" ;; esac
"$program" identify v.csv | grep -q 'fits any numbers' || fail "nothing says that it fits anything"
