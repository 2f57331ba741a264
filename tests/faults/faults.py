#!/usr/bin/env python3
"""Faults, one at a time: full disks, files that cannot be opened, memory that is not there, a program that is killed, folders
that cannot be written or are gone, decimal commas, two programs at once. Prints a table: fault, tries, survived.

    faults.py --programs BUILD [--short] [--only WORD]…     what cannot be shown on this machine is skipped aloud
"""

import argparse
import pathlib
import random
import sys

import places
from scenario import Finding, Scenario, Window, World

RENDER = ["orrery", "render", "rope/rotation", "--size", "8cm×6cm"]
LECTURE = """orrery = 1
study = "rope/rotation"
[page]
size = "8cm×6cm"
[[figure]]
name = "one"
[figure.parameters]
base = {}
[[figure]]
name = "two"
[figure.parameters]
base = 100.0
"""


class Table:
    """Fault, tries, survived; a finding is said when it is made."""

    def __init__(self):
        self.rows, self.findings = {}, 0

    def tried(self, fault, attempt):
        """`attempt` raises a Finding where a promise was broken."""
        row = self.rows.setdefault(fault, [0, 0])
        row[0] += 1
        try:
            attempt()
            row[1] += 1
        except Finding as finding:
            self.findings += 1
            print(f"FOUND: {fault}, try {row[0]}: {finding}", flush=True)

    def skipped(self, fault, why):
        print(f"skipped: {fault}: {why}", flush=True)
        self.rows[fault] = ["skipped", ""]

    def print(self):
        width = max(map(len, self.rows), default=5)
        print(f"{'fault':{width}}  {'tries':>7}  {'survived':>8}")
        for fault, (tries, survived) in self.rows.items():
            print(f"{fault:{width}}  {tries:>7}  {survived:>8}")


def scenarios(world):
    lecture = world.folder / "lecture.toml"
    lecture.write_text(LECTURE.format("500.0"))
    older = world.folder / "older.toml"
    older.write_text(LECTURE.format("20.0"))
    batch = ["--format", "png,tex", "--jobs", "2", "-o", "figures"]
    yield "render", lambda: Scenario(world, "render", [*RENDER, "--set", "base=500", "-o", "a.pdf"], [*RENDER, "-o", "a.pdf"])
    yield "batch", lambda: Scenario(world, "batch", ["orrery", "batch", str(lecture), *batch], ["orrery", "batch", str(older), *batch])
    pictures = ["orrery", "render", "rope/rotation", "--size", "8cm×6cm", "--frames", "3", "-o", "p%04d.png", "--animate"]
    yield "pictures", lambda: Scenario(world, "pictures", [*pictures, "base=10:100000"], [*pictures, "base=20:100000"])
    yield "training", lambda: Scenario(world, "training", ["train", "a.safetensors", "4"], ["train", "a.safetensors", "2"],
                           [["train", "a.safetensors", "3"]])
    yield "kept", lambda: Scenario(world, "kept", ["kept", ".", "40"], ["kept", ".", "26"], keeps_always=False)
    yield "session", lambda: Window(world)


# Which call, with which error, and whether all after it fail too.
CALLS = [("write", "ENOSPC", ""), ("write", "ENOSPC", "+"), ("write", "EIO", ""), ("open", "EMFILE", ""), ("open", "EACCES", ""),
         ("open", "EMFILE", "+"), ("mmap", "ENOMEM", ""), ("fsync", "EIO", ""), ("rename", "EACCES", ""), ("rename", "EACCES", "+")]


# What every file that is written goes through: the first of them is of the file itself, and none can be passed over.
NEEDED = ("fsync", "rename")


def calls(table, scenario, short, dice):
    for call, error, ever in CALLS:
        last = scenario.count(call)
        fault = f"{scenario.name}: {call} {error}{' from then on' if ever else ''}"
        if last == 0 and call not in NEEDED:
            table.skipped(fault, "there is no such call")
            continue
        tries = range(1, last + 2)  # one more: another run may be longer
        every = (scenario.name, call, error) == ("render", "open", "EACCES")  # of each typeface: its figure is another one
        if short and last > 3 and not every:
            tries = [1, last, *dice.sample(range(2, last), 1)]
        for n in tries:
            refuses = n == 1 and call in NEEDED and scenario.new != {}
            table.tried(fault, lambda n=n, refuses=refuses: scenario.try_fault(f"{call}:{n}{ever}:{error}", refuses=refuses))


# Programs of a hundredth of a second: a few tries are one at each place.
QUICK = ("training", "kept")


def memory(table, scenario, drawn, dice):
    """Most requests come from a few places: half of the tries are of a place each, whoever it is that asks there. Without a
    number drawn, one of every place."""
    last, places = scenario.count("malloc"), scenario.places("malloc")
    table.tried(f"{scenario.name}: malloc, the first, before main()", lambda: scenario.try_fault("malloc:1"))
    if drawn is None:
        tries = [(places, "every place")]
    else:
        tries = [(dice.sample(among, min(len(among), drawn // 2)), words)
                 for among, words in ((range(1, last + 1), f"of {round(last, -3)}"),
                                      (places, f"of {round(len(places), -2)} places"))]
    for numbers, words in tries:
        for n in numbers:
            table.tried(f"{scenario.name}: malloc, {words}", lambda n=n: scenario.try_fault(f"malloc:{n}", aborts=True))


def kills(table, scenario, number, dice):
    for _ in range(number):
        table.tried(f"{scenario.name}: SIGKILL", lambda: scenario.try_kill(dice))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the build: orrery, tests/fault_train …")
    parser.add_argument("--short", action="store_true", help="a few of each")
    parser.add_argument("--only", action="append", default=[], help="scenarios and faults with this word in their name")
    parser.add_argument("--malloc", type=int, default=1000, help="how many requests for memory fail, in each scenario")
    parser.add_argument("--every-place", action="store_true", help="once each place that asks for memory gets none, instead")
    parser.add_argument("--kill", type=int, default=200, help="how many random moments, in each scenario")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    build = asked.programs.resolve()
    world = World({"orrery": build / "orrery", **{name: build / f"tests/fault_{name}" for name in ("train", "kept", "window")}},
                  build / "tests/liborrery_fault.so")
    table, dice = Table(), random.Random(asked.seed)

    def wanted(*words):
        return not asked.only or any(only in word for only in asked.only for word in words)

    def drawn(scenario):
        if asked.every_place or (asked.short and scenario.name in QUICK):
            return None
        return 4 if asked.short else asked.malloc

    try:
        faults = {"calls": lambda s: calls(table, s, asked.short, dice),
                  "malloc": lambda s: memory(table, s, drawn(s), dice),
                  "kill": lambda s: kills(table, s, 4 if asked.short else asked.kill, dice)}
        for name, make in scenarios(world):
            chosen = [fault for fault in faults if wanted(name, fault) and not (name == "kept" and fault == "calls")]
            scenario = make() if chosen else None
            for fault in chosen:
                faults[fault](scenario)
        for name, run in places.ALL.items():
            if wanted(name):
                run(table, world, asked.short, dice)
    finally:
        world.close()
    table.print()
    return 1 if table.findings else 0


if __name__ == "__main__":
    sys.exit(main())
