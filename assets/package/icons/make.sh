#!/bin/sh
# The icon in pixels, from its two drawings: run after a change to one of them (librsvg2-bin).
set -eu
cd "$(dirname "$0")"
for size in 16 22 24 32; do rsvg-convert -w $size -h $size orrery-small.svg -o $size.png; done
for size in 48 64 96 128 256 512; do rsvg-convert -w $size -h $size orrery.svg -o $size.png; done
