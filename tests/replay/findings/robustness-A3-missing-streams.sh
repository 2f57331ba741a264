# With standard output closed the first file opened got its number, and progress was printed into a figure.
mkfifo fifo.toml
sleep 60 >fifo.toml &
echo $! >>processes
"$program" render fifo.toml -o a.pdf <&- >&- 2>/dev/null &
reader=$!
echo "$reader" >>processes
opened() { ls -l "/proc/$reader/fd" 2>/dev/null | grep -q fifo; }
patiently opened || fail "the file was never opened"
ls -l "/proc/$reader/fd" | grep fifo >where
kill "$reader"
! grep -q ' [012] -> ' where || fail "a file stands in the place of a standard stream: $(sed 's/.* \([0-9]* ->\)/\1/' where)"
