#!/usr/bin/env python3
"""Sets every formula of formulas.txt with pdfLaTeX (amsmath, amssymb, Latin Modern at 10 pt) and writes down
what TeX itself says of their boxes, in its points: boxes.tsv.

    python3 tests/reference/tex/make_tex.py

With --beside, a page to look at: TeX's formulas beside ours, which the test writes when it is asked to. Wants
pdftoppm and ImageMagick.

    ORRERY_FORMULA_PAGES=DIR build/release/tests/math_tests --gtest_filter='*BesideTeX*'
    python3 tests/reference/tex/make_tex.py --beside DIR      # makes DIR/beside.png
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage{amsmath,amssymb,lmodern}
\newbox\formula
\hoffset=-1in \voffset=-1in
% One formula on each page, 4 pt from the edges.
\def\measure#1#2{\setbox\formula\hbox{$#2$}%
  \typeout{BOX #1 \the\wd\formula\space\the\ht\formula\space\the\dp\formula}%
  \pdfpagewidth=\dimexpr\wd\formula+8pt\relax
  \pdfpageheight=\dimexpr\ht\formula+\dp\formula+8pt\relax
  \shipout\vbox{\kern4pt\hbox{\kern4pt\box\formula}}}
\begin{document}
"""


def formulas():
    for line in (HERE / "formulas.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def run(source, folder):
    path = pathlib.Path(folder) / "formulas.tex"
    path.write_text(source)
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name], cwd=folder,
                          capture_output=True, text=True)
    log = path.with_suffix(".log").read_text(errors="replace")
    if done.returncode:
        raise SystemExit(log)
    return log


def beside(pages, folder, count):
    """TeX's pictures on the left, ours on the right, in two columns of pairs."""
    subprocess.run(["pdftoppm", "-r", "288", "-png", "formulas.pdf", "tex"], cwd=folder, check=True)
    tex = sorted(pathlib.Path(folder).glob("tex-*.png"))
    pictures = [str(each) for k in range(count) for each in (tex[k], pathlib.Path(pages) / ("%02d.png" % k))]
    subprocess.run(["montage", *pictures, "-tile", "4x", "-geometry", "+24+16", "-gravity", "West",
                    str(pathlib.Path(pages) / "beside.png")], check=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--beside", help="the folder of our pictures")
    pages = arguments.parse_args().beside
    rows = list(formulas())
    source = PREAMBLE
    for number, (_, style, tex) in enumerate(rows):
        source += "\\measure{%d}{%s%s}\n" % (number, "\\displaystyle " if style == "display" else "", tex)
    with tempfile.TemporaryDirectory() as folder:
        log = run(source + "\\end{document}\n", folder)
        if pages:
            return beside(pages, folder, len(rows))

    boxes = re.findall(r"BOX (\d+) ([-\d.]+)pt ([-\d.]+)pt ([-\d.]+)pt", log)
    assert [int(box[0]) for box in boxes] == list(range(len(rows)))
    banner = log.splitlines()[0]
    with open(HERE / "boxes.tsv", "w") as out:
        out.write("# Made by make_tex.py with %s\n" % re.search(r"pdfTeX.*?\)", banner).group())
        out.write("# class\tstyle\twidth\theight\tdepth\tTeX\n")
        for (kind, style, tex), (_, width, height, depth) in zip(rows, boxes):
            out.write("\t".join([kind, style, width, height, depth, tex]) + "\n")


if __name__ == "__main__":
    main()
