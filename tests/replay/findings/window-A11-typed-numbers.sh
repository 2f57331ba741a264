# Numbers as the window prints them, and as people write them, were refused.
for typed in "1 000=1000" "1,000=1000" "8k=8000" "8Ki=8192" "1M=1000000"; do
  "$program" render rope/rotation --set "base=${typed%=*}" -o a.svg >printed 2>&1 || fail "$typed: $(cat printed)"
  "$program" inspect a.svg >recipe 2>&1 || fail "$(cat recipe)"
  grep -q "base = ${typed#*=}\b" recipe || fail "$typed gives $(grep base recipe)"
done
