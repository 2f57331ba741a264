"""The judge of rope/xpos."""

import math

from arithmetic import D, beside_one, normals, rounded, singles, without_repeats
from studies import tables


# rope/xpos

LARGEST = {"f16": D(65520), "bf16": (2 - D(2) ** -8) * D(2) ** 127, "f32": (2 - D(2) ** -24) * D(2) ** 127}
VANISHING = {"f16": D(2) ** -25, "bf16": D(2) ** -134, "f32": D(2) ** -150}  # half of the least: rounds to 0


class Head:
    """A query and a key, pairs that are halves apart, and how pairs turn and shrink."""

    def __init__(self, width, base, gamma, scale_base, q, k):
        self.pairs, self.q, self.k, self.scale_base = width // 2, q, k, scale_base
        self.omega = [base ** (-2 * i / width) for i in range(self.pairs)]
        self.zeta = [(2 * i / width + gamma) / (1 + gamma) for i in range(self.pairs)]
        self.lengths = math.sqrt(math.fsum(v * v for v in q) * math.fsum(v * v for v in k))
        h = self.pairs
        self.products = [complex(q[i], q[i + h]) * complex(k[i], k[i + h]).conjugate() for i in range(h)]

    def kept(self, i, distance):
        return self.zeta[i] ** (distance / self.scale_base)

    def kept_on_average(self, distance):
        return math.fsum(self.kept(i, distance) for i in range(self.pairs)) / self.pairs

    def score(self, distance, xpos):
        """Σ ζ^(r/B) Re[q k̄ e^(irθ)]."""
        turns = [complex(math.cos(distance * w), math.sin(distance * w)) for w in self.omega]
        kept = [self.kept(i, distance) if xpos else 1 for i in range(self.pairs)]
        terms = [(p * t).real * k for p, t, k in zip(self.products, turns, kept)]
        return math.fsum(terms) / self.lengths

    def turned_in(self, name, x, at, sign):
        y, h = [0.0] * 2 * self.pairs, self.pairs
        for i, w in enumerate(self.omega):
            grown = self.zeta[i] ** (sign * at / self.scale_base)
            c, s = (rounded(f(at * w) * grown, name) for f in (math.cos, math.sin))
            y[i], y[i + h] = rounded(c * x[i] - s * x[i + h], name), rounded(s * x[i] + c * x[i + h], name)
        return y

    def score_in(self, name, at, distance):
        """As a model has it that keeps cos, sin and what it turns in the format."""
        try:
            q, k = self.turned_in(name, self.q, at + distance, 1), self.turned_in(name, self.k, at, -1)
        except OverflowError:
            return math.inf
        products = [a * b for a, b in zip(q, k)]
        return math.fsum(products) / self.lengths if all(map(math.isfinite, products)) else math.inf


def first_position(limit, zeta, scale_base):
    """Of which |ln of the factor| reaches the limit's; a factor on it is over it."""
    return math.ceil(scale_base * abs(limit.ln()) / -zeta.ln())


def xpos_overflow(overflow, head, gamma, meet):
    zeta = D(gamma) / (1 + D(gamma))
    for i, name in enumerate(("f16", "bf16", "f32")):
        key = first_position(LARGEST[name], zeta, head.scale_base)
        meet(f"{name}: overflow", [overflow["key overflows from"][i]], [key])
        meet(f"{name}: vanishing", [overflow["query vanishes from"][i]],
             [first_position(VANISHING[name], zeta, head.scale_base)])
        meet(f"{name}: centred", [overflow["longest text, centred"][i]], [2 * key - 1])


def xpos_anywhere(found, head, tokens, origin, distance, meet):
    exact = head.score(distance, True)
    for name in ("f16", "bf16", "f32"):
        wants = {t: abs(head.score_in(name, t - origin, distance) - exact) for t in tokens}
        wants = {t: error for t, error in wants.items() if math.isfinite(error)}
        meet(f"tokens in {name}", found[f"anywhere_{name}"]["token"], list(wants))
        meet(f"anywhere in {name}", beside_one(found[f"anywhere_{name}"]["error"]), beside_one(wants.values()))


def xpos_settings(rng, default):
    if default:
        return {"head_width": 64, "base": 10000.0, "gamma": 0.4, "scale_base": 512, "distance": 256, "reach": 2048,
                "length": 65536, "count_from": "start", "content": "alike"}
    settings = {"head_width": 2 * rng.randint(1, 40), "base": rng.choice([2.0, 100.0, 10000.0, 500000.0, 1e9]),
                "gamma": round(10 ** rng.uniform(-1, 1), 2), "scale_base": rng.choice([64, 100, 512, 4096, 65536]),
                "distance": rng.randint(0, 8192), "reach": rng.randint(64, 1500), "length": rng.randint(256, 262144),
                "count_from": rng.choice(["start", "middle"]), "content": rng.choice(["alike", "random"])}
    return settings | ({"seed": rng.randint(0, 10**6)} if settings["content"] == "random" else {})


def xpos_by_distance(found, head, reach, meet):
    scores, kept = found["scores"], found["kept"]
    meet("distances", scores["distance"], range(-(reach // 4), reach + 1))
    meet("RoPE", scores["RoPE"], [head.score(r, False) for r in scores["distance"]])
    meet("xPos", scores["xPos"], [head.score(r, True) for r in scores["distance"]])
    meet("kept on average", scores["kept on average"], [head.kept_on_average(r) for r in scores["distance"]])
    last = head.pairs - 1
    drawn = without_repeats([0, last // 4, last // 2, last - last // 4, last])
    meet("pairs drawn", [len(kept)], [2 + len(drawn)])
    meet("distances of pairs", kept["distance"], [reach * i / 128 for i in range(129)])
    for i in drawn:
        meet(f"pair {i}", kept[f"pair {i}"], [head.kept(i, r) for r in kept["distance"]])
    meet("mean of pairs", kept["mean of all pairs"], [head.kept_on_average(r) for r in kept["distance"]])


def xpos_here(here, head, distance, meet):
    pair = (head.pairs - 1) // 4
    wants = {"distance": distance, "kept on average": head.kept_on_average(distance), "pair": pair,
             "zeta of the pair": head.zeta[pair], "kept by the pair": head.kept(pair, distance)}
    for column, want in wants.items():
        meet(f"here, {column}", here[column], [want])


def xpos_in_a_text(found, head, settings, meet):
    """Positions count from the first token, or from the middle."""
    length, factors = settings["length"], found["factors"]
    origin = length // 2 if settings["count_from"] == "middle" else 0
    tokens = without_repeats(math.floor((length - 1) * i / 256 + 0.5) for i in range(257))
    slope = math.log10(head.zeta[0]) / head.scale_base
    meet("tokens", factors["token"], tokens)
    meet("query's factor", factors["query"], [slope * (t - origin) for t in tokens])
    meet("key's factor", factors["key"], [slope * (origin - t) for t in tokens])
    xpos_anywhere(found, head, tokens, origin, settings["distance"], meet)


def xpos(program, rng, worst, default):
    settings = xpos_settings(rng, default)
    found = tables(program, "rope/xpos", settings)
    meet = lambda column, has, want: worst.meet("rope/xpos", column, has, want, settings)
    width, gamma = settings["head_width"], settings["gamma"]
    q = k = [1.0] * width
    if settings["content"] == "random":
        q, k = (singles(normals(settings["seed"], stream, 1, width)[0]) for stream in (0, 1))
    head = Head(width, settings["base"], gamma, settings["scale_base"], q, k)
    xpos_by_distance(found, head, settings["reach"], meet)
    xpos_here(found["here"], head, settings["distance"], meet)
    xpos_overflow(found["overflow"], head, gamma, meet)
    xpos_in_a_text(found, head, settings, meet)
