#!/usr/bin/env python3
"""Loads what `orrery train` left, with PyTorch alone, and has the logits that `orrery evaluate --logits` writes.

    /usr/bin/python3 checkpoint.py build/release/orrery          (Debian 12: python3-torch 1.13.1; 77: there is none)

A .safetensors is eight bytes, a JSON header, and numbers as they lie: no package is needed. The model is written out from
papers: decoders with norms before each part, learned positions or RoPE, in double.
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
    import torch
    import torch.nn.functional as F
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

torch.set_num_threads(1)


def load(path):
    bytes_ = pathlib.Path(path).read_bytes()
    size, = struct.unpack("<Q", bytes_[:8])
    header = json.loads(bytes_[8:8 + size])
    header.pop("__metadata__", None)
    types = {"F32": torch.float32, "I64": torch.int64}
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        part = bytearray(bytes_[8 + size + begin:8 + size + end])
        arrays[name] = torch.frombuffer(part, dtype=types[entry["dtype"]]).reshape(entry["shape"])
    return arrays


def logits(w, ids, heads, layers, rope):
    """A decoder with LayerNorm (or RMSNorm, where there is no shift) before each part."""
    w = {name: a.double() for name, a in w.items()}
    T, D = len(ids), w["token_embedding.weight"].shape[1]

    def norm(path, x):
        if path + ".bias" in w:
            return F.layer_norm(x, (D,), w[path + ".weight"], w[path + ".bias"], 1e-5)
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * w[path + ".weight"]

    def linear(path, x):
        return F.linear(x, w[path + ".weight"], w.get(path + ".bias"))

    def turned(x):
        half = x.shape[-1] // 2
        angle = torch.arange(T).double()[:, None] * 10000.0 ** (-torch.arange(half).double() / half)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)

    def split(x):
        return x.reshape(T, heads, -1).transpose(0, 1)

    x = w["token_embedding.weight"][ids]
    if not rope:
        x = x + w["decoder.position_embedding.weight"][:T]
    hidden = torch.full((T, T), -math.inf, dtype=torch.double).triu(1)
    for layer in range(layers):
        path = f"decoder.layers.{layer}."
        n = norm(path + "self_attention.norm_before", x)
        q, k, v = (split(linear(path + "self_attention." + name, n)) for name in "qkv")
        if rope:
            q, k = turned(q), turned(k)
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]) + hidden, -1)
        x = x + linear(path + "self_attention.out", (weights @ v).transpose(0, 1).reshape(T, -1))
        n = norm(path + "feed_forward.norm_before", x)
        x = x + linear(path + "feed_forward.down", F.gelu(linear(path + "feed_forward.up", n)))
    return F.linear(norm("decoder.norm", x), w["head.weight"])


def check(program, folder, name, rope, model):
    settings = folder / (name + ".toml")
    settings.write_text("orrery = 1\n[task]\nkind = \"markov\"\nlength = 24\nsequences = 4\n[training]\nsteps = 40\n"
                        "[model]\nwidth = 32\nheads = 4\nhidden = 64\n" + model)
    run = folder / name
    subprocess.run([program, "train", settings, "-o", run], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "evaluate", run, "--lengths", "20", "--sequences", "1", "--logits", folder / "z.npy"],
                   check=True, stdout=subprocess.DEVNULL)
    theirs = numpy.load(folder / "z.npy")
    ids = torch.from_numpy(numpy.load(folder / "z.tokens.npy").astype(numpy.int64)).reshape(-1)
    ours = logits(load(run / "checkpoint.safetensors"), ids, 4, 2, rope).numpy()
    assert theirs.shape == ours.shape, (theirs.shape, ours.shape)
    # Two layers of float: sums of 64 products at most, each rounded to 2^-24, a few dozen of them behind each other.
    difference, size = abs(theirs - ours).max(), abs(ours).max()
    print(f"{name}: logits up to {size:.3g} differ by {difference:.2g}")
    assert difference < 1e-4 * size


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        check(program, pathlib.Path(folder), "learned", False, "positions = \"learned\"\n")
        check(program, pathlib.Path(folder), "rope", True, "positions = \"rope\"\nnorm = \"rms\"\nbias = false\n")


main()
