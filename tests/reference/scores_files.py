#!/usr/bin/python3
"""attention/scores of one head out of files, against the layers that made them.

    tests/reference/scores_files.py PROGRAM [--rounds 20] [--seed 1] [--keep FOLDER]

Hidden states and the projections of an attention layer, all heads of it, are written as a .safetensors (by the format's
description: nothing here knows of Orrery), its queries, keys and values as .npy in every shape that is taken. What the study
says of one head is compared with plain arithmetic in double; and where PyTorch is at hand, that arithmetic with the weights and
outputs of torch.nn.MultiheadAttention, whose shared key heads are laid out by repeat_interleave. Allowed: 1e-12 of the largest
in a column. What is projected is rounded to floats before it meets: a product is off by 2^-23 of the sum of its terms' sizes,
and so much more is allowed. Exit 1 where anything exceeds it. With --keep the files of each case stay, to be opened in the window.
"""

import json
import math
import pathlib
import struct
import sys
import tempfile

from arithmetic import ALLOWED, singles
from studies import judge, tables

try:
    import torch.nn  # the folder torch beside this file is no module of that name
except ImportError:
    torch = None

KEEP = None
KEPT = iter(range(10**6))


def shape_of(x):
    shape = []
    while isinstance(x, list):
        shape.append(len(x))
        x = x[0]
    return shape


def flat(x):
    return [v for each in x for v in flat(each)] if isinstance(x, list) else [x]


def save_npy(path, x):
    shape = shape_of(x)
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                     struct.pack(f"<{len(flat(x))}f", *flat(x)))


def save_safetensors(path, tensors):
    header, data = {}, b""
    for name, x in tensors.items():
        raw = struct.pack(f"<{len(flat(x))}f", *flat(x))
        header[name] = {"dtype": "F32", "shape": shape_of(x), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def product(a, b):
    """a bᵀ"""
    return [[math.fsum(map(float.__mul__, r, c)) for c in b] for r in a]


def head_of(x, head, d):
    return [row[head * d:(head + 1) * d] for row in x]


def softmax(row):
    top = max(row)
    powers = [math.exp(v - top) for v in row]
    return [p / math.fsum(powers) for p in powers]


class Layer:
    """x and its projections; H heads of queries, some of which share a head of keys and values."""

    def __init__(self, rng, tokens, width, heads, shared, d):
        normal = lambda rows, cols, size: [singles([rng.gauss(0, size) for _ in range(cols)]) for _ in range(rows)]
        self.d, self.heads, self.shared, self.tokens = d, heads, shared, tokens
        self.x = normal(tokens, width, 1)
        size = 1.5 / math.sqrt(width)
        self.wq, self.wk, self.wv = (normal(n * d, width, size) for n in (heads, heads // shared, heads // shared))
        self.q, self.k, self.v = (product(self.x, w) for w in (self.wq, self.wk, self.wv))

    def attention(self, head, causal, first, count):
        """scores, weights and outputs of those tokens alone"""
        part = lambda x, h: head_of(x, h, self.d)[first:first + count]
        q, k, v = part(self.q, head), part(self.k, head // self.shared), part(self.v, head // self.shared)
        scores = [[s / math.sqrt(self.d) for s in row] for row in product(q, k)]
        weights = [softmax(row[:m + 1] if causal else row) for m, row in enumerate(scores)]
        weights = [row + [0.0] * (count - len(row)) for row in weights]
        outputs = [[math.fsum(map(float.__mul__, row, column)) for column in zip(*v)] for row in weights]
        if torch is not None:
            self.judge(head, causal, first, count, weights, outputs)
        return scores, weights, outputs

    def judge(self, head, causal, first, count, weights, outputs):
        """What is above beside torch.nn.MultiheadAttention in double; its last projection leaves everything as it is."""
        of = lambda x: torch.tensor(x, dtype=torch.float64)
        wide = lambda w: of(w).reshape(-1, self.d, len(w[0])).repeat_interleave(self.shared, 0).flatten(0, 1)
        width = self.heads * self.d
        layer = torch.nn.MultiheadAttention(width, self.heads, bias=False, batch_first=True, kdim=len(self.x[0]),
                                            vdim=len(self.x[0])).double()
        with torch.no_grad():
            # Its queries come in its own width: they are projected before, and W_q leaves them as they are.
            weights_in = (torch.eye(width, dtype=torch.float64), wide(self.wk), wide(self.wv))
            if layer.in_proj_weight is not None:  # where all widths are one, it keeps the three in one
                layer.in_proj_weight.copy_(torch.cat(weights_in))
            else:
                for weight, own in zip((layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight), weights_in):
                    weight.copy_(own)
            layer.out_proj.weight.copy_(torch.eye(width))
            x = of(self.x)[None, first:first + count]
            hidden = torch.ones(count, count, dtype=torch.bool).triu(1) if causal else None
            o, a = layer(x @ of(self.wq).T, x, x, attn_mask=hidden, average_attn_weights=False)
        for name, found, wanted in (("weights", a[0, head], weights),
                                    ("outputs", o[0, :, head * self.d:(head + 1) * self.d], outputs)):
            off = (found - of(wanted)).abs().max().item()
            if not off < 1e-12:
                sys.exit(f"torch.nn.MultiheadAttention has other {name}: {off}")


def by_heads(x, d):
    return [head_of(x, h, d) for h in range(len(x[0]) // d)]


def scores_files(program, rng, worst, default):
    shared = 1 if default else rng.choice([1, 2, 3])
    heads = 4 if default else shared * rng.randint(1, 3)
    d = 16 if default else 2 * rng.randint(1, 12)
    tokens = 12 if default else rng.randint(1, 40)
    layer = Layer(rng, tokens, 64 if default else rng.choice([heads * d, rng.randint(2, 80)]), heads, shared, d)
    count = min(tokens, 24 if default else rng.randint(2, 24))
    first = rng.randint(0, tokens - count)
    head, causal = rng.randrange(heads), rng.random() < 0.5
    scores, weights, outputs = layer.attention(head, causal, first, count)
    common = {"positions": "none", "mask": "causal" if causal else "none", "head": head, "head_width": d, "first": first,
              "length": max(2, count)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if KEEP:
            folder = KEEP / f"layer-{next(KEPT)}"
            folder.mkdir(parents=True, exist_ok=True)
        number = rng.randint(0, 31)
        name = f"model.layers.{number}.self_attn."
        save_safetensors(folder / "model.safetensors",
                         {"hidden": [layer.x] if rng.random() < 0.5 else layer.x, name + "q_proj.weight": layer.wq,
                          name + "k_proj.weight": layer.wk, name + "v_proj.weight": layer.wv})
        at = f"{folder}/model.safetensors#"
        layers = at + "model.layers.{layer}.self_attn."
        meet_all(program, worst, {**common, "content": "projections", "hidden": at + "hidden", "layer": number,
                                  "wq": layers + "q_proj.weight", "wk": layers + "k_proj.weight",
                                  "wv": layers + "v_proj.weight"}, scores, weights, outputs, rounded_by=1e-5)
        # Floats as they lie in files: nothing more is rounded.
        layer.q, layer.k, layer.v = ([singles(row) for row in x] for x in (layer.q, layer.k, layer.v))
        settings = {**common, "content": "files"}
        for role in "qkv":
            x = getattr(layer, role)
            shaped = rng.choice([x, [x], by_heads(x, d), [by_heads(x, d)]])
            if len(shape_of(shaped)) == 3 and len(shaped) == 1 and shaped[0] is not x:
                shaped = [shaped]  # one head stands behind a batch, else it would be one
            save_npy(folder / f"{role}.npy", shaped)
            settings[f"{role}_file"] = folder / f"{role}.npy"
        meet_all(program, worst, settings, *in_floats(layer, head, causal, first, count), rounded_by=0)


def in_floats(layer, head, causal, first, count):
    global torch
    kept, torch = torch, None  # its queries are others now
    found = layer.attention(head, causal, first, count)
    torch = kept
    return found


def meet_all(program, worst, settings, scores, weights, outputs, rounded_by):
    found = tables(program, "attention/scores", settings)
    meet = lambda column, has, want: worst.meet("attention/scores from files", column, has, want, settings, rounded_by)
    for n in range(len(scores)):
        meet(f"scores of key {n}", found["scores"][f"key {n}"], [row[n] for row in scores])
        # A weight is beside 1, the sum of its row.
        meet(f"weights of key {n}", [1 + w for w in found["weights"][f"key {n}"]], [1 + row[n] for row in weights])
    for j in range(min(16, len(outputs[0]))):
        meet(f"component {j}", found["outputs"][f"component {j}"], [row[j] for row in outputs])
    meet("head", found["files"]["head"][-1:], [settings["head"] // (found["files"]["heads"][-3] // found["files"]["heads"][-1])])


if __name__ == "__main__":
    if "--keep" in sys.argv:
        at = sys.argv.index("--keep")
        KEEP = pathlib.Path(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    judge(__doc__, (scores_files,), ALLOWED)
