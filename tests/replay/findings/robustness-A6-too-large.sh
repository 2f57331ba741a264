# One tensor of a .safetensors had no limit at all: `apply` asked for 16 GB and more.
need truncate
safetensors_head '{"x":{"dtype":"U8","shape":[2000000000],"data_offsets":[0,2000000000]}}' >x.safetensors
truncate -s $((2000000000 + $(wc -c <x.safetensors))) x.safetensors
npy_head '|u1' 1000000000 >bytes.npy && truncate -s 1000000128 bytes.npy
for command in 'apply softmax x.safetensors#x -o out.npy' 'apply softmax bytes.npy -o out.npy' 'identify x.safetensors#x'; do
  code=0
  (ulimit -v 2000000 && "$program" $command) >/dev/null 2>errors || code=$?
  [ "$code" -eq 1 ] && [ "$(wc -l <errors)" -eq 1 ] || fail "$command: exit code $code: $(tail -n 1 errors)"
  grep -q '000000000 numbers.*allowed: up to' errors || fail "$command: $(cat errors)"
done
