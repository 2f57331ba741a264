"""Judges of output/head and output/decoding."""

import bisect
import itertools
import math

from arithmetic import in_turn, normals, row_text, seed_of, singles, uniform
from embeddings import WORDS
from studies import tables


# output/head

def softmax(x, temperature):
    """Of a dictionary."""
    largest = max(x.values())
    powers = {v: math.exp((each - largest) / temperature) for v, each in x.items()}
    whole = math.fsum(powers.values())
    return {v: p / whole for v, p in powers.items()}


def log_sum(x):
    return max(x) + math.log(math.fsum(math.exp(v - max(x)) for v in x))


def head_logits(rng, default, words, seed):
    """What says which, and the numbers: a state times a row for each word, or as typed."""
    if default or rng.random() < 0.5:
        width = 8 if default else rng.randint(1, 64)
        state = singles(normals(seed, 1, 1, width)[0])
        rows = [singles(2 / math.sqrt(width) * v for v in row) for row in normals(seed, 2, len(words), width)]
        return {"logits": "hidden", "width": width, "seed": seed}, singles(
            math.fsum(a * b for a, b in zip(state, row)) for row in rows)
    most = rng.choice([1, 5, 50])
    typed = [round(rng.uniform(-most, most), rng.choice([0, 1, 2])) for _ in range(rng.randint(1, 18))]
    return {"logits": "typed", "typed": row_text(typed)}, singles((typed + [0.0] * len(words))[:len(words)])


def cut(logits, order, temperature, rules):
    """Why each word is cut, and the probabilities that top-p sees."""
    reason = dict.fromkeys(order, "kept")
    left = lambda: softmax({v: logits[v] for v in order if reason[v] == "kept"}, temperature)
    if "k" in rules:
        reason |= dict.fromkeys(order[rules["k"]:], "cut by top-k")
    seen = left()
    if "p" in rules and rules["p"] < 1:
        close = 2**-20 * min(rules["p"], 1 - rules["p"])  # what is said to be equal
        before = dict(zip(seen, itertools.accumulate(seen.values(), initial=0.0)))
        reason |= {v: "cut by top-p" for v in seen if before[v] >= rules["p"] - close}
    if "min_p" in rules:
        now = left()
        reason |= {v: "cut by min-p" for v in now if now[v] < rules["min_p"] * max(now.values()) * (1 - 2**-20)}
    return reason, seen, left()


RULES = {"k": "top_k", "p": "top_p", "min_p": "min_p"}


def head_settings(rng, default):
    if default:
        return {"words": "the a cat dog mat hat sat ran on under quickly .", "temperature": 1.0, "rule": "in_turn",
                "target": 2, "smoothing": 0.1}, {"k": 8, "p": 0.9, "min_p": 0.1}
    rule = rng.choice(["in_turn", "top_k", "top_p", "min_p", "none"])
    rules = {"k": rng.randint(1, 16), "p": rng.choice([0.9, 1.0, round(rng.uniform(0.01, 1), 3)]),
             "min_p": round(rng.uniform(0.001, 1), 3)}
    settings = {"words": " ".join(rng.choices(WORDS, k=rng.randint(1, 20))), "rule": rule, "target": rng.randint(0, 15),
                "temperature": float(f"{10 ** rng.uniform(-1.3, 1):.3g}"),
                "smoothing": rng.choice([0.0, 0.9, round(rng.uniform(0, 0.9), 2)])}
    return settings, {name: value for name, value in rules.items() if rule in ("in_turn", RULES[name])}


def head(program, rng, worst, default):
    settings, rules = head_settings(rng, default)
    words = settings["words"].split()[:16]
    chosen, logits = head_logits(rng, default, words, seed_of(rng, default))
    settings |= rules | chosen
    found = tables(program, "output/head", settings)
    meet = lambda column, has, want: worst.meet("output/head", column, has, want, settings)
    order = sorted(range(len(words)), key=lambda v: -logits[v])
    reason, seen, drawn = cut(logits, order, settings["temperature"], rules)
    in_turn(found, meet, ("tokens", "rank", 0))
    tokens, probability = found["tokens"], softmax(dict(enumerate(logits)), settings["temperature"])
    meet("logit", tokens["logit"], [logits[v] for v in order])
    meet("word", [has == words[v] for has, v in zip(tokens["word"], order)], [True] * len(words))
    meet("probability", tokens["probability"], [probability[v] for v in order])
    meet("outcome", [has == reason[v] for has, v in zip(tokens["outcome"], order)], [True] * len(words))
    meet("running sum", tokens["running sum"], [*itertools.accumulate(seen.get(v, 0) for v in order)])
    meet("drawn with", tokens["drawn with"], [drawn.get(v, 0) for v in order])
    target = min(settings["target"], len(words) - 1)
    meet("target", [found["losses"]["target"][0] == words[target]], [True])
    head_loss(found, logits, target, settings["smoothing"], meet)


def losses(logits, target, x, smoothing):
    """Of a target whose logit is x: cross-entropy, and that of labels of which so much is spread over all words."""
    moved = logits[:target] + [x] + logits[target + 1:]
    whole = log_sum(moved)
    return whole - x, (1 - smoothing) * (whole - x) + smoothing * math.fsum(whole - v for v in moved) / len(moved)


def head_loss(found, logits, target, smoothing, meet):
    loss_at = lambda x: losses(logits, target, x, smoothing)
    table, curve, here = found["losses"], found["loss"], logits[target]
    entropy, smoothed = loss_at(here)
    wants = {"probability": math.exp(-entropy), "cross-entropy": entropy, "perplexity": math.exp(entropy),
             "smoothed": smoothed}
    best, others = 1 - smoothing + smoothing / len(logits), logits[:target] + logits[target + 1:]
    centre = log_sum(others) if others else here
    if best < 1:
        centre += math.log(best / (1 - best))
        wants |= {"least smoothed": loss_at(centre)[1], "at logit": centre}
    meet("columns", [len(table)], [1 + len(wants)])
    size = max(1, *map(abs, logits))  # losses are differences of numbers as large as logits
    for column, want in wants.items():
        add = 0 if column in ("probability", "perplexity") else size
        meet(column, [add + table[column][0]], [add + want])
    low, high = min(here, centre - 4) - 1, max(here, centre + 4) + 1
    x = [low + (high - low) * i / 160 for i in range(161)]
    meet("logit of the target", curve["logit of the target"], x)
    for i, column in enumerate(("cross-entropy", "smoothed")):
        meet(f"curve, {column}", [size + v for v in curve[column]], [size + loss_at(at)[i] for at in x])


# output/decoding

def chain_of(logits, temperature):
    """ln p of the next token, from the beginning and after each token."""
    return [[v / temperature - log_sum([w / temperature for w in row]) for v in row] for row in logits]


def sums_along(chain, tokens):
    return [*itertools.accumulate((chain[1 + a if a >= 0 else 0][b] for a, b in zip((-1, *tokens), tokens)), initial=0.0)]


def total(chain, tokens):
    return sums_along(chain, tokens)[-1]


def beam_of(chain, width, length):
    kept = [()]
    for _ in range(length):
        longer = [tokens + (v,) for tokens in kept for v in range(len(chain[0]))]
        kept = sorted(longer, key=lambda tokens: (-total(chain, tokens), tokens))[:width]
    return kept[0]


def sampled(chain, length, draw):
    """By one uniform number for each token: the first word whose sum of probabilities is above it."""
    tokens = ()
    for t in range(length):
        row = chain[1 + tokens[-1] if tokens else 0]
        sums = [*itertools.accumulate(map(math.exp, row))]
        tokens += (min(bisect.bisect_right(sums, uniform(draw, 7, t)), len(row) - 1),)
    return tokens


def decoding_settings(rng, default):
    if default:
        return {"words": "cats dogs sleep", "length": 3, "beam": 2, "spread": 1.0, "temperature": 1.0, "seed": 25, "draw": 1}
    words = rng.sample(["cats", "dogs", "sleep", "mats", "run"], rng.randint(1, 5))
    return {"words": " ".join(words), "length": rng.randint(1, 4), "beam": rng.randint(1, 8),
            "spread": rng.choice([0.0, 0.1, 1.0, 3.0, 6.0]), "temperature": float(f"{10 ** rng.uniform(-1.3, 1):.3g}"),
            "seed": rng.randint(0, 10**6), "draw": rng.randint(0, 10**6)}


def decoding(program, rng, worst, default):
    settings = decoding_settings(rng, default)
    found = tables(program, "output/decoding", settings)
    meet = lambda column, has, want: worst.meet("output/decoding", column, has, want, settings)
    words, length = settings["words"].split()[:4], settings["length"]
    numbers = normals(settings["seed"], 0, 1 + len(words), len(words))
    logits = [singles(settings["spread"] * v for v in row) for row in numbers]
    chain = chain_of(logits, 1)
    ways = {"likeliest of all": max(itertools.product(range(len(words)), repeat=length), key=lambda s: total(chain, s)),
            "beam": beam_of(chain, settings["beam"], length), "greedy": beam_of(chain, 1, length),
            "sampled": sampled(chain_of(logits, settings["temperature"]), length, settings["draw"])}
    in_turn(found, meet, ("tokens", "tokens so far", 0), ("sums", "tokens so far", 0))
    for name, tokens in ways.items():
        said = tuple(words.index(word) for word in found["tokens"][name])
        if name != "sampled" and abs(total(chain, said) - total(chain, tokens)) < 1e-12:
            tokens = said  # of two that are as likely either may be found
        meet(f"{name}: tokens", said, tokens)
        meet(f"{name}: sums", found["sums"][name], sums_along(chain, tokens))
        meet(f"{name}: probability", found["probabilities"][name], [math.exp(total(chain, tokens))])
