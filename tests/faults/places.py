"""Faults of the place where a program runs: full and read-only file systems, folders that go, locales, company."""

import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from scenario import Ended, Finding, contents

RENDER = ["orrery", "render", "rope/rotation", "--size", "8cm×6cm"]


def one_line(ended, said="orrery:"):
    """A refusal as people are promised one."""
    lines = [line for line in ended.err.splitlines() if line.startswith(said)]
    if ended.code != 1 or len(lines) != 1:
        raise Finding(f"instead of one line it {ended}")


# --- A file system of our own: mounted where nobody else sees it, by a shell that becomes the program's folder's owner.

def mounting():
    """The words before a command that may mount; None where that is not allowed here."""
    for words in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
        trial = [*words, "sh", "-c", "mount -t tmpfs -o size=64k none /mnt && echo a >/mnt/a"]
        if shutil.which("unshare") and subprocess.run(trial, capture_output=True, check=False).returncode == 0:
            return words
    return None


# $1 the free kilobytes, $2 the folder, $3 what is there before, $4 where all is copied to at the end, $5 rw or ro
SMALL = """mount -t tmpfs -o size=1m none "$2" && cp -a "$3/." "$2" && cd "$2" || exit 99
have=$(df -k --output=avail . | tail -n 1); [ "$1" = all ] || dd if=/dev/zero of=filler bs=1k count=$((have - $1)) 2>/dev/null
mount -o "remount,$5" "$2" || exit 99
to=$4; shift 5; "$@"; code=$?; mount -o remount,rw . ; rm -f filler; cp -a . "$to"; exit $code"""


def on_small_disk(world, words, command, old, kilobytes, access="rw"):
    """How it ended on a disk with so much room, and what was there then."""
    place = world.folder / "disk"
    for each in ("mount", "old", "after"):
        shutil.rmtree(place / each, ignore_errors=True)
        (place / each).mkdir(parents=True)
    for name, data in old.items():
        (place / "old" / name).write_bytes(data)
    program = [str(world.programs.get(word, word)) for word in command]
    ended = Ended(world.start([*words, "sh", "-c", SMALL, "sh", str(kilobytes), str(place / "mount"), str(place / "old"),
                               str(place / "after"), access, *program], place))
    if ended.code == 99:
        raise SystemExit(f"the disk could not be made: {ended}")
    return ended, contents(place / "after")


def made(world, command):
    folder = world.folder / "made"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if (ended := Ended(world.start(command, folder))).code != 0:
        raise SystemExit(f"without a fault {' '.join(command)} {ended}")
    return contents(folder)


def full_disk(table, world, short, _dice):
    words = mounting()
    for name, said, before, command in [
            ("render", "orrery:", [*RENDER, "-o", "a.svg"], [*RENDER, "--set", "base=500", "-o", "a.svg"]),
            ("training", "train:", ["train", "a.safetensors", "2"], ["train", "a.safetensors", "3"])]:
        if not words:
            table.skipped(f"{name}: a full disk", "nothing can be mounted here")
            continue
        old, new = made(world, before), made(world, command)
        need = max(len(data) for data in new.values()) // 1024 + 8

        def attempt(room, old=old, new=new, command=command, said=said):
            ended, found = on_small_disk(world, words, command, old, room)
            if ended.code == 0 and found != new or ended.code != 0 and found != old:
                raise Finding(f"with {room} kB of room: {sorted(found)}, it {ended}")
            if ended.code != 0:
                one_line(ended, said)

        for room in range(0, need + 1, max(4, need // 3 // 4 * 4) if short else 4):
            table.tried(f"{name}: a full disk", lambda room=room: attempt(room))


def read_only(table, world, _short, _dice):
    words = mounting()
    if not words:
        return table.skipped("a read-only folder", "nothing can be mounted here")
    for command in ([*RENDER, "-o", "a.svg"], ["train", "a.safetensors", "2"], ["window", ".", "777"]):
        def attempt(command=command):
            old = {command[-1] if command[0] != "train" else command[1]: b"old"} if command[0] != "window" else {}
            ended, found = on_small_disk(world, words, command, old, "all", "ro")
            if found != old:
                raise Finding(f"{sorted(found)}, it {ended}")
            if command[0] == "window":  # it works on, and says that nothing will be remembered
                if ended.code != 0 or ended.err.count("window:") < 1:
                    raise Finding(f"it {ended}")
            else:
                one_line(ended, command[0] + ":")
        table.tried("a read-only folder", attempt)


def vanishing(table, world, short, dice):
    """The folder goes at a random moment, or was gone before."""
    command = [*RENDER, "-o", "a.svg"]
    started = time.monotonic()
    whole = made(world, command)
    seconds = time.monotonic() - started

    def attempt():
        folder = world.folder / "going"
        folder.mkdir()
        process = world.start(command, folder)
        time.sleep(dice.uniform(0, seconds))
        shutil.rmtree(folder, ignore_errors=True)
        ended = Ended(process)
        if ended.code != 0:
            one_line(ended)
        found = contents(folder) if folder.exists() else {}
        shutil.rmtree(folder, ignore_errors=True)
        if found and found != whole:
            raise Finding(f"half of it stayed: {sorted(found)}")

    for _ in range(3 if short else 50):
        table.tried("a vanishing folder", attempt)

    def from_nowhere(target, good):
        folder = world.folder / "gone"
        folder.mkdir()
        ended = Ended(world.start(["sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", str(world.programs["orrery"]), *command[1:-1],
                                   target], folder))
        if good and ended.code != 0:
            raise Finding(f"it {ended}")
        if not good:
            one_line(ended)

    table.tried("a folder that was gone before", lambda: from_nowhere("a.svg", False))
    table.tried("a folder that was gone before", lambda: from_nowhere(str(world.folder / "elsewhere.svg"), True))


def locales(table, world, short, _dice):
    """Decimal commas, and a language whose capital i has a dot: all bytes are as in C."""
    names = ["de_DE"] if short else ["de_DE", "fr_FR", "tr_TR"]
    place = world.folder / "locales"
    place.mkdir()
    endings = ["svg", "tex", "csv"] if short else ["pdf", "svg", "png", "tex", "csv", "npy", "md"]
    for name in names:
        fault = f"the locale {name}"
        tool = shutil.which("localedef")
        if not tool or subprocess.run([tool, "--no-archive", "-i", name, "-f", "UTF-8", place / f"{name}.UTF-8"],
                                      capture_output=True, check=False).returncode > 1:
            table.skipped(fault, "it cannot be made (the package locales)")
            continue
        there = {"LOCPATH": str(place), "LC_ALL": f"{name}.UTF-8", "LANG": f"{name}.UTF-8", "ORRERY_FAULT_LOCALE": f"{name}.UTF-8"}
        commands = [[*RENDER, "--set", "base=1.5e3", "-o", f"a.{ending}"] for ending in endings]
        commands += [["train", "a.safetensors", "2"], ["orrery", "list", "--ops", "--json"],
                     ["orrery", "render", "norm/compare", "--set", "eps=1e-5", "-o", "a.svg", "--json"]]

        def attempt(command, there=there):
            results = []
            for more in ({}, there):
                folder = world.folder / "spoken"
                folder.mkdir()
                ended = Ended(world.start([*command, *(["--lang", "en"] if command[0] == "orrery" else [])], folder, **more))
                said = ended.out if "render" not in command else ""
                results.append((ended.code, said, contents(folder)))
                shutil.rmtree(folder)
            if results[0] != results[1] or results[0][0] != 0:
                raise Finding(f"{' '.join(command)} makes something else: {ended}")

        def window(there=there):
            folder = world.folder / "spoken"
            folder.mkdir()
            Ended(world.start(["window", ".", "0.5e3"], folder, **there))
            again = Ended(world.start(["window", "."], folder))
            shutil.rmtree(folder)
            if again.out.split()[:2] != ["found", "500"]:
                raise Finding(f"the session reads {again.out.split()}")

        for command in commands:
            table.tried(fault, lambda command=command: attempt(command))
        table.tried(fault, window)


def company(table, world, short, _dice):
    """Two windows on one folder of settings, and two programs that write one file."""
    def windows():
        folder = world.folder / "shared"
        folder.mkdir()
        both = [world.start(["window", ".", base], folder) for base in ("777", "888")]
        ended = [Ended(each) for each in both]
        text = b"".join(contents(folder).values())
        names = sorted(contents(folder))
        shutil.rmtree(folder)
        if any(each.code != 0 for each in ended):
            raise Finding(f"one {ended[0]}, the other {ended[1]}")
        for base, other in (("777", ended[1]), ("888", ended[0])):  # or the other one began where this had ended
            if f"base = {base}".encode() not in text and f"found {base}" not in other.out:
                raise Finding(f"the session of {base} is lost: {names}")
        if any(name.startswith((".orrery-", "running.")) for name in names):
            raise Finding(f"left behind: {names}")

    first, second = [*RENDER, "-o", "a.svg"], [*RENDER, "--set", "base=500", "-o", "a.svg"]
    whole = [made(world, first), made(world, second)]

    def renders():
        folder = world.folder / "shared"
        folder.mkdir()
        ended = [Ended(each) for each in [world.start(first, folder), world.start(second, folder)]]
        found = contents(folder)
        shutil.rmtree(folder)
        if any(each.code != 0 for each in ended) or found not in whole:
            raise Finding(f"{sorted(found)}: one {ended[0]}, the other {ended[1]}")

    for _ in range(2 if short else 50):
        table.tried("two windows on one folder of settings", windows)
        table.tried("two programs that write one file", renders)


ALL = {"full disk": full_disk, "read-only": read_only, "vanishing": vanishing, "locale": locales, "company": company}
