#!/usr/bin/python3
"""./dev mutate: breaks single lines of the sources, one at a time, and asks whether a check of a study falls.

tests/mutations.toml lists the lines, what each becomes, and which checks must fall. All of them are compiled into one
program, where ORRERY_MUTATION=N chooses the one that is broken: a listed expression E becomes (broken(N) ? (other) : (E)).
The units of build/release are compiled again with the changed files and put before its libraries; nothing else is built.

  tests/mutate.py                  all of the list
  tests/mutate.py WORD…            only mutations whose file, study or op has one of these in it
  tests/mutate.py --toml WORD…     prints what fell as lines of the list

Exit code: 0 when every mutation makes the checks fall that the list names, 1 otherwise, 2 for wrong arguments.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / "build/release"
MUTATED = ROOT / "build/mutate"
HEADER = """// Which line is broken in this run, of those that tests/mutations.toml lists.
#pragma once
#include <cstdlib>
namespace orrery::mutation {
inline const int chosen = [] {
  const char* const number = std::getenv("ORRERY_MUTATION");
  return number == nullptr ? 0 : std::atoi(number);
}();
inline bool broken(int number) { return chosen == number; }
}  // namespace orrery::mutation
"""


def fail(text):
    print("mutate: " + text, file=sys.stderr)
    sys.exit(1)


def listed():
    """The mutations in order, numbered from 1; each expression stands exactly once in its file."""
    with open(ROOT / "tests/mutations.toml", "rb") as file:
        mutations = tomllib.load(file)["mutation"]
    for number, m in enumerate(mutations, 1):
        m["number"] = number
        line = m.setdefault("line", m["expression"])
        for text, part in ((ROOT / m["file"]).read_text(), line), (line, m["expression"]):
            if text.count(part) != 1:
                fail(f"{m['file']}: '{part}' stands there {text.count(part)} times, allowed: once")
    return mutations


def write_if_new(path, text):
    """Leaves a file alone that says the same, so that what was made of it stays."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_sources(mutations):
    """The files with their mutations, under build/mutate/source; their lines keep their numbers."""
    write_if_new(MUTATED / "mutation.h", HEADER)
    files = {m["file"] for m in mutations}
    for file in files:
        text = (ROOT / file).read_text()
        places = sorted((text.index(m["line"]) + m["line"].index(m["expression"]), m["number"], m)
                        for m in mutations if m["file"] == file)
        changed, end = "", 0
        for start, number, m in places:
            if start < end:
                fail(f"{file}: '{m['expression']}' stands in another mutation's expression")
            changed += text[end:start] + f"(::orrery::mutation::broken({number}) ? ({m['becomes']}) : ({m['expression']}))"
            end = start + len(m["expression"])
        write_if_new(MUTATED / "source" / file, f'#line 1 "{ROOT / file}"\n' + changed + text[end:])
    return files


def units(files):
    """Of build/release the units that compile one of the files: (source, object, command)."""
    found = []
    for entry in json.loads((RELEASE / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        command = shlex.split(entry["command"])
        at = command.index("-o") + 1
        if "tests/" in command[at] or not source.exists():
            continue
        if source.is_relative_to(ROOT) and str(source.relative_to(ROOT)) in files:
            found.append((MUTATED / "source" / source.relative_to(ROOT), command[at], command))
        elif "/Unity/" in str(source):
            # A unit of several files: where one of them is mutated, the mutated one is included in its place.
            changed = source.read_text()
            for file in files:
                changed = changed.replace(f'"{ROOT / file}"', f'"{MUTATED / "source" / file}"')
            if changed != source.read_text():
                unit = MUTATED / "unity" / command[at].replace("/", "_").removesuffix(".o")
                write_if_new(unit, changed)
                found.append((unit, command[at], command))
    return found


def newest(paths):
    return max((p.stat().st_mtime for p in paths if p.exists()), default=0)


def compile_units(files):
    """One object for each unit; those that are newer than all they were made of stay."""
    jobs = []
    for source, target, command in units(files):
        made = MUTATED / "objects" / target
        included = [MUTATED / "source" / f for f in files if str(MUTATED / "source" / f) in source.read_text()]
        if made.exists() and made.stat().st_mtime > newest([source, MUTATED / "mutation.h", RELEASE / target, *included]):
            jobs.append((made, target, None))
            continue
        made.parent.mkdir(parents=True, exist_ok=True)
        # The mutated files first; -include, since a kernel includes itself once for every kind of processor.
        # Kernels are optimised as they are delivered; of all others half the time is enough, and gives the same numbers.
        slow = "_hwy" in target
        arguments = ["-O1" if a == "-O3" and not slow else a for a in command if a != "-Werror"]
        arguments[arguments.index("-o") + 1] = str(made)
        arguments[arguments.index("-c") + 1] = str(source)
        arguments[1:1] = [f"-I{MUTATED / 'source'}", "-include", str(MUTATED / "mutation.h"), "-w"]
        jobs.append((made, target, arguments))
    left = [job for job in jobs if job[2]]

    def compiled(job):
        made, target, arguments = job
        run = subprocess.run(arguments, cwd=RELEASE, capture_output=True, text=True)
        print(f"  {target}", file=sys.stderr, flush=True)
        return run.stderr if run.returncode else ""

    if left:
        print(f"{len(left)} units with mutations are compiled:", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [e for e in pool.map(compiled, left) if e]
    if errors:
        fail("a mutation does not compile:\n" + "\n".join(errors)[:8000])
    return {target: made for made, target, _ in jobs}


def link(objects):
    """The program with these objects before the libraries that have the sound ones."""
    program = MUTATED / "orrery"
    if program.exists() and program.stat().st_mtime > newest([RELEASE / "orrery", *objects.values()]):
        return program
    commands = subprocess.run(["ninja", "-C", str(RELEASE), "-t", "commands", "-s", "orrery"], capture_output=True,
                              text=True, check=True).stdout.splitlines()
    command = next(line for line in reversed(commands) if " -o orrery " in line)
    # ": && c++ …  && :", or with what is made by the program once it is linked.
    arguments = shlex.split(command.removeprefix(": && ").split(" && ")[0])
    arguments[arguments.index("-o") + 1] = str(program)
    libraries = next(i for i, a in enumerate(arguments) if a.endswith(".a"))
    arguments[libraries:libraries] = [str(o) for o in objects.values()]
    run = subprocess.run(arguments, cwd=RELEASE, capture_output=True, text=True)
    if run.returncode:
        fail("the mutated program does not link:\n" + run.stderr[:8000])
    return program


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
    mutations = listed()
    program = link(compile_units(write_sources(mutations)))
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
