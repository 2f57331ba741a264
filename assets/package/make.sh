#!/bin/sh
# The packages of a build, held against what Debian asks of them.
#
#   make.sh BUILD [--try]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
packages=$build/packages
umask 022  # CPack makes folders with it: under 077 nobody but root could enter what is installed

rm -rf "$packages"
(cd "$build" && cpack) >"$build/cpack.log" 2>&1 || { cat "$build/cpack.log" >&2; exit 1; }
rm -rf "$packages/_CPack_Packages"
deb=$(ls "$packages"/orrery_*.deb)

desktop-file-validate "$here"/*.desktop
appstreamcli validate --no-net "$build"/assets/package/*.metainfo.xml >"$build/appstream.log" || { cat "$build/appstream.log"; exit 1; }
lintian_as=
[ "$(id -u)" -ne 0 ] || lintian_as=--allow-root
lintian $lintian_as --no-override --fail-on error,warning "$deb"
# The archive runs where it is unpacked.
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
tar xzf "$packages"/orrery-*.tar.gz -C "$unpacked"
(cd "$unpacked" && orrery-*/bin/orrery render rope/rotation -o unpacked.pdf >/dev/null)
"$build/orrery" render rope/rotation -o "$unpacked/built.pdf" >/dev/null
cmp "$unpacked/unpacked.pdf" "$unpacked/built.pdf"
rm -rf "$unpacked"
ls -l "$packages"
[ "${2:-}" != --try ] || exec "$here/try.sh" "$deb" "$build/orrery"
