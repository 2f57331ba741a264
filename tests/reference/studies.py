"""What the scripts beside it share: a study's tables as its figure's file has them, and the worst error of all columns."""

import argparse
import csv
import pathlib
import random
import subprocess
import sys
import tempfile


def number(cell):
    """Of a table; rows that have names keep them."""
    try:
        return float(cell)
    except ValueError:
        return cell


def tables(program, study, settings):
    """Every table of the study as {table: {column: values}}, computed by the reference in double."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "t.csv"
        command = [program, "render", study, "-o", str(out), "--json", "--device", "ref"]
        for name, value in settings.items():
            command += ["--set", f"{name}={value}"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"{' '.join(command)}: {ran.stderr.strip()}")
        found = {}
        for file in pathlib.Path(folder).glob("*.csv"):
            rows = list(csv.reader(line for line in file.read_text().splitlines() if not line.startswith("#")))
            heads = [head.split(" [")[0].strip() for head in rows[0]]
            found[file.stem.split(".")[-1]] = {h: [number(r[c]) for r in rows[1:]] for c, h in enumerate(heads)}
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
        scale = max([abs(float(w)) for w in wanted] + [1e-300])
        error = max([abs(f - float(w)) for f, w in zip(found, wanted)] + [0]) / scale
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


def judge(description, judges, allowed):
    """The program that a script is: every judge at the defaults, and for so many rounds at random settings."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng, worst = random.Random(asked.seed), Worst(allowed)
    for each in judges:
        each(asked.program, rng, worst, True)
        for _ in range(asked.rounds):
            each(asked.program, rng, worst, False)
    sys.exit(worst.told())
