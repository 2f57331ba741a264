#!/usr/bin/python3
"""What tests/app/study/attention/cache_test.cpp compares the life of a cache with: a cache written the plain way, in NumPy.

Keys are turned as Hugging Face's apply_rotary_pos_emb does (rotate_half, float64), one list of dictionaries is the cache, and
nothing is turned on: a key that has to change is turned anew from what it was before any rotation.

  tests/reference/cache_life.py        prints, for each mistake, the weight elsewhere of every pass
"""
import numpy as np

D, PROMPT, CHUNK, DECODED, PADS, CAPACITY, FIRST, TRAINED, FACTOR, BASE = 8, 7, 3, 6, 2, 9, 2, 8, 3, 100
T = PROMPT + DECODED
Q = np.array([[np.sin(0.7 * t + 1.3 * j + 0.2) for j in range(D)] for t in range(T)])
K = np.array([[2 * np.cos(0.5 * t - 0.9 * j) for j in range(D)] for t in range(T)])


def inv_freq(length, change):
    base = BASE
    if change == "dynamic" and length > TRAINED:  # modeling_rope_utils, _compute_dynamic_ntk_parameters
        base = BASE * ((FACTOR * length / TRAINED) - (FACTOR - 1)) ** (D / (D - 2))
    return 1.0 / base ** (np.arange(0, D, 2) / D)


def rotate(x, position, length, change):
    angles = position * inv_freq(length, change)
    cos, sin = np.tile(np.cos(angles), 2), np.tile(np.sin(angles), 2)
    half = np.concatenate([-x[D // 2:], x[:D // 2]])
    return x * cos + half * sin


def weights(query, keys):
    s = np.array([query @ k for k in keys]) / np.sqrt(D)
    e = np.exp(s - s.max())
    return e / e.sum()


def life(mistake, change, renumber=False):
    passes = [list(range(a, min(a + CHUNK, PROMPT))) for a in range(0, PROMPT, CHUNK)] + [[t] for t in range(PROMPT, T)]
    cache, sizes, gone = [], {}, []
    for tokens in passes:
        while len(cache) > FIRST and len(cache) + len(tokens) > CAPACITY:
            del cache[FIRST]
        held = len(cache)
        first = sizes.setdefault(len(tokens), tokens[0])
        for j, t in enumerate(tokens):
            decoding = t >= PROMPT
            wrong = {"decoded_at_zero": 0 if decoding else t, "chunks_from_zero": t if decoding else j,
                     "table_by_length": first + j, "prompt_before_zero": t if decoding else t - PADS,
                     "length_of_cache": held + j}.get(mistake)
            cache.append({"t": t, "wrong": wrong})
        right = [slot if renumber else key["t"] for slot, key in enumerate(cache)]
        n = right[-1] + 1
        for slot, key in enumerate(cache):
            key.setdefault("read", (right[slot], n))
        seen = []
        for slot, key in enumerate(cache):
            position = right[slot] if key["wrong"] is None else key["wrong"]
            length = T if mistake == "never_reset" else n
            if mistake == "old_rotation":
                position, length = key["read"]
            seen.append((position, length))
        q, now = Q[tokens[-1]], [rotate(K[key["t"]], p, n, change) for key, p in zip(cache, right)]
        as_cached = [rotate(K[key["t"]], *s, change) for key, s in zip(cache, seen)]
        anew = weights(rotate(q, right[-1], n, change), now)
        mistaken = weights(rotate(q, *seen[-1], change), as_cached)
        gone.append(0.5 * np.abs(anew - mistaken).sum())
    return gone


if __name__ == "__main__":
    for mistake, change, renumber in [("old_rotation", "dynamic", False), ("old_rotation", "dynamic", True),
                                      ("decoded_at_zero", "none", False), ("chunks_from_zero", "none", False),
                                      ("table_by_length", "none", False), ("prompt_before_zero", "none", False),
                                      ("length_of_cache", "none", False), ("never_reset", "dynamic", False)]:
        print(mistake, change, renumber, ", ".join(f"{x:.12f}" for x in life(mistake, change, renumber)))
