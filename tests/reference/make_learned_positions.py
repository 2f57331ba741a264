#!/usr/bin/python3
"""Trains the position rows that embedding/learned opens with: ./dev learn-positions writes assets/learned/positions.txt anew.

A language of 16 letters in lines of 64: a letter is, seven times in ten, the one four places before it, and otherwise drawn
from the four letters of its place's beat, which is the place modulo 8. So a model must tell how far back a letter stands and on
which beat, and has nothing to tell it by but one learned row for each place. One block of attention and feed-forward, width 32,
is trained on 1200 batches of 16 lines; the loss that no model can beat is known, and written beside the loss reached.

One thread, one seed: the same bytes again with the same version of PyTorch on the same kind of processor.
"""

import math
import pathlib
import sys

import torch
from torch import nn
from torch.nn import functional

LETTERS, LENGTH, WIDTH, HEADS = 16, 64, 32, 2
BACK, BEAT, COPIED = 4, 8, 0.7
STEPS, LINES, SEED = 1200, 16, 1


def lines(count, generator):
    """Lines of the language, count × (LENGTH + 1): every place is an input, and the last letter only a target."""
    beat = torch.arange(LENGTH + 1) % BEAT
    drawn = (2 * beat + torch.randint(4, (count, LENGTH + 1), generator=generator)) % LETTERS
    copied = torch.rand(count, LENGTH + 1, generator=generator) < COPIED
    for place in range(BACK, LENGTH + 1):
        drawn[:, place] = torch.where(copied[:, place], drawn[:, place - BACK], drawn[:, place])
    return drawn


def least_loss(sample):
    """Cross-entropy of the language itself, in nats, over the places that are predicted: all but the first."""
    beat = torch.arange(LENGTH + 1) % BEAT
    total = 0.0
    for place in range(1, LENGTH + 1):
        of_beat = ((sample[:, place] - 2 * beat[place]) % LETTERS < 4).double() / 4
        p = of_beat
        if place >= BACK:
            p = COPIED * (sample[:, place] == sample[:, place - BACK]).double() + (1 - COPIED) * of_beat
        total -= p.log().mean().item()
    return total / LENGTH


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters = nn.Embedding(LETTERS, WIDTH)
        self.places = nn.Embedding(LENGTH, WIDTH)
        for table in (self.letters, self.places):
            nn.init.normal_(table.weight, std=0.02)
        self.before, self.between, self.behind = (nn.LayerNorm(WIDTH) for _ in range(3))
        self.attention = nn.Linear(WIDTH, 3 * WIDTH)
        self.joined = nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.next = nn.Linear(WIDTH, LETTERS)

    def forward(self, ids):
        count, length = ids.shape
        x = self.letters(ids) + self.places.weight[:length]
        q, k, v = (
            part.view(count, length, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in self.attention(self.before(x)).chunk(3, dim=-1)
        )
        scores = q @ k.transpose(2, 3) / math.sqrt(WIDTH // HEADS)
        hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(hidden, float("-inf")).softmax(-1)
        x = x + self.joined((weights @ v).transpose(1, 2).reshape(count, length, WIDTH))
        return self.next(self.behind(x + self.narrow(functional.gelu(self.wide(self.between(x))))))


def loss_of(model, sample):
    guessed = model(sample[:, :-1])
    return functional.cross_entropy(guessed.reshape(-1, LETTERS), sample[:, 1:].reshape(-1))


def main(path):
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)
    model = Model()
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    for step in range(STEPS):
        optimiser.zero_grad()
        loss = loss_of(model, lines(LINES, generator))
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 500 == 0:
            print(f"step {step}: {loss.item():.4f}", file=sys.stderr)
    unseen = lines(2048, torch.Generator().manual_seed(SEED + 1))
    with torch.no_grad():
        reached = loss_of(model, unseen).item()
    facts = {
        "task": f"next letter of {LETTERS}: {COPIED} the one {BACK} before, else of the {LETTERS // 4} of the beat, modulo {BEAT}",
        "model": f"one block, width {WIDTH}, {HEADS} heads, learned rows for {LENGTH} places",
        "seed": SEED,
        "steps": STEPS,
        "lines": LINES,
        "loss": f"{reached:.4f}",
        "least": f"{least_loss(unseen):.4f}",
        "by": f"tests/reference/make_learned_positions.py, PyTorch {torch.__version__}",
    }
    rows = model.places.weight.detach()
    with open(path, "w") as out:
        for name, fact in facts.items():
            out.write(f"# {name}: {fact}\n")
        for row in rows:
            out.write(" ".join(f"{x:.5f}" for x in row.tolist()) + "\n")
    print(f"{path}: loss {facts['loss']}, at least {facts['least']}", file=sys.stderr)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
