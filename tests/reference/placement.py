#!/usr/bin/env python3
"""Stacks of blocks as they begin, in PyTorch with random numbers of its own: what block/placement and block/deepnorm measure.

    /usr/bin/python3 tests/reference/placement.py [SEEDS] > tests/reference/placement.json

A decoder without positions: 32 random tokens of 256, width 64, 4 heads, a ReLU network as wide as the stream, matrices Xavier
normal, embedding N(0, 1), LayerNorm without eps, an untied head; the loss is the cross-entropy against random targets. For each
place of the norms and each depth, over so many seeds, the mean and the standard deviation of

    gradient   the norm of dL/dW2 in the last layer
    square     the mean square of what the last block leaves, or of what its last norm reads
    sgd, adam  the root mean square by which the last norm's result changes after one step at rate 0.01 and 0.0001:
               -rate g, and -rate sign(g), which is Adam's first step; matrices of blocks alone are moved
"""
import json
import sys

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
D, H, T, V = 64, 4, 32, 256
DEPTHS = (3, 6, 12, 24)
PLACES = ("post", "pre", "sandwich", "peri", "output", "parallel", "deep_norm")


def norm(x):
    return F.layer_norm(x, (x.shape[-1],), eps=1e-12)


def attention(x, w):
    def heads(m):
        return m.view(T, H, D // H).transpose(0, 1)

    q, k, v = (heads(x @ w[name].t()) for name in ("q", "k", "v"))
    scores = q @ k.transpose(1, 2) / (D // H) ** 0.5
    scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return (scores.softmax(-1) @ v).transpose(0, 1).reshape(T, D) @ w["o"].t()


def network(x, w):
    return torch.relu(x @ w["up"].t()) @ w["down"].t()


def stack(x, blocks, place, alpha):
    if place == "peri":
        x = norm(x)
    read = x
    for w in blocks:
        if place == "parallel":
            x = read = x + attention(norm(x), w) + network(norm(x), w)
            continue
        for layer in (attention, network):
            if place in ("post", "deep_norm"):
                read = alpha * x + layer(x, w)
                x = norm(read)
            elif place == "pre":
                x = read = x + layer(norm(x), w)
            elif place in ("sandwich", "peri"):
                x = read = x + norm(layer(norm(x), w))
            else:
                x = read = x + norm(layer(x, w))
    return read, x if place in ("post", "deep_norm") else norm(x)


def drawn(rows, cols, factor=1.0):
    return (torch.randn(rows, cols, dtype=torch.float64) * factor * (2 / (rows + cols)) ** 0.5).requires_grad_()


def measured(place, depth, seed):
    torch.manual_seed(1000 * depth + seed)
    alpha, beta = ((2 * depth) ** 0.25, (8 * depth) ** -0.25) if place == "deep_norm" else (1.0, 1.0)
    blocks = [{name: drawn(D, D, 1.0 if name in "qk" else beta) for name in ("q", "k", "v", "o", "up", "down")}
              for _ in range(depth)]
    head = drawn(V, D).detach()
    x = torch.randn(V, D, dtype=torch.float64)[torch.randint(V, (T,))]
    read, y = stack(x, blocks, place, alpha)
    loss = F.cross_entropy(y @ head.t(), torch.randint(V, (T,)))
    weights = [w for block in blocks for w in block.values()]
    gradients = torch.autograd.grad(loss, weights)
    found = {"gradient": float(gradients[-1].norm()), "square": float(read.pow(2).mean())}
    for name, step in (("sgd", lambda g: 0.01 * g), ("adam", lambda g: 0.0001 * g.sign())):
        moved = iter([w.detach() - step(g) for w, g in zip(weights, gradients)])
        there = [{key: next(moved) for key in block} for block in blocks]
        found[name] = float((stack(x, there, place, alpha)[1] - y).pow(2).mean().sqrt())
    return found


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    table = {"made_by": "tests/reference/placement.py, PyTorch " + torch.__version__, "seeds": seeds}
    for place in PLACES:
        for depth in DEPTHS:
            runs = [measured(place, depth, seed) for seed in range(seeds)]
            table[f"{place} {depth}"] = {
                name: [float(values.mean()), float(values.std())]
                for name in runs[0]
                for values in [torch.tensor([run[name] for run in runs], dtype=torch.float64)]
            }
    print(json.dumps(table, indent=1))


main()
