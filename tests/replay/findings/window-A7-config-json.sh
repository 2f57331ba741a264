# A model's config.json on the command line was refused: "cannot read a recipe from config.json".
cat >config.json <<'JSON'
{"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "num_hidden_layers": 2, "rope_theta": 10000.0,
 "max_position_embeddings": 2048, "vocab_size": 1000, "intermediate_size": 1024}
JSON
start_display
open_window config.json
patiently title_is "A model's file — Orrery" || fail "the title is: $(title)"
close_window
grep -q "$PWD/config.json" $(session_files) || fail "the file is not the study's"
