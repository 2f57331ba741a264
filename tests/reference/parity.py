#!/usr/bin/python3
"""`orrery apply` against PyTorch, for every op, on random shapes, in double and in float.

    tests/reference/parity.py PROGRAM [OP...] [--rounds 3] [--seed 1]      (Debian 12: python3-torch, python3-numpy)

PyTorch computes in double, of the very numbers that the program is given: rounded to float where those are float. What is
printed is the worst error of a result beside the largest of its row. Allowed: 2e-13 in double, where sums of up to a
hundred terms and functions of them are rounded in different places, more of rotary angles far out; 1e-6 in float, 17
roundings (a few kinds compute in float throughout: exp and its sums). Exit 1 where anything exceeds it.
"""

import argparse
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy
import torch
import torch.nn.functional as F

ALLOWED = {"f64": 2e-13, "f32": 1e-6}
LAST_POSITION = 5000
# Of rotary angles in double: up to that many radians, after a power, a quotient and a product that were rounded.
ALLOWED_MORE = {("rope", "f64"): 3 * LAST_POSITION * 2.0 ** -53}


def allowed(op, label):
    return ALLOWED[label] + ALLOWED_MORE.get((op, label), 0)


random = numpy.random.default_rng()


def below(most, least=1, even=False):
    n = int(random.integers(least, most + 1))
    return n + n % 2 if even else n


def normal(*shape):
    return random.standard_normal(shape)


def leading():
    return tuple(below(3) for _ in range(int(random.integers(0, 3))))


# Each op: a function that makes inputs, settings, and what PyTorch makes of tensors with the inputs' names. Inputs of the
# first list are given by position, the others by name.

def norm_inputs(bias):
    """`bias`: how likely there is one."""
    d = below(300)
    inputs = {"x": normal(*leading(), below(6), d) + 0.5, "weight": normal(d)}
    return inputs | ({"bias": normal(d)} if random.random() < bias else {})


def layer_norm():
    eps = 10.0 ** -below(12, 3)
    return ["x"], norm_inputs(True), {"eps": eps}, lambda x, weight, bias: F.layer_norm(
        x, x.shape[-1:], weight, bias, eps)


def rms_norm():
    eps, offset = 10.0 ** -below(8, 3), below(1, 0)
    return ["x"], norm_inputs(0.5), {"eps": eps, "weight_offset": offset}, lambda x, weight, bias=0: x * torch.rsqrt(
        x.square().mean(-1, keepdim=True) + eps) * (weight + offset) + bias


def batch_norm():
    inputs = norm_inputs(True)
    if below(1, 0):  # evaluation
        d = inputs["x"].shape[-1]
        return ["x"], inputs | {"running_mean": normal(d), "running_var": 0.1 + random.random(d)}, {}, lambda x, weight, \
            bias, running_mean, running_var: F.batch_norm(x.reshape(-1, d), running_mean, running_var, weight,
                                                          bias, False, 0.1, 1e-5).reshape(x.shape)
    if inputs["x"].size == inputs["x"].shape[-1]:  # PyTorch refuses a single row
        inputs["x"] = numpy.concatenate([inputs["x"], inputs["x"] + normal(1)], axis=-2)
    return ["x"], inputs, {}, lambda x, weight, bias: F.batch_norm(
        x.reshape(-1, x.shape[-1]), None, None, weight, bias, True, 0.1, 1e-5).reshape(x.shape)


def instance_norm():
    inputs = norm_inputs(True)
    if inputs["x"].shape[-2] == 1:  # PyTorch refuses a single position
        inputs["x"] = numpy.concatenate([inputs["x"], inputs["x"] + normal(1)], axis=-2)

    def of_samples(x, weight, bias):
        channels_first = x.reshape(-1, *x.shape[-2:]).transpose(-1, -2)
        return F.instance_norm(channels_first, weight=weight, bias=bias, eps=1e-5).transpose(-1, -2).reshape(x.shape)
    return ["x"], inputs, {}, of_samples


def group_norm():
    groups = below(9)
    d = groups * below(30, 2)
    inputs = {"x": normal(*leading(), below(6), d) + 0.5, "weight": normal(d), "bias": normal(d)}
    return ["x"], inputs, {"groups": groups}, lambda x, weight, bias: F.group_norm(
        x.reshape(-1, d), groups, weight, bias, 1e-5).reshape(x.shape)


def scale_norm():
    return ["x"], {"x": normal(*leading(), below(5), below(300)), "gain": normal(1)}, {}, lambda x, gain: gain * F.normalize(
        x, dim=-1, eps=1e-5)


def dyt():
    alpha = 0.1 * below(20)
    return ["x"], norm_inputs(True), {"alpha": alpha}, lambda x, weight, bias: weight * torch.tanh(alpha * x) + bias


def sinusoidal():
    length, dim, offset = below(40), below(60, 2, even=True), below(1000, 0)

    def table():
        angle = (offset + torch.arange(length, dtype=torch.float64))[:, None] * 10000.0 ** -(
            torch.arange(0, dim, 2, dtype=torch.float64) / dim)
        return torch.stack((angle.sin(), angle.cos()), -1).flatten(-2)
    return [], {}, {"length": length, "dim": dim, "offset": offset}, table


def rope():
    width, half = below(64, 2, even=True), below(1, 0) == 1
    tokens, base = below(30), float(10 ** below(6, 3))

    def turn(x, positions):
        # In 64 bits of mantissa: what is judged is the program's rounding of angles, not the reference's.
        frequency = numpy.longdouble(base) ** -(numpy.arange(0, width, 2, dtype=numpy.longdouble) / width)
        angle = positions.numpy().astype(numpy.longdouble)[:, None] * frequency
        cos, sin = (torch.from_numpy(f(angle).astype(float)) for f in (numpy.cos, numpy.sin))
        a, b = (x[..., : width // 2], x[..., width // 2:]) if half else (x[..., 0::2], x[..., 1::2])
        turned = (a * cos - b * sin, a * sin + b * cos)
        return torch.cat(turned, -1) if half else torch.stack(turned, -1).flatten(-2)
    return ["x"], {"x": normal(*leading(), tokens, width),
                   "positions": random.integers(0, LAST_POSITION, tokens).astype(float)}, {
        "layout": "half" if half else "interleaved", "base": base}, turn


def causal_distance(length):
    behind = torch.arange(length)[:, None] - torch.arange(length)
    return behind.clamp(min=0).double(), torch.where(behind < 0, -math.inf, 0.0).double()


def mrope_positions():
    """As get_rope_index of Hugging Face's Qwen2-VL puts pieces together: aranges, viewed and expanded."""
    stretches = []
    for _ in range(below(5)):
        stretches += [below(9), 0, 0, 0] if random.random() < 0.5 else [0, below(4), below(7), below(7)]

    def positions():
        pieces = [torch.zeros(3, 0, dtype=torch.float64)]
        for text, frames, rows, columns in zip(*[iter(stretches)] * 4):
            start = pieces[-1].max() + 1 if pieces[-1].numel() else 0
            piece = torch.arange(text, dtype=torch.float64).view(1, -1).expand(3, -1)
            if frames * rows * columns:
                t, r, c = (torch.arange(n, dtype=torch.float64) for n in (frames, rows, columns))
                piece = torch.stack([t.view(-1, 1, 1).expand(-1, rows, columns).flatten(),
                                     r.view(1, -1, 1).expand(frames, -1, columns).flatten(),
                                     c.view(1, 1, -1).expand(frames, rows, -1).flatten()])
            if piece.numel():
                pieces.append(piece + start)
        return torch.cat(pieces, 1)
    return [], {}, {"stretches": ",".join(map(str, stretches))}, positions


def alibi():
    heads, length = 2 ** below(5, 0), below(40)

    def bias():
        distance, mask = causal_distance(length)
        slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1, dtype=torch.float64) / heads)
        return -slopes[:, None, None] * distance + mask
    return [], {}, {"heads": heads, "length": length}, bias


def t5_bias():
    heads, length = below(5), below(300)

    def bias(table):
        """Hugging Face transformers, modeling_t5.T5Attention._relative_position_bucket, of a decoder."""
        position = -torch.min(torch.arange(length) - torch.arange(length)[:, None], torch.tensor(0))
        large = 16 + (torch.log(position.double() / 16) / math.log(128 / 16) * 16).to(torch.long)
        bucket = torch.where(position < 16, position, torch.min(large, torch.tensor(31)))
        return table[bucket].permute(2, 0, 1)
    return [], {"table": normal(32, heads)}, {"length": length}, bias


def kerple():
    r1, r2, length, power = 0.3 * below(9), 0.2 * below(9), below(60), below(1, 0)

    def bias():
        distance, mask = causal_distance(length)
        return (-r1 * (distance ** r2 if power else torch.log1p(r2 * distance)) + mask)[None]
    return [], {}, {"r1": r1, "r2": r2, "length": length, "kind": "power" if power else "log"}, bias


def fire():
    units, heads, length, c, threshold = below(40), below(9), below(40), 0.1 * below(20), float(below(60))

    def bias(w_in, b_in, w_out, b_out, w_mid, b_mid):
        distance, mask = causal_distance(length)
        reach = torch.arange(length).double().clamp(min=threshold)[:, None]
        u = torch.log1p(c * distance) / torch.log1p(c * reach)
        a = F.relu(F.linear(F.relu(u[..., None] * w_in + b_in), w_mid, b_mid))
        return F.linear(a, w_out, b_out).permute(2, 0, 1) + mask
    return ["w_in", "b_in", "w_out", "b_out"], {
        "w_in": normal(units), "b_in": normal(units), "w_out": normal(heads, units), "b_out": normal(heads),
        "w_mid": normal(units, units), "b_mid": normal(units)}, {"length": length, "c": c, "threshold": threshold}, bias


def mask_of(queries, keys):
    kind = ("none", "causal", f"sliding:{below(10)}", f"chunked:{below(10)}")[below(3, 0)]
    behind = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    hidden = torch.zeros_like(behind, dtype=torch.bool)
    if kind != "none":
        hidden = behind < 0
    if kind.startswith("sliding"):
        hidden = hidden | (behind >= int(kind[8:]))
    if kind.startswith("chunked"):
        chunk = torch.arange(keys) // int(kind[8:])
        hidden = hidden | (chunk[keys - queries:, None] != chunk)
    return kind, hidden


def documents(lead, keys):
    """A few neighbours in each, a batch of them."""
    return numpy.cumsum(random.random((*lead[:1], keys)) < 0.3, -1).astype(float)


def of_others(document_id, queries, axes):
    """Whose document a key is not of; of as many axes."""
    hidden = document_id[..., -queries:, None] != document_id[..., None, :]
    return hidden.reshape(hidden.shape[:-2] + (1,) * (axes - hidden.dim()) + hidden.shape[-2:])


def attention_shapes():
    """Leading axes, queries, keys (as many or more), width."""
    queries = below(20)
    return (*leading(), below(3) * 2), queries, queries + below(20, 0), below(70)


def score(q, k, hidden, cap, lengths, document_id):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if cap:
        s = cap * torch.tanh(s / cap)
    late = torch.arange(k.shape[-2]) >= lengths.reshape(lengths.shape + (1,) * (s.dim() - lengths.dim()))
    return s.masked_fill(hidden | late | of_others(document_id, q.shape[-2], s.dim()), -math.inf)


def lengths_of(lead, keys):
    return random.integers(0, keys + 1, lead[:1]).astype(float)


def scores():
    lead, t, s, d = attention_shapes()
    mask, hidden = mask_of(t, s)
    cap = below(3, 0)
    return ["q", "k"], {"q": normal(*lead, t, d), "k": normal(*lead, s, d), "lengths": lengths_of(lead, s),
                        "document_id": documents(lead, s)}, {"mask": mask, "cap": cap}, lambda q, k, lengths, document_id: \
        score(q, k, hidden, cap, lengths, document_id)


def with_sinks(s, sinks):
    return torch.cat((s, sinks[:, None, None].expand(*s.shape[:-1], 1)), -1)


def attention():
    lead, t, s, d = attention_shapes()
    mask, hidden = mask_of(t, s)
    cap, e, shared = below(3, 0), below(50), lead[:-1] + (lead[-1] // 2,)

    output = ("values", "lse")[below(1, 0)]

    def mean(q, k, v, lengths, document_id, sinks):
        k, v = (a.repeat_interleave(2, -3) for a in (k, v))
        s = with_sinks(score(q, k, hidden, cap, lengths, document_id), sinks)
        return torch.logsumexp(s, -1) if output == "lse" else torch.softmax(s, -1)[..., :-1] @ v
    inputs = {"q": normal(*lead, t, d), "k": normal(*shared, s, d), "v": normal(*shared, s, e)}
    return ["q", "k", "v"], inputs | {"lengths": lengths_of(lead, s), "document_id": documents(lead, s),
                                      "sinks": normal(lead[-1])}, {"mask": mask, "cap": cap, "output": output}, mean


def softmax():
    temperature = 0.25 * below(12)
    if below(1, 0):
        lead, t, s, _ = attention_shapes()
        mask, hidden = mask_of(t, s)
        return ["x"], {"x": 5 * normal(*lead, t, s), "document_id": documents(lead, s), "sinks": normal(lead[-1])}, {
            "temperature": temperature, "mask": mask}, lambda x, document_id, sinks: torch.softmax(with_sinks(x.masked_fill(
                hidden | of_others(document_id, t, x.dim()), -math.inf), sinks) / temperature, -1)[..., :-1]
    return ["x"], {"x": 5 * normal(*leading(), below(5), below(300))}, {"temperature": temperature}, lambda x: torch.softmax(
        x / temperature, -1)


def truncated(x, keep):
    """`keep` says of probabilities by falling logits which stay."""
    ordered, order = torch.sort(x, dim=-1, descending=True, stable=True)
    return torch.empty_like(x).scatter(-1, order, ordered.masked_fill(~keep(ordered), -math.inf))


def top_k():
    k = below(60)
    return ["x"], {"x": 3 * normal(*leading(), below(5), below(300))}, {"k": k}, lambda x: truncated(
        x, lambda ordered: torch.arange(ordered.shape[-1]).expand_as(ordered) < k)


def top_p():
    p, temperature = random.uniform(0.01, 0.999), 0.25 * below(12)

    def keep(ordered):
        probable = torch.softmax(ordered / temperature, -1)
        return probable.cumsum(-1) - probable < p
    return ["x"], {"x": 3 * normal(*leading(), below(5), below(300))}, {"p": p, "temperature": temperature}, \
        lambda x: truncated(x, keep)


def min_p():
    p, temperature = random.uniform(0.01, 0.999), 0.25 * below(12)
    return ["x"], {"x": 3 * normal(*leading(), below(5), below(300))}, {"min_p": p, "temperature": temperature}, \
        lambda x: truncated(x, lambda ordered: ordered - ordered[..., :1] >= temperature * math.log(p))


FAMILY = {
    "relu": F.relu, "leaky_relu": F.leaky_relu, "elu": F.elu, "selu": F.selu, "silu": F.silu,
    # x(1 + erf)/2 cancels on the left; by erfc it keeps its digits.
    "gelu": lambda x: x * torch.special.erfc(-x / math.sqrt(2)) / 2,
    "gelu_tanh": lambda x: x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)),
    "gelu_quick": lambda x: x * torch.sigmoid(1.702 * x), "mish": F.mish, "softplus": F.softplus,
    "relu2": lambda x: F.relu(x).square(), "hard_swish": F.hardswish, "sigmoid": torch.sigmoid, "tanh": torch.tanh,
}


def some_activation():
    kind = str(random.choice(list(FAMILY)))
    return kind, FAMILY[kind]


def activation():
    kind, function = some_activation()
    return ["x"], {"x": 3 * normal(*leading(), below(5), below(300))}, {"kind": kind}, lambda x: function(x)


def glu():
    own = {"glu": "sigmoid", "reglu": "relu", "geglu": "gelu", "swiglu": "silu", "gelu_quick": "gelu_quick"}
    kind = str(random.choice([*own, "bilinear"]))
    layout, gated = ("halves", "interleaved")[below(1, 0)], ("first", "second")[below(1, 0)]
    unit, settings = some_gate(None if kind == "bilinear" else FAMILY[own[kind]])

    def f(x):
        a, b = x.chunk(2, -1) if layout == "halves" else (x[..., ::2], x[..., 1::2])
        return unit(a, b) if gated == "first" else unit(b, a)
    return ["x"], {"x": normal(*leading(), below(5), 2 * below(200))}, settings | {
        "kind": kind, "layout": layout, "gated": gated}, f


def some_gate(function):
    """Plain, or with a limit and an offset as gpt-oss has them."""
    limit, offset = 0.25 * below(8, 0), below(1, 0)

    def unit(a, b):
        if limit:
            a, b = a.clamp(max=limit), b.clamp(-limit, limit)
        return (a if function is None else function(a)) * (b + offset)
    return unit, {"limit": limit, "up_offset": offset}


def laid(*matrices):
    """The matrices as they are, in x out, or as PyTorch's Linear keeps them; and how x goes through one."""
    if below(1, 0):
        return matrices, "in_out", lambda x, w: x @ w
    return [w.T.copy() for w in matrices], "out_in", F.linear


def feed_forward():
    d, f = below(60), below(100)
    kind, function = some_activation()
    (w1, w2), weights, through = laid(normal(d, f) / math.sqrt(d), normal(f, d) / math.sqrt(f))
    return ["x", "w1", "w2"], {"x": normal(*leading(), below(9), d), "w1": w1, "w2": w2, "b1": normal(f), "b2": normal(d)}, {
        "kind": kind, "weights": weights}, lambda x, w1, w2, b1, b2: through(function(through(x, w1) + b1), w2) + b2


def gated_feed_forward():
    d, f = below(60), below(100)
    kind, function = some_activation()
    unit, settings = some_gate(function)
    (gate, up, down), weights, through = laid(normal(d, f) / math.sqrt(d), normal(d, f) / math.sqrt(d),
                                              normal(f, d) / math.sqrt(f))
    return ["x", "gate", "up", "down"], {
        "x": normal(*leading(), below(9), d), "gate": gate, "up": up, "down": down, "gate_bias": normal(f),
        "up_bias": normal(f), "down_bias": normal(d)}, settings | {"kind": kind, "weights": weights}, lambda x, gate, up, \
        down, gate_bias, up_bias, down_bias: through(unit(through(x, gate) + gate_bias, through(x, up) + up_bias),
                                                     down) + down_bias


def embedding():
    words, width, scaled = below(50), below(60), below(1, 0)
    return ["ids", "table"], {"ids": random.integers(0, words, (*leading(), below(9))).astype(float),
                              "table": normal(words, width)}, {"scale": "sqrt_d" if scaled else "none"}, lambda ids, table: (
        F.embedding(ids.long(), table) * (math.sqrt(width) if scaled else 1))


def unembedding():
    width = below(60)
    return ["x", "table"], {"x": normal(*leading(), below(9), width), "table": normal(below(50), width)}, {}, lambda x, table: (
        F.linear(x, table))


EXACT = ("ids", "positions", "lengths")  # whole numbers


def ops_of(program):
    """As its help lists them, each with the function above that has its name."""
    text = subprocess.run([program, "apply", "no_such_op", "-o", "x.npy"], capture_output=True, text=True).stderr
    names = text.strip().rsplit("allowed: ", 1)[-1].split(", ")
    missing = [name for name in names if name not in globals()]
    if missing:
        sys.exit(f"in the program and not here: {', '.join(missing)}")
    return {name: globals()[name] for name in names}


def error(result, expected):
    """The worst of a row beside the row's largest; infinity where shapes or infinities differ."""
    if result.shape != expected.shape:
        return math.inf
    finite = numpy.isfinite(expected)
    if not numpy.array_equal(result[~finite], expected[~finite], equal_nan=True):
        return math.inf
    off = numpy.where(finite, numpy.abs(numpy.where(finite, result, 0) - numpy.where(finite, expected, 0)), 0)
    size = numpy.where(finite, numpy.abs(numpy.where(finite, expected, 0)), 0).max(-1, keepdims=True, initial=1e-30)
    return float((off / size).max(initial=0))


def run(program, folder, op, made, label):
    order, inputs, settings, function = made
    dtype = numpy.float64 if label == "f64" else numpy.float32
    arrays = {name: a.astype(numpy.float64 if name in EXACT else dtype) for name, a in inputs.items()}
    for name, a in arrays.items():
        numpy.save(folder / f"{name}.npy", a)
    command = [program, "apply", op, *(str(folder / f"{name}.npy") for name in order), "-o", str(folder / "y.npy")]
    words = {name: folder / f"{name}.npy" for name in arrays if name not in order} | settings
    if not inputs or label == "f64":
        words |= {"storage": label, "accumulate": label}
    for name, value in words.items():
        command += ["--set", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{op}: {' '.join(command)}\n{done.stderr}")
    expected = function(**{name: torch.from_numpy(a.astype(numpy.float64)) for name, a in arrays.items()})
    return error(numpy.load(folder / "y.npy").astype(numpy.float64), expected.numpy())


def main():
    global random
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("ops", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = numpy.random.default_rng(options.seed)
    known = ops_of(options.program)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for op in options.ops or known:
            worst = dict.fromkeys(ALLOWED, 0.0)
            for _ in range(options.rounds):
                made = known[op]()
                for label in worst:
                    worst[label] = max(worst[label], run(options.program, pathlib.Path(name), op, made, label))
            bad = any(worst[label] > allowed(op, label) for label in worst)
            failed = failed or bad
            print(f"{op:20}" + "".join(f"  {label} {e:8.1e}" for label, e in worst.items()) + ("  TOO FAR" if bad else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
