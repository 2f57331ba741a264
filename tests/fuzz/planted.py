#!/usr/bin/env python3
"""A bug in each reader, and how long its fuzzer takes to find it: target, seconds, executions, what was seen.

    planted.py --build build/fuzz [--minutes N] [TARGET]…

planted.toml lists the bugs; all are compiled into one program, which without any of them reads the whole corpus in peace. Exit
code 1 where a bug is not found.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from fuzz import Run, environment_of, target_names
from mutated import ROOT, compile_units, fail, link, listed, write_sources

CORPUS = ROOT / "tests/fuzz/corpus"


def seen(log):
    """What the sanitizer, the library or the promise said."""
    text = log.read_text(errors="replace")
    for pattern in (r"what\(\): +(.*)", r"Assertion '(.*)' failed", r"SUMMARY: \w+: (.*)", r"ERROR: (.*)"):
        if found := re.search(pattern, text):
            return found[1][:90]
    return "?"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("targets", nargs="*")
    asked = parser.parse_args()
    build = asked.build.resolve()
    made, work = build / "planted", build / "planted/runs"
    mutations = listed(ROOT / "tests/fuzz/planted.toml")
    objects = compile_units(write_sources(mutations, made), build, made)
    programs = {}
    for name in ("tests/fuzz_files", "tests/fuzz_window"):
        program = str(link(name, objects, build, made))
        programs |= {target: program for target in target_names(program)}
    if bare := set(programs) - {m["target"] for m in mutations}:
        fail("planted.toml has no bug for: " + ", ".join(sorted(bare)))
    if unknown := set(asked.targets) - set(programs):
        fail(f"found '{min(unknown)}'; allowed: " + ", ".join(programs))

    missed = 0
    print(f"{'target':18} {'seconds':>8} {'executions':>11}  seen", flush=True)
    for m in mutations:
        target = m["target"]
        if asked.targets and target not in asked.targets:
            continue
        shutil.rmtree(work / target, ignore_errors=True)
        sound = subprocess.run([programs[target], "-runs=0", CORPUS / target], capture_output=True, check=False,
                               env=environment_of(target, CORPUS))
        if sound.returncode != 0:
            fail(f"{target}: without a bug the corpus is not read in peace:\n{sound.stderr.decode(errors='replace')[-2000:]}")
        run = Run(programs[target], target, CORPUS, work, asked.minutes, ORRERY_MUTATION=str(m["number"]))
        missed += not run.findings
        said = seen(work / target / "log") if run.findings else "NOT FOUND"
        print(f"{target:18} {run.seconds:8.0f} {run.executions:11}  {said}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
