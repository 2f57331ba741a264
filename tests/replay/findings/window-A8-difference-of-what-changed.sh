# The difference of two bases was a flat zero: series were matched by the words of their labels.
"$program" render rope/rotation --set show=score --compare base=10000 --compare-mode difference -o d.tex >printed 2>&1 ||
  fail "$(cat printed)"
grep -o '([0-9.e+-]*,[0-9.e+-]*)' d.tex | tr -d '()' | awk -F, '$2 > 0.05 || $2 < -0.05 {n++} END {exit !(n > 100)}' ||
  fail "the curve is flat"
