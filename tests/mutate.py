#!/usr/bin/python3
"""./dev mutate: breaks single lines of the sources, one at a time, and asks whether a check of a study falls.

tests/mutations.toml lists the lines, what each becomes, and which checks must fall. All of them are compiled into one
program, where ORRERY_MUTATION=N chooses the one that is broken (mutated.py).

  tests/mutate.py                  all of the list
  tests/mutate.py WORD…            only mutations whose file, study or op has one of these in it
  tests/mutate.py --toml WORD…     prints what fell as lines of the list

Exit code: 0 when every mutation makes the checks fall that the list names, 1 otherwise, 2 for wrong arguments.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

from mutated import ROOT, compile_units, link, listed, write_sources

RELEASE = ROOT / "build/release"
MUTATED = ROOT / "build/mutate"


def asked(request):
    """"rope/layout part=0.5 on ref" as arguments of `orrery render`."""
    words = shlex.split(request)
    arguments, device = [words[0]], "cpu"
    while words[1:]:
        word = words.pop(1)
        if word == "on":
            device = words.pop(1)
        else:
            arguments += ["--set", word]
    return [*arguments, "--device", device]


def checks_of(program, request, number):
    """Statement → whether it holds; nothing where the program refuses."""
    with tempfile.TemporaryDirectory() as folder:
        # Tables alone: no figure is set. Errors of the studies themselves count as noticed.
        run = subprocess.run([str(program), "render", *asked(request), "--json", "-o", f"{folder}/a.csv"],
                             capture_output=True, text=True, env={**os.environ, "ORRERY_MUTATION": str(number)})
    if run.returncode:
        return {"": run.stderr.strip()}
    return {c["statement"]: c["holds"] for c in json.loads(run.stdout)["checks"]}


def pattern(statement):
    """A statement without its numbers, which change with what is set."""
    return re.sub(r"[0-9.\-]", "", statement)


def main(arguments):
    as_toml = "--toml" in arguments
    words = [a for a in arguments if a != "--toml"]
    if any(w.startswith("-") for w in words):
        print(__doc__, file=sys.stderr)
        return 2
    mutations = listed(ROOT / "tests/mutations.toml")
    program = link("orrery", compile_units(write_sources(mutations, MUTATED), RELEASE, MUTATED), RELEASE, MUTATED)
    chosen = [m for m in mutations if not words or any(w in m["file"] or any(w in a for a in m["falls"]) for w in words)]
    if not chosen:
        print(f"mutate: nothing in the list has to do with {' '.join(words)}", file=sys.stderr)
        return 2

    requests = [(m, request) for m in chosen for request in m["falls"]]
    distinct = sorted({request for _, request in requests})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sound = dict(zip(distinct, pool.map(lambda r: checks_of(program, r, 0), distinct)))
        broken = list(pool.map(lambda pair: checks_of(program, pair[1], pair[0]["number"]), requests))

    wrong, noticed = [], set()
    for request, checks in sound.items():
        for statement, holds in checks.items():
            if holds is not True:
                wrong.append(f"{request}: without any mutation this does not hold: {statement} {holds}")
    for (m, request), checks in zip(requests, broken):
        fallen = [s for s, holds in checks.items() if holds is not True]
        if fallen:
            noticed.add(m["number"])
        if as_toml:
            print(f'falls."{request}" = {json.dumps(fallen, ensure_ascii=False)}')
            continue
        print(f"{m['number']:3} {m['file']}: {m['expression']}  →  {m['becomes']}")
        print(f"      {request}: " + ("; ".join(f or checks[f] for f in fallen) or "NOTHING FALLS"))
        if not fallen:
            wrong.append(f"{m['file']}: '{m['expression']}' becomes '{m['becomes']}', and no check of {request} falls")
        for statement in m["falls"][request]:
            if pattern(statement) not in map(pattern, fallen):
                wrong.append(f"{m['file']}: '{m['expression']}' becomes '{m['becomes']}', and this does not fall: {statement}")

    ids = [line.strip() for line in (ROOT / "app/study/studies.txt").read_text().splitlines()
           if line.strip() and not line.startswith("#")]
    if not words:
        without = [i for i in ids if not any(r.split()[0] == i and m["number"] in noticed for m, r in requests)]
        wrong += [f"{i}: no mutation makes a check of it fall" for i in without]
    unnoticed = [m for m in chosen if m["number"] not in noticed]
    print(f"\n{len(chosen)} mutations, {len(requests)} times asked; noticed by nobody: {len(unnoticed)}")
    for line in wrong:
        print("  " + line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
