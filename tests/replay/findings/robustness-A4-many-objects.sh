# `rope` took half a minute for a config.json of 40 000 objects.
awk 'BEGIN {
  printf "{\"hidden_size\": 64, \"num_attention_heads\": 2"
  for (i = 0; i < 80000; ++i) printf ",\"k%d\":{\"a\":%d}", i, i
  printf "}"
}' >config.json
timeout 15 "$program" rope config.json >found 2>errors || fail "exit code $?: $(tail -n 1 errors)"
[ -s found ] || fail "nothing was said"
