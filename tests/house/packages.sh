#!/bin/sh
# Every header that the sources include comes with the packages of assets/packages.txt, or with what these depend on: one that
# was installed by hand hides that a bare system lacks it.
#
#   packages.sh SOURCES        exit code 77 where there is no dpkg
set -eu
sources=$1
command -v dpkg-query >/dev/null 2>&1 || { echo "skipped: no dpkg here, so nobody knows whose a header is"; exit 77; }
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

# What is built only when asked for may need what belongs to that: ./dev compare, ./dev fuzz.
listed() {
  sed -e 's/#.*//' "$sources/assets/packages.txt" |
    awk -v needs=" $* " 'NF == 1 || NF > 1 && index(needs, " " $2 " ") { print $1 }'
}

# brought PACKAGE…: these and what they depend on, as far as it is installed. Of alternatives the first that is.
brought() {
  dpkg-query -W -f '${db:Status-Abbrev}\t${Package}\t${Pre-Depends}, ${Depends}\t${Provides}\n' |
    awk -F '\t' -v first="$*" '
    function bare(name) { gsub(/\([^)]*\)|\[[^]]*\]|:[a-z0-9]+| /, "", name); return name }
    $1 !~ /^ii/ { next }
    {
      depends[$2] = $3
      n = split($4, p, ",")
      for (i = 1; i <= n; ++i) providers[bare(p[i])] = providers[bare(p[i])] " " $2
    }
    END {
      count = split(first, queue, " ")
      for (at = 1; at <= count; ++at) {
        name = queue[at]
        if (name in seen || !(name in depends)) continue
        seen[name]; print name
        n = split(depends[name], all, ",")
        for (i = 1; i <= n; ++i) {
          m = split(all[i], either, "|")
          for (k = 1; k <= m; ++k) {
            one = bare(either[k])
            if (one in depends) { queue[++count] = one; break }
            if (!(one in providers)) continue
            q = split(providers[one], who, " ")
            for (w = 1; w <= q; ++w) queue[++count] = who[w]
            break
          }
        }
      }
    }'
}

# includes FILE…: header and file, a line each. Those of the language itself have neither a dot nor a slash in their name.
includes() {
  xargs -r awk '/^ *# *include <[^>]*[.\/][^>]*>/ {
    name = $0
    sub(/^[^<]*</, "", name)
    sub(/>.*/, "", name)
    print name "\t" FILENAME
  }'
}

# check INCLUDES PACKAGES
check() {
  cut -f 1 "$1" | sort -u | sed 's|^|*/|' | xargs -r dpkg-query -S 2>/dev/null >"$room/owners" || true
  awk -F '\t' -v packages="$2" -v owners="$room/owners" '
    BEGIN {
      while ((getline name <packages) > 0) brought[name]
      while ((getline line <owners) > 0) {
        colon = index(line, ": /"); path = substr(line, colon + 2)
        if (path !~ /^\/usr\/(lib\/.*\/)?include\//) continue
        n = split(substr(line, 1, colon - 1), who, ", *")
        # Under every name that it may be included by.
        for (name = path; (slash = index(name, "/")) > 0;) {
          name = substr(name, slash + 1)
          for (i = 1; i <= n; ++i) {
            sub(/:.*/, "", who[i])
            whose[name] = whose[name] " " who[i]
            if (who[i] in brought) good[name]
          }
        }
      }
    }
    !($1 in good) {
      owner = $1 in whose ? whose[$1] : " no package"
      print "FAILED: " $2 " includes <" $1 ">, of" owner ": no line of assets/packages.txt brings it"
      bad = 1
    }
    END {
      if (NR == 0) { print "FAILED: no include was found"; exit 1 }
      if (!bad) print "ok: " NR " includes of headers that the packages of assets/packages.txt bring"
      exit bad
    }' "$1"
}

cd "$sources"
all() { find app core tests -name '*.cpp' -o -name '*.h'; }
when_asked='^tests/\(bench/dnnl_peer\|fuzz/\)'
# shellcheck disable=SC2046  # one word to a package
{
  all | grep -v "$when_asked" | includes >"$room/always"
  all | grep "$when_asked" | includes >"$room/when_asked"
  brought $(listed test) >"$room/with_test"
  brought $(listed test compare fuzz) >"$room/with_all"
}
status=0
check "$room/always" "$room/with_test" || status=1
# shellcheck disable=SC2046
if dpkg-query -W $(listed compare fuzz) >/dev/null 2>&1; then
  check "$room/when_asked" "$room/with_all" || status=1
else
  echo "not looked at: what ./dev compare and ./dev fuzz build, for not all of their packages are here"
fi
exit $status
