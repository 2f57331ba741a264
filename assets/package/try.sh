#!/bin/sh
# The .deb in a bare Debian of this release: installed with what it depends on, every recipe rendered and held against the
# built program's, removed. Nothing may stay that was not there before.
#
#   try.sh DEB PROGRAM        as root; ORRERY_TRY_ROOT=DIR: keeps the bare root there, and begins with it next time
set -eu
deb=$1 program=$2
fail() { echo "FAILED: $*" >&2; exit 1; }
passed() { echo "ok: $*"; }
[ "$(id -u)" -eq 0 ] || fail "a root of one's own needs root: sudo ./dev package --try"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' | awk -v suite="$release" '$2 == suite { print $1; exit }')
[ -n "$mirror" ] || fail "apt here knows no mirror of $release"

bare=${ORRERY_TRY_ROOT:-$work/bare}
[ -d "$bare/usr" ] || debootstrap --variant=minbase "$release" "$bare" "$mirror" >"$work/log" ||
  { tail -n 20 "$work/log" >&2; fail "debootstrap"; }
root=$work/root
cp -a "$bare" "$root"
! chroot "$root" sh -c 'command -v cc || command -v c++ || command -v ld' >/dev/null || fail "the bare root has a compiler"
cp "$deb" "$root/orrery.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
in_root() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "$*"; }; }

# What it depends on and recommends first, as apt installs both (some recipes have Chinese words), so that what is left behind
# is the package's own; and the readers of its desktop file and type.
quietly in_root apt-get update
quietly in_root apt-get install -y --no-install-recommends desktop-file-utils shared-mime-info hicolor-icon-theme
quietly in_root apt-get satisfy -y --no-install-recommends "$(dpkg-deb -f "$deb" Depends)" "$(dpkg-deb -f "$deb" Recommends)"
# Of dpkg's own notes it says itself what it keeps.
files() {
  (cd "$root" && find . -xdev ! -path './var/lib/dpkg/*' ! -path './var/lib/apt/*' ! -path './var/log/*' \
    ! -path './var/cache/*' | sort)
}
files >"$work/before"
quietly in_root apt-get install -y --no-install-recommends /orrery.deb
passed "installed: $(in_root orrery --version | head -n 1), $(wc -l <"$root/var/lib/dpkg/info/orrery.list") entries"
grep -q 'x-orrery-recipe=org.orrery.Orrery.desktop' "$root/usr/share/applications/mimeinfo.cache" || fail "no desktop knows of it"
[ -e "$root/usr/share/mime/application/x-orrery-recipe.xml" ] || fail "recipes have no type"

# Every recipe, as vectors and as text.
in_root orrery gallery -o /figures --format pdf,tex >/dev/null 2>"$work/log" || fail "the gallery"
"$program" gallery -o "$work/figures" --format pdf,tex >/dev/null 2>&1
diff -rq "$work/figures" "$root/figures" >"$work/log" || { cat "$work/log" >&2; fail "other bytes than those of the built program"; }
passed "$(find "$work/figures" -type f | wc -l) figures, byte for byte those of the built program"
rm -rf "$root/figures"

quietly in_root apt-get purge -y orrery
files | diff "$work/before" - || fail "something stays behind"
[ -z "$(in_root dpkg-query -W -f '${Status}' orrery 2>/dev/null || true)" ] || fail "dpkg still knows it"
passed "removed, and nothing stays behind"
