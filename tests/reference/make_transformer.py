#!/usr/bin/env python3
"""Writes tests/reference/transformer: small Transformers as PyTorch computes them, in double: logits, loss and every gradient.

    python3 make_transformer.py          (Debian 12: python3-torch 1.13.1, python3-numpy 1.24.2)

Models that torch.nn has (nn.TransformerEncoder, nn.Transformer; norm_first or not) are those modules, their arrays given out
under other names. All others are written out from the papers and from published model code, as plainly as can be, and
differentiated by autograd.

cases.json lists them: what a model is made of, its arrays in order, the batch, the loss. Numbers of the arrays are not stored:
number k of a case, counted through its arrays in that order, is scattered(k) below, times 0.8, and 1 more in a gain. Any
program makes them again to the bit. NAME.logits.npy; NAME.gradient.npy: all arrays' one behind the other.
"""

import json
import math
import pathlib

import numpy
import torch
import torch.nn.functional as F

OUT = pathlib.Path(__file__).parent / "transformer"
torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)

SPREAD = 0.8
IGNORED = -1
B, T, S, V, D, H, HIDDEN, LENGTH = 2, 5, 4, 7, 8, 2, 12, 6
TOKENS = torch.tensor([[3, 1, 4, 1, 5], [2, 6, 5, 3, 0]])
TARGETS = torch.tensor([[1, 4, 1, 5, 2], [6, IGNORED, 3, 5, IGNORED]])
SOURCE = torch.tensor([[2, 0, 6, 1], [5, 5, 3, 2]])
cases = []


def scattered(k):
    """In [-1/2, 1/2): k times Knuth's 2654435761, mixed once more, modulo 2^32."""
    h = (k + 1) * 2654435761 % 2**32
    h = (h ^ (h >> 15)) * 2246822519 % 2**32
    return h / 2**32 - 0.5


class Arrays:
    """The arrays of a model, made as they are asked for."""

    def __init__(self):
        self.all, self.count = {}, 0

    def __call__(self, name, *shape, gain=False):
        size = math.prod(shape)
        numbers = [(1.0 if gain else 0.0) + SPREAD * scattered(k) for k in range(self.count, self.count + size)]
        self.count += size
        self.all[name] = torch.tensor(numbers).reshape(shape).requires_grad_()
        return self.all[name]

    def linear(self, path, inputs, outputs, bias=True):
        w = self(path + ".weight", outputs, inputs)
        b = self(path + ".bias", outputs) if bias else None
        return w, b

    def layer_norm(self, path, width=D):
        return self(path + ".weight", width, gain=True), self(path + ".bias", width)


def case(name, run, config, padding=None, source_padding=None):
    """run(arrays, padding, source_padding) → logits B × T × V. Padding: flags, False where there is no token."""
    arrays = Arrays()
    logits = run(arrays, padding, source_padding)
    loss = F.cross_entropy(logits.reshape(-1, V), TARGETS.reshape(-1), ignore_index=IGNORED)
    loss.backward()
    gradient = torch.cat([a.grad.reshape(-1) for a in arrays.all.values()])
    numpy.save(OUT / f"{name}.logits.npy", logits.detach().reshape(-1, V).numpy())
    numpy.save(OUT / f"{name}.gradient.npy", gradient.numpy())
    one = {"name": name, "config": config, "arrays": [[n, list(a.shape)] for n, a in arrays.all.items()],
           "gains": [n for n, a in arrays.all.items() if "norm" in n and n.endswith("weight")], "loss": loss.item(),
           "tokens": TOKENS.flatten().tolist(), "targets": TARGETS.flatten().tolist(), "length": T, "sequences": B}
    if config.get("family") == "encoder_decoder":
        one |= {"source": SOURCE.flatten().tolist(), "source_length": S}
    for key, flags in (("padding", padding), ("source_padding", source_padding)):
        if flags is not None:
            one[key] = flags.int().flatten().tolist()
    cases.append(one)


def causal_mask():
    return torch.ones(T, T, dtype=torch.bool).tril()


# --- torch.nn ----------------------------------------------------------------------------------------------------------------

def torch_attention(arrays, path, into, prefix):
    q, k, v = (arrays.linear(f"{path}.{x}", D, D) for x in "qkv")
    out = arrays.linear(f"{path}.out", D, D)
    into[prefix + ".in_proj_weight"] = torch.cat([w for w, _ in (q, k, v)])
    into[prefix + ".in_proj_bias"] = torch.cat([b for _, b in (q, k, v)])
    into[prefix + ".out_proj.weight"], into[prefix + ".out_proj.bias"] = out


def torch_layer(arrays, path, into, prefix, norm_first, cross):
    """One nn.TransformerEncoderLayer or DecoderLayer: its parameters by the module's names."""
    place = "norm_before" if norm_first else "norm_after"
    parts = [("self_attention", "self_attn")] + ([("cross_attention", "multihead_attn")] if cross else [])
    number = 1
    for part, module in parts:
        w, b = arrays.layer_norm(f"{path}.{part}.{place}")
        into[f"{prefix}.norm{number}.weight"], into[f"{prefix}.norm{number}.bias"] = w, b
        torch_attention(arrays, f"{path}.{part}", into, f"{prefix}.{module}")
        number += 1
    w, b = arrays.layer_norm(f"{path}.feed_forward.{place}")
    into[f"{prefix}.norm{number}.weight"], into[f"{prefix}.norm{number}.bias"] = w, b
    for own, module, inputs, outputs in (("up", "linear1", D, HIDDEN), ("down", "linear2", HIDDEN, D)):
        w, b = arrays.linear(f"{path}.feed_forward.{own}", inputs, outputs)
        into[f"{prefix}.{module}.weight"], into[f"{prefix}.{module}.bias"] = w, b


def torch_stack(layers, norm_first, activation, causal, final_norm):
    """nn.TransformerEncoder: with a causal mask it is what others call a decoder."""
    def run(arrays, padding, _):
        stack = "decoder" if causal else "encoder"
        table = arrays("token_embedding.weight", V, D)
        positions = arrays(f"{stack}.position_embedding.weight", LENGTH, D)
        layer = torch.nn.TransformerEncoderLayer(D, H, HIDDEN, 0.0, activation, norm_first=norm_first, batch_first=True)
        module = torch.nn.TransformerEncoder(layer, layers, torch.nn.LayerNorm(D) if final_norm else None)
        into = {}
        for l in range(layers):
            torch_layer(arrays, f"{stack}.layers.{l}", into, f"layers.{l}", norm_first, False)
        if final_norm:
            into["norm.weight"], into["norm.bias"] = arrays.layer_norm(f"{stack}.norm")
        x = table[TOKENS] + positions[:T]
        y = torch.nn.utils.stateless.functional_call(
            module, into, (x, ~causal_mask() if causal else None, None if padding is None else ~padding))
        return y @ table.T
    return run


def torch_transformer(encoder_layers, layers, norm_first, activation):
    """nn.Transformer: it has a norm at the end of both stacks, norm_first or not."""
    def run(arrays, padding, source_padding):
        table = arrays("token_embedding.weight", V, D)
        into, positions = {}, {}
        for stack, count in (("encoder", encoder_layers), ("decoder", layers)):
            positions[stack] = arrays(f"{stack}.position_embedding.weight", LENGTH, D)
            for l in range(count):
                torch_layer(arrays, f"{stack}.layers.{l}", into, f"{stack}.layers.{l}", norm_first, stack == "decoder")
            into[f"{stack}.norm.weight"], into[f"{stack}.norm.bias"] = arrays.layer_norm(f"{stack}.norm")
        head = arrays("head.weight", V, D)
        module = torch.nn.Transformer(D, H, encoder_layers, layers, HIDDEN, 0.0, activation, norm_first=norm_first,
                                      batch_first=True)
        y = torch.nn.utils.stateless.functional_call(
            module, into, (table[SOURCE] + positions["encoder"][:S], table[TOKENS] + positions["decoder"][:T]),
            {"tgt_mask": ~causal_mask(), "src_key_padding_mask": ~source_padding,
             "memory_key_padding_mask": ~source_padding, "tgt_key_padding_mask": ~padding})
        return y @ head.T
    return run


padding = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]], dtype=torch.bool)
ragged = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], dtype=torch.bool)
source_padding = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]], dtype=torch.bool)

case("torch_post", torch_stack(2, False, "gelu", True, False), {"placement": "post"})
case("torch_pre", torch_stack(2, True, "gelu", True, True), {"placement": "pre"})
case("torch_encoder_post", torch_stack(2, False, "relu", False, False),
     {"family": "encoder", "placement": "post", "activation": "relu"}, padding=ragged)
case("torch_encoder_pre", torch_stack(2, True, "relu", False, True),
     {"family": "encoder", "placement": "pre", "activation": "relu"}, padding=ragged)
for place in ("post", "pre"):
    case(f"torch_transformer_{place}", torch_transformer(1, 2, place == "pre", "relu"),
         {"family": "encoder_decoder", "placement": place, "activation": "relu", "encoder_layers": 1, "final_norm": True,
          "tied": False}, padding, source_padding)


# --- written out -------------------------------------------------------------------------------------------------------------

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh")}


def rms(x, weight, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


def make_norm(arrays, path, c, width=D):
    eps = c.get("eps", 1e-5)
    if c.get("norm") == "rms":
        weight = arrays(path + ".weight", width, gain=True)
        return lambda x: rms(x, weight, eps)
    weight, bias = arrays.layer_norm(path, width)
    return lambda x: F.layer_norm(x, (width,), weight, bias, eps)


def rotate(x, c):
    """x: B × heads × length × d."""
    d = x.shape[-1]
    width = c.get("rotary_dim", d)
    theta = 10000.0 ** -(torch.arange(0, width, 2) / width)
    angle = torch.arange(x.shape[-2])[:, None] * theta
    turned, rest = x[..., :width], x[..., width:]
    if c.get("rope_layout") == "interleaved":
        pairs = torch.view_as_complex(turned.reshape(*turned.shape[:-1], -1, 2).contiguous())
        turned = torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)
    else:
        cos, sin = torch.cat((angle, angle), -1).cos(), torch.cat((angle, angle), -1).sin()
        first, second = turned.chunk(2, -1)
        turned = turned * cos + torch.cat((-second, first), -1) * sin
    return torch.cat((turned, rest), -1)


def t5_bucket(relative, bidirectional, buckets, max_distance):
    """Hugging Face transformers, T5Attention._relative_position_bucket."""
    result = torch.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        result += (relative > 0).long() * buckets
        relative = relative.abs()
    else:
        relative = -torch.min(relative, torch.zeros_like(relative))
    max_exact = buckets // 2
    large = max_exact + (torch.log(relative.double() / max_exact) / math.log(max_distance / max_exact)
                         * (buckets - max_exact)).long()
    large = torch.min(large, torch.full_like(large, buckets - 1))
    return result + torch.where(relative < max_exact, relative, large)


def make_bias(arrays, stack, length, causal, c):
    """H × length × length, or 0."""
    relative = torch.arange(length)[None, :] - torch.arange(length)[:, None]      # key - query
    heads = c.get("heads", H)
    if c.get("positions") == "alibi":
        slopes = torch.tensor([2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)])
        return -slopes[:, None, None] * relative.abs()
    if c.get("positions") == "t5":
        table = arrays(f"{stack}.position_bias.weight", c["t5_buckets"], heads)
        return table[t5_bucket(relative, not causal, c["t5_buckets"], c["t5_distance"])].permute(2, 0, 1)
    if c.get("positions") == "fire":
        M = c["fire_width"]
        w1, b1 = arrays.linear(f"{stack}.position_bias.in", 1, M)
        w2, b2 = arrays.linear(f"{stack}.position_bias.mid", M, M)
        w3, b3 = arrays.linear(f"{stack}.position_bias.out", M, heads)
        psi = lambda x: torch.log(c["fire_c"] * x + 1)
        reach = torch.arange(length).clamp(min=c["fire_threshold"])[:, None]
        u = psi(relative.abs().double()) / psi(reach.double())
        a = F.relu(F.linear(F.relu(F.linear(u[..., None], w1, b1)), w2, b2))
        return F.linear(a, w3, b3).permute(2, 0, 1)
    return 0.0


def make_attention(arrays, path, c):
    heads, shared = c.get("heads", H), c.get("key_value_heads", c.get("heads", H))
    d, bias = c.get("head_width", D // heads), c.get("bias", True)
    q, k, v = (arrays.linear(f"{path}.{x}", D, n * d, bias) for x, n in (("q", heads), ("k", shared), ("v", shared)))
    norms = None
    if "qk_norm" in c:
        whole = c["qk_norm"] == "whole"
        norms = [make_norm(arrays, f"{path}.{x}_norm", c, n * d if whole else d) for x, n in (("q", heads), ("k", shared))]
    out = arrays.linear(f"{path}.out", heads * d, D, bias)

    def attend(x, memory, visible, added, rotated):
        flat = [F.linear(y, *w) for y, w in ((x, q), (memory, k), (memory, v))]
        if norms and c["qk_norm"] == "whole":
            flat = [norms[0](flat[0]), norms[1](flat[1]), flat[2]]
        qs, ks, vs = (y.reshape(y.shape[0], y.shape[1], -1, d).transpose(1, 2) for y in flat)
        if norms and c["qk_norm"] == "heads":
            qs, ks = norms[0](qs), norms[1](ks)
        if rotated:
            qs, ks = rotate(qs, c), rotate(ks, c)
        ks, vs = (y.repeat_interleave(heads // shared, 1) for y in (ks, vs))
        scores = qs @ ks.transpose(-2, -1) * c.get("score_scale", 1 / math.sqrt(d))
        if "score_cap" in c:
            scores = c["score_cap"] * torch.tanh(scores / c["score_cap"])
        scores = (scores + added).masked_fill(~visible, -math.inf)
        mixed = (scores.softmax(-1) @ vs).transpose(1, 2).flatten(-2)
        return F.linear(mixed, *out)
    return attend


def make_network(arrays, path, c):
    bias, f = c.get("bias", True), ACTIVATIONS[c.get("activation", "gelu")]
    gate = arrays.linear(path + ".gate", D, HIDDEN, bias) if c.get("gated") else None
    up = arrays.linear(path + ".up", D, HIDDEN, bias)
    down = arrays.linear(path + ".down", HIDDEN, D, bias)
    if gate:
        return lambda x: F.linear(f(F.linear(x, *gate)) * F.linear(x, *up), *down)
    return lambda x: F.linear(f(F.linear(x, *up)), *down)


def identity(x):
    return x


def make_sublayer(arrays, path, c, make, alpha):
    """The sublayer in its residual connection, each placement by its formula."""
    place = c.get("placement", "pre")
    norm = lambda name: make_norm(arrays, f"{path}.{name}", c)
    if place == "pre":
        n = norm("norm_before")
        f = make()
        return lambda x, *a: x + f(n(x), *a)
    if place == "post":
        n = norm("norm_after")
        f = make()
        return lambda x, *a: n(x + f(x, *a))
    if place == "deep_norm":
        n = norm("norm_after")
        f = make()
        return lambda x, *a: n(alpha * x + f(x, *a))
    if place == "sandwich":
        n, n2 = norm("norm_before"), norm("norm_inner")
        f = make()
        return lambda x, *a: x + n2(f(n(x), *a))
    if place == "output":
        n = norm("norm_inner")
        f = make()
        return lambda x, *a: x + n(f(x, *a))
    raise ValueError(place)


def make_block(arrays, path, c, cross, alpha):
    place = c.get("placement", "pre")
    if place in ("parallel", "parallel_one_norm"):
        n1 = make_norm(arrays, f"{path}.self_attention.norm_before", c)
        attend = make_attention(arrays, f"{path}.self_attention", c)
        n2 = make_norm(arrays, f"{path}.feed_forward.norm_before", c) if place == "parallel" else n1
        network = make_network(arrays, f"{path}.feed_forward", c)
        return lambda x, visible, added, rotated, *_: (
            x + attend(n1(x), n1(x), visible, added, rotated) + network(n2(x)))

    def itself():
        attend = make_attention(arrays, f"{path}.self_attention", c)
        return lambda n, visible, added, rotated: attend(n, n, visible, added, rotated)

    def towards():
        attend = make_attention(arrays, f"{path}.cross_attention", c)
        return lambda n, memory, visible: attend(n, memory, visible, 0.0, False)

    s = make_sublayer(arrays, f"{path}.self_attention", c, itself, alpha)
    m = make_sublayer(arrays, f"{path}.cross_attention", c, towards, alpha) if cross else None
    f = make_sublayer(arrays, f"{path}.feed_forward", c, lambda: make_network(arrays, f"{path}.feed_forward", c), alpha)

    def block(x, visible, added, rotated, memory, memory_visible):
        x = s(x, visible, added, rotated)
        if cross:
            x = m(x, memory, memory_visible)
        return f(x)
    return block


def sinusoidal(length):
    i = torch.arange(D // 2)
    angle = torch.arange(length)[:, None] * 10000.0 ** -(2 * i / D)
    return torch.stack((angle.sin(), angle.cos()), -1).flatten(-2)


def make_stack(arrays, stack, c, layers, causal, alpha, table):
    positions = c.get("positions", "learned")
    added_rows = (arrays(f"{stack}.position_embedding.weight", LENGTH, D) if positions == "learned"
                  else sinusoidal(LENGTH) if positions == "sinusoidal" else torch.zeros(LENGTH, D))
    embedding_norm = make_norm(arrays, f"{stack}.embedding_norm", c) if c.get("embedding_norm") else identity
    length = T if stack == "decoder" or c.get("family") == "encoder" else S
    bias = make_bias(arrays, stack, length, causal, c)
    cross = stack == "decoder" and c.get("family") == "encoder_decoder"
    blocks = [make_block(arrays, f"{stack}.layers.{l}", c, cross, alpha) for l in range(layers)]
    ends_normed = c.get("placement", "pre") in ("post", "deep_norm")
    final = make_norm(arrays, f"{stack}.norm", c) if c.get("final_norm", not ends_normed) else identity

    def run(ids, padding, memory, memory_padding):
        scale = math.sqrt(D) if c.get("scaled_embedding") else 1.0
        x = embedding_norm(scale * table[ids] + added_rows[:ids.shape[1]])
        visible = torch.ones(length, length, dtype=torch.bool)
        if causal:
            visible = visible.tril()
        if "window" in c:
            visible = visible & visible.new_ones(length, length).triu(1 - c["window"])
        visible = visible[None, None]
        if padding is not None:
            visible = visible & padding[:, None, None, :]
        seen = None if memory_padding is None else memory_padding[:, None, None, :]
        for block in blocks:
            x = block(x, visible, bias, positions == "rope", memory, seen)
        return final(x)
    return run


def model(c):
    def run(arrays, padding, source_padding):
        table = arrays("token_embedding.weight", V, D)
        layers, family = c.get("layers", 2), c.get("family", "decoder")
        N = c.get("encoder_layers", layers)
        alone = (2 * layers) ** 0.25
        memory = None
        if family == "encoder_decoder":
            encoder = make_stack(arrays, "encoder", c, N, False, 0.81 * (N**4 * layers) ** (1 / 16), table)
            memory = encoder(SOURCE, source_padding, None, None)
            alone = (3 * layers) ** 0.25
        name = "encoder" if family == "encoder" else "decoder"
        stack = make_stack(arrays, name, c, layers, name == "decoder", alone, table)
        head = table if c.get("tied", True) else arrays("head.weight", V, D)
        return stack(TOKENS, padding, memory, source_padding) @ head.T
    return run


def written(name, padding=None, source_padding=None, **config):
    case(name, model(config), config, padding, source_padding)


written("vaswani", placement="post", positions="sinusoidal", activation="relu", scaled_embedding=True)
written("llama", norm="rms", eps=1e-6, activation="silu", gated=True, bias=False, positions="rope", heads=4,
        key_value_heads=2, tied=False)
written("bloom", positions="alibi", activation="gelu_tanh", embedding_norm=True)
written("no_positions", positions="none", key_value_heads=1)
written("peri", placement="sandwich", embedding_norm=True, norm="rms", eps=1e-5)
written("olmo2", placement="output", qk_norm="whole", norm="rms", eps=1e-6, positions="rope", activation="silu", gated=True,
        bias=False, tied=False)
written("neox", placement="parallel", positions="rope", rotary_dim=2, tied=False)
written("palm", placement="parallel_one_norm", positions="rope", rope_layout="interleaved", key_value_heads=1,
        activation="silu", gated=True, bias=False)
written("deep_norm", placement="deep_norm")
written("qwen3", norm="rms", eps=1e-6, qk_norm="heads", activation="silu", gated=True, bias=False, positions="rope",
        heads=4, key_value_heads=2, head_width=4)
written("vit22b_qk_norm", qk_norm="heads", positions="none", norm="layer")
written("gemma2", placement="sandwich", norm="rms", eps=1e-6, positions="rope", activation="gelu_tanh", gated=True, bias=False,
        score_cap=2.0, window=3, scaled_embedding=True, heads=4, key_value_heads=2)
written("fire", positions="fire", fire_c=0.5, fire_threshold=3.0, fire_width=4)
written("bert", family="encoder", placement="post", embedding_norm=True, padding=ragged)
written("t5", padding, source_padding, family="encoder_decoder", encoder_layers=1, positions="t5", t5_buckets=8,
        t5_distance=6, norm="rms", eps=1e-6, activation="relu", bias=False, score_scale=1.0)
written("deep_norm_both", padding, source_padding, family="encoder_decoder", encoder_layers=2, layers=1,
        placement="deep_norm", activation="relu")

OUT.mkdir(exist_ok=True)
(OUT / "cases.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
