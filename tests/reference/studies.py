"""What the scripts beside it share: a study's tables as its figure's file has them, and the worst error of all columns."""

import argparse
import contextlib
import csv
import fractions
import io
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def number(cell):
    """Of a table; rows that have names keep them."""
    try:
        return float(cell)
    except ValueError:
        return cell


def rendered(program, study, settings, folder, ending):
    """The files of its tables, by their names."""
    out = pathlib.Path(folder) / f"t.{ending}"
    command = [program, "render", study, "-o", str(out), "--json", "--device", "ref"]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(command)}: {ran.stderr.strip()}")
    return {file.stem.split(".")[-1]: file for file in pathlib.Path(folder).glob(f"*.{ending}")}


class Markdown:
    """Whether every number of a .md is that of the table, to half a unit of the last digit that it shows."""

    asked, cells = False, 0
    RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    NUMBER = re.compile(r"(-?\d+)(?:\.(\d+))?(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")

    @classmethod
    def number(cls, cell):
        """Its value and half a unit of its last digit, exactly; nothing of words."""
        parts = cls.NUMBER.fullmatch(cell.strip().replace("\u2009", "").replace("\u2212", "-"))
        if not parts:
            return None
        whole, decimals, exponent = parts[1], parts[2] or "", int((parts[3] or "0").translate(cls.RAISED))
        unit = fractions.Fraction(10) ** (exponent - len(decimals))
        return int(whole + decimals) * unit, unit / 2

    @classmethod
    def meet(cls, program, study, settings, rows_of):
        with tempfile.TemporaryDirectory() as folder:
            for name, file in rendered(program, study, settings, folder, "md").items():
                lines = [line[1:-1].split(" | ") for line in file.read_text().splitlines() if line.startswith("|")]
                rows = rows_of[name][1:]
                if len(lines) != len(rows) + 2:
                    sys.exit(f"{study}: {name}.md has {len(lines) - 2} rows, {name}.csv {len(rows)}, with {settings}")
                for shown, right in zip(lines[2:], rows):
                    for cell, text in zip(shown, right, strict=True):
                        found, wanted = cls.number(cell), number(text)
                        if found is None or isinstance(wanted, str):
                            continue
                        cls.cells += 1
                        # A tie is one of two neighbours, and the table's decimal one of the double's last bit.
                        if abs(found[0] - fractions.Fraction(wanted)) > found[1] * (1 + fractions.Fraction(2) ** -40):
                            sys.exit(f"{study}: {name}.md says {cell.strip()} of {text}, with {settings}")


def tables(program, study, settings):
    """Every table of the study as {table: {column: values}}, computed by the reference in double."""
    with tempfile.TemporaryDirectory() as folder:
        found, rows_of = {}, {}
        for name, file in rendered(program, study, settings, folder, "csv").items():
            rows = list(csv.reader(line for line in file.read_text().splitlines() if not line.startswith("#")))
            rows_of[name] = rows
            heads = [head.split(" [")[0].strip() for head in rows[0]]
            found[name] = {h: [number(r[c]) for r in rows[1:]] for c, h in enumerate(heads)}
        if Markdown.asked:
            Markdown.meet(program, study, settings, rows_of)
        return found


class Worst:
    """Errors beside the largest number of their column; `allowed` is what a column may be off, or `rounded_by` where its inputs
    are known no better."""

    def __init__(self, allowed):
        self.allowed = allowed
        self.by_study = {}
        self.failed = False

    def meet(self, study, column, found, wanted, settings, rounded_by=0):
        if len(found) != len(wanted):
            sys.exit(f"{study}: {column} has {len(found)} values, expected {len(wanted)}, with {settings}")
        wanted = [float(w) for w in wanted]
        scale = max([abs(w) for w in wanted if math.isfinite(w)] + [1e-300])
        # An infinity is met by itself alone, and nothing by what is no number, which max() would pass over.
        off = [0 if f == w else abs(f - w) for f, w in zip(found, wanted)]
        error = max([math.inf if math.isnan(e) else e for e in off] + [0]) / scale
        if rounded_by == 0:
            self.by_study[study] = max(self.by_study.get(study, 0), error)
        if not error <= max(self.allowed, rounded_by):
            self.failed = True
            print(f"{study} {column}: off by {error:.2g} of the largest, with {settings}")

    def told(self):
        """Prints the worst of each study; the exit status."""
        for study, error in self.by_study.items():
            print(f"{study}: worst {error:.2g} of the largest in its column")
        return 1 if self.failed else 0


def check_itself():
    """A judge that passes everything would pass us: it is asked about wrong columns first."""
    for found, wanted in ([[1, math.nan], [1, 2]], [[math.nan, 1], [2, 1]], [[99, -math.inf], [3, -math.inf]], [[1, 2], [1, 2.1]]):
        trial = Worst(1e-13)
        with contextlib.redirect_stdout(io.StringIO()):
            trial.meet("itself", "column", found, wanted, {})
        if not trial.failed:
            sys.exit(f"{found} passes for {wanted}")


def judge(description, judges, allowed):
    """The program that a script is: every judge at the defaults, and for so many rounds at random settings."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", action="store_true", help="hold the numbers of each .md to the table's, too")
    asked = parser.parse_args()
    check_itself()
    Markdown.asked = asked.markdown
    rng, worst = random.Random(asked.seed), Worst(allowed)
    for each in judges:
        each(asked.program, rng, worst, True)
        for _ in range(asked.rounds):
            each(asked.program, rng, worst, False)
    status = worst.told()
    if Markdown.asked:
        print(f"{Markdown.cells} numbers of .md files are those of the tables, to half of their last digit")
    sys.exit(status)
