#!/usr/bin/env python3
"""Writes tests/reference/torch: the ops as PyTorch computes them.

    python3 make_torch.py          (Debian 12: python3-torch 1.13.1, python3-numpy 1.24.2)

Each case is run twice. In double: inputs with all 53 bits, NAME.f64.INPUT.npy and NAME.f64.y.npy. In float: the inputs rounded,
NAME.f32.INPUT.npy, PyTorch's own float result NAME.f32.y.npy, and the double result of the very same float inputs,
NAME.f32.exact.npy. cases.json lists them with the op and its settings as `orrery apply` takes them; derivatives.json lists
those of autograd.

Formulas are PyTorch's functions where it has them, and are written out from the paper or the models' published code where it
has none: RMSNorm (no such function in 1.13), rotary positions, sinusoidal tables, Llama 3's frequencies.
"""

import json
import math
import pathlib

import numpy
import torch
import torch.nn.functional as F

OUT = pathlib.Path(__file__).parent / "torch"
torch.set_num_threads(1)
generator = torch.Generator().manual_seed(20240229)
cases = []


def normal(*shape):
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def save(name, tensor):
    numpy.save(OUT / f"{name}.npy", numpy.ascontiguousarray(tensor.numpy()))


def case(name, op, function, inputs, float_loses=0, **settings):
    """Runs function(**inputs) in double and in float and writes all of it. `float_loses`: what PyTorch's own float arithmetic
    loses beside 1, in units of 2^-24."""
    for key, x in inputs.items():
        save(f"{name}.f64.{key}", x)
        save(f"{name}.f32.{key}", x.float())
    as_float = {key: x.float() for key, x in inputs.items()}
    save(f"{name}.f64.y", function(torch.float64, **inputs))
    save(f"{name}.f32.y", function(torch.float32, **as_float))
    save(f"{name}.f32.exact", function(torch.float64, **{key: x.double() for key, x in as_float.items()}))
    cases.append({"name": name, "op": op, "inputs": list(inputs), "settings": settings})
    if float_loses:
        cases[-1]["float_loses"] = float_loses


# --- norms -------------------------------------------------------------------------------------------------------------------

def layer_norm(eps):
    return lambda dtype, x, weight=None, bias=None: F.layer_norm(x, x.shape[-1:], weight, bias, eps)


def rms_norm(eps, outside=False, offset=0.0):
    def f(dtype, x, weight=None):
        mean_square = x.pow(2).mean(-1, keepdim=True)
        y = x / (mean_square.sqrt() + eps) if outside else x * torch.rsqrt(mean_square + eps)
        return y if weight is None else y * (offset + weight)
    return f


case("layer_norm", "layer_norm", layer_norm(1e-5), {"x": normal(2, 3, 40), "weight": normal(40), "bias": normal(40)})
case("layer_norm_plain", "layer_norm", layer_norm(1e-12), {"x": 3 + normal(4, 33)}, eps="1e-12")
case("rms_norm", "rms_norm", rms_norm(1e-6), {"x": normal(2, 3, 40), "weight": normal(40)})
case("rms_norm_gemma", "rms_norm", rms_norm(1e-6, offset=1.0), {"x": normal(3, 31), "weight": 0.1 * normal(31)},
     weight_offset="1")
case("rms_norm_outside", "rms_norm", rms_norm(1e-8, outside=True), {"x": normal(3, 32)}, eps="1e-8", eps_place="outside")


# --- positions ---------------------------------------------------------------------------------------------------------------

def sinusoidal(length, dim, offset, paper):
    """Angles in double always: what a float table should hold. (Made in float, an angle of 100 is off by 4e-6.)"""
    def f(dtype):
        i = torch.arange(dim // 2, dtype=torch.float64)
        exponent = 2 * i / dim if paper else i / (dim // 2 - 1)
        angle = (offset + torch.arange(length, dtype=torch.float64))[:, None] * 10000.0 ** -exponent
        y = torch.stack((angle.sin(), angle.cos()), -1).flatten(-2) if paper else torch.cat((angle.sin(), angle.cos()), -1)
        return y.to(dtype)
    return f


case("sinusoidal", "sinusoidal", sinusoidal(24, 32, 0, True), {}, length="24", dim="32")
case("sinusoidal_t2t", "sinusoidal", sinusoidal(24, 32, 5, False), {}, length="24", dim="32", offset="5",
     layout="tensor2tensor")


def angles(positions, rotary_dim, base):
    theta = base ** -(torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
    return positions.double()[:, None] * theta


def rope_interleaved(base, offset=0.0):
    """The pair (x[2i], x[2i+1]) as a complex number times e^(i m theta): RoFormer's eq. 34, LLaMA's published code."""
    def f(dtype, x, positions=None):
        m = offset + (torch.arange(x.shape[-2]) if positions is None else positions)
        angle = angles(m, x.shape[-1], base)
        turn = torch.view_as_complex(torch.stack((angle.cos().to(dtype), angle.sin().to(dtype)), -1))
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(pairs * turn).flatten(-2)
    return f


def rope_half(base, rotary_dim, offset=0.0):
    """x cos + rotate_half(x) sin on the first rotary_dim columns: GPT-NeoX, Hugging Face."""
    def f(dtype, x, positions=None):
        m = offset + (torch.arange(x.shape[-2]) if positions is None else positions)
        angle = angles(m, rotary_dim, base)
        cos, sin = (torch.cat((t, t), -1).to(dtype) for t in (angle.cos(), angle.sin()))
        turned, rest = x[..., :rotary_dim], x[..., rotary_dim:]
        first, second = turned.chunk(2, -1)
        return torch.cat((turned * cos + torch.cat((-second, first), -1) * sin, rest), -1)
    return f


case("rope_interleaved", "rope", rope_interleaved(10000.0), {"x": normal(2, 6, 32)}, layout="interleaved")
case("rope_half", "rope", rope_half(500000.0, 32, 7.0), {"x": normal(2, 6, 32)}, layout="half", base="500000", offset="7")
case("rope_partial", "rope", rope_half(10000.0, 24), {"x": normal(6, 40), "positions": torch.tensor(
    [3.0, 1.0, 4.0, 1.0, 5.0, 9.0], dtype=torch.float64)}, layout="half", rotary_dim="24")


def llama3_inv_freq(dtype, dim, base, factor, low, high, original):
    """Hugging Face transformers, modeling_rope_utils._compute_llama3_parameters, step by step."""
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.int64).to(dtype) / dim))
    low_wavelen, high_wavelen = original / low, original / high
    wavelen = 2 * math.pi / inv_freq
    scaled = torch.where(wavelen > low_wavelen, inv_freq / factor, inv_freq)
    smooth = (original / wavelen - low) / (high - low)
    smoothed = (1 - smooth) * scaled / factor + smooth * scaled
    medium = ~(wavelen < high_wavelen) * ~(wavelen > low_wavelen)
    return torch.where(medium, smoothed, scaled)


for model, dim, factor in (("llama-3.1-8b", 128, 8.0), ("llama-3.2-1b", 64, 32.0)):
    for dtype, label in ((torch.float64, "f64"), (torch.float32, "f32")):
        save(f"inv_freq.{model}.{label}", llama3_inv_freq(dtype, dim, 500000.0, factor, 1.0, 4.0, 8192))


# --- attention ---------------------------------------------------------------------------------------------------------------

def scores(mask=None, scale=None):
    def f(dtype, q, k):
        s = torch.matmul(q, k.transpose(-2, -1)) * (scale or 1 / math.sqrt(q.shape[-1]))
        if mask is None:
            return s
        behind = torch.arange(k.shape[-2] - q.shape[-2], k.shape[-2])[:, None] - torch.arange(k.shape[-2])
        forbidden = (behind < 0) if mask == "causal" else (behind < 0) | (behind >= int(mask.split(":")[1]))
        return s.masked_fill(forbidden, -math.inf)
    return f


case("scores", "scores", scores(scale=0.3), {"q": normal(5, 17), "k": normal(9, 17)}, scale="0.3")
case("scores_causal", "scores", scores("causal"), {"q": normal(2, 2, 6, 16), "k": normal(2, 2, 6, 16)}, mask="causal")
case("scores_sliding", "scores", scores("sliding:3"), {"q": normal(4, 16), "k": normal(9, 16)}, mask="sliding:3")

masked = 4 * normal(3, 6, 11)
masked[:, torch.arange(6)[:, None] + 5 < torch.arange(11)] = -math.inf
case("softmax", "softmax", lambda dtype, x: torch.softmax(x, -1), {"x": masked})
case("softmax_cold", "softmax", lambda dtype, x: torch.softmax(x / 0.25, -1), {"x": 4 * normal(4, 33)}, temperature="0.25")


# --- activations -------------------------------------------------------------------------------------------------------------

LEFT_TAIL = 7  # x (1 + erf)/2 and its like cancel on the left, |x| units; |x| is up to 9 here

spread = torch.cat((normal(2, 40), 3 * normal(2, 40), torch.linspace(-6, 6, 80, dtype=torch.float64).reshape(2, 40)))
for kind, function in (("relu", F.relu), ("gelu", F.gelu), ("gelu_tanh", lambda x: F.gelu(x, approximate="tanh")),
                       ("silu", F.silu)):
    case(f"activation_{kind}", "activation", lambda dtype, x, function=function: function(x), {"x": spread}, LEFT_TAIL,
         kind=kind)

# --- norms: other forms, derivatives, low precision ------------------------------------------------------------------------------

derivatives = []


def derivative(name, op, function, inputs, **settings):
    """In double: inputs NAME.f64.INPUT, a gradient NAME.f64.g, and what autograd makes of it, NAME.f64.d_INPUT."""
    leaves = {key: x.clone().requires_grad_() for key, x in inputs.items()}
    y = function(torch.float64, **leaves)
    g = normal(*y.shape)
    y.backward(g)
    save(f"{name}.f64.g", g)
    for key, leaf in leaves.items():
        save(f"{name}.f64.{key}", leaf.detach())
        if leaf.grad is not None:  # whole numbers and what training gathers have none
            save(f"{name}.f64.d_{key}", leaf.grad)
    derivatives.append({"name": name, "op": op, "inputs": list(inputs), "settings": settings})


def annotated(dtype, x, weight, bias, eps=1e-6):
    """The Annotated Transformer's LayerNorm."""
    return weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias


def batch_norm(dtype, x, weight, bias):
    rows = x.reshape(-1, x.shape[-1])
    return F.batch_norm(rows, None, None, weight, bias, training=True, eps=1e-5).reshape(x.shape)


def scale_norm(dtype, x, gain):
    return gain * F.normalize(x, dim=-1, eps=1e-5)


def dyt(dtype, x, weight, bias):
    return weight * torch.tanh(0.5 * x) + bias


def partial_rms_norm(dtype, x, weight):
    """bzhangGo/rmsnorm with p = 0.25: x / (||x[:k]|| k^-1/2 + eps)."""
    k = int(x.shape[-1] * 0.25)
    rms = x[..., :k].norm(2, dim=-1, keepdim=True) * k ** -0.5
    return weight * (x / (rms + 1e-8))


generator = torch.Generator().manual_seed(19100746)
forms = (
    ("layer_norm_annotated", "layer_norm", annotated, ("x", "weight", "bias"), {"variant": "annotated", "eps": "1e-6"}),
    ("rms_norm_partial", "rms_norm", partial_rms_norm, ("x", "weight"),
     {"partial": "0.25", "eps": "1e-8", "eps_place": "outside"}),
    ("batch_norm", "batch_norm", batch_norm, ("x", "weight", "bias"), {}),
    ("scale_norm", "scale_norm", scale_norm, ("x", "gain"), {}),
    ("dyt", "dyt", dyt, ("x", "weight", "bias"), {}),
)
shapes = {"x": (2, 4, 20), "weight": (20,), "bias": (20,), "gain": (1,)}
for name, op, function, inputs, settings in forms:
    case(name, op, function, {key: normal(*shapes[key]) for key in inputs}, **settings)
for name, op, function, inputs, settings in forms + (
        ("layer_norm", "layer_norm", layer_norm(1e-5), ("x", "weight", "bias"), {}),
        ("rms_norm", "rms_norm", rms_norm(1e-6), ("x", "weight"), {}),
        ("rms_norm_gemma", "rms_norm", rms_norm(1e-6, offset=1.0), ("x", "weight"), {"weight_offset": "1"}),
        ("rms_norm_outside", "rms_norm", rms_norm(1e-8, outside=True), ("x", "weight"),
         {"eps": "1e-8", "eps_place": "outside"})):
    derivative(f"d_{name}", op, function, {key: normal(*shapes[key]) for key in inputs}, **settings)


def llama(x, weight):
    """LlamaRMSNorm of Hugging Face: back to the input's format before the gain."""
    wide = x.float()
    return weight * (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)


def gemma(x, weight):
    """GemmaRMSNorm: the gain 1 + w in float, back to the input's format after it."""
    wide = x.float()
    normed = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (normed * (1.0 + weight.float())).type_as(x)


for dtype, label in ((torch.bfloat16, "bf16"), (torch.float16, "f16")):
    x, weight = normal(8, 48).to(dtype), normal(48).to(dtype)
    save(f"rms_norm_cast.{label}.x", x.float())
    save(f"rms_norm_cast.{label}.weight", weight.float())
    save(f"rms_norm_cast.{label}.llama", llama(x, weight).float())
    save(f"rms_norm_cast.{label}.gemma", gemma(x, weight).float())

def naive_layer_norm(x, weight, bias, eps, number, sqrt, estimator, variant):
    """As a first kernel has it: sums from left to right, every operation in the format of x. `number` makes a constant of it."""
    D = x.shape[-1]
    columns = [x[:, j] for j in range(D)]
    mean = squares = number(0)
    if estimator == "welford":
        for k, v in enumerate(columns, 1):
            delta = v - mean
            mean = mean + delta / number(k)
            squares = squares + delta * (v - mean)
    else:
        for v in columns:
            mean = mean + v
            squares = squares + v * v
        mean = mean / number(D)
    if estimator == "two_pass":
        squares = number(0)
        for v in columns:
            squares = squares + (v - mean) * (v - mean)
    variance = squares / number(D)
    if estimator == "one_pass":
        variance = variance - mean * mean
    centred = x - mean[:, None]
    if variant == "annotated":
        deviation = sqrt(variance * number(D / (D - 1)))
        return weight * centred / (deviation + number(eps))[:, None] + bias
    rstd = number(1) / sqrt(variance + number(eps))
    return centred * rstd[:, None] * weight + bias


def naive_rms_norm(x, weight, eps, number, sqrt, store, place, cast, bias=None):
    """A bias is added as the gain is multiplied: in storage by LLaMA's order, before the cast by Gemma's."""
    D = x.shape[-1]
    total = number(0)
    for j in range(D):
        total = total + x[:, j] * x[:, j]
    mean = total / number(D)
    rms = sqrt(mean) + number(eps) if place == "outside" else sqrt(mean + number(eps))
    normed = x * (number(1) / rms)[:, None]
    if bias is None:
        return store(weight) * store(normed) if cast == "llama" else store((number(1) + weight) * normed)
    if cast == "llama":
        return store(weight) * store(normed) + store(bias)
    return store((number(1) + weight) * normed + bias)


# Numpy's float16 and torch's bfloat16 round after every single operation. Results: (estimator, variant) and (place, cast) along
# the first axis, in this order.
naive_eps = 0.3
for label in ("f16.f16", "bf16.bf16", "f16.f32"):
    data = [0.3 * normal(6, 12) + 0.5, normal(12), normal(12)]
    if label == "bf16.bf16":
        data = [v.bfloat16() for v in data]
        number, sqrt, store = (lambda v: torch.tensor(v, dtype=torch.bfloat16)), torch.sqrt, (lambda v: v)
        as_float = lambda v: v.float()
    else:
        wide = numpy.float32 if label == "f16.f32" else numpy.float16
        data = [v.numpy().astype(numpy.float16).astype(wide) for v in data]
        number, sqrt, store = wide, numpy.sqrt, (lambda v: v.astype(numpy.float16))
        as_float = lambda v: torch.from_numpy(numpy.asarray(v).astype(numpy.float16).astype(numpy.float32))
    for what, v in zip(("x", "weight", "bias"), data):
        save(f"norm_naive.{label}.{what}", as_float(v))
    save(f"norm_naive.{label}.layer_norm", torch.stack([
        as_float(naive_layer_norm(*data, naive_eps, number, sqrt, estimator, variant))
        for estimator in ("two_pass", "one_pass", "welford") for variant in ("standard", "annotated")]))
    save(f"norm_naive.{label}.rms_norm", torch.stack([
        as_float(naive_rms_norm(*data[:2], naive_eps, number, sqrt, store, place, cast))
        for place in ("inside", "outside") for cast in ("llama", "gemma")]))
    save(f"norm_naive.{label}.rms_norm_bias", torch.stack([
        as_float(naive_rms_norm(*data[:2], naive_eps, number, sqrt, store, "inside", cast, data[2]))
        for cast in ("llama", "gemma")]))


# --- activations: the whole family, gated units, networks, embeddings ------------------------------------------------------------

small = torch.cat((normal(24), 3 * normal(24), torch.linspace(-25, 25, 24, dtype=torch.float64))).reshape(3, 24)
family = {
    "leaky_relu": (F.leaky_relu, {}),
    "leaky_relu_steep": (lambda x: F.leaky_relu(x, 0.2), {"alpha": "0.2"}),
    "elu": (F.elu, {}),
    "elu_deep": (lambda x: F.elu(x, 2.5), {"alpha": "2.5"}),
    "selu": (F.selu, {}),
    "gelu_quick": (lambda x: x * torch.sigmoid(1.702 * x), {}),
    "swish": (lambda x: x * torch.sigmoid(0.75 * x), {"beta": "0.75"}),
    "mish": (F.mish, {}),
    "softplus": (F.softplus, {}),
    "softplus_sharp": (lambda x: F.softplus(x, beta=3), {"beta": "3"}),
    "relu2": (lambda x: F.relu(x).square(), {}),
    "hard_swish": (F.hardswish, {}),
    "sigmoid": (torch.sigmoid, {}),
    "tanh": (torch.tanh, {}),
}
kinds = {"leaky_relu_steep": "leaky_relu", "elu_deep": "elu", "softplus_sharp": "softplus"}
for name, (function, settings) in family.items():
    f = lambda dtype, x, function=function: function(x)
    settings = dict(settings, kind=kinds.get(name, name))
    case(f"activation_{name}", "activation", f, {"x": small}, LEFT_TAIL, **settings)
    derivative(f"d_activation_{name}", "activation", f, {"x": 2 * normal(24)}, **settings)
for kind, function in (("relu", F.relu), ("gelu", F.gelu), ("silu", F.silu),
                       ("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"))):
    derivative(f"d_activation_{kind}", "activation", lambda dtype, x, function=function: function(x),
               {"x": 2 * normal(24)}, kind=kind)


def gated_unit(function, second):
    def f(dtype, x):
        first_half, second_half = x.chunk(2, -1)
        return first_half * function(second_half) if second else function(first_half) * second_half
    return f


glus = {"glu": lambda dtype, x: F.glu(x, -1), "swiglu": gated_unit(F.silu, False), "geglu": gated_unit(F.gelu, True),
        "reglu": gated_unit(F.relu, False)}
for kind, function in glus.items():
    half = "second" if kind in ("glu", "geglu") else "first"
    case(f"{kind}", "glu", function, {"x": normal(2, 3, 12)}, kind=kind, gated=half)
    derivative(f"d_{kind}", "glu", function, {"x": normal(3, 12)}, kind=kind, gated=half)

plain = lambda dtype, x, w1, w2, b1, b2: F.linear(F.gelu(F.linear(x, w1.T, b1)), w2.T, b2)
three = lambda dtype, x, gate, up, down: F.linear(F.silu(F.linear(x, gate.T)) * F.linear(x, up.T), down.T)
for make, prefix in ((case, ""), (derivative, "d_")):
    make(f"{prefix}feed_forward", "feed_forward", plain, {"x": normal(2, 2, 8), "w1": normal(8, 12) / 3,
         "w2": normal(12, 8) / 3, "b1": normal(12), "b2": normal(8)})
    make(f"{prefix}gated_feed_forward", "gated_feed_forward", three, {"x": normal(3, 8), "gate": normal(8, 12) / 3,
         "up": normal(8, 12) / 3, "down": normal(12, 8) / 3})
    make(f"{prefix}unembedding", "unembedding", lambda dtype, x, table: F.linear(x, table),
         {"x": normal(2, 2, 8), "table": normal(11, 8)})

words = torch.tensor([[3, 0, 3], [6, 5, 3]], dtype=torch.float64)
embedding = lambda dtype, ids, table: F.embedding(ids.long(), table) * math.sqrt(table.shape[-1])
case("embedding", "embedding", embedding, {"ids": words, "table": normal(7, 8)}, scale="sqrt_d")
leaf, g = normal(7, 8).requires_grad_(), normal(2, 3, 8)
embedding(torch.float64, words, leaf).backward(g)
for key, array in (("ids", words), ("table", leaf.detach()), ("g", g), ("d_table", leaf.grad)):
    save(f"d_embedding.f64.{key}", array)
derivatives.append({"name": "d_embedding", "op": "embedding", "inputs": ["ids", "table"], "settings": {"scale": "sqrt_d"}})

# In bf16: one rounding of the input, the function in float, one rounding of it. (Not silu, whose exponential and sum 1.13 rounds
# to bf16 as well on a CPU.)
x = (2 * normal(2, 48)).bfloat16()
save("activation_narrow.bf16.x", x.float())
for kind, function in (("gelu", F.gelu), ("sigmoid", torch.sigmoid)):
    save(f"activation_narrow.bf16.{kind}", function(x).float())
save("activation_narrow.bf16.glu", (torch.sigmoid(x[:, :24]) * x[:, 24:]).float())


# --- attention: other masks, caps, sinks, biases, grouped heads; derivatives; low precision ---------------------------------------

def hidden_by(mask, queries, keys):
    behind = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    name, _, number = mask.partition(":")
    if name == "none":
        return torch.zeros(queries, keys, dtype=torch.bool)
    if name == "sliding":
        return (behind < 0) | (behind >= int(number))
    if name == "chunked":  # Hugging Face's chunked_overlay and causal_mask_function
        places = torch.arange(keys)
        return (behind < 0) | (places[None, :] // int(number) != places[keys - queries:, None] // int(number))
    return (behind < 0) & (torch.arange(keys) >= int(number or 0))


def logits(mask="none", cap=None, log_n=None):
    """Scale, log n, cap, bias, mask, in this order."""
    def f(dtype, q, k, bias=None, padding=None):
        hidden = hidden_by(mask, q.shape[-2], k.shape[-2])
        s = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.shape[-1])
        if log_n is not None:
            s = s * ((~hidden).sum(-1, keepdim=True).double().log() / math.log(log_n)).to(dtype)
        s = s if cap is None else cap * torch.tanh(s / cap)
        s = s if bias is None else s + bias
        s = s.masked_fill(hidden, -math.inf)
        return s if padding is None else s.masked_fill(padding[:, None, None, :] == 0, -math.inf)
    return f


def softmax_with_sink(x, sink):
    """gpt-oss: one more column, dropped after the softmax."""
    if sink is None:
        return torch.softmax(x, -1)
    column = torch.tensor(sink, dtype=x.dtype).reshape(-1, 1, 1).expand(*x.shape[:-1], 1) if isinstance(sink, list) \
        else torch.full((*x.shape[:-1], 1), sink, dtype=x.dtype)
    return torch.softmax(torch.cat((x, column), -1), -1)[..., :-1]


def attention(sink=None, weights=False, **settings):
    def f(dtype, q, k, v, bias=None):
        repeats = q.shape[-3] // k.shape[-3]
        k, v = k.repeat_interleave(repeats, -3), v.repeat_interleave(repeats, -3)
        p = softmax_with_sink(logits(**settings)(dtype, q, k, bias), sink)
        return p + 0 * v.sum() if weights else torch.matmul(p, v)
    return f


generator = torch.Generator().manual_seed(20230522)
alibi = -torch.tensor([0.25, 0.0625], dtype=torch.float64)[:, None, None] * torch.arange(4, -1, -1)[None, None, :]
alibi = alibi + torch.zeros(2, 5, 5)
q, k, v = normal(2, 5, 8), normal(2, 5, 8), normal(2, 5, 6)
grouped = {"q": normal(2, 4, 3, 8), "k": normal(2, 2, 5, 8), "v": normal(2, 2, 5, 6)}
forms = (
    ("scores_prefix", "scores", logits("prefix:3", cap=1.5), {"q": normal(5, 8), "k": normal(7, 8)},
     {"mask": "prefix:3", "cap": "1.5"}),
    ("scores_log_n", "scores", logits("causal", log_n=3), {"q": normal(5, 8), "k": normal(7, 8)},
     {"mask": "causal", "log_n": "3"}),
    ("scores_bias", "scores", logits("causal"), {"q": q, "k": k, "bias": alibi}, {"mask": "causal"}),
    ("softmax_sink", "softmax", lambda dtype, x: softmax_with_sink(x, 0.5), {"x": 2 * normal(3, 9)}, {"sink": "0.5"}),
    ("attention_grouped", "attention", attention(mask="causal"), grouped, {"mask": "causal"}),
    ("attention_alibi", "attention", attention(mask="causal"), {"q": q, "k": k, "v": v, "bias": alibi},
     {"mask": "causal"}),
    ("attention_gemma", "attention", attention(mask="sliding:3", cap=1.5), {"q": q, "k": k, "v": v},
     {"mask": "sliding:3", "cap": "1.5"}),
    ("attention_sinks", "attention", attention(mask="causal", sink=[0.5, -1.0]), {"q": q, "k": k, "v": v},
     {"mask": "causal", "sink": "0.5,-1"}),
    ("attention_weights", "attention", attention(mask="causal", weights=True), {"q": q, "k": k, "v": v},
     {"mask": "causal", "output": "weights"}),
)
for name, op, function, inputs, settings in forms:
    case(name, op, function, inputs, **settings)
    derivative(f"d_{name}", op, function, inputs, **settings)
derivative("d_softmax", "softmax", lambda dtype, x: torch.softmax(x / 0.5, -1), {"x": normal(3, 9)}, temperature="0.5")
case("scores_padding", "scores", logits(), {"q": normal(2, 2, 3, 8), "k": normal(2, 2, 5, 8), "padding": torch.tensor(
    [[1.0, 1, 1, 0, 0], [0, 1, 1, 1, 1]], dtype=torch.float64)})

# Eager attention of Hugging Face in bf16: matmul, times the scale, softmax in float, back, matmul.
q, k, v = (normal(24, 16).bfloat16() for _ in range(3))
s = torch.matmul(q, k.T) * 16 ** -0.5
p = torch.softmax(s, -1, dtype=torch.float32).bfloat16()
for key, array in (("q", q), ("k", k), ("v", v), ("scores", s), ("weights", p), ("values", torch.matmul(p, v))):
    save(f"attention_narrow.bf16.{key}", array.float())

# --- stages: the norms' kin and the biases, as the norms above; whatever is stored is rounded again ---------------------------------

generator.manual_seed(20240407)


def naive_batch_norm(x, weight, bias, eps, number, sqrt):
    """The columns of x, each as a first kernel has it."""
    N = x.shape[0]
    total = squares = number(0)
    for i in range(N):
        total = total + x[i]
    mean = total / number(N)
    for i in range(N):
        squares = squares + (x[i] - mean) * (x[i] - mean)
    rstd = number(1) / sqrt(squares / number(N) + number(eps))
    return (x - mean) * rstd * weight + bias


def naive_group_norm(x, weight, bias, groups, *rest):
    """The columns of each group, as naive_layer_norm has them."""
    parts = (v.reshape(*v.shape[:-1], groups, -1) for v in (x, weight, bias))
    stack = torch.cat if isinstance(x, torch.Tensor) else numpy.concatenate
    return stack([naive_layer_norm(*(v[..., k, :] for v in group), *rest, "two_pass", "standard")
                  for group in [list(parts)] for k in range(groups)], -1)


def naive_scale_norm(x, gain, number, sqrt):
    squares = number(0)
    for j in range(x.shape[-1]):
        squares = squares + x[:, j] * x[:, j]
    return x * (number(gain) / sqrt(squares))[:, None]


def kerple_by_distance(kind, r1, r2, distance, number, log, power, store):
    if kind == "power":
        return store(-r1 * store(power(distance, r2)))
    return store(-r1 * store(log(store(number(1) + store(r2 * distance)))))


def fire_bias(weights, c, threshold, length, number, log, store):
    """Equation 2 with two hidden layers, one number after another: heads x length x length, without the mask."""
    w_in, b_in, w_mid, b_mid, w_out, b_out = weights

    def measure(distance):
        return store(log(store(number(1) + store(number(c) * number(distance)))))

    def layer(w, b, a):
        sums = []
        for row, added in zip(w, b):
            total = number(0)
            for factor, v in zip(row, a):
                total = total + factor * v
            sums.append(store(total + added))
        return sums

    def relu(values):
        return [v if v > 0 else number(0) for v in values]

    bias = torch.zeros(len(b_out), length, length)
    for m in range(length):
        for n in range(length):
            u = store(measure(abs(m - n)) / measure(max(m, threshold)))
            a = relu(layer(w_mid, b_mid, relu(layer(w_in[:, None], b_in, [u]))))
            for h, v in enumerate(layer(w_out, b_out, a)):
                bias[h, m, n] = float(v)
    return bias


distances = [1, 2, 3, 5, 40, 255, 256, 257, 300, 999]
for label in ("f16.f16", "bf16.bf16", "f16.f32"):
    data = {"x": 0.3 * normal(6, 12) + 0.5, "weight": normal(12), "bias": normal(12)}
    network = [normal(4), normal(4), normal(4, 4), normal(4), normal(2, 4), normal(2)]
    if label == "bf16.bf16":
        narrow = lambda v: v.bfloat16()
        number, store = (lambda v: torch.tensor(v, dtype=torch.bfloat16)), (lambda v: v)
        sqrt, tanh, log, power = torch.sqrt, torch.tanh, torch.log, torch.pow
        as_float = lambda v: v.float()
    else:
        wide = numpy.float32 if label == "f16.f32" else numpy.float16
        narrow = lambda v: v.numpy().astype(numpy.float16).astype(wide)
        number, store = (lambda v: wide(numpy.float16(v))), (lambda v: wide(numpy.float16(v)))
        if label == "f16.f32":
            store = lambda v: numpy.asarray(v).astype(numpy.float16).astype(numpy.float32)[()]
        sqrt, tanh, log, power = numpy.sqrt, numpy.tanh, numpy.log, numpy.power
        as_float = lambda v: torch.from_numpy(numpy.asarray(v).astype(numpy.float16).astype(numpy.float32))
    data = {what: narrow(v) for what, v in data.items()}
    exact = number if label != "f16.f32" else numpy.float32  # a constant is not stored
    x, weight, bias = data.values()
    for what, v in data.items():
        save(f"kin_naive.{label}.{what}", as_float(v))
    save(f"kin_naive.{label}.batch_norm", as_float(naive_batch_norm(x, weight, bias, naive_eps, exact, sqrt)))
    stack = torch.cat if label == "bf16.bf16" else numpy.concatenate
    save(f"kin_naive.{label}.instance_norm", as_float(stack([
        naive_batch_norm(sample, weight, bias, naive_eps, exact, sqrt) for sample in (x[:3], x[3:])])))
    save(f"kin_naive.{label}.group_norm", as_float(naive_group_norm(x, weight, bias, 3, naive_eps, exact, sqrt)))
    save(f"kin_naive.{label}.scale_norm", as_float(naive_scale_norm(x, 1.75, exact, sqrt)))
    save(f"kin_naive.{label}.dyt", as_float(weight * tanh(exact(0.7) * x) + bias))

    save(f"kin_naive.{label}.kerple", torch.stack([torch.stack([
        as_float(kerple_by_distance(kind, number(1.3), number(r2), number(float(d)), number, log, power, store)).reshape(())
        for d in distances]) for kind, r2 in (("log", 0.7), ("power", 1.1))]))

    network = [narrow(v) for v in network]
    for what, v in zip(("w_in", "b_in", "w_mid", "b_mid", "w_out", "b_out"), network):
        save(f"fire_naive.{label}.{what}", as_float(v))
    save(f"fire_naive.{label}.y", fire_bias(network, 0.1, 8.0, 12, number, log, store))


# --- group norm: the channels of a token, and those of images of five places, which lie side by side in memory -------------------

generator.manual_seed(20180322)


def group_norm(groups, places=1):
    def f(dtype, x, weight, bias):
        image = x.reshape(-1, x.shape[-1] // places, places)
        return F.group_norm(image, groups, weight[::places], bias[::places], 1e-5).reshape(x.shape)
    return f


for name, width, groups, places in (("group_norm", 24, 4, 1), ("group_norm_places", 30, 3, 5)):
    inputs = {"x": normal(2, 4, width) + 0.5} | {what: normal(width // places).repeat_interleave(places)
                                                 for what in ("weight", "bias")}
    case(name, "group_norm", group_norm(groups, places), inputs, groups=str(groups))
derivative("d_group_norm", "group_norm", group_norm(4), {"x": normal(2, 4, 24), "weight": normal(24), "bias": normal(24)},
           groups="4")

# --- what engineers asked for: packed documents, chunks, sinks by head, sums' logarithms, gpt-oss' gates, PyTorch's layout --------

generator.manual_seed(20250805)


def of_documents(x, document_id):
    """FlexAttention's document mask: a batch axis of ids, heads behind it."""
    same = document_id[..., :, None] == document_id[..., None, :]
    while same.dim() < x.dim():
        same = same.unsqueeze(-3)
    return x.masked_fill(~same[..., -x.shape[-2]:, :], -math.inf)


def masked_logits(mask, q, k, document_id=None, padding=None):
    s = logits(mask)(q.dtype, q, k, padding=padding)
    return s if document_id is None else of_documents(s, document_id)


ids = torch.tensor([4, 4, 7, 7, 7, 1], dtype=torch.float64)
pairs_of_ids = torch.tensor([[0, 0, 1, 1, 1], [5, 3, 3, 3, 2]], dtype=torch.float64)
own_keys = torch.tensor([[1.0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], dtype=torch.float64)


def masked_softmax(mask):
    def f(dtype, x, document_id=None, sinks=None):
        s = x.masked_fill(hidden_by(mask, x.shape[-2], x.shape[-1]), -math.inf)
        s = s if document_id is None else of_documents(s, document_id)
        column = None if sinks is None else sinks.reshape(-1, 1, 1).expand(*s.shape[:-1], 1)
        return torch.softmax(s, -1) if column is None else torch.softmax(torch.cat((s, column), -1), -1)[..., :-1]
    return f


def masked_lse(mask, temperature, with_sinks=False):
    def f(dtype, x, sinks=None):
        s = x.masked_fill(hidden_by(mask, x.shape[-2], x.shape[-1]), -math.inf)
        s = s if sinks is None else torch.cat((s, sinks.reshape(-1, 1, 1).expand(*s.shape[:-1], 1)), -1)
        return torch.logsumexp(s / temperature, -1)
    return f


def attention_lse(mask):
    return lambda dtype, q, k, v, bias, sinks: torch.logsumexp(torch.cat(
        (logits(mask)(dtype, q, k, bias), sinks.reshape(-1, 1, 1).expand(*q.shape[:-1], 1)), -1), -1) + 0 * v.sum()


def gpt_oss(gate, up, limit):
    """GptOssExperts of Hugging Face."""
    gate, up = gate.clamp(min=None, max=limit), up.clamp(min=-limit, max=limit)
    return (up + 1) * (gate * torch.sigmoid(gate * 1.702))


def gpt_oss_network(dtype, x, gate, up, down, gate_bias, up_bias, down_bias):
    return F.linear(gpt_oss(F.linear(x, gate, gate_bias), F.linear(x, up, up_bias), 1.0), down, down_bias)


heads = {"q": normal(2, 5, 8), "k": normal(2, 5, 8), "v": normal(2, 5, 6)}
network = {"x": normal(3, 8), "gate": normal(12, 8) / 3, "up": normal(12, 8) / 3, "down": normal(8, 12) / 3,
           "gate_bias": normal(12), "up_bias": normal(12), "down_bias": normal(8)}
forms = (
    ("scores_chunked", "scores", lambda dtype, q, k: masked_logits("chunked:3", q, k),
     {"q": normal(5, 8), "k": normal(8, 8)}, {"mask": "chunked:3"}),
    ("scores_documents", "scores", lambda dtype, q, k, document_id, padding: masked_logits("causal", q, k, document_id,
                                                                                           padding),
     {"q": normal(2, 2, 3, 8), "k": normal(2, 2, 5, 8), "document_id": pairs_of_ids, "padding": own_keys},
     {"mask": "causal"}),
    ("softmax_documents", "softmax", masked_softmax("none"), {"x": 2 * normal(4, 6), "document_id": ids}, {}),
    ("softmax_chunked_sinks", "softmax", masked_softmax("chunked:2"), {"x": 2 * normal(2, 3, 4, 5), "sinks": normal(3)},
     {"mask": "chunked:2"}),
    ("softmax_lse", "softmax", masked_lse("sliding:2", 0.5), {"x": normal(2, 4, 6)},
     {"mask": "sliding:2", "output": "lse", "temperature": "0.5"}),
    ("softmax_lse_sinks", "softmax", masked_lse("none", 1), {"x": normal(2, 3, 4), "sinks": normal(2)},
     {"output": "lse"}),
    ("attention_chunked", "attention", attention(mask="chunked:2"), heads, {"mask": "chunked:2"}),
    ("attention_lse", "attention", attention_lse("causal"), heads | {"bias": normal(5, 5), "sinks": normal(2)},
     {"mask": "causal", "output": "lse"}),
    ("swiglu_gpt_oss", "glu", lambda dtype, x: gpt_oss(x[..., ::2], x[..., 1::2], 1.5), {"x": 2 * normal(3, 20)},
     {"kind": "gelu_quick", "layout": "interleaved", "limit": "1.5", "up_offset": "1"}),
    ("glu_bilinear", "glu", gated_unit(lambda a: a, True), {"x": normal(3, 12)},
     {"kind": "bilinear", "gated": "second"}),
    ("glu_swish", "glu", gated_unit(lambda a: a * torch.sigmoid(0.75 * a), False), {"x": normal(3, 12)},
     {"kind": "swish", "beta": "0.75"}),
    ("feed_forward_linear", "feed_forward",
     lambda dtype, x, w1, w2, b1, b2: F.linear(F.relu(F.linear(x, w1, b1)), w2, b2),
     {"x": normal(3, 8), "w1": normal(12, 8) / 3, "w2": normal(8, 12) / 3, "b1": normal(12), "b2": normal(8)},
     {"kind": "relu", "weights": "out_in"}),
    ("gated_feed_forward_gpt_oss", "gated_feed_forward", gpt_oss_network, network,
     {"kind": "gelu_quick", "limit": "1", "up_offset": "1", "weights": "out_in"}),
    ("batch_norm_running", "batch_norm", lambda dtype, x, weight, bias, running_mean, running_var: F.batch_norm(
        x.reshape(-1, x.shape[-1]), running_mean.detach(), running_var.detach(), weight, bias, eps=1e-5).reshape(x.shape),
     {"x": normal(2, 4, 6), "weight": normal(6), "bias": normal(6), "running_mean": normal(6),
      "running_var": torch.rand(6, generator=generator, dtype=torch.float64) + 0.1}, {}),
)
for name, op, function, inputs, settings in forms:
    case(name, op, function, inputs, **settings)
    derivative(f"d_{name}", op, function, inputs, **settings)

# Rotary positions as Hugging Face's models run them in bf16: LlamaRotaryEmbedding and apply_rotary_pos_emb, whose product and
# sum are tensors of bf16. Far from the start, where angles in float are thousands of radians.
for width, base, first in ((64, 10000.0, 0), (128, 500000.0, 4000)):
    inv_freq = 1.0 / (base ** (torch.arange(0, width, 2, dtype=torch.int64).float() / width))
    places = (first + torch.arange(12)).float()
    freqs = (inv_freq[:, None] @ places[None, :]).transpose(0, 1)
    emb = torch.cat((freqs, freqs), -1)
    cos, sin = emb.cos().bfloat16(), emb.sin().bfloat16()
    x = normal(2, 12, width).bfloat16()
    rotated = torch.cat((-x[..., width // 2:], x[..., :width // 2]), -1)
    save(f"rope_narrow.bf16.{width}.x", x.float())
    save(f"rope_narrow.bf16.{width}.y", ((x * cos) + (rotated * sin)).float())

# Truncation before a token is drawn, as Hugging Face's warpers have it, with the token kept that crosses p.
generator.manual_seed(20241123)


def top_k(k):
    def f(dtype, x):
        order = torch.sort(x, dim=-1, descending=True, stable=True).indices
        return torch.full_like(x, -math.inf).scatter(-1, order[..., :k], x.gather(-1, order[..., :k]))
    return f


def top_p(p, temperature=1.0):
    def f(dtype, x):
        ordered, order = torch.sort(x, dim=-1, descending=True, stable=True)
        probable = torch.softmax(ordered / temperature, -1)
        return torch.empty_like(x).scatter(-1, order, ordered.masked_fill(probable.cumsum(-1) - probable >= p, -math.inf))
    return f


def min_p(p, temperature=1.0):
    def f(dtype, x):
        probable = torch.softmax(x / temperature, -1)
        return x.masked_fill(probable < p * probable.max(-1, keepdim=True).values, -math.inf)
    return f


for name, op, function, inputs, settings in (
    ("top_k", "top_k", top_k(7), {"x": 3 * normal(2, 3, 40)}, {"k": "7"}),
    ("top_k_ties", "top_k", top_k(5), {"x": (2 * normal(6, 12)).round()}, {"k": "5"}),
    ("top_p", "top_p", top_p(0.9), {"x": 2 * normal(2, 3, 40)}, {"p": "0.9"}),
    ("top_p_warm", "top_p", top_p(0.6, 2.5), {"x": 3 * normal(5, 33)}, {"p": "0.6", "temperature": "2.5"}),
    ("top_p_near_one", "top_p", top_p(0.99999), {"x": 3 * normal(5, 64)}, {"p": "0.99999"}),
    ("min_p", "min_p", min_p(0.05), {"x": 2 * normal(2, 3, 40)}, {"min_p": "0.05"}),
    ("min_p_cold", "min_p", min_p(0.2, 0.5), {"x": normal(5, 33)}, {"min_p": "0.2", "temperature": "0.5"}),
):
    case(name, op, function, inputs, **settings)

# --- norms that average something else: InstanceNorm1d on channels before positions, RMSNorm with a bias, BatchNorm's averages ----

generator.manual_seed(20160727)


def instance_norm(dtype, x, weight=None, bias=None):
    channels_first = x.reshape(-1, *x.shape[-2:]).transpose(-1, -2)
    return F.instance_norm(channels_first, weight=weight, bias=bias, eps=1e-5).transpose(-1, -2).reshape(x.shape)


def rms_norm_with_bias(offset=0.0):
    return lambda dtype, x, weight, bias: rms_norm(1e-6, offset=offset)(dtype, x, weight) + bias


for name, op, function, shape, settings in (
    ("instance_norm", "instance_norm", instance_norm, (3, 5, 20), {}),
    ("instance_norm_axes", "instance_norm", instance_norm, (2, 2, 7, 6), {}),
    ("rms_norm_bias", "rms_norm", rms_norm_with_bias(), (2, 3, 24), {}),
    ("rms_norm_bias_gemma", "rms_norm", rms_norm_with_bias(1.0), (2, 3, 24), {"weight_offset": "1"}),
):
    inputs = {"x": 0.5 + normal(*shape)} | {what: normal(shape[-1]) for what in ("weight", "bias")}
    case(name, op, function, inputs, **settings)
    derivative(f"d_{name}", op, function, {what: normal(*x.shape) for what, x in inputs.items()}, **settings)
case("instance_norm_plain", "instance_norm", instance_norm, {"x": 3 + normal(4, 9)})

# BatchNorm1d in training, step by step: what it keeps, and what it makes of a batch in evaluation.
layer = torch.nn.BatchNorm1d(6, eps=1e-5, momentum=0.2, affine=False, dtype=torch.float64)
batches = 1.5 + 2 * normal(7, 5, 6)
training, means, variances, evaluated = [], [], [], []
for batch in batches:
    layer.train()
    training.append(layer(batch))
    means.append(layer.running_mean.clone())
    variances.append(layer.running_var.clone())
    layer.eval()
    evaluated.append(layer(batches[0]))
for key, tensors in (("training", training), ("mean", means), ("var", variances), ("evaluation", evaluated)):
    save(f"batch_norm_steps.{key}", torch.stack(tensors))
save("batch_norm_steps.x", batches)

(OUT / "derivatives.json").write_text(json.dumps(derivatives, indent=1) + "\n")
(OUT / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")
