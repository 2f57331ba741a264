# A link that leads nowhere was replaced by the figure.
ln -s real.pdf link.pdf
"$program" render rope/rotation -o link.pdf >/dev/null 2>errors || fail "$(tail -n 1 errors)"
[ -L link.pdf ] || fail "the link is no link any longer"
[ -s real.pdf ] || fail "what it leads to was not made"
