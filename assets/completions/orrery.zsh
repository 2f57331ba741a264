#compdef orrery
# Completion of orrery for zsh. Now, behind compinit: source <(orrery completions zsh). For good, into a file _orrery in a
# folder of $fpath.

_orrery() {
  local line word help
  local -a plain joined globs
  for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    word=${line%%$'\t'*}
    help=${line#*$'\t'}
    case $word in
      '') ;;
      :files)
        # Behind --output= and weight= only what follows is the file's name.
        compset -P '--*=' || compset -P '[a-z0-9_]##='
        if [[ -n $help ]]; then
          # Not *(.toml|.pdf): of one ending that would ask for a file's attributes.
          globs=('*'${^=help})
          _files -g "${(j: :)globs}"
        else
          _files
        fi
        ;;
      :folder)
        compset -P '--*='
        _files -/
        ;;
      *=) joined+=("${word//:/\\:}:$help") ;;
      *) plain+=("${word//:/\\:}:$help") ;;
    esac
  done
  (( $#plain )) && _describe -t words 'orrery' plain
  (( $#joined )) && _describe -t settings 'setting' joined -S ''
  return 0
}

if [[ $funcstack[1] == _orrery ]]; then
  _orrery "$@"
else
  compdef _orrery orrery
fi
