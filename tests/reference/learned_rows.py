"""The judge of embedding/learned."""

import itertools
import math
import pathlib
import tempfile

from arithmetic import ROOT, columns, in_turn, mean_of, told, write_npy
from embeddings import sinusoids, squares
from studies import tables


# embedding/learned

def shipped():
    """What is said of them, and the rows."""
    lines = (ROOT / "assets/learned/positions.txt").read_text().splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("#"))
    return facts, [[float(v) for v in line.split()] for line in lines if line and not line.startswith("#")]


def singular_squares(rows):
    """Jacobi's rotations, of one side: until all columns, or rows where those are fewer, are at right angles."""
    a = [list(v) for v in (rows if len(rows) < len(rows[0]) else columns(rows))]
    dot = lambda x, y: math.fsum(map(float.__mul__, x, y))
    for _ in range(30):
        turned = False
        for i, j in itertools.combinations(range(len(a)), 2):
            p, q, r = dot(a[i], a[i]), dot(a[j], a[j]), dot(a[i], a[j])
            if abs(r) <= 1e-17 * math.sqrt(p * q):
                continue
            turned = True
            t = math.atan2(2 * r, p - q) / 2
            c, s = math.cos(t), math.sin(t)
            a[i], a[j] = ([c * v + s * w for v, w in zip(a[i], a[j])], [c * w - s * v for v, w in zip(a[i], a[j])])
        if not turned:
            break
    return sorted((dot(v, v) for v in a), reverse=True)


def powers_by_frequency(rows):
    """By the discrete Fourier transform of each column; a frequency stands for its negative too."""
    n, powers = len(rows), []
    roots = [complex(math.cos(2 * math.pi * k / n), -math.sin(2 * math.pi * k / n)) for k in range(n)]
    for f in range(n // 2 + 1):
        sums = [sum(v * roots[f * t % n] for t, v in enumerate(column)) for column in columns(rows)]
        powers.append((1 if f in (0, n / 2) else 2) * math.fsum(abs(s) ** 2 for s in sums) / n)
    return powers


def mean_cosines(rows):
    """Of all pairs so far apart."""
    lengths = [math.sqrt(math.fsum(v * v for v in row)) for row in rows]
    unit = [[v / (length or 1) for v in row] for row, length in zip(rows, lengths)]
    return [mean_of([sum(map(float.__mul__, unit[r], unit[r - k])) for r in range(k, len(rows))]) for k in range(len(rows))]


def learned(program, rng, worst, default):
    with tempfile.TemporaryDirectory() as folder:
        learned_in(pathlib.Path(folder), program, rng, worst, default)


def learned_in(folder, program, rng, worst, default):
    facts, rows = shipped()
    settings = {}
    if not default:
        settings = {"first": rng.choice([0, rng.randint(0, 100)]), "count": rng.choice([1024, rng.randint(2, 40)]),
                    "centre": rng.choice(["on", "off"]), "base": repr(rng.choice([2.0, 20.0, 10000.0, 1e9]))}
        if rng.random() < 0.7:
            width, step = 2 * rng.randint(1, 16), rng.choice([0.0, 0.3])
            rows = [[rng.gauss(math.sin(step * r * c), 1) for c in range(width)] for r in range(rng.randint(2, 40))]
            if rng.random() < 0.2:
                rows[rng.randrange(len(rows))] = [0.0] * width
            write_npy(folder / "rows.npy", rows)
            settings["table"] = folder / "rows.npy"
    found = tables(program, "embedding/learned", settings)
    meet = lambda column, has, want: worst.meet("embedding/learned", column, has, want, settings)
    count = min(settings.get("count", 1024), len(rows))
    first = min(settings.get("first", 0), len(rows) - count)
    shown = {"learned": rows[first:first + count],
             "sinusoid": sinusoids(count, len(rows[0]), float(settings.get("base", 10000)), first)}
    shape = {"first row": first, "rows": count, "rows of the table": len(rows), "components": len(rows[0])}
    for column, want in shape.items():
        meet(column, found["halves"][column], [want])
    if settings.get("centre") != "on":
        meet("rows of zeros", found["halves"]["rows of zeros"], [sum(not any(row) for row in shown["learned"])])
    for name, each in shown.items():
        if settings.get("centre") == "on":
            means = [mean_of(column) for column in columns(each)]
            each = [[v - m for v, m in zip(row, means)] for row in each]
        learned_of(found, name, each, first, meet)
    if "table" not in settings:
        told = {"seed": "seed", "steps": "training steps", "lines": "lines at a step", "loss": "loss",
                "least": "least possible loss"}
        for fact, column in told.items():
            meet(column, found["training"][column], [float(facts[fact])])


def learned_of(found, name, rows, first, meet):
    lengths = [math.sqrt(math.fsum(v * v for v in row)) for row in rows]
    in_turn(found, meet, ("lengths", "row", first), ("spectrum", "directions", 1), ("by_frequency", "frequency", 0),
            ("by_distance", "distance", 0))
    meet(f"{name}: lengths", found["lengths"][name], lengths)
    meet(f"{name}: over the mean", found["lengths"][f"{name} over its mean"], [v / mean_of(lengths) for v in lengths])
    whole = squares(rows)
    shares = [100 * v / whole for v in itertools.accumulate(singular_squares(rows))]
    meet(f"{name}: spectrum", found["spectrum"][name], shares)
    half = next(i + 1 for i, v in enumerate(shares) if v >= 50)
    meet(f"{name}: directions of half", found["halves"][f"{name}{'s' * (name == 'sinusoid')}, directions of half"], [half])
    meet("turns a row", found["by_frequency"]["turns a row"], [f / len(rows) for f in range(len(rows) // 2 + 1)])
    meet(f"{name}: by frequency", found["by_frequency"][name], [100 * v / whole for v in powers_by_frequency(rows)])
    meet(f"{name}: by distance", found["by_distance"][name], mean_cosines(rows))
