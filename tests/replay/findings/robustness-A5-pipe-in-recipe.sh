# A recipe that names a pipe for a file was waited for without end.
mkfifo pipe
printf 'orrery = 1\nstudy = "rope/model"\n[parameters]\nconfig = "%s/pipe"\n' "$PWD" >figure.toml
for command in 'render figure.toml -o figure.pdf' 'batch figure.toml -o figures'; do
  code=0
  timeout 15 "$program" $command >/dev/null 2>errors || code=$?
  [ "$code" -eq 1 ] || fail "$command: exit code $code"
  grep -q 'is a pipe' errors || fail "$command: $(tail -n 1 errors)"
done
# What a person names for just this command may be a pipe.
printf '{"hidden_size": 64, "num_attention_heads": 2}' >config.json
timeout 15 "$program" rope /dev/stdin <config.json >/dev/null || fail "a file as /dev/stdin"
cat config.json | timeout 15 "$program" rope /dev/stdin >/dev/null || fail "a pipe as /dev/stdin"
(sleep 1; cat config.json >pipe) & timeout 15 "$program" rope pipe >/dev/null || fail "a named pipe"
