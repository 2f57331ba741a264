# A study's name of 900 kB took ten seconds and came back whole; a font's came back whole.
much=$(head -c 900000 /dev/zero | tr '\0' A)
printf 'orrery = 1\nstudy = "%s"\n' "$much" >study.toml
printf 'orrery = 1\nstudy = "rope/rotation"\n[page]\nfont = "%s"\n' "$much" >font.toml
code=0
"$program" render study.toml -o a.pdf >/dev/null 2>errors || code=$?
[ "$code" -ge 1 ] && [ "$code" -le 2 ] || fail "exit code $code"
[ "$(wc -c <errors)" -lt 2000 ] || fail "the study: an error of $(wc -c <errors) bytes"
grep -q '900000 bytes' errors || fail "it does not say how long it was: $(cat errors)"
"$program" render font.toml -o b.pdf >/dev/null 2>errors
[ "$(wc -c <errors)" -lt 2000 ] || fail "the font: $(wc -c <errors) bytes on stderr"
