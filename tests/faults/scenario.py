"""What a fault happens to: a program that writes over files which are there already, and how to see that nothing is lost.

After every try, whatever happened to the program, each file is byte for byte one that was meant to be there: the old one, or the
new one. A program that says that it is done has left the new ones. One that was not killed has left nothing else, and said in a
line of its own what went wrong. One that was killed, or that a library ended, may leave a file under another name: the next start
removes it.
"""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time


# GLib and fontconfig abort where there is no memory; this library says so itself, and ends the program with 1.
LIBGOMP_ENDS = "libgomp: Out of memory allocating"


class Finding(Exception):
    """A promise that was broken."""


def contents(folder):
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


class World:
    """A place for all tries: settings of nobody, caches of typefaces that are filled once."""

    def __init__(self, programs, library):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="orrery-faults-"))
        self.programs, self.library = programs, library
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1",
            "XDG_CACHE_HOME": str(self.folder / "cache"), "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_CONFIG_HOME": str(self.folder / "config"), "XDG_DATA_HOME": str(self.folder / "data"),
        }
        for each in ("home", "cache", "state", "config", "data"):
            (self.folder / each).mkdir()

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, command, folder, **more):
        """With the words of a fault as more variables of the environment."""
        environment = dict(self.environment, **more)
        if any(name.startswith("ORRERY_FAULT") for name in more):
            environment["LD_PRELOAD"] = str(self.library)
        words = [str(self.programs.get(word, word)) for word in command]
        return subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace", start_new_session=True)


class Ended:
    """How a program ended."""

    def __init__(self, process, timeout=120):
        try:
            self.out, self.err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Finding(f"did not end within {timeout} s") from None
        self.code = process.returncode

    def __str__(self):
        last = self.err.strip().splitlines()[-1:] or [""]
        return f"ended with {self.code}, said '{last[0]}'"


class Scenario:
    """A command in a folder where older results are."""

    def __init__(self, world, name, command, before, stages=(), said=None, keeps_always=True):
        """`before` made what is there at first; `stages` are commands whose results may be found as well. Without `keeps_always`
        the command may do its work though nothing can be written."""
        self.world, self.name, self.command = world, name, command
        self.keeps_always = keeps_always
        self.said = said or command[0] + ":"
        self.place = world.folder / name.replace(" ", "-")
        self.place.mkdir()
        self.old = self.made(before, {})
        self.new = self.made(command, self.old)
        self.between = [self.made(stage, self.old) for stage in stages]
        if self.old == self.new:
            raise SystemExit(f"{name}: the command changes nothing, so that nothing could be lost")

    def fresh(self, files):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.place))
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return folder

    def made(self, command, files):
        folder = self.fresh(files)
        started = time.monotonic()
        ended = Ended(self.world.start(command, folder))
        self.seconds = time.monotonic() - started
        if ended.code != 0:
            raise SystemExit(f"{self.name}: without a fault {' '.join(command)} {ended}")
        result = contents(folder)
        shutil.rmtree(folder)
        return result

    def count(self, call):
        """How many such calls there are where nothing goes wrong."""
        folder, file = self.fresh(self.old), self.place / "count"
        Ended(self.world.start(self.command, folder, ORRERY_FAULT=f"{call}:0", ORRERY_FAULT_COUNT=str(file)))
        shutil.rmtree(folder)
        return int(file.read_text())

    def places(self, call):
        """The number of the first such call from each place in the program and its libraries."""
        folder, file = self.fresh(self.old), self.place / "places"
        Ended(self.world.start(self.command, folder, ORRERY_FAULT=f"{call}:0", ORRERY_FAULT_PLACES=str(file)))
        shutil.rmtree(folder)
        return [int(line) for line in file.read_text().split()]

    def try_fault(self, fault, aborts=False, refuses=False):
        """With `aborts` a library may end the program; with `refuses` it may not say that it is done."""
        folder = self.fresh(self.old)
        ended = Ended(self.world.start(self.command, folder, ORRERY_FAULT=fault))
        try:
            self.judge(folder, ended, aborts)
            if refuses and ended.code == 0:
                raise Finding("it takes no notice")
        except Finding as finding:
            raise Finding(f"{fault}: {finding}") from None
        shutil.rmtree(folder)

    def try_kill(self, dice):
        folder = self.fresh(self.old)
        process = self.world.start(self.command, folder)
        try:
            process.wait(dice.uniform(0, 1.1 * self.seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        self.judge(folder, Ended(process), aborts=True)
        shutil.rmtree(folder)

    def judge(self, folder, ended, aborts):
        found = contents(folder)
        replaced = all(name in found for name in self.new)
        for name in self.old | self.new:
            whole = [state[name] for state in (self.old, self.new, *self.between) if name in state]
            if name not in found and name in self.old and not (replaced and name not in self.new):
                raise Finding(f"{name} is lost; it {ended}")
            if name in found and found[name] not in whole:
                raise Finding(f"{name} is neither the old one nor the new one; it {ended}")
        if "terminate called" in ended.err:  # libraries abort in words of their own
            raise Finding(f"nobody caught what was thrown: it {ended}")
        if ended.code < 0 or ended.code > 128:
            if not aborts:
                raise Finding(f"it {ended}")
            return self.next_start(folder)
        if ended.code not in (0, 1, 2):
            raise Finding(f"it {ended}")
        if aborts and LIBGOMP_ENDS in ended.err:
            return self.next_start(folder)
        if ended.code == 0 and self.keeps_always and any(found.get(name) != data for name, data in self.new.items()):
            raise Finding("it says that it is done, and is not")
        self.nothing_beside(found)
        lines = [line for line in ended.err.splitlines() if line.startswith(self.said)]
        if ended.code != 0 and not lines:
            raise Finding(f"it failed without a word of its own: {ended}")

    def next_start(self, folder):
        """Makes it all anew where something was left, and then nothing else is there."""
        ended = Ended(self.world.start(self.command, folder))
        if ended.code != 0:
            raise Finding(f"the next start {ended}")
        found = contents(folder)
        if any(found.get(name) != data for name, data in self.new.items()):  # it has what it needs now
            raise Finding("the next start does not make what it should")
        self.nothing_beside(found)

    def nothing_beside(self, found):
        beside = set(found) - set(self.old) - set(self.new)
        if beside:
            raise Finding("left behind: " + ", ".join(sorted(beside)))


class Window(Scenario):
    """The window's session: its file has other bytes each time, but what it holds is looked at by the next start."""

    def opens(self, session):
        """Whether a window that finds this file alone takes it up without a word."""
        folder = self.fresh({"session.toml": session})
        alone = Ended(self.world.start(["window", "."], folder))
        shutil.rmtree(folder)
        return alone.code == 0 and not alone.err and alone.out.splitlines()[:1] in (["found 777"], ["found 500"])

    def __init__(self, world):
        self.world, self.name, self.said = world, "session", "window:"
        self.command = ["window", ".", "777"]
        self.place = world.folder / self.name
        self.place.mkdir()
        self.old = self.made(["window", ".", "500"], {})
        self.made(self.command, self.old)  # for its time
        self.new, self.between = {}, []
        whole = self.old["session.toml"]
        if not self.opens(whole) or self.opens(whole[:len(whole) * 3 // 4]):
            raise SystemExit("session: a torn one is not told from a whole one")

    def judge(self, folder, ended, aborts):
        if ended.code not in (0, 1) and not (aborts and (ended.code < 0 or ended.code > 128)):
            raise Finding(f"it {ended}")
        if ended.code == 1 and "window:" not in ended.err:
            raise Finding(f"it failed without a word of its own: {ended}")
        again = Ended(self.world.start(["window", "."], folder))
        allowed = ["found 777"] if "kept 777" in ended.out else ["found 777", "found 500"]
        beside = set(contents(folder)) - {"session.toml"}
        where = ""
        if again.out.splitlines()[:1] != [allowed[0]] and again.out.splitlines()[:1] != [allowed[-1]]:
            # Not opened by itself, yet there: offered by the menu, or put aside and said. Whole, or it is none.
            kept = [f for f in contents(folder).values() if self.opens(f)]
            where = "; it is still in the folder" if kept else ""
            if not kept or again.code != 0:
                raise Finding(f"the session is lost: then {again}, {again.out.split()}, after it {ended}")
        left = [name for name in beside if name.startswith((".orrery-", "running."))]
        if left or again.code != 0:
            raise Finding(f"the next start {again}, left behind: {', '.join(left)}{where}")
