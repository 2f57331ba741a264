#!/usr/bin/env python3
"""Writes tests/reference/positions.json: biases and rotations of positions, and their derivatives by autograd.

    python3 make_torch_positions.py          (Debian 12: python3-torch 1.13.1)

All in double. T5's buckets are Hugging Face's _relative_position_bucket and FIRE the listing of its paper, written out;
the slopes are get_slopes of ALiBi's published code; M-RoPE's axes are put together as Qwen2-VL and Qwen3-VL do it.
"""

import json
import math
import pathlib

import torch

torch.set_num_threads(1)
generator = torch.Generator().manual_seed(20240301)
out = {}


def normal(*shape):
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def entry(t):
    return {"shape": list(t.shape), "values": t.detach().double().flatten().tolist()}


def case(name, function, inputs, **settings):
    """The result, and the derivative of sum(g * result) by every input."""
    leaves = {key: x.clone().requires_grad_() for key, x in inputs.items()}
    y = function(**leaves)
    g = normal(*y.shape)
    torch.where(torch.isfinite(y), g * y, torch.zeros_like(y)).sum().backward()
    y = torch.where(torch.isfinite(y), y, torch.full_like(y, -1e300))  # JSON has no infinities
    out[name] = {"settings": settings, "inputs": {k: entry(v) for k, v in inputs.items()}, "y": entry(y), "g": entry(g),
                 "gradients": {k: entry(v.grad) for k, v in leaves.items()}}


# --- T5 ------------------------------------------------------------------------------------------------------------------------

def relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance):
    relative_buckets = 0
    if bidirectional:
        num_buckets //= 2
        relative_buckets += (relative_position > 0).to(torch.long) * num_buckets
        relative_position = torch.abs(relative_position)
    else:
        relative_position = -torch.min(relative_position, torch.zeros_like(relative_position))
    max_exact = num_buckets // 2
    is_small = relative_position < max_exact
    relative_position_if_large = max_exact + (torch.log(relative_position.float() / max_exact)
                                              / math.log(max_distance / max_exact)
                                              * (num_buckets - max_exact)).to(torch.long)
    relative_position_if_large = torch.min(relative_position_if_large,
                                           torch.full_like(relative_position_if_large, num_buckets - 1))
    return relative_buckets + torch.where(is_small, relative_position, relative_position_if_large)


def t5_bias(length, bidirectional, num_buckets, max_distance):
    def f(table):
        positions = torch.arange(length)
        buckets = relative_position_bucket(positions[None, :] - positions[:, None], bidirectional, num_buckets,
                                           max_distance)
        return torch.nn.functional.embedding(buckets, table).permute(2, 0, 1)
    return f


case("t5_bias", t5_bias(12, False, 6, 9), {"table": normal(6, 3)}, length="12", num_buckets="6", max_distance="9")
case("t5_bias_bidirectional", t5_bias(10, True, 8, 7), {"table": normal(8, 2)}, length="10", num_buckets="8",
     max_distance="7", direction="bidirectional")
for name, bidirectional, num_buckets, max_distance in (("causal", False, 32, 128), ("bidirectional", True, 32, 128),
                                                       ("causal_64_1000", False, 64, 1000)):
    distances = torch.arange(-1100, 1101)
    buckets = relative_position_bucket(distances, bidirectional, num_buckets, max_distance).tolist()
    # Where it changes: [first distance, bucket] …
    out[f"buckets_{name}"] = [[d, b] for d, b, before in zip(distances.tolist(), buckets, [None] + buckets) if b != before]


# --- FIRE ----------------------------------------------------------------------------------------------------------------------

def fire(length, c, threshold, causal):
    def f(w_in, b_in, w_out, b_out, w_mid=None, b_mid=None):
        positions = torch.arange(length, dtype=torch.float64)
        relative = torch.log(torch.abs(c * (positions[:, None] - positions[None, :])) + 1)
        normalizer = torch.log(torch.abs(c * torch.clamp(positions, min=threshold)) + 1)[:, None]
        a = torch.relu((relative / normalizer).unsqueeze(-1) * w_in + b_in)
        if w_mid is not None:
            a = torch.relu(torch.nn.functional.linear(a, w_mid, b_mid))
        y = torch.nn.functional.linear(a, w_out, b_out).permute(2, 0, 1)
        return y.masked_fill(positions[None, :] > positions[:, None], -math.inf) if causal else y
    return f


case("fire", fire(9, 0.1, 4.0, True), {"w_in": normal(8), "b_in": normal(8), "w_out": normal(2, 8), "b_out": normal(2)},
     length="9", threshold="4")
case("fire_deep", fire(7, 0.5, 16.0, False),
     {"w_in": normal(6), "b_in": normal(6), "w_mid": normal(6, 6), "b_mid": normal(6), "w_out": normal(3, 6),
      "b_out": normal(3)}, length="7", c="0.5", threshold="16", direction="bidirectional")


# --- ALiBi ---------------------------------------------------------------------------------------------------------------------

def get_slopes(n):
    def get_slopes_power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start ** i for i in range(n)]
    if math.log2(n).is_integer():
        return get_slopes_power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return get_slopes_power_of_2(closest) + get_slopes(2 * closest)[0::2][:n - closest]


out["alibi_slopes"] = {str(n): get_slopes(n) for n in (1, 3, 5, 7, 14, 25, 71)}


# --- rotary positions ----------------------------------------------------------------------------------------------------------

def rotate_half(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


def mrope(positions, sections, interleaved, base):
    """Qwen2-VL's apply_multimodal_rotary_pos_emb, and Qwen3-VL's apply_interleaved_mrope."""
    def f(x):
        inv_freq = base ** -(torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
        freqs = positions.double()[:, :, None] * inv_freq  # axes × T × pairs
        if interleaved:
            mixed = freqs[0].clone()
            for axis in (1, 2):
                taken = slice(axis, sections[axis] * 3, 3)
                mixed[:, taken] = freqs[axis][:, taken]
            emb = torch.cat((mixed, mixed), -1)
        else:
            emb = torch.cat((freqs, freqs), -1)
            emb = torch.cat([m[i % 3] for i, m in enumerate(emb.split(sections * 2, dim=-1))], -1)
        return x * emb.cos() + rotate_half(x) * emb.sin()
    return f


places = torch.tensor([[0, 0, 1, 1, 7], [0, 1, 0, 1, 7], [3, 2, 1, 0, 7]])
out["mrope_positions"] = entry(places)
case("mrope", mrope(places, [2, 3, 3], False, 1e6), {"x": normal(2, 5, 16)}, layout="half", base="1000000",
     mrope_section="2,3,3")
case("mrope_interleaved", mrope(places, [4, 2, 2], True, 5e6), {"x": normal(2, 5, 16)}, layout="half", base="5000000",
     mrope_section="4,2,2", mrope_interleaved="true")


def xpos(sign):
    """torchscale's xPos: sin and cos times scale ** sign, offset 0."""
    def f(x):
        length, dim = x.shape[-2], x.shape[-1]
        scale = (torch.arange(0, dim, 2, dtype=torch.float64) + 0.4 * dim) / (1.4 * dim)
        power = scale ** (torch.arange(length, dtype=torch.float64)[:, None] / 512 * sign)
        angle = torch.arange(length, dtype=torch.float64)[:, None] * 10000 ** -(
            torch.arange(0, dim, 2, dtype=torch.float64) / dim)
        c, s = ((t * power).repeat_interleave(2, -1) for t in (angle.cos(), angle.sin()))
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
        return x * c + turned * s
    return f


case("xpos_query", xpos(1), {"x": normal(6, 12)}, xpos="true")
case("xpos_key", xpos(-1), {"x": normal(6, 12)}, xpos="true", kind="k")

path = pathlib.Path(__file__).parent / "positions.json"
path.write_text(json.dumps(out, separators=(",", ":")) + "\n")
