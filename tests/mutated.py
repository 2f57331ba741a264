"""Single lines of the sources broken, each by a number that the environment gives: ORRERY_MUTATION.

A list names files, expressions that stand there once, and what each becomes: E becomes (broken(N) ? (other) : (E)). The units of a
build that hold such a file are compiled again and put before its libraries; nothing else is built. mutate.py asks the checks of
studies about it, fuzz/planted.py the fuzzers.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
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
    print(f"{pathlib.Path(sys.argv[0]).stem}: {text}", file=sys.stderr)
    sys.exit(1)


def listed(path):
    """The mutations in order, numbered from 1; each expression stands exactly once in its file."""
    with open(path, "rb") as file:
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


def write_sources(mutations, to):
    """The files with their mutations, under to/source; their lines keep their numbers."""
    write_if_new(to / "mutation.h", HEADER)
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
        write_if_new(to / "source" / file, f'#line 1 "{ROOT / file}"\n' + changed + text[end:])
    return files


def units(files, build, to):
    """Of a build the units that compile one of the files: (source, object, command)."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        command = shlex.split(entry["command"])
        at = command.index("-o") + 1
        if "tests/" in command[at] or not source.exists():
            continue
        if source.is_relative_to(ROOT) and str(source.relative_to(ROOT)) in files:
            found.append((to / "source" / source.relative_to(ROOT), command[at], command))
        elif "/Unity/" in str(source):
            # A unit of several files: where one of them is mutated, the mutated one is included in its place.
            changed = source.read_text()
            for file in files:
                changed = changed.replace(f'"{ROOT / file}"', f'"{to / "source" / file}"')
            if changed != source.read_text():
                unit = to / "unity" / command[at].replace("/", "_").removesuffix(".o")
                write_if_new(unit, changed)
                found.append((unit, command[at], command))
    return found


def newest(paths):
    return max((p.stat().st_mtime for p in paths if p.exists()), default=0)


def compile_units(files, build, to):
    """One object for each unit; those that are newer than all they were made of stay."""
    jobs = []
    for source, target, command in units(files, build, to):
        made = to / "objects" / target
        included = [to / "source" / f for f in files if str(to / "source" / f) in source.read_text()]
        if made.exists() and made.stat().st_mtime > newest([source, to / "mutation.h", build / target, *included]):
            jobs.append((made, target, None))
            continue
        made.parent.mkdir(parents=True, exist_ok=True)
        # The mutated files first; -include, since a kernel includes itself once for every kind of processor.
        # Kernels are optimised as they are delivered; of all others half the time is enough, and gives the same numbers.
        slow = "_hwy" in target
        arguments = ["-O1" if a == "-O3" and not slow else a for a in command if a != "-Werror"]
        arguments[arguments.index("-o") + 1] = str(made)
        arguments[arguments.index("-c") + 1] = str(source)
        arguments[1:1] = [f"-I{to / 'source'}", "-include", str(to / "mutation.h"), "-w"]
        jobs.append((made, target, arguments))
    left = [job for job in jobs if job[2]]

    def compiled(job):
        made, target, arguments = job
        run = subprocess.run(arguments, cwd=build, capture_output=True, text=True)
        print(f"  {target}", file=sys.stderr, flush=True)
        return run.stderr if run.returncode else ""

    if left:
        print(f"{len(left)} units with mutations are compiled:", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [e for e in pool.map(compiled, left) if e]
    if errors:
        fail("a mutation does not compile:\n" + "\n".join(errors)[:8000])
    return {target: made for made, target, _ in jobs}


def link(name, objects, build, to):
    """The program `name` of the build with these objects before the libraries that have the sound ones."""
    program = to / pathlib.Path(name).name
    if program.exists() and program.stat().st_mtime > newest([build / name, *objects.values()]):
        return program
    commands = subprocess.run(["ninja", "-C", str(build), "-t", "commands", "-s", name], capture_output=True,
                              text=True, check=True).stdout.splitlines()
    command = next(line for line in reversed(commands) if f" -o {name} " in line)
    # ": && c++ …  && :", or with what is made by the program once it is linked.
    arguments = shlex.split(command.removeprefix(": && ").split(" && ")[0])
    arguments[arguments.index("-o") + 1] = str(program)
    libraries = next(i for i, a in enumerate(arguments) if a.endswith(".a"))
    # core/CMakeFiles/orrery_file.dir/…: of core/liborrery_file.a, which this program may do without.
    library = lambda target: target.replace("CMakeFiles/", "lib").partition(".dir/")[0] + ".a"
    arguments[libraries:libraries] = [str(made) for target, made in objects.items() if library(target) in arguments]
    run = subprocess.run(arguments, cwd=build, capture_output=True, text=True)
    if run.returncode:
        fail("the mutated program does not link:\n" + run.stderr[:8000])
    return program
