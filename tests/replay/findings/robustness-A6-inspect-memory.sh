# `inspect` kept every number of an array as a double: 8 GB for an array of 1 GB.
need truncate
npy_head '|u1' 400000000 >bytes.npy && truncate -s 400000128 bytes.npy
safetensors_head '{"x":{"dtype":"U8","shape":[400000000],"data_offsets":[0,400000000]}}' >x.safetensors
truncate -s $((400000000 + $(wc -c <x.safetensors))) x.safetensors
for file in bytes.npy x.safetensors#x; do
  (ulimit -v 2000000 && "$program" inspect "$file") >found 2>errors || fail "$file: exit code $?: $(tail -n 1 errors)"
  grep -q '^mean  *0$' found || fail "$file: $(tail -n 1 found)"
done
