"""What the judges of tables share: numbers in formats, the random numbers of core/tensor/random.h drawn again, norms of a row,
and the models that are published.

Philox 4×32 is that of Salmon et al. 2011, held against Random123's known answers; the quantile of the normal distribution is
that of Python's statistics. How a seed, a stream and a place make one number is said by core/tensor/random.h.
"""

import array
import decimal
import functools
import itertools
import json
import math
import pathlib
import statistics
import struct
import subprocess


ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATS = {"f32": (24, -126, "f"), "f16": (11, -14, "e"), "bf16": (8, -126, None)}  # bits, least exponent of a normal number
D = decimal.Decimal
ALLOWED = 1e-12  # of the largest number of a column
decimal.getcontext().prec = 40


# Numbers in formats, and numbers that are drawn.

def rounded(x, name):
    """To the nearest number of the format, halves to the even one; too large ones to infinity."""
    bits, least, code = FORMATS[name]
    if x == 0 or not math.isfinite(x):
        return x
    if code:
        try:
            return struct.unpack(code, struct.pack(code, x))[0]
        except OverflowError:
            return math.copysign(math.inf, x)
    unit = max(math.frexp(x)[1] - 1, least) - bits + 1
    y = math.ldexp(round(math.ldexp(x, -unit)), unit)
    return y if abs(y) < math.ldexp(1.0, 128) else math.copysign(math.inf, x)


def singles(values):
    return array.array("f", values).tolist()


def philox(counter, key):
    a, b, c, d = counter
    k, l = key
    for _ in range(10):
        p, q = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (q >> 32) ^ b ^ k, q & 0xFFFFFFFF, (p >> 32) ^ d ^ l, p & 0xFFFFFFFF
        k, l = (k + 0x9E3779B9) & 0xFFFFFFFF, (l + 0xBB67AE85) & 0xFFFFFFFF
    return a, b, c, d


# Random123's kat_vectors.
assert philox((0,) * 4, (0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
assert philox((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)) == (
    0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def uniform(seed, stream, i):
    """The middle of one of 2^52 cells."""
    high, low, _, _ = philox((i & 0xFFFFFFFF, i >> 32, stream, 0), (seed & 0xFFFFFFFF, seed >> 32))
    return ((high << 20 | low >> 12) + 0.5) * 2**-52


QUANTILE = statistics.NormalDist().inv_cdf


def normal(seed, stream, i):
    return QUANTILE(uniform(seed, stream, i))


def normals(seed, stream, rows, cols):
    return [[normal(seed, stream, r * cols + c) for c in range(cols)] for r in range(rows)]


# Norms of a row, as the papers have them.

def mean_of(x):
    return math.fsum(x) / len(x)


def mean_square(x):
    return math.fsum(v * v for v in x) / len(x)


def root_mean_square(x):
    return math.sqrt(mean_square(x))


def centred(x):
    if min(x) == max(x):
        return [0.0] * len(x)
    mean = mean_of(x)
    return [v - mean for v in x]


def layer_norm(x, eps):
    c = centred(x)
    root = math.sqrt(mean_square(c) + eps)
    return [v / root for v in c]


def rms_norm(x, eps):
    root = math.sqrt(mean_square(x) + eps)
    return [v / root for v in x]


def scale_norm(x, eps):
    """Of radius √D."""
    factor = math.sqrt(len(x)) / max(math.sqrt(math.fsum(v * v for v in x)), eps)
    return [factor * v for v in x]


def columns(rows):
    return [list(c) for c in zip(*rows)]


def batch_norm(rows, eps):
    return columns([layer_norm(c, eps) for c in columns(rows)])


def group_norm(x, groups, eps):
    size = len(x) // groups
    return [v for g in range(groups) for v in layer_norm(x[g * size:(g + 1) * size], eps)]


def flat(rows):
    return [v for row in rows for v in row]


def beside_one(values):
    """What is a difference of results near 1 has the roundings of those."""
    return [1 + v for v in values]


def in_turn(found, meet, *places):
    """Columns that count their rows, as (table, column, where it begins)."""
    for table, column, first in places:
        meet(f"{table}, {column}", found[table][column], range(first, first + len(found[table][column])))


def row_text(values):
    return ",".join(map(repr, values))


def seed_of(rng, default, usual=1):
    return usual if default else rng.randint(0, 10**6)


def without_repeats(values):
    return [v for v, _ in itertools.groupby(values)]


def write_npy(path, rows):
    """Of doubles; a list of numbers has one axis."""
    shape = (len(rows), len(rows[0])) if isinstance(rows[0], list) else (len(rows),)
    head = repr({"descr": "<f8", "fortran_order": False, "shape": shape})
    head += " " * (-(len(head) + 11) % 64) + "\n"
    numbers = array.array("d", flat(rows) if len(shape) == 2 else rows)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + numbers.tobytes())


# Published models.

def told(program, *arguments):
    ran = subprocess.run([program, "model", *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


@functools.cache
def cards(program):
    """What the program counts of each, which cards.py holds against counts of its own, and the configuration itself."""
    all_of_them = told(program)
    for card in all_of_them:
        file = next(f for folder in ("cards", "models") for f in (ROOT / "assets" / folder).glob(f"{card['name']}.json"))
        card["config"] = json.loads(file.read_text())
    return all_of_them
