#!/bin/sh
# What `cmake --install` puts into a prefix: all of it, valid as other programs read it, and running wherever it is moved to.
#
#   installed.sh BUILD PROGRAM CMAKE        what needs a tool that is missing is skipped aloud
set -eu
build=$1 program=$2 cmake=$3
id=org.orrery.Orrery
sources=$(cd "$(dirname "$0")/../.." && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
fail() { echo "FAILED: $*"; exit 1; }
passed() { echo "ok: $*"; }
# have TOOL: or says that what it would show is not shown.
have() { command -v "$1" >/dev/null 2>&1 || { echo "skipped: $1 is not installed"; return 1; }; }

# Without what a debugger is told, which names the sources where a build has it (-g, Debug, RelWithDebInfo).
"$cmake" --install "$build" --prefix "$work/first" --strip >/dev/null || fail "cmake --install"
mkdir "$work/else where"
mv "$work/first" "$work/else where/moved"
prefix="$work/else where/moved"
share=$prefix/share
cd "$work"

# 1. The moved program makes the figures of the built one.
for name in a.pdf a.svg a.png; do
  "$prefix/bin/orrery" render rope/rotation --lang zh -o "$name" >/dev/null 2>&1 || fail "the moved program renders no $name"
  mv "$name" "moved-$name"
  "$program" render rope/rotation --lang zh -o "$name" >/dev/null 2>&1
  cmp "$name" "moved-$name" || fail "the moved program makes another $name"
done
grep -qF "$sources" "$prefix/bin/orrery" && fail "the program names the folder of its sources"
passed "moved, it makes the same bytes, and knows nothing of where it was built"

# 2. Manuals and completions: what the program itself says.
"$program" man | cmp - "$share/man/man1/orrery.1" || fail "another manual"
"$program" --lang zh man | cmp - "$share/man/zh_CN/man1/orrery.1" || fail "another Chinese manual"
for shell in bash-completion/completions/orrery:bash zsh/site-functions/_orrery:zsh \
  fish/vendor_completions.d/orrery.fish:fish; do
  "$program" completions "${shell#*:}" | cmp - "$share/${shell%:*}" || fail "another completion for ${shell#*:}"
done
passed "manuals and completions are those of the program"

# 3. Icons: each of the size of its folder (a PNG's bytes 16 to 23).
for size in 16 22 24 32 48 64 96 128 256 512; do
  icon=$share/icons/hicolor/${size}x$size/apps/$id.png
  [ "$(od -An -tu1 -j16 -N8 "$icon" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }')" = "${size}x$size" ] ||
    fail "$icon is not $size pixels wide and high"
done
[ -s "$share/icons/hicolor/scalable/apps/$id.svg" ] || fail "no scalable icon"
passed "icons in ten sizes, and scalable"

# 4. What desktops and shops read.
desktop=$share/applications/$id.desktop metainfo=$share/metainfo/$id.metainfo.xml
for line in 'Exec=orrery %f' "Icon=$id" "StartupWMClass=$id" 'MimeType=application/x-orrery-recipe;'; do
  grep -qxF "$line" "$desktop" || fail "the desktop file says not '$line'"
done
if have desktop-file-validate; then
  said=$(desktop-file-validate "$desktop" 2>&1) && [ -z "$said" ] || fail "desktop-file-validate: $said"
  passed "desktop-file-validate has nothing to say"
fi
if have appstreamcli; then
  # From 1.0 on it warns of a program without a page on the web, and Orrery has none.
  said=$(appstreamcli validate --no-net "$metainfo" 2>&1) ||
    said=$(appstreamcli validate --no-net --override=url-homepage-missing=info "$metainfo" 2>&1) ||
    fail "appstreamcli: $said"
  passed "appstreamcli: $said"
fi
mkdir -p outer/sources
git -C outer init -q 2>/dev/null && git -C outer -c user.name=a -c user.email=a@b commit -q --allow-empty -m 'of others' && {
  "$cmake" -D SOURCES="$work/outer/sources" -D OUT="$work/commit.cpp" -P "$sources/app/commit.cmake"
  grep -qF 'commit = "";' commit.cpp || fail "in a repository of others the program says that it is made of their commit"
  passed "the commit is that of the sources, or none"
}
version=$("$program" --version | sed -n '1s/^orrery //p')
grep -q "<release version=\"$version\"" "$metainfo" || fail "the metainfo knows no release $version"

# 5. Recipes have a type of their own; no other TOML has it.
if have update-mime-database && have gio && [ -e /usr/share/mime/packages/freedesktop.org.xml ]; then
  mkdir -p data/mime/packages
  cp "$share/mime/packages/$id.xml" data/mime/packages
  XDG_DATA_HOME=$work/data update-mime-database data/mime || fail "update-mime-database"
  type_is() { # type_is TYPE FILE TEXT
    printf "$3" >"$2"
    found=$(XDG_DATA_HOME=$work/data gio info -a standard::content-type "$2" | sed -n 's/.*content-type: //p')
    [ "$found" = "$1" ] || fail "$2, '$3', is taken for $found and not for $1"
  }
  recipe=application/x-orrery-recipe
  type_is $recipe recipe.toml 'orrery = 1\nstudy = "rope/rotation"\n'
  type_is $recipe windows.toml 'orrery = 1\r\nstudy = "rope/rotation"\r\n'
  type_is $recipe commented.toml '# The figure of page 3.\norrery = 1\n'
  type_is $recipe nameless 'orrery = 1\nstudy = "rope/rotation"\n'
  for text in '[package]\nname = "orrery"\n' 'orrery = 10\n' 'a = "orrery = 1"\n' 'a = 1\norrery = 1\n' '# orrery = 1\n'; do
    type_is application/toml other.toml "$text"
  done
  shipped=$(XDG_DATA_HOME=$work/data gio info -a standard::content-type "$sources"/assets/recipes/*.toml |
    sed -n 's/.*content-type: //p' | sort | uniq -c | tr -s ' ')
  [ "$shipped" = " $(find "$sources/assets/recipes" -name '*.toml' | wc -l) $recipe" ] || fail "shipped recipes: $shipped"
  passed "a recipe is known by its line, other TOML stays what it is"
fi
