# Eight jobs with more than ten font files crashed, or wrote figures that lack letters.
awk '/^\[\[figure\]\]/ { n++ } n <= 50' "$findings/recipes/many.toml" >some.toml
"$program" batch some.toml -o one --jobs 1 >/dev/null 2>errors || fail "one job: $(tail -n 1 errors)"
for jobs in 8 2 8; do
  rm -rf many
  code=0
  "$program" batch some.toml -o many --jobs "$jobs" >/dev/null 2>errors || code=$?
  [ "$code" -eq 0 ] || fail "$jobs jobs: exit code $code: $(tail -n 1 errors)"
  diff -rq one many >differing || fail "$jobs jobs: $(head -n 1 differing)"
done
