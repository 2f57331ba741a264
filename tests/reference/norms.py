"""Judges of norm/eps, norm/axes and norm/invariance."""

import collections
import math

from arithmetic import (
    D, FORMATS, batch_norm, beside_one, cards, centred, flat, group_norm, in_turn, layer_norm, mean_of,
    mean_square, normal, normals, rms_norm, root_mean_square, rounded, scale_norm, seed_of, singles)
from studies import tables


# norm/eps

def size_kept(r, eps, outside):
    return r / (r + eps) if outside else r / (r * r + eps).sqrt()


def size_that_keeps(share, eps, outside):
    """What a row must measure to keep so much: r/(r + ε) = s, or r²/(r² + ε) = s²."""
    return eps * share / (1 - share) if outside else (eps * share * share / (1 - share * share)).sqrt()


def normed_in(x, eps, outside, name):
    """RMSNorm in f32 whose squares, sum, root and epsilon are of a format."""
    acc = lambda v: rounded(v, name)
    total = 0.0
    for v in x:
        total = acc(total + acc(v * v))
    mean, kept = acc(total / len(x)), acc(eps)
    root = acc(acc(math.sqrt(mean)) + kept) if outside else acc(math.sqrt(acc(mean + kept)))
    if root == 0:
        return None
    inverse = acc(1 / root)
    return [rounded(acc(v * inverse), "f32") for v in x]


def published_epsilons(program):
    """How many models have each; what the files of OPT and MPT leave out is torch.nn.LayerNorm's."""
    counted = collections.Counter()
    for card in cards(program):
        config = card["config"]
        silent = 1e-5 if config["model_type"] in ("opt", "mpt") else None
        counted[next((v for k, v in config.items() if k.endswith(("_eps", "_epsilon"))), silent)] += 1
    del counted[None]  # whose paper does not say
    return counted


def eps_formats(found, row, sizes, eps, outside, meet):
    for name in FORMATS:
        wants = {}
        for size in sizes:
            y = normed_in(singles(size * z for z in row), eps, outside, name)
            if y and all(map(math.isfinite, y)):
                wants[size] = root_mean_square(y)
        meet(f"sizes that {name} holds", found[f"in_{name}"]["size"], list(wants))
        meet(f"in {name}", found[f"in_{name}"]["kept"], list(wants.values()))


def epsilon(program, rng, worst, default):
    size = 0.001 if default else float(f"{10 ** rng.uniform(-8, 4):.3g}")
    eps = 1e-5 if default else float(f"{10 ** rng.uniform(-12, -1):.3g}")
    place = "inside" if default else rng.choice(["inside", "outside"])
    width, seed = 64 if default else rng.choice([8, 9, 30, 100, 300]), seed_of(rng, default)
    settings = {"size": repr(size), "eps": repr(eps), "place": place, "width": width, "seed": seed}
    found = tables(program, "norm/eps", settings)
    meet = lambda name, has, want: worst.meet("norm/eps", name, has, want, settings)
    row = rms_norm(centred(normals(seed, 0, 1, width)[0]), 0)
    sizes = [10 ** (i / 8) for i in range(-64, 33)]
    rows = [singles(r * z for z in row) for r in sizes]
    kept = found["kept"]
    meet("size", kept["size"], sizes)
    meet("inside", kept["inside"], [root_mean_square(rms_norm(x, eps)) for x in rows])
    meet("outside", kept["outside"], [root_mean_square(x) / (root_mean_square(x) + eps) for x in rows])
    meet("at least", kept["at least"], [root_mean_square(scale_norm(x, eps)) for x in rows])
    for i, r in enumerate(map(D, found["missing"]["size"])):  # one by one: the last ones are small
        for name in ("inside", "outside"):
            meet(f"missing {name}", [found["missing"][name][i]], [1 - size_kept(r, D(eps), name == "outside")])
    eps_formats(found, row, sizes, eps, place == "outside", meet)
    eps_published(found["published"], published_epsilons(program), size, meet)


def eps_published(published, models, size, meet):
    meet("epsilons", sorted(published["epsilon"]), sorted([1e-3, 1e-8, 2**-23, *models]))
    for i, each in enumerate(published["epsilon"]):
        outside = published["epsilon of"][i].startswith("RMSNorm paper")
        meet("outside", [published["outside"][i]], [int(outside)])
        meet("models", [published["models"][i]], [models.get(each, 0)])
        for share, column in (("0.5", "half is kept at"), ("0.99", "99 % is kept at")):
            meet(column, [published[column][i]], [size_that_keeps(D(share), D(each), outside)])
        meet("kept at this size", [published["kept at this size"][i]], [size_kept(D(size), D(each), outside)])


# norm/axes

class Samples:
    """Each feature has a mean and a deviation of its own, each sample a shift of all its numbers."""

    def __init__(self, positions, features, settings):
        self.T, self.D, self.seed = positions, features, settings["seed"]
        self.apart = settings["sample_offset"]
        self.means = [settings["feature_offset"] * normal(self.seed, 1, j) for j in range(features)]
        self.deviations = [math.exp(settings["feature_scale"] * normal(self.seed, 2, j)) for j in range(features)]

    def sample(self, b, features=None):
        """T rows."""
        shift = self.apart * normal(self.seed, 3, b)
        return [singles(self.means[j] + shift + self.deviations[j] * normal(self.seed, 0, (b * self.T + t) * self.D + j)
                        for j in range(features or self.D)) for t in range(self.T)]


def normed_batch(norm, batch, groups, eps):
    """Of samples, each T rows."""
    T = len(batch[0])
    if norm == "BatchNorm":
        rows = batch_norm([row for sample in batch for row in sample], eps)
        return [rows[b * T:(b + 1) * T] for b in range(len(batch))]
    return [normed_sample(norm, sample, groups, eps) for sample in batch]


def normed_sample(norm, sample, groups, eps):
    if norm == "InstanceNorm":
        return batch_norm(sample, eps)
    if norm == "LayerNorm":
        return [layer_norm(x, eps) for x in sample]
    if norm == "RMSNorm":
        return [rms_norm(x, eps) for x in sample]
    T, size = len(sample), len(sample[0]) // groups
    parts = [layer_norm(flat(row[g * size:(g + 1) * size] for row in sample), eps) for g in range(groups)]
    return [[v for part in parts for v in part[t * size:(t + 1) * size]] for t in range(T)]


def furthest(a, b):
    return max(abs(v - w) for v, w in zip(flat(a), flat(b)))


AVERAGING = ("BatchNorm", "InstanceNorm", "GroupNorm", "LayerNorm", "RMSNorm")


def axes_settings(rng, default):
    if default:
        return {"batch": 5, "positions": 3, "features": 8, "groups": 2, "feature_offset": 1.0, "feature_scale": 0.5,
                "sample_offset": 1.0, "eps": 1e-5, "momentum": 0.1, "steps": 60, "seed": 1}
    return {"batch": rng.randint(1, 16), "positions": rng.randint(1, 8), "features": rng.randint(2, 16),
            "groups": rng.randint(1, 16), "feature_offset": round(rng.uniform(0, 5), 2),
            "feature_scale": round(rng.uniform(0, 1), 2), "sample_offset": round(rng.uniform(0, 5), 2),
            "eps": rng.choice([1e-12, 1e-8, 1e-5, 1e-3, 1.0]), "momentum": round(rng.uniform(0.001, 1), 3),
            "steps": rng.randint(10, 60), "seed": rng.randint(0, 10**6)}


def axes(program, rng, worst, default):
    settings = axes_settings(rng, default)
    found = tables(program, "norm/axes", settings)
    meet = lambda name, has, want: worst.meet("norm/axes", name, has, want, settings)
    B, T, F, eps = (settings[name] for name in ("batch", "positions", "features", "eps"))
    groups = next(g for g in range(min(settings["groups"], F), 0, -1) if F % g == 0)
    samples = Samples(T, F, settings)
    drawn = [samples.sample(b) for b in range(65)]
    numbers = dict(zip(AVERAGING, (B * T, T, T * F // groups, F, F)))
    other = [[drawn[0][0]] + drawn[64][1:]] + drawn[1:B]
    meet("batch sizes", found["by_batch"]["batch size"], [2**k for k in range(7)])
    meet("norms", [has == norm for has, norm in zip(found["norms"]["norm"], AVERAGING)], [True] * 5)
    for i, norm in enumerate(AVERAGING):
        by_size = [normed_batch(norm, drawn[:2**k], groups, eps)[0] for k in range(7)]
        meet(f"{norm} by batch", found["by_batch"][norm], [y[0][0] for y in by_size])
        moved = [max(furthest(y, by_size[0]) for y in by_size),
                 furthest(normed_batch(norm, other, groups, eps)[0][:1], normed_batch(norm, drawn[:B], groups, eps)[0][:1])]
        row = {name: column[i] for name, column in found["norms"].items()}
        meet("numbers", [row["numbers in a mean"], row["means in a batch"], row["kept for evaluation"]],
             [numbers[norm], B * T * F // numbers[norm], 2 * F if norm == "BatchNorm" else 0])
        for what, who, want in zip(("the batch", "other positions"), ("other samples", "other positions"), moved):
            meet(f"{norm} moved by {what}", beside_one([row[f"moved by {what}"]]), beside_one([want]))
            meet(f"{norm}: do {who} matter", [row[f"{who} matter"] == "yes"], [want > 1e-3])
    axes_training(found, settings, samples, drawn[0], meet)


def axes_training(found, settings, samples, own, meet):
    """One feature: what is kept of the batches, and one number in training and in evaluation."""
    B, m, eps = settings["batch"], settings["momentum"], settings["eps"]
    mean, variance, kept, outputs = 0.0, 1.0, [(0.0, 1.0)], []
    for step in range(settings["steps"]):
        batch = [row[0] for b in range(B) for row in samples.sample(65 + step * B + b, 1)]
        average = mean_of(batch)
        mean = (1 - m) * mean + m * average
        variance = (1 - m) * variance + m * math.fsum((v - average) ** 2 for v in batch) / max(1, len(batch) - 1)
        kept.append((mean, variance))
        mine = [row[0] for row in own]
        outputs.append((average, layer_norm(mine + batch[len(mine):], eps)[0], (mine[0] - mean) / math.sqrt(variance + eps)))
    in_turn(found, meet, ("running", "training step", 0), ("outputs", "training step", 1))
    for column, want in zip(("running mean", "running variance"), zip(*kept)):
        meet(column, found["running"][column], want)
    for column, want in zip(("batch mean", "in training", "in evaluation"), zip(*outputs)):
        meet(column, found["outputs"][column], want)


# norm/invariance

INVARIANT = {
    "LayerNorm": lambda rows, eps: [layer_norm(x, eps) for x in rows],
    "RMSNorm": lambda rows, eps: [rms_norm(x, eps) for x in rows],
    "GroupNorm": lambda rows, eps: [group_norm(x, 4, eps) for x in rows],
    "BatchNorm": batch_norm,
    "ScaleNorm": lambda rows, eps: [scale_norm(x, eps) for x in rows],
    "DyT": lambda rows, eps: [[math.tanh(0.5 * v) for v in x] for x in rows],
}


def relative_change(after, before):
    return math.sqrt(mean_square([a - b for a, b in zip(flat(after), flat(before))]) / mean_square(flat(before)))


def invariance(program, rng, worst, default):
    factor, shift, size, eps, tokens, width = (3.0, 2.0, 1.0, 1e-5, 8, 32) if default else (
        float(f"{10 ** rng.uniform(-3, 3):.3g}"), round(rng.uniform(-10, 10), 1), float(f"{10 ** rng.uniform(-6, 3):.3g}"),
        rng.choice([1e-12, 1e-8, 1e-5, 0.01, 1.0]), rng.randint(2, 16), 8 * rng.randint(1, 6))
    seed = seed_of(rng, default)
    settings = {"factor": repr(factor), "shift": shift, "size": repr(size), "eps": repr(eps), "tokens": tokens,
                "width": width, "seed": seed}
    found = tables(program, "norm/invariance", settings)
    meet = lambda name, has, want: worst.meet("norm/invariance", name, has, want, settings)
    x = [singles(size * z for z in row) for row in normals(seed, 0, tokens, width)]
    scaled = lambda a: [singles(a * v for v in row) for row in x]
    shifted = lambda c: [singles(v + c for v in row) for row in x]
    in_first_column = lambda f: [singles([f(row[0])]) + row[1:] for row in x]
    changes = {"all scaled": scaled(factor), "all shifted": shifted(shift * size),
               "one token scaled": scaled(factor)[:1] + x[1:], "one feature scaled": in_first_column(lambda v: factor * v),
               "one feature shifted": in_first_column(lambda v: v + shift * size)}
    by_factor, by_shift = found["by_factor"], found["by_shift"]
    meet("factors", by_factor["factor"], [10 ** (i / 4) for i in range(-24, 13)])
    meet("shifts", by_shift["shift"], range(-10, 11))
    for i, (norm, f) in enumerate(INVARIANT.items()):
        before = f(x, eps)
        changed = lambda rows: relative_change(f(rows, eps), before)
        for change, rows in changes.items():
            meet(f"{norm}, {change}", beside_one([found["answers"][change][i]]), beside_one([changed(rows)]))
        by_rows = lambda rows: beside_one(map(changed, rows))
        meet(f"{norm} by factor", beside_one(by_factor[norm]), by_rows(scaled(a) for a in by_factor["factor"]))
        meet(f"{norm} by shift", beside_one(by_shift[norm]), by_rows(shifted(c * size) for c in by_shift["shift"]))
    meet("norms", [has == norm for has, norm in zip(found["answers"]["norm"], INVARIANT)], [True] * len(INVARIANT))
    in_turn(found, meet, ("first_token", "component", 0))
    token = found["first_token"]
    meet("first token", token["x"], x[0])
    meet("first token, LayerNorm", token["LayerNorm"], layer_norm(x[0], eps))
    meet("first token, scaled", token["LayerNorm, scaled"], layer_norm([factor * v for v in x[0]], eps))
