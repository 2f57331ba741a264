# A size that was typed wrong was kept, and the next start greeted with a complaint.
start_display
open_window
sleep 2
key ctrl+q
patiently gone
for file in $(session_files); do sed -i "s/^size = .*/size = '12x8garbage'/" "$file"; done
open_window
sleep 2
[ -z "$(find "$XDG_STATE_HOME" -name '*.bad.toml')" ] || fail "a size that was typed wrong is taken for damage"
