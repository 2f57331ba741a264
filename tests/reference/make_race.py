#!/usr/bin/python3
"""The small models of core/training/length_trial.h trained by PyTorch, seed by seed: what of a published number is chance.

    tests/reference/make_race.py [--threads 1] [--seeds 3] [TASK/SCHEME…]     copy/alibi, markov/rope …

adds to tests/reference/race.json what it does not have yet. Nothing of ours is used: draws, layers and rules are written
here from the papers. A model that reads chains is told as its loss above that of the best predictor on the same chains.
"""

import argparse
import json
import math
import pathlib

import torch
from torch import nn
from torch.nn import functional as F

FILE = pathlib.Path(__file__).with_name("race.json")
WIDTH, HEADS = 64, 4
EACH = WIDTH // HEADS
WORDS = [8, 30, 36, 44, 60, 90, 120, 240]
PLACES = [(32, 64), (64, 80), (96, 128), (128, 192), (224, 256), (448, 512)]
STATES, ALPHA = 8, 0.3


def frequencies(rule, factor, trained):
    """θ_i of d = 16, and the factor on the scores' roots."""
    pairs = torch.arange(EACH // 2, dtype=torch.float64)
    base = 10000.0 * (factor ** (EACH / (EACH - 2)) if rule == "ntk" else 1.0)
    theta = base ** (-2 * pairs / EACH)
    if rule == "pi":
        return theta / factor, 1.0
    if rule == "yarn":  # the ramp over pairs, as code has it
        place = lambda turns: EACH * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(10000.0))
        low, high = max(0, math.floor(place(32))), min(EACH - 1, math.ceil(place(1)))
        kept = 1 - ((pairs - low) / max(high - low, 0.001)).clamp(0, 1)
        return theta * kept + theta / factor * (1 - kept), 0.1 * math.log(factor) + 1
    return theta, 1.0


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        linear = lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False)
        self.first, self.second = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.ones(WIDTH))
        self.q, self.k, self.v, self.out = (linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = linear(WIDTH, 4 * WIDTH), linear(4 * WIDTH, WIDTH)

    def forward(self, x, bias, turn):
        b, t, _ = x.shape
        heads = lambda y: y.view(b, t, HEADS, EACH).transpose(1, 2)
        y = rms(x, self.first)
        q, k, v = turn(heads(self.q(y))), turn(heads(self.k(y))), heads(self.v(y))
        p = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(EACH) + bias, -1)
        x = x + self.out((p @ v).transpose(1, 2).reshape(b, t, WIDTH))
        return x + self.down(F.gelu(self.up(rms(x, self.second))))


def rms(x, gain):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * gain


class Model(nn.Module):
    def __init__(self, scheme, vocabulary, longest):
        super().__init__()
        self.scheme, self.rule = scheme, (torch.zeros(0), 1.0)
        self.tokens, self.head = nn.Embedding(vocabulary, WIDTH), nn.Linear(WIDTH, vocabulary, bias=False)
        self.blocks = nn.ModuleList(Block() for _ in range(4 if scheme == "none" else 2))
        self.last = nn.Parameter(torch.ones(WIDTH))
        for part in self.modules():
            if isinstance(part, nn.Linear):
                nn.init.normal_(part.weight, 0, part.in_features ** -0.5)
        if scheme == "learned":
            self.rows = nn.Parameter(0.3 * torch.randn(longest, WIDTH))
        if scheme == "t5":
            self.table = nn.Parameter(torch.zeros(32, HEADS))
        if scheme == "rope":
            self.stretch(None, 1, 1)

    def stretch(self, rule, factor, trained):
        self.rule = frequencies(rule, factor, trained)

    def bias(self, t):
        back = torch.arange(t).view(-1, 1) - torch.arange(t)
        hidden = torch.full((t, t), -math.inf).masked_fill(back >= 0, 0)
        if self.scheme == "alibi":
            slopes = 2.0 ** (-2 * torch.arange(1, HEADS + 1, dtype=torch.float32))
            return hidden - slopes.view(-1, 1, 1) * back.clamp(min=0)
        if self.scheme == "t5":  # 32 buckets of one direction, up to 128 tokens
            back = back.clamp(min=0)
            far = 16 + (torch.log(back.clamp(min=1) / 16.0) / math.log(128 / 16) * 16).to(torch.long)
            bucket = torch.where(back < 16, back, far.clamp(max=31))
            return hidden + self.table[bucket].permute(2, 0, 1)
        return hidden

    def turn(self, t):
        if self.scheme != "rope":
            return lambda x: x
        theta, factor = self.rule
        angle = torch.outer(torch.arange(t, dtype=torch.float64), theta)
        cos, sin = (factor * angle.cos()).float(), (factor * angle.sin()).float()

        def turned(x):
            a, b = x.chunk(2, -1)
            return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)
        return turned

    def forward(self, tokens):
        t = tokens.shape[1]
        x = self.tokens(tokens)
        if self.scheme == "learned":
            x = x + self.rows[:t]
        if self.scheme == "sinusoidal":
            theta = 10000.0 ** (-torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH)
            angle = torch.outer(torch.arange(t, dtype=torch.float64), theta)
            x = x + torch.stack([angle.sin(), angle.cos()], -1).view(t, WIDTH).float()
        bias, turn = self.bias(t), self.turn(t)
        for block in self.blocks:
            x = block(x, bias, turn)
        return self.head(rms(x, self.last))


def words(n, count, dice):
    """BOS, n tokens of 64, SEP, the same again: what is read, what comes next, −100 where nothing is asked."""
    word = torch.randint(64, (count, n), generator=dice)
    mark = lambda token: torch.full((count, 1), token)
    all_of = torch.cat([mark(64), word, mark(65), word], 1)
    asked = all_of[:, 1:].clone()
    asked[:, :n + 1] = -100
    return all_of[:, :-1], asked


def chains(tokens, count, dice):
    """Each of a chain of its own, with the loss of the best that can be known of every next state."""
    rows = torch._sample_dirichlet(torch.full((count * STATES, STATES), ALPHA), generator=dice).view(count, STATES, STATES)
    steps = rows.cumsum(-1)
    state = torch.randint(STATES, (count,), generator=dice)
    read, every = [state], torch.arange(count)
    for _ in range(tokens):
        state = (torch.rand(count, 1, generator=dice) > steps[every, state]).sum(-1).clamp(max=STATES - 1)
        read.append(state)
    read = torch.stack(read, 1)
    return read[:, :-1], read[:, 1:]


def floor(read, asked):
    seen = torch.zeros(len(read), STATES, STATES, dtype=torch.float64)
    every, losses = torch.arange(len(read)), []
    for t in range(read.shape[1]):
        i, j = read[:, t], asked[:, t]
        row = seen[every, i]
        losses.append(-torch.log((row[every, j] + ALPHA) / (row.sum(-1) + STATES * ALPHA)))
        seen[every, i, j] += 1
    return torch.stack(losses, 1)


def loss_of(model, read, asked):
    return F.cross_entropy(model(read).flatten(0, 1), asked.flatten(), ignore_index=-100)


def train(model, steps, batch, look=None, last=None):
    """All steps, or those up to `last`; `look(step, loss, length, gradient)` sees each, its gradient from before it was clipped."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.98), weight_decay=0.01)
    for step in range(1, (last or steps) + 1):
        share = (step - 100) / max(1, steps - 100)
        rate = 2e-3 * (step / 100 if step <= 100 else (1 + math.cos(math.pi * share)) / 2)
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = loss_of(model, *batch())
        optimiser.zero_grad()
        loss.backward()
        gradient = {name: part.grad.clone() for name, part in model.named_parameters()} if look else {}
        length = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if look:
            look(step, float(loss), float(length), gradient)


@torch.no_grad()
def copied(model, n):
    read, asked = words(n, 40, torch.Generator().manual_seed(777))
    return float((model(read).argmax(-1) == asked)[asked >= 0].float().mean())


@torch.no_grad()
def above_floor(model, tokens):
    """By token, a mean of 512 chains: past L they differ from each other by more than seeds do."""
    dice, sums = torch.Generator().manual_seed(777), torch.zeros(tokens, dtype=torch.float64)
    for _ in range(128):
        read, asked = chains(tokens, 4, dice)
        loss = F.cross_entropy(model(read).flatten(0, 1), asked.flatten(), reduction="none").view(4, tokens)
        sums += (loss.double() - floor(read, asked)).sum(0)
    return sums / 512


def run(task, scheme, seed):
    torch.manual_seed(seed)
    dice = torch.Generator().manual_seed(1000 + seed)
    if task == "copy":
        model = Model(scheme, 66, 481)

        def batch():
            n = int(torch.randint(4, 31, (1,), generator=dice))
            return words(n, 1240 // (2 * n + 2), dice)
        train(model, 2000, batch)
        return {scheme: [copied(model, n) for n in WORDS]}
    model = Model(scheme, STATES, 512)
    steps, count = (2500, 32) if scheme == "none" else (3000, 64)
    train(model, steps, lambda: chains(64, count, dice))
    places = lambda losses: [float(losses[first:end].mean()) for first, end in PLACES]
    found = {scheme: places(above_floor(model, 512))}
    if scheme == "rope":  # the last eighth of 128, 256 and 512 tokens
        for rule in (None, "pi", "ntk", "yarn"):
            last = []
            for tokens in (128, 256, 512):
                model.stretch(rule, tokens / 64, 64)
                last.append(float(above_floor(model, tokens)[tokens * 7 // 8:].mean()))
            found["rope at once, " + (rule or "none")] = last
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("which", nargs="*")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    schemes = ["rope", "none", "sinusoidal", "learned", "alibi", "t5"]
    for seed in range(1, asked.seeds + 1):
        for which in asked.which or [f"{task}/{scheme}" for task in ("markov", "copy") for scheme in schemes]:
            known = json.loads(FILE.read_text()) if FILE.exists() else {}
            name = f"{which}/{seed}"
            if name in known:
                continue
            found = run(*which.split("/"), seed)
            known = json.loads(FILE.read_text()) if FILE.exists() else {}  # another may have written since
            known[name] = {key: [round(x, 4) for x in values] for key, values in found.items()}
            FILE.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")
            print(name, known[name], flush=True)


if __name__ == "__main__":
    main()
