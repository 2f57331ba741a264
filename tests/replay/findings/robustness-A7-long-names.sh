# Names of 244 to 255 bytes, which files may have, were refused.
for letters in 240 251; do
  name=$(printf "%0${letters}d" 0).pdf
  "$program" render rope/rotation -o "$name" >/dev/null 2>errors || fail "${#name} bytes: refused"
  [ -s "$name" ] || fail "${#name} bytes: nothing was written"
done
