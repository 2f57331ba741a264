#!/usr/bin/python3
"""The tables of studies on what norms average and leave and cost, on embeddings, xPos, the output and signals through depth,
against Python's own arithmetic, at the defaults and at random settings.

    tests/reference/layers.py PROGRAM [--rounds 20] [--seed 1]

Random numbers are drawn here again: Philox 4×32 after Salmon et al. 2011, held against Random123's known answers, and the
quantile of the normal distribution of Python's statistics. How a seed, a stream and a place make one number is said by
core/tensor/random.h, which stream has what by the study. Allowed: 1e-12 of the largest in a column, a thousand roundings of
a double; changes of results near 1 are held against 1, and where a norm or many layers magnify a rounding, as much more is
allowed as is told beside it. Exit 1 where anything exceeds it. Nothing but Python is needed.

Taken as given: how many parameters and operations a model has, in embedding/tying and norm/cost, which cards.py counts; the
seed, steps and losses of embedding/learned, as assets/learned/positions.txt says them.
"""

from arithmetic import ALLOWED
from depth import flow
from embeddings import lookup, scale, tying
from learned_rows import learned
from norm_compare import compare
from norm_costs import cost
from norms import axes, epsilon, invariance
from outputs import decoding, head
from studies import judge
from xpos_rows import xpos

JUDGES = (epsilon, axes, compare, invariance, scale, lookup, xpos, head, decoding, flow, learned, tying, cost)
judge(__doc__, JUDGES, ALLOWED)
