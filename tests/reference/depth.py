"""The judge of activation/flow."""

import math

from arithmetic import (
    ALLOWED, centred, columns, flat, in_turn, layer_norm, mean_of, mean_square, normals, rms_norm,
    root_mean_square, singles)
from studies import tables


# activation/flow

def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def gated(f):
    """x s(x) and its derivative, of (s, s')."""
    def both(x):
        s, slope = f(x)
        return x * s, s + x * slope
    return both


def swish(beta):
    return gated(lambda x: (sigmoid(beta * x), beta * sigmoid(beta * x) * sigmoid(-beta * x)))


def gelu_tanh_gate(x):
    z = 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)  # (1 + tanh(z/2))/2 = σ(z)
    return sigmoid(z), sigmoid(z) * sigmoid(-z) * 2 * math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x * x)


def mish_gate(x):
    t = math.tanh(max(x, 0) + math.log1p(math.exp(-abs(x))))
    return t, (1 - t * t) * sigmoid(x)


def elu(x, alpha=1.0, scale=1.0):
    return (scale * x, scale) if x > 0 else (scale * alpha * math.expm1(x), scale * alpha * math.exp(x))


SELU = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
FUNCTIONS = {
    "relu": lambda x: (max(x, 0.0), float(x > 0)),
    "gelu": gated(lambda x: (math.erfc(-x / math.sqrt(2)) / 2, math.exp(-x * x / 2) / math.sqrt(2 * math.pi))),
    "gelu_tanh": gated(gelu_tanh_gate), "gelu_quick": swish(1.702), "silu": swish(1), "mish": gated(mish_gate),
    "softplus": lambda x: (x, 1.0) if x > 20 else (max(x, 0) + math.log1p(math.exp(-abs(x))), sigmoid(x)),  # as PyTorch
    "hard_swish": lambda x: (0.0, 0.0) if x < -3 else (x, 1.0) if x > 3 else (x * (x + 3) / 6, (2 * x + 3) / 6),
    "leaky_relu": lambda x: (x, 1.0) if x > 0 else (0.01 * x, 0.01), "elu": elu, "selu": lambda x: elu(x, *SELU),
    "sigmoid": lambda x: (sigmoid(x), sigmoid(x) * sigmoid(-x)),
    "tanh": lambda x: (math.tanh(x), 4 * sigmoid(2 * x) * sigmoid(-2 * x)),
}


def times(rows, turned):
    """A matrix product; of the second the columns are given."""
    return [[sum(map(float.__mul__, row, column)) for column in turned] for row in rows]


def sum_of(a, b):
    return [[v + w for v, w in zip(x, y)] for x, y in zip(a, b)]


NORMS = {"none": lambda x: x, "layer": lambda x: layer_norm(x, 1e-5), "rms": lambda x: rms_norm(x, 1e-6)}


def norm_gradient(kind, x, y, g):
    """Of the norm's input, from that of its output y: (g − mean g − y mean g y)/σ, of RMSNorm without the first mean."""
    if kind == "none":
        return g
    inverse = 1 / math.sqrt(mean_square(centred(x)) + 1e-5) if kind == "layer" else 1 / math.sqrt(mean_square(x) + 1e-6)
    mean, along = mean_of(g) if kind == "layer" else 0.0, mean_of([a * b for a, b in zip(g, y)])
    return [inverse * (a - mean - along * b) for a, b in zip(g, y)]


def nudged(row, by):
    """Up and down in turn."""
    return [v * (1 + by * (-1) ** j) for j, v in enumerate(row)]


class Network:
    """Values of 64 inputs on their way up, gradients on the way down; by `nudge` what enters a layer is off."""

    def __init__(self, s, nudge=0.0):
        n, depth, seed = s["width"], s["depth"], s["seed"]
        deviation = s["gain"] * {"he": math.sqrt(2 / n), "xavier": math.sqrt(1 / n), "small": 0.02}[s["init"]]
        outgoing = deviation / math.sqrt(depth) if s.get("scaled") == "on" else deviation
        self.residual, self.norm, f = s["stream"] == "residual", s["norm"], FUNCTIONS[s["kind"]]
        drawn = lambda stream, size: [[size * v for v in row] for row in normals(seed, stream, n, n)]
        self.values, self.slopes, self.normed, layers = [[singles(row) for row in normals(seed, 0, 64, n)]], [], [], []
        for l in range(depth):
            w, v = drawn(3 + 2 * l, deviation), drawn(4 + 2 * l, outgoing) if self.residual else None
            x = self.values[-1]
            self.normed.append([nudged(NORMS[self.norm](row), nudge) for row in x])
            both = [[f(h) for h in row] for row in times(self.normed[-1], columns(w))]
            y = [[value for value, _ in row] for row in both]
            self.slopes.append([[slope for _, slope in row] for row in both])
            self.values.append(sum_of(x, times(y, columns(v))) if self.residual else y)
            layers.append((w, v))
        self.gradients = [normals(seed, 2, 64, n)]
        for l in reversed(range(depth)):
            self.gradients.insert(0, self.passed_back(l, *layers[l]))

    def passed_back(self, l, w, v):
        above = self.gradients[0]
        at_function = times(above, v) if self.residual else above
        through = [[a * b for a, b in zip(s, g)] for s, g in zip(self.slopes[l], at_function)]
        rows = zip(self.values[l], self.normed[l], times(through, w))
        below = [norm_gradient(self.norm, x, y, g) for x, y, g in rows]
        return sum_of(above, below) if self.residual else below

    def columns(self):
        """What tables hold of each layer: sizes of many orders, one by one, and how far so many of its values reach."""
        for l, (x, g) in enumerate(zip(self.values, self.gradients)):
            yield f"values {l}", [root_mean_square(flat(x))]
            yield f"gradients {l}", [root_mean_square(flat(g))]
            reach = sorted(flat(x))
            yield f"layer {l}", [reach[math.floor(share * (len(reach) - 1))] for share in SHARES.values()]


SHARES = {"5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95}


def magnified(settings, net, nudge=1e-9):
    """What a change by one part in 10^9 of what enters each layer comes to."""
    worst = 1.0
    for (_, a), (_, b) in zip(net.columns(), Network(settings, nudge).columns()):
        largest = max(map(abs, a))
        worst = max([worst] + [abs(v - w) / largest / nudge for v, w in zip(a, b) if largest])
    return worst


def flow_settings(rng, default):
    if default:
        return {"kind": "relu", "stream": "direct", "init": "he", "gain": 1.0, "norm": "none", "depth": 16, "width": 64,
                "seed": 1}
    depth, width = rng.choice([(64, 8), (20, 11), (5, 32), (2, 80), (rng.randint(2, 10), rng.randint(8, 20))])
    settings = {"kind": rng.choice(list(FUNCTIONS)), "stream": rng.choice(["direct", "residual"]),
                "init": rng.choice(["he", "xavier", "small"]), "gain": round(10 ** rng.uniform(-1, 0.3), 2),
                "norm": rng.choice(["none", "layer", "rms"]), "depth": depth, "width": width, "seed": rng.randint(0, 10**6)}
    return settings | ({"scaled": rng.choice(["on", "off"])} if settings["stream"] == "residual" else {})


def flow(program, rng, worst, default):
    settings = flow_settings(rng, default)
    found = tables(program, "activation/flow", settings)
    net = Network(settings)
    loose = 0 if default else 1e-14 * magnified(settings, net)
    loose = loose if loose > ALLOWED else 0
    meet = lambda column, has, want: worst.meet("activation/flow", column, has, want, settings, loose)
    in_turn(found, meet, ("values", "layer", 0), ("sizes", "layer", 0), ("dead", "layer", 1))
    sizes, values = found["sizes"], found["values"]
    for name, want in net.columns():
        what, l = name.split()
        meet(name, [values[share][int(l)] for share in SHARES] if what == "layer" else [sizes[what][int(l)]], want)
    shut = [[[abs(slope) < 1e-3 for slope in row] for row in rows] for rows in net.slopes]
    percent = lambda all_of_them: 100 * sum(all_of_them) / len(all_of_them)
    meet("for one input", found["dead"]["for one input"], [percent(flat(rows)) for rows in shut])
    meet("for every input", found["dead"]["for every input"], [percent([all(c) for c in columns(rows)]) for rows in shut])
