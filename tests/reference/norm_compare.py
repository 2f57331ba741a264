"""The judge of norm/compare."""

import math
import pathlib
import tempfile

from arithmetic import (
    batch_norm, beside_one, centred, columns, flat, in_turn, layer_norm, mean_of, mean_square, normals, rms_norm,
    root_mean_square, row_text, scale_norm, singles, write_npy)
from studies import tables


# norm/compare

def standard_row(seed, token, width, outlier):
    z = rms_norm(centred(normals(seed, token, 1, width)[0]), 0)
    if outlier:
        z[width // 3] += outlier
        z = rms_norm(centred(z), 0)
    return z


def standardised(x):
    """What is left of a row without mean and deviation, its mean in deviations, and the deviation."""
    deviation = root_mean_square(centred(x))
    if deviation == 0:
        return [0.0] * len(x), x[0], 1.0
    return [v / deviation for v in centred(x)], mean_of(x) / deviation, deviation


class Batch:
    """The rows that norm/compare shows, with what says so, by the ways in which it takes them."""

    def __init__(self, rng, default, folder):
        self.way = "seeded" if default else rng.choice(["seeded", "seeded", "typed", "file"])
        self.tokens, self.token, self.seed = 8, 0, 1
        self.settings = {"components": "typed" if self.way == "typed" else "seeded"}
        if not default:
            self.tokens, self.token, self.seed = rng.randint(2, 12), rng.randint(0, 50), rng.randint(0, 10**6)
        getattr(self, self.way)(rng, default, folder)
        self.settings |= {"tokens": self.tokens, "token": self.token, "seed": self.seed}

    def seeded(self, rng, default, folder):
        mean, scale, outlier, width = (0.75, 1.0, 0.0, 48) if default else (
            round(rng.uniform(-5, 5), 2), rng.choice([1e-4, 0.01, 1.0, 30.0, 1e4]), rng.choice([0.0, 0.0, 3.5, 200.0]),
            rng.randint(2, 90))
        self.settings |= {"mean": mean, "scale": repr(scale), "outlier": outlier, "width": width}
        z = [standard_row(self.seed, self.token + i, width, outlier) for i in range(self.tokens)]
        self.rows = [singles(scale * (v + mean) for v in row) for row in z]
        self.mean, self.scale = mean, scale

    def typed(self, rng, default, folder):
        x = [round(rng.uniform(-9, 9), 2) for _ in range(rng.randint(1, 12))]
        if rng.random() < 0.1:
            x = [2.5] * len(x)
        self.settings["vector"] = row_text(x)
        _, self.mean, self.scale = standardised(x)
        others = [x] * self.tokens if len(x) == 1 else [
            [self.scale * (v + self.mean) for v in standard_row(self.seed, self.token + i, len(x), 0)]
            for i in range(self.tokens)]
        self.rows = [singles(row) for row in [x] + others[1:]]

    def file(self, rng, default, folder):
        width, count = rng.randint(2, 40), rng.randint(self.token + 2, 80)
        rows = [[rng.gauss(0.3, 2) for _ in range(width)] for _ in range(count)]
        write_npy(folder / "states.npy", rows)
        self.settings["states"] = folder / "states.npy"
        self.rows = [singles(row) for row in rows[self.token:self.token + self.tokens]]
        _, self.mean, self.scale = standardised(self.rows[0])


def annotated(x, eps):
    deviation = math.sqrt(math.fsum(v * v for v in centred(x)) / (len(x) - 1))
    return [v / (deviation + eps) for v in centred(x)]


def kin_of(rows, weight, bias, eps, partial, alpha):
    """Every norm of every row, in the order of the tables."""
    width = len(rows[0])
    by_rows = lambda f: [f(x) for x in rows]
    gained = lambda ys, b, offset=0: [[(offset + w) * v + c for w, v, c in zip(weight, y, b)] for y in ys]
    none, counted = [0.0] * width, max(1, math.floor(partial * width))
    outside = lambda x: [v / (root_mean_square(x) + eps) for v in x]
    of_part = lambda x: [v / math.sqrt(mean_square(x[:counted]) + eps) for v in x]
    rms = by_rows(lambda x: rms_norm(x, eps))
    all_of_them = [gained(by_rows(lambda x: layer_norm(x, eps)), bias), gained(rms, none)]
    if width > 1:
        all_of_them.append(gained(by_rows(lambda x: annotated(x, eps)), bias))
    return all_of_them + [
        gained(by_rows(outside), none), gained(batch_norm(rows, eps), bias), gained(rms, none, 1),
        gained(by_rows(lambda x: [math.tanh(alpha * v) for v in x]), bias), gained(by_rows(of_part), none),
        by_rows(lambda x: scale_norm(x, eps))]


def angle(a, b):
    """In degrees, after Kahan: by the sum and the difference of the unit vectors, exact at both ends."""
    a, b = ([v / math.sqrt(math.fsum(w * w for w in x)) for v in x] for x in (a, b))
    length = lambda x: math.sqrt(math.fsum(v * v for v in x))
    return math.degrees(2 * math.atan2(length([v - w for v, w in zip(a, b)]), length([v + w for v, w in zip(a, b)])))


def condition(rows, eps):
    """What BatchNorm magnifies a rounding by, where all tokens have nearly the same number in a column."""
    return max(max(map(abs, c)) / math.sqrt(mean_square(centred(c)) + eps) for c in columns(rows))


def compare_kin(found, kin, meet):
    meet("kin, mean", found["kin"]["mean"], [mean_of(flat(y)) for y in kin])
    meet("kin, RMS", found["kin"]["RMS"], [root_mean_square(flat(y)) for y in kin])
    meet("kin, largest", found["kin"]["largest"], [max(map(abs, flat(y))) for y in kin])
    pairs, names = [(a, b) for a in range(len(kin)) for b in range(a)], found["kin"]["norm"]
    said = zip(found["kin_apart"]["norm"], found["kin_apart"]["other norm"])
    meet("pairs", [(names[a], names[b]) == has for (a, b), has in zip(pairs, said)], [True] * len(pairs))
    difference = lambda y, z: [v - w for v, w in zip(flat(y), flat(z))]
    meet("kin, apart", found["kin_apart"]["RMS distance"], [root_mean_square(difference(kin[a], kin[b])) for a, b in pairs])
    wants = []
    for a, b in pairs:
        angles = [angle(x, y) for x, y in zip(kin[a], kin[b]) if any(x) and any(y)]
        wants += [mean_of(angles)] if angles else []
    meet("kin, angles", found["kin_angles"]["angle"], wants)


def compare(program, rng, worst, default):
    with tempfile.TemporaryDirectory() as folder:
        compare_in(pathlib.Path(folder), program, rng, worst, default)


def compare_in(folder, program, rng, worst, default):
    batch = Batch(rng, default, folder)
    width = len(batch.rows[0])
    eps, partial, alpha, spread, shift = (1e-5, 0.25, 0.5, 0.0, 0.0) if default else (
        rng.choice([1e-12, 1e-5, 0.1, 1.0]), round(rng.uniform(0.01, 1), 2), round(rng.uniform(0.01, 10), 2),
        round(rng.uniform(0, 1), 2), round(rng.uniform(-4, 4), 1))
    settings = batch.settings | {"eps": repr(eps), "partial": partial, "alpha": alpha, "gain_spread": spread, "bias": shift,
                                 "show": "kin" if default else rng.choice(["all", "kin", "histograms", "angles"])}
    weight = [1 + spread * v for v in normals(batch.seed, 1 << 20, 1, width)[0]]
    bias = [shift] * width
    if not default and rng.random() < 0.3:
        weight, bias = ([rng.gauss(1, 0.5) for _ in range(width)] for _ in range(2))
        for name, values in (("gains", weight), ("biases", bias)):
            write_npy(folder / f"{name}.npy", values)
            settings[name] = folder / f"{name}.npy"
    found = tables(program, "norm/compare", settings)
    meet = lambda name, has, want: worst.meet("norm/compare", name, has, want, settings)
    x = batch.rows[0]
    layer, rms = layer_norm(x, eps), rms_norm(x, eps)
    in_turn(found, meet, ("components", "component", 0))
    for column, want in (("x", x), ("LayerNorm", layer), ("RMSNorm", rms)):
        meet(column, found["components"][column], want)
    unit = batch.scale * max(1, abs(batch.mean) / 5)
    meet("mean", beside_one(found["plane"]["mean"]), beside_one([mean_of(x) / unit, mean_of(layer), mean_of(rms)]))
    deviations = [root_mean_square(centred(x)) / unit] + [root_mean_square(centred(y)) for y in (layer, rms)]
    meet("deviation", beside_one(found["plane"]["deviation"]), beside_one(deviations))
    # Of z with mean 0 and variance v, s z + s m becomes a z and b z + b m.
    distance, v, s = found["distance_by_mean"], float(min(x) != max(x)), batch.scale
    a = s / math.sqrt(s * s * v + eps)
    b = [s / math.sqrt(s * s * (v + m * m) + eps) for m in distance["mean"]]
    meet("RMS distance", distance["RMS distance"],
         [math.hypot((a - c) * math.sqrt(v), c * m) for c, m in zip(b, distance["mean"])])
    if settings["show"] != "all":
        loose = 1e-15 * condition(batch.rows, eps)
        meet = lambda name, has, want: worst.meet("norm/compare", name, has, want, settings, loose if loose > 1e-13 else 0)
        compare_kin(found, kin_of(batch.rows, singles(weight), singles(bias), eps, partial, alpha), meet)
