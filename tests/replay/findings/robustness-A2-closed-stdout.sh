# A closed standard output aborted `gallery` with several jobs.
"$program" gallery -o c --jobs 2 >/dev/null 2>&1 || fail "the gallery cannot be made"
cp -r c whole
code=0
"$program" gallery -o c --jobs 2 >&- 2>errors || code=$?
[ "$code" -eq 1 ] || fail "exit code $code: $(tail -n 1 errors)"
[ "$(cat errors)" = "orrery: stdout: cannot be written" ] || fail "it said: $(cat errors)"
diff -rq whole c >differing || fail "$(head -n 1 differing)"
