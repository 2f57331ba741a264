#!/usr/bin/env python3
"""Writes tests/reference/walk: two small models as PyTorch computes them, in double, with matrices on the way.

    python3 make_walk.py          (Debian 12: python3-torch 1.13.1)

original.safetensors: nn.Transformer of one layer each (Post-LN, ReLU, a norm at the end of both stacks), its arrays under the names
that core/transformer has; embeddings times sqrt(D) plus sinusoids, logits by the table. llama.safetensors: RMSNorm before each
sublayer, RoPE of neighbours, two query heads to a key head, SwiGLU, no biases, a head of its own; written out from the paper and
LLaMA's published code. walk.json: what they give for the tokens in it. Number k of a file, counted through its arrays, is
make_transformer.scattered(k) times 1.6, and 1 more in a gain.
"""

import json
import math
import pathlib
import struct

import torch
import torch.nn.functional as F

OUT = pathlib.Path(__file__).parent / "walk"
torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
V, D, H, HIDDEN = 7, 4, 2, 6
SOURCE, PADDING = [3, 1, 4, 0, 0], [False, False, False, True, True]
TARGET = [2, 6, 5]


def scattered(k):
    h = (k + 1) * 2654435761 % 2**32
    h = (h ^ (h >> 15)) * 2246822519 % 2**32
    return h / 2**32 - 0.5


class Arrays:
    def __init__(self):
        self.all, self.count = {}, 0

    def __call__(self, name, *shape, gain=False):
        size = math.prod(shape)
        numbers = [(1.0 if gain else 0.0) + 1.6 * scattered(k) for k in range(self.count, self.count + size)]
        self.count += size
        self.all[name] = torch.tensor(numbers).reshape(shape)
        return self.all[name]

    def save(self, path):
        header, data = {"__metadata__": {"format": "pt"}}, b""
        for name, x in self.all.items():
            raw = struct.pack(f"<{x.numel()}d", *x.flatten().tolist())
            header[name] = {"dtype": "F64", "shape": list(x.shape), "data_offsets": [len(data), len(data) + len(raw)]}
            data += raw
        head = json.dumps(header).encode()
        head += b" " * (-len(head) % 8)
        path.write_bytes(struct.pack("<Q", len(head)) + head + data)


def sinusoids(length):
    at = torch.arange(length).unsqueeze(1) * 10000.0 ** (-torch.arange(0, D, 2) / D)
    return torch.stack((at.sin(), at.cos()), -1).flatten(1)


def fill(arrays, path, layer, cross):
    """The module's parameters out of arrays under our names."""
    with torch.no_grad():
        for ours, theirs in [("self_attention", layer.self_attn)] + ([("cross_attention", layer.multihead_attn)] if cross else []):
            w = [arrays(f"{path}.{ours}.{a}.weight", D, D) for a in "qkv"]
            b = [arrays(f"{path}.{ours}.{a}.bias", D) for a in "qkv"]
            theirs.in_proj_weight.copy_(torch.cat(w))
            theirs.in_proj_bias.copy_(torch.cat(b))
            theirs.out_proj.weight.copy_(arrays(f"{path}.{ours}.out.weight", D, D))
            theirs.out_proj.bias.copy_(arrays(f"{path}.{ours}.out.bias", D))
        layer.linear1.weight.copy_(arrays(f"{path}.feed_forward.up.weight", HIDDEN, D))
        layer.linear1.bias.copy_(arrays(f"{path}.feed_forward.up.bias", HIDDEN))
        layer.linear2.weight.copy_(arrays(f"{path}.feed_forward.down.weight", D, HIDDEN))
        layer.linear2.bias.copy_(arrays(f"{path}.feed_forward.down.bias", D))
        subs = ["self_attention"] + (["cross_attention"] if cross else []) + ["feed_forward"]
        for sub, norm in zip(subs, [layer.norm1, layer.norm2] + ([layer.norm3] if cross else [])):
            norm.weight.copy_(arrays(f"{path}.{sub}.norm_after.weight", D, gain=True))
            norm.bias.copy_(arrays(f"{path}.{sub}.norm_after.bias", D))


def original():
    arrays = Arrays()
    table = arrays("token_embedding.weight", V, D)
    net = torch.nn.Transformer(D, H, 1, 1, HIDDEN, 0.0, "relu", batch_first=True)  # training: without the shortcut that drops padded rows; no dropout
    fill(arrays, "encoder.layers.0", net.encoder.layers[0], False)
    fill(arrays, "decoder.layers.0", net.decoder.layers[0], True)
    with torch.no_grad():
        for stack, norm in (("encoder", net.encoder.norm), ("decoder", net.decoder.norm)):
            norm.weight.copy_(arrays(f"{stack}.norm.weight", D, gain=True))
            norm.bias.copy_(arrays(f"{stack}.norm.bias", D))
        arrays.save(OUT / "original.safetensors")
        hidden = torch.tensor([PADDING])
        x = (table[SOURCE] * math.sqrt(D) + sinusoids(len(SOURCE))).unsqueeze(0)
        y = (table[TARGET] * math.sqrt(D) + sinusoids(len(TARGET))).unsqueeze(0)
        ahead = torch.ones(len(TARGET), len(TARGET)).triu(1).bool()
        memory = net.encoder(x, src_key_padding_mask=hidden)
        layer = net.decoder.layers[0]
        x1 = layer.norm1(y + layer.self_attn(y, y, y, attn_mask=ahead)[0])
        crossed, weights = layer.multihead_attn(x1, memory, memory, key_padding_mask=hidden, average_attn_weights=False)
        out = net.decoder(y, memory, tgt_mask=ahead, memory_key_padding_mask=hidden)
        logits = out[0] @ table.T
    return {"memory": memory[0].tolist(), "cross_weights": weights[0].tolist(), "cross_output": crossed[0].tolist(),
            "cross_normed": layer.norm2(x1 + crossed)[0].tolist(), "logits": logits.tolist(), "probabilities": logits.softmax(-1).tolist()}


def rms(x, gain):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * gain


def turned(x):
    """LLaMA's apply_rotary_emb: neighbours are a complex number."""
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    freqs = 10000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = torch.outer(torch.arange(x.shape[0]), freqs)
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def llama():
    arrays = Arrays()
    table = arrays("token_embedding.weight", V, D)
    p, d, tokens = "decoder.layers.0", D // H, TARGET
    before = arrays(f"{p}.self_attention.norm_before.weight", D, gain=True)
    wq, wk, wv, wo = (arrays(f"{p}.self_attention.{a}.weight", rows, D) for a, rows in (("q", D), ("k", d), ("v", d), ("out", D)))
    before_network = arrays(f"{p}.feed_forward.norm_before.weight", D, gain=True)
    gate, up = (arrays(f"{p}.feed_forward.{a}.weight", HIDDEN, D) for a in ("gate", "up"))
    down = arrays(f"{p}.feed_forward.down.weight", D, HIDDEN)
    last, head = arrays("decoder.norm.weight", D, gain=True), arrays("head.weight", V, D)
    arrays.save(OUT / "llama.safetensors")
    x = table[tokens]
    n = rms(x, before)
    k, v = turned(n @ wk.T), n @ wv.T
    ahead = torch.ones(len(tokens), len(tokens)).triu(1).bool()
    weights, heads = [], []
    for h in range(H):
        q = turned((n @ wq.T)[:, h * d:(h + 1) * d])
        weights.append((q @ k.T / math.sqrt(d)).masked_fill(ahead, -math.inf).softmax(-1))
        heads.append(weights[-1] @ v)
    x = x + torch.cat(heads, 1) @ wo.T
    n = rms(x, before_network)
    activated = F.silu(n @ gate.T) * (n @ up.T)
    x = x + activated @ down.T
    logits = rms(x, last) @ head.T
    return {"weights": [w.tolist() for w in weights], "activated": activated.tolist(), "logits": logits.tolist(),
            "probabilities": logits.softmax(-1).tolist()}


OUT.mkdir(exist_ok=True)
(OUT / "walk.json").write_text(json.dumps({"original": original(), "llama": llama()}, indent=1) + "\n")
