#!/usr/bin/python3
"""The tables of the studies worked by hand, against Python's own arithmetic, at the defaults and at random settings.

    tests/reference/steps.py PROGRAM [--rounds 20] [--seed 1]

norm/steps is recomputed with fractions, it and the others with 50-digit decimals (GELU's Φ alone with math.erfc). What
is printed is the worst error of a column beside the largest number in it. Allowed: 1e-13, some hundred roundings of a
double. Exit 1 where anything exceeds it. Nothing but Python is needed.
"""

import decimal
import fractions
import math
import sys

from studies import judge, tables

ALLOWED = 1e-13
decimal.getcontext().prec = 50


PI = decimal.Decimal("3.14159265358979323846264338327950288419716939937510")


def cos_sin(angle):
    """By their series, of a Decimal."""
    angle %= 2 * PI
    c, s, term, k = decimal.Decimal(0), decimal.Decimal(0), decimal.Decimal(1), 0
    while abs(term) > decimal.Decimal("1e-45"):
        c, s = (c + term, s) if k % 2 == 0 else (c, s + term)
        k += 1
        term *= angle / k * (-1 if k % 2 == 0 else 1)
    return c, s


def short(rng, most, decimals=2):
    return round(rng.uniform(-most, most), rng.choice([0, 0, 1, decimals]))


def row(values):
    return ",".join(repr(float(v)) for v in values)


def matrix(rows):
    return ";".join(row(r) for r in rows)


def column(table, name):
    """By what stands in the head, whatever its mathematics is written in: x - \\mu, x - μ."""
    plain = lambda head: head.replace("$", "").replace("\\mu", "μ").replace("{", "").replace("}", "")
    for head in table:
        if plain(head) == plain(name):
            return table[head]
    sys.exit(f"no column {name} among {list(table)}")


def norm(program, rng, worst, default):
    layer = rng.random() < 0.5 or default
    x = [1.0, 2.0, 3.0, 4.0] if default else [short(rng, 100) for _ in range(rng.randint(2, 8))]
    if len(set(x)) == 1:
        x[0] += 1
    eps = "1e-6" if default else rng.choice(["0", "1e-6", "1e-5", "0.5"])
    gain = [1.0] * len(x) if default else [short(rng, 3) for _ in x]
    bias = [0.0] * len(x) if default or not layer else [short(rng, 3) for _ in x]
    settings = {"norm": "layer_norm" if layer else "rms_norm", "vector": row(x), "eps": eps, "gain": row(gain), "bias": row(bias)}
    found = tables(program, "norm/steps", settings)

    exact = [fractions.Fraction(repr(v)) for v in x]
    mean = sum(exact) / len(x) if layer else fractions.Fraction(0)
    centred = [v - mean for v in exact]
    square = sum(v * v for v in centred) / len(x)
    as_decimal = lambda f: decimal.Decimal(f.numerator) / decimal.Decimal(f.denominator)
    root = (as_decimal(square) + decimal.Decimal(eps)).sqrt()
    normed = [as_decimal(v) / root for v in centred]
    y = [decimal.Decimal(g) * n + decimal.Decimal(b) for g, n, b in zip(gain, normed, bias)]
    components, statistics = found["components"], found["statistics"]
    meet = lambda name, has, wants: worst.meet("norm/steps", name, has, wants, settings)
    meet("x", column(components, "x"), exact)
    if layer:
        meet("x - mu", column(components, "x - \\mu"), centred)
    meet("squared", components["squared"], [v * v for v in centred])
    meet("normed", components["normalised"], normed)
    meet("y", column(components, "y"), y)
    meet("mean square", statistics["mean square"], [square])
    meet("root", statistics["root"], [root])


def rope(program, rng, worst, default):
    pairs = 2 if default else rng.randint(1, 4)
    x = [1.0, 2.0, 3.0, 4.0] if default else [short(rng, 10) for _ in range(2 * pairs)]
    width = 4 if default else rng.choice([4, 8, 64, 128])
    head = max(width, len(x))
    m, base = (3, 10000) if default else (rng.randint(0, 4096), rng.choice([10000, 500000, 77]))
    half, multiples = (False, False) if default else (rng.random() < 0.5, rng.random() < 0.3)
    settings = {"vector": row(x), "head_width": width, "position": m, "base": base,
                "layout": "half" if half else "interleaved", "frequencies": "multiples" if multiples else "powers"}
    found = tables(program, "rope/steps", settings)["pairs"]
    base, m = decimal.Decimal(base), decimal.Decimal(m)
    theta = [decimal.Decimal(i + 1) if multiples else base ** (decimal.Decimal(-2 * i) / head) for i in range(pairs)]
    z = [(x[i], x[i + pairs]) if half else (x[2 * i], x[2 * i + 1]) for i in range(pairs)]
    turned = []
    for (a, b), t in zip(z, theta):
        (c, s), a, b = cos_sin(m * t), decimal.Decimal(a), decimal.Decimal(b)
        turned.append((a * c - b * s, a * s + b * c))
    meet = lambda name, has, wants: worst.meet("rope/steps", name, has, wants, settings)
    meet("frequency", found["frequency"], theta)
    # An angle carries 2^-53 of itself, and so do its sine and cosine; a pair is held against its length.
    for i, pair in enumerate(turned):
        scale = max(math.hypot(*z[i]), 1e-300) * max(1.0, float(m * theta[i]) / 100)
        for name, want in zip(("y_a", "y_b"), pair):
            off = (decimal.Decimal(column(found, name)[i]) - want) / decimal.Decimal(scale)
            meet(f"{name}, pair {i}", [1.0, float(off)], [1.0, 0.0])


def attention(program, rng, worst, default):
    q, k, v = ([[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 2], [1, 1]], [[1, 2], [3, 4], [5, 6]]) if default else (
        [[short(rng, 3) for _ in range(2)] for _ in range(3)] for _ in range(3))
    query = 3 if default else rng.randint(1, 3)
    scale, mask = ("root_d", "causal") if default else (rng.choice(["root_d", "none", "d"]), rng.choice(["none", "causal"]))
    settings = {"q": matrix(q), "k": matrix(k), "v": matrix(v), "query": query, "scale": scale, "mask": mask}
    found = tables(program, "attention/steps", settings)
    divisor = {"root_d": decimal.Decimal(2).sqrt(), "none": decimal.Decimal(1), "d": decimal.Decimal(2)}[scale]
    outputs, weights = [], []
    for m in range(3):
        seen = range(m + 1) if mask == "causal" else range(3)
        D = decimal.Decimal
        powers = [((D(q[m][0]) * D(k[n][0]) + D(q[m][1]) * D(k[n][1])) / divisor).exp() if n in seen else D(0) for n in range(3)]
        weights.append([p / sum(powers) for p in powers])
        outputs.append([sum(weights[m][n] * D(v[n][j]) for n in range(3)) for j in range(2)])
    meet = lambda name, has, wants: worst.meet("attention/steps", name, has, wants, settings)
    meet("weight", found["steps"]["weight"], weights[query - 1])
    for j in range(2):
        meet(f"o_{j + 1}", column(found["outputs"], f"o_{j + 1}"), [o[j] for o in outputs])


def feed_forward(program, rng, worst, default):
    numbers = lambda n: [short(rng, 3) for _ in range(n)]
    x, w1, b1, w2, b2 = ([1, 2], [[1, 0], [-1, 1], [1, -1]], [0, 0.5, 0], [[1, 2, -1], [0.5, -1, 3]], [0, 1]) if default else (
        numbers(2), [numbers(2) for _ in range(3)], numbers(3), [numbers(3) for _ in range(2)], numbers(2))
    w3 = [numbers(2) for _ in range(3)]
    kind = "relu" if default else rng.choice(["relu", "gelu", "swiglu"])
    settings = {"activation": kind, "x": row(x), "w1": matrix(w1), "b1": row(b1), "w2": matrix(w2), "b2": row(b2), "w3": matrix(w3)}
    found = tables(program, "ffn/steps", settings)
    z = [r[0] * x[0] + r[1] * x[1] + b for r, b in zip(w1, b1)]
    h = [max(0.0, a) for a in z]
    if kind == "gelu":
        h = [0.5 * a * math.erfc(-a / math.sqrt(2)) for a in z]
    if kind == "swiglu":
        h = [a / (1 + math.exp(-a)) * (r[0] * x[0] + r[1] * x[1]) for a, r in zip(z, w3)]
    y = [math.fsum(w * a for w, a in zip(r, h)) + b for r, b in zip(w2, b2)]
    meet = lambda name, has, wants: worst.meet("ffn/steps", name, has, wants, settings)
    meet("z", column(found["units"], "z"), z)
    meet("h", column(found["units"], "h"), h)
    # Terms may cancel: an output is held against the largest of them.
    largest = max([abs(w * a) for r in w2 for w, a in zip(r, h)] + [1.0])
    meet("y", [1 + (has - want) / largest for has, want in zip(column(found["outputs"], "y"), y)], [1.0, 1.0])


def online(program, rng, worst, default):
    D = decimal.Decimal
    keys = [(1, 1), (3, -1), (2, 2), (0, 1), (4, -2), (1, 3), (-2, 0), (5, 1)] if default else [
        (short(rng, rng.choice([3, 50, 1000])), short(rng, 10)) for _ in range(rng.randint(1, 20))]
    tile, backwards = (2, False) if default else (rng.randint(1, 16), rng.random() < 0.5)
    length, width, memory, bytes_each = (4096, 64, 192, 2) if default else (
        rng.randint(64, 1048576), rng.randint(8, 512), rng.randint(16, 4096), rng.choice([2, 4]))
    settings = {"keys": matrix(keys), "tile": tile, "order": "backwards" if backwards else "forwards", "length": length,
                "head_width": width, "memory": memory, "format": "f16" if bytes_each == 2 else "f32"}
    found = tables(program, "attention/online", settings)
    keys = [(D(s), D(v)) for s, v in (reversed(keys) if backwards else keys)]
    tiles = found["tiles"]
    meet = lambda name, has, wants: worst.meet("attention/online", name, has, wants, settings)
    for row, end in enumerate(range(tile, len(keys) + tile, tile)):
        seen = keys[:end]  # directly, of all keys so far: no sum is corrected here
        top = max(s for s, _ in seen)
        weights = [(s - top).exp() for s, _ in seen]
        output = sum(w * v for w, (_, v) in zip(weights, seen))
        largest = 1 + max(abs(v) for _, v in seen) * sum(weights)
        meet("maximum", [tiles["maximum"][row]], [top])
        meet("sum", [tiles["sum"][row]], [sum(weights)])
        meet("output", [float(1 + (D(tiles["output"][row]) - output) / largest)], [1])
        meet("result", [float(1 + (D(tiles["result"][row]) - output / sum(weights)) / largest)], [1])
    here, numbers = found["here"], memory * 1024 // bytes_each
    blocks = -(-length // -(-numbers // (4 * width)))
    meet("matrix", here["matrix"], [bytes_each * (4 * length * length + 4 * length * width)])
    meet("tiles", here["tiles"], [bytes_each * (2 * length * width + blocks * (3 * length * width + 4 * length))])


judge(__doc__, (norm, rope, attention, feed_forward, online), ALLOWED)
