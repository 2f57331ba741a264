#!/usr/bin/python3
"""The tables of studies on norms, activations and positions, against Python's own arithmetic, at the defaults and at
random settings.

    tests/reference/tables.py PROGRAM [--rounds 20] [--seed 1]

Roundings to f16, bf16 and f32 are made with exact powers of two, and those to f16 and f32 held against the struct module.
What a table has drawn at random is taken from its own columns. Allowed: 1e-12 of the largest in a column, a thousand roundings
of a double. Exit 1 where anything exceeds it. Nothing but Python is needed.
"""

import math
import struct
import sys

from arithmetic import centred, layer_norm, normals, rms_norm, singles
from studies import judge, tables

ALLOWED = 1e-12
FORMATS = {"f32": (24, -126, "f"), "f16": (11, -14, "e"), "bf16": (8, -126, None)}  # bits, least exponent of a normal number


def rounded(x, name):
    """To the nearest number of the format, halves to the even one; too large ones to infinity."""
    bits, least, code = FORMATS[name]
    if x == 0 or math.isinf(x) or math.isnan(x):
        return x
    exponent = max(math.frexp(x)[1] - 1, least)
    unit = exponent - bits + 1
    y = math.ldexp(round(math.ldexp(x, -unit)), unit)  # round takes halves to the even one
    most = 15 if name == "f16" else 127
    if abs(y) >= math.ldexp(1.0, most + 1):
        y = math.copysign(math.inf, x)
    if code and math.isfinite(y):
        assert struct.unpack(code, struct.pack(code, x))[0] == y, (x, name)
    return y


def precision(program, rng, worst, default):
    storage, accumulate = ("bf16", "bf16") if default else (rng.choice(list(FORMATS)) for _ in range(2))
    size = 1.0 if default else round(10 ** rng.uniform(-5, 4), rng.randint(2, 8)) or 1.0
    width = 4096 if default else rng.choice([1, 7, 64, 768, 4096, 16384])
    eps = 1e-5 if default else rng.choice([1e-12, 1e-8, 1e-6, 1e-5, 0.01])
    settings = {"components": "equal", "size": repr(size), "width": width, "storage": storage, "accumulate": accumulate,
                "eps": repr(eps)}
    found = tables(program, "norm/precision", settings)
    acc = lambda v: rounded(v, accumulate)
    x = rounded(size, storage)
    if math.isinf(x):
        return
    square, total, sums = acc(x * x), 0.0, []
    for _ in range(width):
        total = acc(total + square)
        sums.append(total)
    mean, kept = acc(total / width), acc(eps)
    root = acc(mean + kept)
    inverse = acc(1 / acc(math.sqrt(root))) if root > 0 else math.inf
    y = rounded(acc(x * inverse), storage) if not (x == 0 and math.isinf(inverse)) else math.nan
    wants = [square, total, mean, kept, root, inverse, y]
    meet = lambda name, has, want: worst.meet("norm/precision", name, has, want, settings)
    stages = found["stages"]
    for i, want in enumerate(wants):
        finite = math.isfinite(want)
        meet(f"stage {i} as set", [stages["as set"][i]], [want if finite else 0])
        meet(f"stage {i} not finite", [stages["not finite"][i] + 1], [1 if finite else 2])
    in_double = [x * x, width * x * x, x * x, eps, x * x + eps, 1 / math.sqrt(x * x + eps), x / math.sqrt(x * x + eps)]
    for i, want in enumerate(in_double):
        meet(f"stage {i} in double", [stages["in double"][i]], [want])
    if "sums" in found:
        places = [int(n) for n in found["sums"]["squares"]]
        meet("sums", found["sums"]["sum"], [sums[n - 1] for n in places])
    overflow = found.get("overflow", {"width": [], "size": []})
    for n, least in zip(overflow["width"], overflow["size"]):
        if n > 64:
            break
        def sum_of(each):
            v, s = acc(rounded(each, storage) ** 2), 0.0
            for _ in range(int(n)):
                s = acc(s + v)
            return s
        below = least * (1 - 2 ** -20 if storage == "f32" else 0.99)
        if not (math.isinf(sum_of(least)) and math.isfinite(sum_of(below))):
            meet(f"overflow at width {n}", [0.0], [1.0])


def geometry(program, rng, worst, default):
    vector = [2, 0.25, -1] if default else [round(rng.uniform(-2, 2), 2) for _ in range(3)]
    gain = [1.0, 1.0, 1.0] if default else [round(rng.uniform(-2, 2), 1) for _ in range(3)]
    eps = 1e-5 if default else rng.choice([1e-12, 1e-5, 0.1])
    settings = {"vector": ",".join(map(repr, vector)), "gain": ",".join(map(repr, gain)), "eps": repr(eps),
                "seed": 1 if default else rng.randint(0, 10**6)}
    found = tables(program, "norm/geometry", settings)
    tokens, plane = found["tokens"], found["plane"]
    for i in range(len(tokens["token"])):
        x = [tokens[f"x {j}"][i] for j in (1, 2, 3)]
        mean = math.fsum(x) / 3
        centred = [v - mean for v in x]
        layer = [v / math.sqrt(math.fsum(c * c for c in centred) / 3 + eps) for v in centred]
        rms = [v / math.sqrt(math.fsum(c * c for c in x) / 3 + eps) for v in x]
        meet = lambda name, has, want: worst.meet("norm/geometry", name, has, want, settings)
        meet("LayerNorm", [tokens[f"LayerNorm {j}"][i] for j in (1, 2, 3)], [g * v for g, v in zip(gain, layer)])
        meet("RMSNorm", [tokens[f"RMSNorm {j}"][i] for j in (1, 2, 3)], [g * v for g, v in zip(gain, rms)])
        for name, point in (("x", x), ("LayerNorm", layer)):
            length = math.hypot(*point)
            across, up = (point[1] - point[2]) / math.sqrt(2), (2 * point[0] - point[1] - point[2]) / math.sqrt(6)
            meet(f"plane, {name}", [length + plane[f"{name} across"][i], length + plane[f"{name} up"][i]],
                 [length + across, length + up])


def gradient(program, rng, worst, default):
    layer = default or rng.random() < 0.5
    width, mean = (16, 0.5) if default else (rng.randint(3, 48), round(rng.uniform(-5, 5), 2))
    scale, gain, eps = (1.0, 1.0, 1e-5) if default else (rng.choice([1e-4, 0.1, 1.0, 30.0]), rng.choice([0.5, 1.0, 2.0]),
                                                          rng.choice([1e-12, 1e-5, 0.1]))
    settings = {"norm": "LayerNorm" if layer else "RMSNorm", "width": width, "mean": mean, "scale": repr(scale),
                "gain": repr(gain), "eps": repr(eps), "seed": 1 if default else rng.randint(0, 10**6)}
    found = tables(program, "norm/gradient", settings)
    meet = lambda name, has, want, by=0: worst.meet("norm/gradient", name, has, want, settings, by)
    by = found["by_scale"]  # the token's features are rounded to f32
    meet("LayerNorm by scale", by["LayerNorm"], [gain / math.sqrt(s * s + eps) for s in by["scale"]], 1e-7)
    meet("RMSNorm by scale", by["RMSNorm"], [gain / math.sqrt(s * s * (1 + mean * mean) + eps) for s in by["scale"]], 1e-7)
    jacobian = [found["jacobian"][f"input {j}"] for j in range(width)]
    values = found["spectrum"]["eigenvalue"]
    meet("trace", [math.fsum(jacobian[j][j] for j in range(width))], [math.fsum(values)])
    meet("squares", [math.fsum(v * v for c in jacobian for v in c)], [math.fsum(v * v for v in values)])
    largest = max(abs(v) for c in jacobian for v in c)
    if layer:
        meet("rows sum to 0", [largest + math.fsum(jacobian[j][i] for j in range(width)) for i in range(width)],
             [largest] * width)
    meet("symmetric", [jacobian[i][j] for i in range(width) for j in range(width)],
         [jacobian[j][i] for i in range(width) for j in range(width)])
    # Two tokens, and W and a bias behind their norm.
    seed, root = settings["seed"], math.sqrt(width)
    weights, (bias,) = normals(seed, 2, width, width), normals(seed, 3, 1, width)
    through = lambda v: [math.fsum(a * b for a, b in zip(row, v)) / root for row in weights]
    absorbed = found["absorbed"]
    meet("bias through the layer", absorbed["bias through the layer"], through(bias))
    for name, stream in (("first", 0), ("second", 5)):
        z = rms_norm(centred(normals(seed, stream, 1, width)[0]), 0)
        x = singles([scale * (v + mean) for v in z])
        y = [gain * v for v in (layer_norm if layer else rms_norm)(x, eps)]
        shifted = [a + b for a, b in zip(y, bias)]
        # A feature that is rounded to its neighbour among f32 moves the token by that; cancelled by the mean, by as much more.
        meet(f"{name} token", absorbed[f"{name} token"], through(y), 1e-6 * (1 + abs(mean)))
        meet(f"{name} token, with the bias", absorbed[f"{name} token, with the bias"], through(shifted),
             1e-6 * (1 + abs(mean)))
        meet(f"added to the {name} token", [1 + v for v in absorbed[f"added to the {name} token"]],
             [1 + v for v in through(bias)])


def normal(x):
    return 0.5 * math.erfc(-x / math.sqrt(2)), math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def swish(x, beta):
    s = sigmoid(beta * x)
    return x * s, s + beta * x * s * (1 - s)


def gelu_tanh(x):
    k = math.sqrt(8 / math.pi)
    s = sigmoid(k * (x + 0.044715 * x**3))  # (1 + tanh z) / 2 = σ(2z), which loses nothing where tanh z is nearly −1
    return x * s, s + x * s * (1 - s) * k * (1 + 3 * 0.044715 * x * x)


def gelu(x):
    below, density = normal(x)
    return x * below, below + x * density


def mish(x):
    t = math.tanh(math.log1p(math.exp(x)) if x < 30 else x)
    return x * t, t + x * (1 - t * t) * sigmoid(x)


def softplus(x, beta):
    z = beta * x
    if z > 20:  # as PyTorch cuts it
        return x, 1
    return (max(z, 0) + math.log1p(math.exp(-abs(z)))) / beta, sigmoid(z)


def elu(x, alpha, scale=1.0):
    return (scale * x, scale) if x > 0 else (scale * alpha * math.expm1(x), scale * alpha * math.exp(x))


def hard_swish(x):
    return (0, 0) if x <= -3 else (x, 1) if x >= 3 else (x * (x + 3) / 6, (2 * x + 3) / 6)


SELU = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def functions(program, rng, worst, default):
    points = [-2, -0.5, 0.25, 0.5, 2] if default else [round(rng.uniform(-20, 20), 2) + 0.001 for _ in range(6)]
    alpha, beta = (0.3, 1.0) if default else (round(rng.uniform(0.01, 3), 2), round(rng.uniform(0.1, 10), 2))
    settings = {"group": "all", "points": ",".join(map(repr, points)), "alpha": alpha, "beta": beta}
    found = tables(program, "activation/functions", settings)["points"]
    forms = {
        "ReLU": lambda x: (max(x, 0), float(x > 0)), "GELU": gelu, "GELU, tanh form": gelu_tanh,
        "SiLU": lambda x: swish(x, 1), "GELU, sigmoid form": lambda x: swish(x, 1.702), "Swish": lambda x: swish(x, beta),
        "Hard swish": hard_swish, "Mish": mish, "Softplus": lambda x: softplus(x, beta),
        "Leaky ReLU": lambda x: (x, 1) if x > 0 else (alpha * x, alpha), "ELU": lambda x: elu(x, alpha),
        "SELU": lambda x: elu(x, *SELU), "ReLU²": lambda x: (max(x, 0) ** 2, 2 * max(x, 0)),
        "Sigmoid": lambda x: (sigmoid(x), sigmoid(x) * sigmoid(-x)), "tanh": lambda x: (math.tanh(x), 1 / math.cosh(x) ** 2),
    }
    for head, has in found.items():
        if head == "x" or head.endswith(", derivative"):
            continue
        form = forms.get(head)
        if form is None:
            sys.exit(f"activation/functions: no formula for {head}")
        wants = [form(x) for x in found["x"]]
        worst.meet("activation/functions", head, has, [w[0] for w in wants], settings)
        worst.meet("activation/functions", head + ", derivative", found[head + ", derivative"], [w[1] for w in wants], settings)


def approximations(program, rng, worst, default):
    name = "bf16" if default else rng.choice(list(FORMATS))
    point = -2.0 if default else round(rng.uniform(-6, 6), 2)
    settings = {"format": name, "point": point, "range": 5 if default else round(rng.uniform(0.5, 20), 1)}
    found = tables(program, "activation/approximations", settings)
    meet = lambda column, has, want: worst.meet("activation/approximations", column, has, want, settings)
    errors = found["errors"]
    x = errors["x"]
    exact = [gelu(v)[0] for v in x]
    meet("GELU", errors["GELU"], exact)
    forms = {"tanh form": gelu_tanh, "sigmoid form": lambda v: swish(v, 1.702)}
    for form, f in forms.items():
        # A difference of nearly equal numbers is held against their size.
        largest = max(map(abs, exact))
        meet(f"{form} minus exact form", [largest + e for e in errors[f"{form} minus exact form"]],
             [largest + f(v)[0] - g for v, g in zip(x, exact)])
    bits, least, _ = FORMATS[name]
    half = lambda y: math.ldexp(1.0, max(math.frexp(max(abs(y), 1e-320))[1] - 1, least) - bits)
    meet("half a unit", errors[f"half a unit of {name}"], [half(y) for y in errors["GELU"]])
    kept = found["at_point"]
    for i, bits in enumerate(kept["significant bits"]):
        if bits == 53:
            meet("exact form at the point", [kept["exact"][i]], [gelu(point)[0]])
            for form, f in forms.items():
                meet(f"{form} at the point", [kept[form][i]], [f(point)[0]])
            in_double = {form: kept[form][i] for form in ("exact", *forms)}
        else:
            to = {24: "f32", 11: "f16", 8: "bf16"}[int(bits)]
            for form, value in in_double.items():
                meet(f"{form} in {to}", [kept[form][i]], [rounded(value, to)])
    for i, bits in enumerate(found["by_format"]["significant bits"]):
        to = {24: "f32", 11: "f16", 8: "bf16"}[int(bits)]
        own, floor, _ = FORMATS[to]
        half_of = lambda y: math.ldexp(1.0, max(math.frexp(max(abs(y), 1e-320))[1] - 1, floor) - own)
        for form in forms:
            larger = sum(half_of(y) > abs(e) for y, e in zip(errors["GELU"], errors[f"{form} minus exact form"]))
            meet(f"{form}: rounding is larger", [found["by_format"][f"{form}: rounding is larger"][i] + 1],
                 [larger / len(x) + 1])


def glu(program, rng, worst, default):
    kind = "silu" if default else rng.choice(["silu", "gelu", "gelu_tanh", "relu", "sigmoid", "bilinear"])
    a, b = (1.5, 0.5) if default else (round(rng.uniform(-20, 20), 2), round(rng.uniform(-20, 20), 2))
    width, times, multiple = (4096, 4, 256) if default else (rng.randint(8, 65536), round(rng.uniform(1, 16), 2), rng.randint(1, 4096))
    settings = {"kind": kind, "halves": f"{a},{b}", "width": width, "times": times, "multiple": multiple}
    found = tables(program, "activation/glu", settings)
    f = {"silu": lambda v: swish(v, 1)[0], "gelu": lambda v: gelu(v)[0], "gelu_tanh": lambda v: gelu_tanh(v)[0],
         "relu": lambda v: max(v, 0), "sigmoid": sigmoid, "bilinear": lambda v: v}[kind]
    meet = lambda column, has, want: worst.meet("activation/glu", column, has, want, settings)
    cuts, x = found["cuts"], found["cuts"]["a"]
    single = lambda v: struct.unpack("f", struct.pack("f", v))[0]  # what both halves are kept in
    for column, other in (("b = −2", -2), ("b = −1", -1), ("b = 1", 1), ("b = 2", 2), ("at the chosen b", b)):
        meet(column, cuts[column], [f(single(v)) * single(other) for v in x])
    plain = math.floor(times * width + 0.5)
    gated = 2 * plain // 3
    up = -(-gated // multiple) * multiple
    sizes = found["sizes"]
    meet("hidden units", sizes["hidden units"], [plain, plain, gated, up])
    meet("parameters", sizes["parameters"], [m * width * h for m, h in zip((2, 3, 3, 3), (plain, plain, gated, up))])


def self_extend(program, rng, worst, default):
    length, trained, group, window = (192, 64, 4, 16) if default else (
        rng.randint(2, 3000), rng.randint(2, 3000), rng.randint(1, 64), rng.randint(0, 200))
    settings = {"length": length, "trained_length": trained, "group": group, "window": window}
    found = tables(program, "rope/self-extend", settings)
    window = -(-window // group) * group  # drawn up to whole groups
    query = lambda m: m // group + window - window // group
    meet = lambda column, has, want: worst.meet("rope/self-extend", column, has, want, settings)
    tokens = [int(t) for t in found["positions"]["token"]]
    meet("query", found["positions"]["query"], [query(m) for m in tokens])
    meet("key", found["positions"]["key"], [m // group for m in tokens])
    last = length - 1
    distances = [int(d) for d in found["distances"]["distance"]]
    meet("seen", found["distances"]["seen"],
         [d if d < window else query(last) - (last - d) // group for d in distances])


def multimodal(program, rng, worst, default):
    model, mistake = ("qwen2_vl", "none") if default else (rng.choice(["qwen2_vl", "qwen3_vl"]),
                                                            rng.choice(["none", "arrangement", "flattened"]))
    before, frames, rows, columns, after = (4, 1, 4, 6, 6) if default else (
        rng.randint(1, 64), rng.randint(1, 4), rng.randint(1, 12), rng.randint(1, 12), rng.randint(1, 64))
    base = 1e6 if default else rng.choice([1e4, 1e6, 5e6])
    settings = {"model": model, "mistake": mistake, "before": before, "frames": frames, "rows": rows, "columns": columns,
                "after": after, "base": repr(base)}
    found = tables(program, "rope/multimodal", settings)

    def read(mistake):
        places = [(p, p, p) for p in range(before)]
        if mistake == "flattened":
            places = [(p, p, p) for p in range(before + frames * rows * columns + after)]
        else:
            start = before  # each frame of Qwen3-VL is an image by itself, behind the one before it
            for count in [1] * frames if model == "qwen3_vl" else [frames]:
                places += [(start + t, start + r, start + c) for t in range(count) for r in range(rows) for c in range(columns)]
                start += max(count, rows, columns)
            places += [(start + p,) * 3 for p in range(after)]
        third = model == "qwen3_vl"
        sections = (24, 20, 20) if third else (16, 24, 24)
        turns = third != (mistake == "arrangement")
        axes = [0] * sections[0] + [1] * sections[1] + [2] * sections[2]
        if turns and third:  # rows and columns take every third pair up to three times their section
            axes = [i % 3 if i % 3 and i < 3 * sections[i % 3] else 0 for i in range(64)]
        elif turns:
            axes = [i % 3 for i in range(64)]
        query = before + (frames * rows * columns)
        theta = [base ** (-2 * i / 128) for i in range(64)]
        scores = [math.fsum(math.cos((places[query][a] - p[a]) * t) for a, t in zip(axes, theta)) / 64 for p in places]
        return places, axes, theta, scores

    places, axes, theta, scores = read(mistake)
    meet = lambda column, has, want: worst.meet("rope/multimodal", column, has, want, settings)
    tokens, pairs = found["tokens"], found["pairs"]
    for a, name in enumerate(("time", "row", "column")):
        meet(name, tokens[name], [p[a] for p in places])
    meet("axis", [v + 1 for v in pairs["axis"]], [a + 1 for a in axes])
    meet("wavelength", pairs["wavelength"], [2 * math.pi / t for t in theta])
    meet("score", tokens["score"], scores)
    meet("score when read right", tokens["score when read right"], read("none")[3])


judge(__doc__, (precision, geometry, gradient, functions, approximations, glu, self_extend, multimodal), ALLOWED)
