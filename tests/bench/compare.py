#!/usr/bin/env python3
"""This library, PyTorch and oneDNN on the same ops, shapes and numbers, timed in turns: one table of ratios.

Each contender is a process of its own that answers on a pipe (peer.h). In every round each of them times the same op
once, one after another in changing order, while the others wait; what is printed is the median over the rounds of the
ratio within a round, because a machine's mood moves times, not ratios. Before that all must give the same values. All have
the same two cores, one thread to each; a round in which others were on them is dropped and done again (quiet.py).

    ./dev compare                      everything
    ./dev compare softmax rope         some ops
    ./dev compare --spread 0.3         of numbers in -0.3 … 0.3, as in a model; else in -3 … 3, where GELU of a product is all tail
    ./dev compare --runs 5             five runs, each with processes of its own, whose memory lies elsewhere: medians over the runs
    ./dev compare --vectors avx2       all of them as on a processor without AVX-512, which most desktops and laptops have
    ./dev compare --markdown           the table as the README has it

What was found is kept in tables/, by the processor's name (tables.py); a run renews its own rows.

PyTorch runs as fast as it can be made to: its widest kernels, its heap reused (else every result costs page faults).
Exit status 1 when a contender gives other values, when this library is slower than the best of the others, or when it is
faster than what is said to limit it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import quiet
import tables

HERE = Path(__file__).resolve().parent

# A contender that hides nothing under the causal mask cannot be asked for the hidden half, and one that takes an angle
# as position × speed in float is off by the rounding of the angle: 131072 · 2^-24 = 0.008.
TOLERANCE = {"sinusoidal": 8e-3}
MOST_DROPPED = 3  # times as many rounds as are asked for
OVER_THE_LIMIT = 1.05
REST = 0.01  # seconds: threads that wait for work turn for a millisecond before they sleep, and would take the other's cores


class Contender:
    def __init__(self, name, command, environment=None):
        self.name = name
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **(environment or {})},
        )

    def ask(self, line):
        print(line, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().split()
        if not answer or answer[0] not in ("values", "none", "ms", "cases", "version"):
            raise SystemExit(f"compare: {self.name} answered '{' '.join(answer)}' to '{line}'")
        return answer

    def leave(self):
        self.process.stdin.close()
        self.process.wait()

    def version(self):
        return " ".join(self.ask("version")[1:])

    def cases(self):
        """What it has, as `orrery bench` names it."""
        return " ".join(self.ask("list")[1:]).split("|")

    def load(self, case):
        """The values it gives, nothing when it has no such op."""
        answer = self.ask(f"load {case}")
        return None if answer[0] == "none" else [float(v) for v in answer[1:]]

    def time(self):
        """Milliseconds, the fraction of the machine's limit when the contender knows it, and whether others were in the way."""
        time.sleep(REST)
        with quiet.Watch(self.process.pid) as watch:
            numbers = [float(v) for v in self.ask("time")[1:]]
        return numbers[0], (numbers[1] if len(numbers) > 1 else None), watch.disturbed


def contenders(build, wide):
    """`wide`: with AVX-512."""
    ours, onednn = build / "tests" / "orrery_peer", build / "tests" / "dnnl_peer"
    if not ours.exists():
        raise SystemExit(f"compare: {ours} is not built: run ./dev compare")
    threads = quiet.pinned()
    found = [Contender("orrery", [ours], {**threads, **({} if wide else {"ORRERY_VECTORS": "avx2"})})]
    torch = subprocess.run([sys.executable, "-c", "import torch"], capture_output=True)
    if torch.returncode == 0:
        found.append(
            Contender(
                "PyTorch",
                [sys.executable, HERE / "torch_peer.py"],
                {
                    "ATEN_CPU_CAPABILITY": "avx512" if wide else "avx2",
                    "OPENBLAS_CORETYPE": "SKYLAKEX" if wide else "HASWELL",
                    **({} if wide else {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2"}),  # its own
                    "MALLOC_MMAP_MAX_": "0",
                    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
                    "MALLOC_TOP_PAD_": str(1 << 28),
                    **threads,
                },
            )
        )
    else:
        print("compare: no PyTorch here (package python3-torch): left out", file=sys.stderr)
    if onednn.exists():
        found.append(Contender("oneDNN", [onednn], {**threads, **({} if wide else {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2"})}))
    else:
        print("compare: no oneDNN here (package libdnnl-dev): left out", file=sys.stderr)
    return found


def disagreement(case, ours, theirs):
    """The worst difference, relative to the largest of the values, or None when it is within what the formats allow."""
    shown = [(a, b) for a, b in zip(ours, theirs) if abs(a) < 1e30 and abs(b) < 1e30]
    scale = max((abs(a) for a, _ in shown), default=1.0)
    worst = max((abs(a - b) / max(1.0, scale) for a, b in shown), default=0.0)
    return worst if worst > TOLERANCE.get(case.split()[0], 2e-5) else None


def compare(case, everyone, rounds):
    """One row: our time and fraction of the limit, each other's time as a multiple of ours; nothing where nobody else has it."""
    values = {c.name: c.load(case) for c in everyone[1:]}
    if all(v is None for v in values.values()):
        return None
    values["orrery"] = everyone[0].load(case)
    present = [c for c in everyone if values[c.name] is not None]
    strangers = {}
    for c in present[1:]:
        # oneDNN has no mask: its attention does the whole square, and its values differ by right.
        if c.name == "oneDNN" and case.startswith(("attention", "scores")):
            continue
        worst = disagreement(case, values["orrery"], values[c.name])
        if worst is not None:
            strangers[c.name] = worst

    ms, fractions, ratios, dropped = [], [], {c.name: [] for c in present[1:]}, 0
    while len(ms) < rounds:
        first = (len(ms) + dropped) % len(present)
        times = {c.name: c.time() for c in present[first:] + present[:first]}
        if any(disturbed for _, _, disturbed in times.values()) and dropped < MOST_DROPPED * rounds:
            dropped += 1
            continue
        ms.append(times["orrery"][0])
        fractions.append(times["orrery"][1])
        for c in present[1:]:
            ratios[c.name].append(times[c.name][0] / times["orrery"][0])
    return {
        "case": case,
        "ms": statistics.median(ms),
        "of_the_limit": statistics.median(fractions),
        "times_as_fast_as": {name: statistics.median(r) for name, r in ratios.items()},
        "other_values": strangers,
        "dropped": dropped,
        "disturbed": dropped == MOST_DROPPED * rounds,
        "runs": 1,
    }


def median_of_runs(rows):
    """One row of those that several runs have for the same case; of disturbed ones only where there are no others."""
    rows = [r for r in rows if not r["disturbed"]] or rows
    middle = lambda values: statistics.median(list(values))
    return {
        "case": rows[0]["case"],
        "ms": middle(r["ms"] for r in rows),
        "of_the_limit": middle(r["of_the_limit"] for r in rows),
        "times_as_fast_as": {name: middle(r["times_as_fast_as"][name] for r in rows) for name in rows[0]["times_as_fast_as"]},
        "other_values": {name: worst for r in rows for name, worst in r["other_values"].items()},
        "dropped": sum(r["dropped"] for r in rows),
        "disturbed": any(r["disturbed"] for r in rows),
        "runs": len(rows),
    }


def times(row, name):
    ratio = row["times_as_fast_as"].get(name)
    return "–" if ratio is None else f"{ratio:.2f}×"


def print_row(row, names, markdown):
    op, shape = row["case"].split(" ", 1)
    cells = [op, shape, f"{row['ms']:.3g}", f"{100 * row['of_the_limit']:.0f} %"] + [times(row, n) for n in names]
    if markdown:
        print("| " + " | ".join(cells) + " |", flush=True)
    else:
        print(f"{cells[0]:<20}{cells[1]:<32}{cells[2]:>9}{cells[3]:>12}" + "".join(f"{c:>10}" for c in cells[4:]), flush=True)


def print_head(names, markdown):
    head = ["op", "shape", "ms", "of the limit"] + names
    if markdown:
        print("| " + " | ".join(head) + " |")
        print("|---|---|" + "--:|" * (len(head) - 2))
    else:
        print(f"{head[0]:<20}{head[1]:<32}{head[2]:>9}{head[3]:>14}" + "".join(f"{n:>10}" for n in names))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ops", nargs="*", help="ops to compare; all when none is named")
    parser.add_argument("--build", type=Path, default=HERE.parent.parent / "build" / "release", help="the build folder")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--runs", type=int, default=1, help="medians over so many runs, each with processes of its own")
    parser.add_argument("--spread", type=float, default=3, help="how far from 0 the numbers go")
    parser.add_argument("--vectors", choices=("widest", "avx2"), default="widest", help="what all of them may use")
    parser.add_argument("--tables", type=Path, default=tables.FOLDER, help="the folder of what was found")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true")
    form.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    for name in ("rounds", "runs"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(arguments, name)}")

    if not 0 < arguments.spread <= 100:
        parser.error(f"--spread must be above 0 and at most 100, not {arguments.spread:g}")
    os.environ["ORRERY_SPREAD"] = str(arguments.spread)

    wide = arguments.vectors == "widest" and "avx512f" in Path("/proc/cpuinfo").read_text()
    everyone = contenders(arguments.build, wide)
    cases = everyone[0].cases()
    known = sorted({case.split()[0] for case in cases})
    for op in arguments.ops:
        if op not in known:
            parser.error(f"no op '{op}' to compare; there are {', '.join(known)}")
    names = [c.name for c in everyone[1:]]
    wanted = [case for case in cases if not arguments.ops or case.split()[0] in arguments.ops]
    if not arguments.json:
        print_head(names, arguments.markdown)
    versions = [c.version() for c in everyone[1:]]
    found = {case: [] for case in wanted}
    rows = []
    for run in range(arguments.runs):
        if run > 0:
            everyone = contenders(arguments.build, wide)
        for case in wanted:
            if (row := compare(case, everyone, arguments.rounds)) is None:
                continue
            found[case].append(row)
            if run + 1 < arguments.runs:
                continue
            rows.append(median_of_runs(found[case]))
            if not arguments.json:
                print_row(rows[-1], names, arguments.markdown)
        for contender in everyone:
            contender.leave()
    if arguments.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))

    if rows:
        tables.keep(rows, arguments.spread, versions, arguments.tables, "" if arguments.vectors == "widest" else ", AVX2 alone")

    failed = False
    for row in rows:
        if row["dropped"]:
            print(f"compare: {row['case']}: {row['dropped']} rounds with others on our cores, dropped"
                  + (", and no end: disturbed too, and not kept" if row["disturbed"] else ""), file=sys.stderr)
        if row["of_the_limit"] > OVER_THE_LIMIT:
            print(f"compare: {row['case']}: {100 * row['of_the_limit']:.0f} % of its limit: that is not what limits it", file=sys.stderr)
            failed = True
        for name, worst in row["other_values"].items():
            print(f"compare: {row['case']}: {name} gives other values, by {worst:.2g}", file=sys.stderr)
            failed = True
        for name, ratio in row["times_as_fast_as"].items():
            if ratio < 1:
                print(f"compare: {row['case']}: {name} is faster, {1 / ratio:.2f}×", file=sys.stderr)
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
