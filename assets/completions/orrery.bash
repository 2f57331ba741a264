# Completion of orrery for bash. Now: source <(orrery completions bash). For good, into the file
# ~/.local/share/bash-completion/completions/orrery

_orrery() {
  local line=${COMP_LINE:0:COMP_POINT} word help own before path ending
  local -a words
  read -a words <<<"$line"
  [[ $line == *[[:space:]] && $line != *\\[[:space:]] ]] && words+=("")
  # bash parts words at = and : as well, and puts what it is given behind the last of these.
  own=${COMP_WORDS[COMP_CWORD]}
  [[ $own == [=:] ]] && own=
  # As it is meant, like the words above: without the backslashes before its blanks.
  IFS= read own <<<"$own"
  before=${words[-1]%"$own"}
  COMPREPLY=()
  while IFS=$'\t' read -r word help; do
    case $word in
      :files)
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do
          [[ -d ${path/#\~/$HOME} || -z $help ]] && COMPREPLY+=("$path") && continue
          for ending in $help; do
            [[ $path == *"$ending" ]] && COMPREPLY+=("$path") && break
          done
        done < <(compgen -f -- "$own")
        ;;
      :folder)
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -d -- "$own")
        ;;
      *)
        # A preset of somebody's own may have blanks in its name; a comma outside of braces is one.
        printf -v word %q "${word#"$before"}"
        COMPREPLY+=("${word//\\,/,}")
        ;;
    esac
  done < <("${1/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null)
  # The value comes directly behind it.
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -F _orrery orrery
