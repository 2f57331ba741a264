#!/usr/bin/env python3
"""Runs libFuzzer on each target, or on those that are named, keeps what leads to new places, and prints a table: target,
executions, coverage, findings. Every run is a line of tests/fuzz/runs.tsv, so that hours add up.

    fuzz.py --programs BUILD/tests --corpus tests/fuzz/corpus [--minutes N] [TARGET]…
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

# No more memory than a small multiple of a file that is no larger than this, and an end. libFuzzer's clock is the wall's: on a
# busy machine the last one in the queue waits for long, and how time grows is measured by grown_test.cpp.
LIMITS = ["-max_len=65536", "-rss_limit_mb=2048", "-malloc_limit_mb=256", "-timeout=120"]
KEPT = 4096  # bytes: larger inputs stay in the build's folder, and are not for the sources


def target_names(program):
    said = subprocess.run([program], env={**os.environ, "ORRERY_FUZZ_TARGET": ""}, capture_output=True, text=True, check=False).stderr
    return said.partition("allowed:")[2].split()


def processor_seconds():
    """Of programs that have ended: what was waited for on a busy machine was not looked through."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def environment_of(target, corpus, **more):
    """What its program is told: the target, and leaks of others, by name, that are not ours."""
    return {**os.environ, **more, "ORRERY_FUZZ_TARGET": target, "OMP_NUM_THREADS": "1",
            "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=0",
            "LSAN_OPTIONS": "suppressions=" + str(corpus.parent.parent / "lsan.supp") + ":print_suppressions=0"}


class Run:
    """One target for so many minutes, or until something is found."""

    def __init__(self, program, target, corpus, work, minutes, **environment):
        self.target, self.work = target, work
        self.own, self.faults = work / target / "corpus", work / target / "faults"
        for folder in (self.own, self.faults):
            folder.mkdir(parents=True, exist_ok=True)
        self.seeds = corpus / target
        self.environment = environment_of(target, corpus, **environment)
        self.command = ["nice", "-n", "19", program, *LIMITS]
        before = set(self.faults.iterdir())
        words = [f"-max_total_time={round(60 * minutes)}", f"-artifact_prefix={self.faults}/", "-print_final_stats=1"]
        tokens = corpus.parent / "tokens" / target
        if tokens.exists():
            words.append(f"-dict={tokens}")
        started = processor_seconds()
        with open(work / target / "log", "w", encoding="utf-8") as log:
            subprocess.run([*self.command, *words, self.own, self.seeds], env=self.environment, stderr=log, stdout=log, check=False)
        self.seconds = processor_seconds() - started
        text = (work / target / "log").read_text(errors="replace")
        self.executions = number(r"stat::number_of_executed_units: (\d+)", text) or number(r"(?m)^#(\d+)", text)
        self.coverage = number(r"cov: (\d+)", text)
        self.findings = sorted(each for each in set(self.faults.iterdir()) - before if self.is_finding(each))

    def is_finding(self, fault):
        """Where time is the fault, it is one only if the input alone takes a second each of three times: libFuzzer's clock goes on
        while the machine is busy elsewhere."""
        if not fault.name.startswith(("slow-unit-", "timeout-")):
            return True
        alone = [*self.command[:4], "-rss_limit_mb=2048", "-timeout=120", f"-artifact_prefix={fault.parent}/", fault]
        for _ in range(3):
            done = subprocess.run(alone, env=self.environment, capture_output=True, text=True, errors="replace", check=False)
            if done.returncode != 0:
                return True
            if number(r"Executed .* in (\d+) ms", done.stderr) < 1000:
                fault.unlink()
                return False
        return True

    def keep(self):
        """What goes where the seeds do not, by edges of the code and not by how often each is taken: few and small."""
        least = self.work / self.target / "least"
        shutil.rmtree(least, ignore_errors=True)
        shutil.copytree(self.seeds, least)
        known = set(least.iterdir())
        words = ["-set_cover_merge=1", "-use_counters=0", least, self.own]
        subprocess.run([*self.command, *words], env=self.environment, capture_output=True, check=False)
        for each in set(least.iterdir()) - known:
            if each.stat().st_size <= KEPT:
                shutil.copy(each, self.seeds / each.name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("targets", nargs="*")
    asked = parser.parse_args()
    work = asked.programs.resolve().parent / "runs"
    work.mkdir(exist_ok=True)
    known = {}
    for room in ("files", "window"):
        program = asked.programs.resolve() / f"fuzz_{room}"
        if program.exists():
            known |= {name: program for name in target_names(program)}
    if unknown := [name for name in asked.targets if name not in known]:
        print(f"fuzz: found '{unknown[0]}'; allowed: {', '.join(known)}", file=sys.stderr)
        return 2

    log_of_all = asked.corpus.resolve().parent / "runs.tsv"
    runs = []
    for name in asked.targets or known:
        run = Run(known[name], name, asked.corpus.resolve(), work, asked.minutes)
        runs.append(run)
        with open(log_of_all, "a", encoding="utf-8") as log:
            when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            log.write(f"{when}\t{name}\t{run.seconds:.0f}\t{run.executions}\t{run.coverage}\t{len(run.findings)}\n")
        if not run.findings:
            run.keep()
        for each in run.findings:
            print(f"FOUND: {name}: {each}  (log: {work / name / 'log'})", flush=True)

    print(f"{'target':18} {'seconds':>8} {'executions':>11} {'coverage':>9} {'findings':>9}")
    for run in runs:
        print(f"{run.target:18} {run.seconds:8.0f} {run.executions:11} {run.coverage:9} {len(run.findings):9}")
    hours = sum(float(line.split("\t")[2]) for line in log_of_all.read_text(encoding="utf-8").splitlines()[1:]) / 3600
    print(f"In all runs that are logged in {log_of_all.name}: {hours:.2f} hours of one processor")
    return 1 if any(run.findings for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
