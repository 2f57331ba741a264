#!/usr/bin/env python3
"""A hidden state and the matrices of a real module, saved by PyTorch, beside what `orrery inspect` says of them.

    tests/reference/tensors.py build/release/orrery [--keep FOLDER] [--seed N]

A LayerNorm and a MultiheadAttention of torch.nn make a hidden state. It, w_q, w_k and the gain are written as
.safetensors (by the format's description: this file knows nothing of Orrery), in f32, f16 and bf16, in one file and in two
with their index; and as .npy. Names, shapes, types, every statistic and both histograms are compared with NumPy's in double.
With --keep the files stay, to be opened in the window.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
import torch


def bits(tensor):
    """(type as safetensors calls it, little-endian bytes)"""
    if tensor.dtype == torch.bfloat16:
        return "BF16", tensor.contiguous().view(torch.int16).numpy().astype("<i2").tobytes()
    name = {torch.float32: "F32", torch.float16: "F16", torch.float64: "F64"}[tensor.dtype]
    return name, tensor.contiguous().numpy().tobytes()


def save_safetensors(path, tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        dtype, raw = bits(tensor)
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def model(seed, width=256, heads=4, tokens=96):
    torch.manual_seed(seed)
    norm, attention = torch.nn.LayerNorm(width), torch.nn.MultiheadAttention(width, heads, batch_first=True)
    with torch.no_grad():
        norm.weight.add_(0.02 * torch.randn(width))
        x = torch.randn(1, tokens, width)
        x[..., 17] *= 30  # a feature that stands out, as those of trained models do
        hidden = x + attention(norm(x), norm(x), norm(x))[0]
        wq, wk, _ = attention.in_proj_weight.chunk(3)
    return {"model.layers.0.hidden_state": hidden[0].detach().clone(),
            "model.layers.0.self_attn.q_proj.weight": wq.detach().clone(),
            "model.layers.0.self_attn.k_proj.weight": wk.detach().clone(),
            "model.layers.0.input_layernorm.weight": norm.weight.detach().clone()}


def type_in(path, tensor):
    """what the file calls the type"""
    return str(tensor.dtype)[6:] if str(path).endswith(".npy") else bits(tensor)[0]


class Judge:
    def __init__(self, program):
        self.program, self.worst, self.wrong, self.count = program, 0.0, 0, 0

    def inspect(self, path):
        return json.loads(subprocess.run([self.program, "inspect", str(path), "--json"], check=True,
                                         capture_output=True).stdout)

    def same(self, what, found, right):
        self.count += 1
        if found != right:
            self.wrong += 1
            print(f"{what}: found {found}, NumPy has {right}")

    def near(self, what, found, right, bound=1e-12):
        self.count += 1
        error = abs(found - right) / max(abs(right), 1e-300)
        self.worst = max(self.worst, error)
        if error > bound:
            self.wrong += 1
            print(f"{what}: found {found}, NumPy has {right}, {error:.1e} apart")

    def judge(self, path, tensor):
        said = self.inspect(path)[0]
        x = tensor.double().numpy()
        self.same(f"{path}: shape", said["shape"], list(x.shape))
        self.same(f"{path}: type", said["dtype"], type_in(path, tensor))
        self.same(f"{path}: min", said["min"], x.min())
        self.same(f"{path}: max", said["max"], x.max())
        self.near(f"{path}: mean", said["mean"], x.mean(dtype=np.longdouble), 1e-11)
        self.near(f"{path}: deviation", said["deviation"], x.std(dtype=np.longdouble))
        self.near(f"{path}: norm", said["norm"], np.linalg.norm(x.ravel()))
        self.same(f"{path}: zeros", said["zeros"], int((x == 0).sum()))
        self.same(f"{path}: farthest", said["farthest"]["at"],
                  [int(i) for i in np.unravel_index(np.abs(x).argmax(), x.shape)])
        h = said["histogram"]
        edges = h["low"] + h["width"] * np.arange(len(h["counts"]) + 1)
        # NumPy's last bin has its right end too.
        self.same(f"{path}: histogram", h["counts"], np.histogram(x, np.append(edges, np.inf))[0][:-1].tolist())
        self.same(f"{path}: all counted", sum(h["counts"]), x.size)
        exponents = np.frexp(x[x != 0])[1] - 1
        signs = x[x != 0] > 0
        for each in said["magnitudes"]:
            there = exponents == each["exponent"]
            self.same(f"{path}: 2^{each['exponent']}", [each["negative"], each["positive"]],
                      [int((there & ~signs).sum()), int((there & signs).sum())])
        self.same(f"{path}: all magnitudes counted", sum(each["negative"] + each["positive"] for each in said["magnitudes"]),
                  int((x != 0).sum()))
        if x.ndim > 1:
            norms = np.linalg.norm(x, axis=-1).ravel()
            for each, row in zip(said["largest_rows"], np.argsort(-norms, kind="stable")):
                self.same(f"{path}: row", each["row"], int(row))
                self.near(f"{path}: row {row}", each["norm"], norms[row])


def main():
    words = argparse.ArgumentParser()
    words.add_argument("program")
    words.add_argument("--keep", type=pathlib.Path)
    words.add_argument("--seed", type=int, default=0)
    asked = words.parse_args()
    judge = Judge(asked.program)
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        tensors = model(asked.seed)
        for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
            cast = {name: tensor.to(dtype) for name, tensor in tensors.items()}
            one = folder / f"{str(dtype)[6:]}.safetensors"
            save_safetensors(one, cast)
            listed = {each["name"]: each for each in judge.inspect(one)}
            judge.same(f"{one}: names", sorted(listed), sorted(cast))
            for name, tensor in cast.items():
                judge.same(f"{one}#{name}: bytes", listed[name]["bytes"], tensor.numel() * tensor.element_size())
                judge.judge(f"{one}#{name}", tensor)
        split = folder / "model"
        split.mkdir(exist_ok=True)
        names, places = list(tensors), {}
        for i, some in enumerate((names[:1], names[1:]), 1):
            shard = f"model-{i:05}-of-00002.safetensors"
            save_safetensors(split / shard, {name: tensors[name] for name in some})
            places |= {name: shard for name in some}
        index = split / "model.safetensors.index.json"
        index.write_text(json.dumps({"metadata": {}, "weight_map": places}))
        for listed in (judge.inspect(index), judge.inspect(split)):
            judge.same(f"{index}: shards", {each["name"]: each["shard"] for each in listed}, places)
        for name, tensor in tensors.items():
            judge.judge(f"{index}#{name}", tensor)
            judge.judge(f"{split}/#{name}", tensor)
        for name, tensor in tensors.items():
            path = folder / f"{name.split('.')[-2]}.npy"
            np.save(path, tensor.numpy())
            judge.judge(path, tensor)
    print(f"{judge.count} comparisons, {judge.wrong} wrong; worst relative error {judge.worst:.1e}")
    return judge.wrong > 0


if __name__ == "__main__":
    sys.exit(main())
