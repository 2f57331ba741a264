#!/usr/bin/env python3
"""PyTorch as a contender of compare.py: what a person would write with it, on tensors that already exist.

The protocol is that of peer.h: load NAME, time.
"""

import math
import os
import re
import sys
import time

import torch
import torch.nn.functional as F

SPREAD = float(os.environ.get("ORRERY_SPREAD", "3"))
torch.set_num_threads(2)
torch.set_grad_enabled(False)
torch.set_flush_denormal(False)


def filled(which, *shape):
    """Multiples of the golden ratio, modulo 1, spread over -SPREAD … SPREAD: as every contender fills its inputs."""
    count = math.prod(shape)
    i = torch.arange(count, dtype=torch.float64) + (1 + 1000003.0 * which)
    return (2 * SPREAD * torch.fmod(i * 0.6180339887498949, 1.0) - SPREAD).to(torch.float32).reshape(shape)


def layer_norm(rows, cols):
    x, w, b = filled(0, rows, cols), torch.ones(cols), torch.zeros(cols)
    return lambda: F.layer_norm(x, (cols,), w, b, 1e-5)


def rms_norm(rows, cols):
    x, w = filled(0, rows, cols), torch.ones(cols)
    return lambda: x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * w


def batch_norm(rows, cols):
    x, w, b = filled(0, rows, cols), torch.ones(cols), torch.zeros(cols)
    return lambda: F.batch_norm(x, None, None, w, b, training=True, eps=1e-5)


def instance_norm(samples, positions, cols):
    """On channels before positions, as it wants them: the transpose is free of charge."""
    x, w, b = filled(0, samples, positions, cols).transpose(1, 2).contiguous(), torch.ones(cols), torch.zeros(cols)
    return lambda: F.instance_norm(x, weight=w, bias=b, eps=1e-5).transpose(1, 2)


def group_norm(rows, cols):
    x, w, b = filled(0, rows, cols), torch.ones(cols), torch.zeros(cols)
    return lambda: F.group_norm(x, 32, w, b, 1e-5)


def scale_norm(rows, cols):
    x = filled(0, rows, cols)
    return lambda: x / torch.linalg.vector_norm(x, dim=-1, keepdim=True).clamp_min(1e-5)


def dyt(rows, cols):
    x, w, b = filled(0, rows, cols), torch.ones(cols), torch.zeros(cols)
    return lambda: torch.tanh(0.5 * x) * w + b


def rope_angles(tokens, width):
    speeds = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.arange(tokens, dtype=torch.float64)[:, None] * speeds


def rope_half(heads, tokens, width):
    x, angles = filled(0, heads, tokens, width), rope_angles(tokens, width)
    cos, sin = (torch.cat([t, t], -1).float() for t in (angles.cos(), angles.sin()))
    half = width // 2
    return lambda: x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def rope_interleaved(heads, tokens, width):
    x, angles = filled(0, heads, tokens, width // 2, 2), rope_angles(tokens, width)
    turn = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)
    pairs = torch.view_as_complex(x)
    return lambda: torch.view_as_real(pairs * turn)


def softmax(rows, cols):
    x = filled(0, rows, cols)
    return lambda: torch.softmax(x, -1)


def hidden(tokens):
    return torch.ones(tokens, tokens, dtype=torch.bool).triu(1)


def softmax_causal(rows, cols):
    x, mask = filled(0, rows, cols), hidden(rows)
    return lambda: torch.softmax(x.masked_fill(mask, -math.inf), -1)


ACTIVATIONS = {
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
}


def activation(kind, rows, cols):
    x, f = filled(0, rows, cols), ACTIVATIONS[kind]
    return lambda: f(x)


def swiglu(rows, cols):
    x, half = filled(0, rows, cols), cols // 2
    return lambda: F.silu(x[:, :half]) * x[:, half:]


def feed_forward(tokens, width, hidden):
    x, w1, w2 = filled(0, tokens, width), filled(1, width, hidden), filled(2, hidden, width)
    return lambda: F.gelu(x @ w1) @ w2


def gated_feed_forward(tokens, width, hidden):
    x, gate, up = filled(0, tokens, width), filled(1, width, hidden), filled(2, width, hidden)
    down = filled(3, hidden, width)
    return lambda: (F.silu(x @ gate) * (x @ up)) @ down


def embedding(words, tokens, width):
    table, ids = filled(0, words, width), torch.arange(tokens) * 7919 % words
    return lambda: F.embedding(ids, table)


def unembedding(words, tokens, width):
    x, table = filled(0, tokens, width), filled(1, words, width)
    return lambda: x @ table.T


def sinusoidal(length, width):
    """The table as the paper's code makes it; the angle in float, as every framework does."""
    speeds = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    table = torch.empty(length, width)

    def make():
        angles = torch.arange(length, dtype=torch.float32)[:, None] * speeds
        table[:, 0::2] = torch.sin(angles)
        table[:, 1::2] = torch.cos(angles)
        return table

    return make


def masked_scores(tokens, width):
    q, k, mask = filled(0, tokens, width), filled(1, tokens, width), hidden(tokens)
    scale = 1 / math.sqrt(width)
    return lambda: ((q * scale) @ k.T).masked_fill_(mask, -math.inf)


def attention_weights(tokens, width):
    scores = masked_scores(tokens, width)
    return lambda: torch.softmax(scores(), -1)


BY_NAME = {
    f.__name__: f
    for f in (
        layer_norm,
        rms_norm,
        batch_norm,
        instance_norm,
        group_norm,
        scale_norm,
        dyt,
        feed_forward,
        gated_feed_forward,
        embedding,
        unembedding,
    )
}


def loader(name):
    op, shape = name.split(" ", 1)
    n = [int(digits) for digits in re.findall(r"\d+", shape)]
    last = shape.split(" ")[-1]
    if op in BY_NAME:
        return BY_NAME[op](*n)
    if op == "glu" and last == "swiglu":
        return swiglu(*n)
    if op == "rope" and last in ("half", "interleaved"):
        return (rope_half if last == "half" else rope_interleaved)(*n)
    if op == "softmax":
        return (softmax_causal if last == "causal" else softmax)(*n)
    if op == "activation" and last in ACTIVATIONS:
        return activation(last, *n)
    if op == "sinusoidal":
        return sinusoidal(*n)
    if op == "scores":
        return masked_scores(*n)
    if op == "attention" and shape.startswith("weights"):
        return attention_weights(*n)
    return None


def mean_ms(call):
    start = time.perf_counter()
    call()
    repeats = max(1, int(0.02 / max(1e-6, time.perf_counter() - start)))
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return 1000 * (time.perf_counter() - start) / repeats


def values(y):
    flat = y.reshape(-1)
    last = flat.numel() - 1
    return " ".join(f"{flat[i * last // 15].item():.9g}" for i in range(16))


def main():
    call = None
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line.startswith("load "):
            call = None
            call = loader(line[5:])
            print("none" if call is None else "values " + values(call()))
        elif line == "version":
            print(f"version PyTorch {torch.__version__}")
        elif line == "time" and call is not None:
            print(f"ms {mean_ms(call):.6g}")
        else:
            print("error: load NAME, then time")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
