#!/usr/bin/env python3
"""Writes tests/reference/block_starts.json: gradients of small stacks of blocks at the start of training, as PyTorch's autograd has them.

    python3 make_block_starts.py          (Debian 12: python3-torch 1.13.1, python3-numpy 1.24.2)

paths    What of a gradient has come through exactly m sublayers, for block/gradient-path. No recursion over layers is made for
         that: every sublayer F is replaced by λF + (1 − λ)F', F' the same number without a gradient. The forward pass stays what
         it is, and the gradient becomes a polynomial in λ whose coefficient of λ^m is the part that came through m sublayers; it
         is found from as many gradients as the polynomial has coefficients.

starts   Loss, mean squares of the stream and gradients of small language models as they begin, for block/init.

Weights, tokens and the top's gradient are drawn again as Orrery draws them (arithmetic.py): every array has a stream of its
own, the FNV-1a hash of its name.
"""

import json
import math
import pathlib

import numpy
import torch
import torch.nn.functional as F

from arithmetic import normals, uniform

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)

EPS = 1e-5
STREAM_OF_TOKENS, STREAM_OF_GRADIENT = 1, 2
STREAM_OF_IDS, STREAM_OF_TARGETS = 0, 1


def fnv1a(name):
    h = 2166136261
    for c in name.encode():
        h = (h ^ c) * 16777619 % 2**32
    return h


def drawn(seed, name, rows, cols, deviation):
    if deviation == 0:
        return torch.zeros(rows, cols)
    return deviation * torch.tensor(normals(seed, fnv1a(name), rows, cols))


def spread(kind, outputs, inputs):
    return {"xavier": math.sqrt(2 / (inputs + outputs)), "he": math.sqrt(2 / inputs), "lecun": math.sqrt(1 / inputs),
            "normal": 0.02}[kind]


class Block:
    def __init__(self, path, c):
        D, beta = c["width"], (8 * c["depth"]) ** -0.25 if c["placement"] == "deep_norm" else 1
        into = 0 if c.get("zero") else beta / math.sqrt(2 * c["depth"]) if c.get("scaled") else beta
        sizes = {"self_attention.q": (D, D, 1), "self_attention.k": (D, D, 1), "self_attention.v": (D, D, beta),
                 "self_attention.out": (D, D, into), "feed_forward.up": (4 * D, D, beta),
                 "feed_forward.down": (D, 4 * D, into)}
        self.w = {n: drawn(c["seed"], f"{path}.{n}.weight", o, i, spread(c["init"], o, i) * by)
                  for n, (o, i, by) in sizes.items()}
        self.c = c

    def attention(self, n):
        (T, D), H = n.shape, max(1, self.c["width"] // 16)
        q, k, v = ((n @ self.w[f"self_attention.{x}"].T).reshape(T, H, D // H).transpose(0, 1) for x in "qkv")
        s = q @ k.transpose(-1, -2) / math.sqrt(D // H)
        s = s.masked_fill(~torch.ones(T, T, dtype=torch.bool).tril(), -math.inf)
        return (s.softmax(-1) @ v).transpose(0, 1).reshape(T, D) @ self.w["self_attention.out"].T

    def network(self, n):
        f = {"relu": F.relu, "gelu": F.gelu}[self.c["activation"]]
        return f(n @ self.w["feed_forward.up"].T) @ self.w["feed_forward.down"].T


def norm(x, c):
    if c["norm"] == "rms":
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPS)
    return F.layer_norm(x, x.shape[-1:], eps=EPS)


def residual_sum(x, sublayer, c):
    """Xiong et al. 2020; Ding et al. 2021; OLMo 2; Wang et al. 2022; and without the residual connection."""
    place = c["placement"]
    return {"pre": lambda: x + sublayer(norm(x, c)), "post": lambda: norm(x + sublayer(x), c),
            "sandwich": lambda: x + norm(sublayer(norm(x, c)), c), "output": lambda: x + norm(sublayer(x), c),
            "deep_norm": lambda: norm((2 * c["depth"]) ** 0.25 * x + sublayer(x), c),
            "none": lambda: sublayer(norm(x, c))}[place]()


def gradients(c, blocks, x0, g, factor):
    """Of the stream at every place, where each sublayer passes back `factor` times its gradient."""
    def passing(f):
        return lambda n: (lambda y: factor * y + (1 - factor) * y.detach())(f(n))
    stream = [x0.clone().requires_grad_()]
    for block in blocks:
        stream.append(residual_sum(stream[-1], passing(block.attention), c))
        stream.append(residual_sum(stream[-1], passing(block.network), c))
    return torch.autograd.grad(stream[-1], stream, g)


def paths(c):
    seed, T, D, sums = c["seed"], c["tokens"], c["width"], 2 * c["depth"]
    blocks = [Block(f"decoder.layers.{l}", c) for l in range(c["depth"])]
    x0 = torch.tensor(normals(seed, STREAM_OF_TOKENS, T, D))
    g = torch.tensor(normals(seed, STREAM_OF_GRADIENT, T, D))
    nodes = numpy.cos(numpy.pi * (numpy.arange(sums + 1) + 0.5) / (sums + 1))
    found = [gradients(c, blocks, x0, g, float(node)) for node in nodes]
    inverse = torch.tensor(numpy.linalg.inv(numpy.vander(nodes, increasing=True)))
    whole = gradients(c, blocks, x0, g, 1.0)
    result = {"gradient": [], "identity": [], "shares": []}
    for place in range(sums + 1):
        parts = torch.einsum("mn,ntd->mtd", inverse, torch.stack([each[place] for each in found]))
        of = [float((p * whole[place]).sum() / whole[place].pow(2).sum()) for p in parts]
        result["gradient"].append(float(whole[place].norm() / g.norm()))
        result["identity"].append(float(parts[0].norm() / g.norm()))
        result["shares"].append(of[:3] + [sum(of[3:])])
    return result


STARTS = {"xavier": dict(init="xavier"), "he": dict(init="he"), "lecun": dict(init="lecun"), "normal": dict(init="normal"),
          "gpt2": dict(init="normal", scaled=True), "zero": dict(init="lecun", zero=True)}
KINDS = [("self_attention.q", "self_attention.k"), ("self_attention.v",), ("self_attention.out",), ("feed_forward.up",),
         ("feed_forward.down",), ()]


def start(c):
    seed, T, D, V = c["seed"], c["tokens"], c["width"], c["vocabulary"]
    c = c | STARTS[c["start"]] | {"norm": "layer", "activation": "relu"}
    ids = [[int(uniform(seed, stream, t) * V) for t in range(T)] for stream in (STREAM_OF_IDS, STREAM_OF_TARGETS)]
    embedding = drawn(seed, "token_embedding.weight", V, D, 0.02 if c["init"] == "normal" else 1).requires_grad_()
    head = embedding if c["tied"] else drawn(seed, "head.weight", V, D, spread(c["init"], V, D)).requires_grad_()
    blocks = [Block(f"decoder.layers.{l}", c) for l in range(c["depth"])]
    gains = [[torch.full((D,), c["gain"]).requires_grad_() for _ in range(2)] for _ in blocks]
    for block in blocks:
        for w in block.w.values():
            w.requires_grad_()
    stream = [embedding[ids[0]]]
    for block, (before_attention, before_network) in zip(blocks, gains):
        # With norms before the sublayers they have the gain; with norms behind the sum it is theirs.
        for gain, sublayer in ((before_attention, block.attention), (before_network, block.network)):
            x = stream[-1]
            if c["placement"] == "pre":
                stream.append(x + sublayer(F.layer_norm(x, (D,), gain, eps=EPS)))
            else:
                stream.append(F.layer_norm(x + sublayer(x), (D,), gain, eps=EPS))
    y = F.layer_norm(stream[-1], (D,), eps=EPS) if c["placement"] == "pre" else stream[-1]
    loss = F.cross_entropy(y @ head.T, torch.tensor(ids[1]))
    loss.backward()
    length = lambda arrays: math.sqrt(sum(float(a.grad.pow(2).sum()) for a in arrays))
    by_kind = [[length([block.w[n] for n in kind] or own) for block, own in zip(blocks, gains)] for kind in KINDS]
    return {"loss": loss.item(), "variance": [float(x.pow(2).mean()) for x in stream[::2]], "gradients": by_kind}


PATHS = [dict(placement=p, depth=3, width=32, tokens=5, seed=4, init="xavier", norm="layer", activation="relu")
         for p in ("pre", "sandwich", "output", "post", "deep_norm", "none")]
PATHS += [dict(placement=p, depth=2, width=16, tokens=7, seed=9, init="he", norm="rms", activation="gelu", scaled=True)
          for p in ("pre", "post", "deep_norm")]

BASE = dict(depth=3, width=32, tokens=5, vocabulary=16, seed=4, gain=1.0)
MODELS = [BASE | dict(start=name, placement=place, tied=place == "post") for name in STARTS for place in ("pre", "post")]
MODELS += [BASE | dict(start="gpt2", placement="pre", tied=True, gain=0.5)]

if __name__ == "__main__":
    out = pathlib.Path(__file__).parent / "block_starts.json"
    with open(out, "w") as file:
        json.dump({"paths": [c | paths(c) for c in PATHS], "starts": [c | start(c) for c in MODELS]}, file, indent=1)
        file.write("\n")
