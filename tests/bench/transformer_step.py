#!/usr/bin/env python3
"""A training step (forward, loss, backward) of the model of transformer_bench.cpp, here and in PyTorch, in turns.

    python3 tests/bench/transformer_step.py build/release/tests/transformer_bench [ROUNDS [--processor]]

Two threads each. In every round each does one step at 512 tokens x 8 and at 128 x 16, after both have rested; printed are the
medians and the median of the ratio within a round. PyTorch is written as it is fastest there: one product for q, k and v, one
batched product with the mask as its addend (baddbmm). Its BLAS should be OpenBLAS (libopenblas0-pthread): with Debian's reference
BLAS it is ten times slower. Ratios below 1: this library is faster. On a busy machine waiting threads spoil both; --processor
compares the time that all processors spent, with one thread each.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import time

# As fast as PyTorch can be made to go: its heap reused (else every large array costs page faults), its widest kernels.
SETTINGS = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_TOP_PAD_": str(1 << 28),
            "ATEN_CPU_CAPABILITY": "avx512" if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text() else "avx2",
            "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "2"}
if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **SETTINGS})

import torch
import torch.nn.functional as F

PROCESSOR = "--processor" in sys.argv
torch.set_num_threads(1 if PROCESSOR else 2)
D, H, HIDDEN, LAYERS, V = 64, 4, 256, 2, 256
REST = 0.05  # seconds: threads that wait for work turn for some milliseconds before they sleep, and would take the other's cores


class Torch:
    def __init__(self, length, sequences):
        torch.manual_seed(1)
        make = lambda *shape: (0.02 * torch.randn(*shape)).requires_grad_()
        ones, zeros = (lambda n: torch.ones(n, requires_grad=True)), (lambda n: torch.zeros(n, requires_grad=True))
        self.table, self.positions = make(V, D), make(length, D)
        self.layers = [dict(n1=(ones(D), zeros(D)), qkv=(make(3 * D, D), zeros(3 * D)), out=(make(D, D), zeros(D)),
                            n2=(ones(D), zeros(D)), up=(make(HIDDEN, D), zeros(HIDDEN)), down=(make(D, HIDDEN), zeros(D)))
                       for _ in range(LAYERS)]
        self.norm = (ones(D), zeros(D))
        self.all = [self.table, self.positions, *self.norm, *(t for l in self.layers for pair in l.values() for t in pair)]
        n = torch.arange(sequences * length)
        self.tokens = (n * n % 251).reshape(sequences, length)
        self.targets = (n + 1) * (n + 1) % 251
        self.mask = torch.full((length, length), -torch.inf).triu(1)
        self.shape = (sequences, length)

    def step(self):
        B, T = self.shape
        for t in self.all:
            t.grad = None
        x = F.embedding(self.tokens, self.table) + self.positions
        for l in self.layers:
            n = F.layer_norm(x, (D,), *l["n1"])
            q, k, v = F.linear(n, *l["qkv"]).reshape(B, T, 3, H, D // H).permute(2, 0, 3, 1, 4).reshape(3, B * H, T, D // H)
            p = torch.baddbmm(self.mask, q, k.transpose(1, 2), alpha=(D // H) ** -0.5).softmax(-1)
            mixed = torch.bmm(p, v).reshape(B, H, T, D // H).transpose(1, 2).reshape(B, T, D)
            x = x + F.linear(mixed, *l["out"])
            n = F.layer_norm(x, (D,), *l["n2"])
            x = x + F.linear(F.gelu(F.linear(n, *l["up"])), *l["down"])
        logits = F.linear(F.layer_norm(x, (D,), *self.norm), self.table)
        loss = F.cross_entropy(logits.reshape(-1, V), self.targets)
        loss.backward()

    def milliseconds(self):
        clock = time.process_time if PROCESSOR else time.perf_counter
        start = clock()
        self.step()
        return 1000 * (clock() - start)


class Ours:
    def __init__(self, program, length, sequences):
        self.process = subprocess.Popen([program, str(length), str(sequences), "processor" if PROCESSOR else "ask"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "OMP_NUM_THREADS": "1" if PROCESSOR else "2"})

    def milliseconds(self):
        print(file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())


rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
for length, sequences in ((512, 8), (128, 16)):
    both = [Ours(sys.argv[1], length, sequences), Torch(length, sequences)]
    times = []
    for k in range(rounds + 2):
        pair = []
        for each in both:
            time.sleep(REST)
            pair.append(each.milliseconds())
        if k >= 2:
            times.append(pair)
    here, torchs = (statistics.median(t[i] for t in times) for i in (0, 1))
    ratio = statistics.median(t[0] / t[1] for t in times)
    print(f"{length} x {sequences}: {here:.1f} ms, PyTorch {torchs:.1f} ms, ratio {ratio:.2f}", flush=True)
