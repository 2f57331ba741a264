# A full disk behind standard output aborted `gallery` with several jobs.
code=0
"$program" gallery -o c --jobs 2 >/dev/full 2>errors || code=$?
[ "$code" -eq 1 ] || fail "exit code $code: $(tail -n 1 errors)"
[ "$(wc -l <errors)" -eq 1 ] || fail "more than one line: $(cat errors)"
