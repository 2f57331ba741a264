# A recipe could name its file like an option, or turn the direction in which its name is read.
for name in -rf 'a\u202Efdp'; do
  printf 'orrery = 1\n[[figure]]\nname = "%s"\nstudy = "rope/rotation"\n' "$name" >named.toml
  code=0
  "$program" batch named.toml -o out >/dev/null 2>errors || code=$?
  [ "$code" -eq 1 ] || fail "$name: exit code $code"
  [ -z "$(ls out 2>/dev/null)" ] || fail "$name: a file was written"
done
