#!/usr/bin/python3
"""A training on chains of core/training/length_trial.h, done again by PyTorch from the same weights and the same batches.

    tests/reference/race_steps.py compare FOLDER [STEPS]     loss, gradient and weights, step by step
    tests/reference/race_steps.py train FOLDER               every step of it; what comes out is weights.torch.pt beside ours
    tests/reference/race_steps.py test CHAINS FOLDER…        both trained models of each folder on the same chains

FOLDER is what `build/release/tests/race_steps FOLDER SCHEME SEED [STEPS]` (tests/bench/race_steps.cpp) wrote, of a scheme without
a table of positions: rope, none, alibi, sinusoidal. CHAINS: its test.i8, the 256 chains that ours are tested on, or torch:COUNT, so
many of those of make_race.py, whose model, loss, loop and rules these are. In `compare` all that is not rounding is an error in
one of both programs: exit code 1 where the gradients of a step are off by more than 1e-5 of their length, or the weights by
more than 1e-6, in the first hundred.
"""

import argparse
import math
import pathlib
import sys

import numpy
import torch
from torch.nn import functional as F

import make_race

PARTS = {"self_attention.norm_before.weight": "first", "feed_forward.norm_before.weight": "second",
         "self_attention.q.weight": "q.weight", "self_attention.k.weight": "k.weight",
         "self_attention.v.weight": "v.weight", "self_attention.out.weight": "out.weight",
         "feed_forward.up.weight": "up.weight", "feed_forward.down.weight": "down.weight"}
OTHERS = {"token_embedding.weight": "tokens.weight", "head.weight": "head.weight", "decoder.norm.weight": "last"}
LONGEST = 512
MOST = 1e-5, 1e-6  # of the gradient's length, and of the weights'


def torch_name(name):
    if name in OTHERS:
        return OTHERS[name]
    _, _, layer, part = name.split(".", 3)
    return f"blocks.{layer}.{PARTS[part]}"


def arrays(folder, file):
    """The arrays of one flat file, under the names that make_race.py's model has for them."""
    flat, found = torch.from_numpy(numpy.fromfile(folder / file, dtype=numpy.float32)), {}
    for line in (folder / "layout.txt").read_text().splitlines():
        name, offset, rows, cols = line.split()
        part = flat[int(offset):int(offset) + int(rows) * int(cols)]
        found[torch_name(name)] = part.view(int(rows), int(cols)) if int(rows) > 1 else part
    return found


def plan_of(folder):
    """The scheme, and of how many steps the schedule is."""
    scheme, steps = (folder / "scheme.txt").read_text().split()
    return scheme, int(steps)


def model_of(folder, values):
    model = make_race.Model(plan_of(folder)[0], make_race.STATES, LONGEST)
    model.load_state_dict(values)
    return model


def batches(folder):
    told = numpy.fromfile(folder / "steps.f64").reshape(-1, 2)
    every = torch.from_numpy(numpy.fromfile(folder / "batches.i8", dtype=numpy.int8)).long().view(len(told), -1, 65)
    return told, every[:, :, :-1], every[:, :, 1:]


def distance(found, true):
    """|a − b|/|b| over all arrays, and of the array where it is largest."""
    off = {name: float((found[name] - true[name]).norm() / true[name].norm().clamp(min=1e-30)) for name in true}
    squares = sum(float((found[name] - true[name]).double().square().sum()) for name in true)
    of = sum(float(true[name].double().square().sum()) for name in true)
    worst = max(off, key=off.get)
    return math.sqrt(squares / of), f"{worst} {off[worst]:.1e}"


def run(folder, steps, every):
    told, read, wanted = batches(folder)
    last = min(steps or len(told), len(told))
    model = model_of(folder, arrays(folder, "weights.0.f32"))
    print(f"{'step':>5} {'loss ours':>10} {'PyTorch −':>10} {'|g| ours':>9} {'PyTorch/ − 1':>12}   gradient, weights: off by")

    def look(step, loss, norm, gradient):
        files = [folder / f"{what}.{step}.f32" for what in ("gradient", "weights")]
        if not (files[0].exists() or step <= 6 or step % every == 0):
            return
        line = f"{step:5} {told[step - 1, 0]:10.6f} {loss - told[step - 1, 0]:10.1e} {told[step - 1, 1]:9.5f} " \
               f"{norm / told[step - 1, 1] - 1:12.1e}"
        for file, theirs, most in zip(files, (gradient, model.state_dict()), MOST):
            if file.exists():
                off, worst = distance(theirs, arrays(folder, file.name))
                line += f"   {off:.1e} ({worst})"
                apart.extend([step] if step <= 100 and not off <= most else [])
        print(line, flush=True)
    apart = []
    rows = iter(zip(read, wanted))
    make_race.train(model, plan_of(folder)[1], lambda: next(rows), look, last)
    return model, apart


@torch.no_grad()
def above(model, tokens, read, wanted):
    """Above the floor, chain by chain and place by place."""
    found = []
    for first in range(0, len(read), 8):
        r, w = read[first:first + 8, :tokens], wanted[first:first + 8, :tokens]
        loss = F.cross_entropy(model(r).flatten(0, 1), w.flatten(), reduction="none").view(len(r), tokens)
        found.append(loss.double() - make_race.floor(r, w))
    return torch.cat(found)


def chains(which):
    if which.startswith("torch:"):
        dice = torch.Generator().manual_seed(777)
        some = [make_race.chains(LONGEST, 4, dice) for _ in range(int(which[6:]) // 4)]
        return torch.cat([read for read, _ in some]), torch.cat([wanted for _, wanted in some])
    every = torch.from_numpy(numpy.fromfile(which, dtype=numpy.int8)).long().view(-1, LONGEST + 1)
    return every[:, :-1], every[:, 1:]


def test(which, folders):
    """Means and their standard errors by chains; a rule's: the last eighth of 512 tokens."""
    read, wanted = chains(which)
    say = lambda x: f"{x.mean():.4f}±{x.std() / math.sqrt(len(x)):.4f}"
    for folder in folders:
        last = folder / f"weights.{plan_of(folder)[1]}.f32"
        models = {"ours": model_of(folder, arrays(folder, last.name))} if last.exists() else {}
        if (folder / "weights.torch.pt").exists():
            models["PyTorch"] = model_of(folder, torch.load(folder / "weights.torch.pt"))
        for name, model in models.items():
            by_chain = above(model, LONGEST, read, wanted)
            told = [f"{a}–{b} " + say(by_chain[:, a:b].mean(1)) for a, b in make_race.PLACES]
            for rule in ("pi", "ntk", "yarn") if model.scheme == "rope" else ():
                model.stretch(rule, LONGEST / 64, 64)
                told.append(f"{rule} " + say(above(model, LONGEST, read, wanted)[:, LONGEST * 7 // 8:].mean(1)))
            print(folder.name, name, *told, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["compare", "train", "test"])
    parser.add_argument("rest", nargs="+")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    if asked.what == "test":
        test(asked.rest[0], [pathlib.Path(folder) for folder in asked.rest[1:]])
        return
    folder = pathlib.Path(asked.rest[0])
    if asked.what == "compare":
        _, apart = run(folder, int(asked.rest[1]) if len(asked.rest) > 1 else 10, 50)
        if apart:
            sys.exit(f"race_steps: the two programs are not one training: step {apart[0]}")
    else:
        torch.save(run(folder, None, 250)[0].state_dict(), folder / "weights.torch.pt")


if __name__ == "__main__":
    main()
