# An SVG of 64 MB of empty elements took more than a gigabyte to find its recipe.
{
  printf '<svg xmlns="http://www.w3.org/2000/svg">'
  yes '<a/><a/><a/><a/><a/><a/><a/><a/><a/><a/><a/><a/><a/><a/><a/><a/>' | head -c 66300000
  printf '\n</svg>\n'
} >many.svg
code=0
(ulimit -v 900000 && "$program" inspect many.svg) >/dev/null 2>errors || code=$?
[ "$code" -eq 1 ] || fail "exit code $code: $(tail -n 1 errors)"
grep -q 'no recipe inside' errors || fail "$(tail -n 1 errors)"
