#!/usr/bin/env python3
"""Writes tests/reference/training.json: steps of AdamW and Adam, schedules and clipping as PyTorch computes them, in double.

    /usr/bin/python3 make_training.py          (Debian 12: python3-torch 1.13.1)

Weights and gradients are written out with their bits, so nothing has to be drawn again.
"""
import json
import pathlib

import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
generator = torch.Generator().manual_seed(20261123)
COUNT, STEPS = 6, 12


def normal(*shape):
    return torch.randn(*shape, generator=generator)


def steps(optimiser, start, gradients, rates):
    weights = torch.nn.Parameter(start.clone())
    with_weights = optimiser(weights)
    seen = []
    for gradient, rate in zip(gradients, rates):
        with_weights.param_groups[0]["lr"] = rate
        weights.grad = gradient.clone()
        with_weights.step()
        seen.append(weights.detach().tolist())
    return seen


start, gradients = normal(COUNT), normal(STEPS, COUNT) * torch.tensor([1, 1e-9, 1e6, 1, 0, 1.0])
rates = [0.01 * (1 + s % 3) for s in range(STEPS)]
common = {"betas": (0.9, 0.98), "eps": 1e-8, "weight_decay": 0.3}
numbers = {
    "beta1": 0.9, "beta2": 0.98, "eps": 1e-8, "decay": 0.3, "rates": rates,
    "start": start.tolist(), "gradients": gradients.tolist(),
    "adam_w": steps(lambda w: torch.optim.AdamW([w], **common), start, gradients, rates),
    "adam_l2": steps(lambda w: torch.optim.Adam([w], **common), start, gradients, rates),
}


def schedule(make, count):
    """the rate of every step, from one: PyTorch's schedulers count from zero"""
    optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.003)
    scheduler = make(optimiser)
    seen = []
    for _ in range(count):
        seen.append(optimiser.param_groups[0]["lr"])
        optimiser.step()
        scheduler.step()
    return seen


of = torch.optim.lr_scheduler
numbers["cosine"] = schedule(lambda o: of.CosineAnnealingLR(o, T_max=40, eta_min=0.0003), 41)
numbers["linear"] = schedule(lambda o: of.LinearLR(o, start_factor=1, end_factor=0.1, total_iters=40), 41)

gradient = torch.nn.Parameter(torch.zeros(5))
gradient.grad = normal(5)
numbers["unclipped"] = gradient.grad.tolist()
numbers["norm"] = float(torch.nn.utils.clip_grad_norm_([gradient], 0.5))
numbers["clipped_to_half"] = gradient.grad.tolist()
pathlib.Path(__file__).with_name("training.json").write_text(json.dumps(numbers, indent=1) + "\n")
