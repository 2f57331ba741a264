"""Judges of embedding/scale, embedding/lookup and embedding/tying."""

import functools
import math

from arithmetic import FORMATS, beside_one, cards, flat, normals, rounded, seed_of, singles, told, without_repeats
from studies import tables


# embedding/scale

def share(position, word):
    return 100 * position / (position + word)


def squares(rows):
    return math.fsum(v * v for v in flat(rows))


def sinusoids(rows, width, base=10000.0, first=0):
    """sin and cos in turn."""
    omega = [base ** (-2 * i / width) for i in range(width // 2)]
    return [[f((first + r) * w) for w in omega for f in (math.sin, math.cos)] for r in range(rows)]


def scale_here(found, begins, rows, width, seed, name, meet):
    """The rows of the chosen width; in the format table, factor and product are rounded, and the position's rows are too."""
    here, unit, root, position = found["here"], normals(seed, width, rows, width), math.sqrt(width), rows * width / 2
    kept = lambda v: rounded(v, name)
    in_format = squares([map(kept, row) for row in sinusoids(rows, width)])
    for i, sigma in enumerate(begins(width)):
        word = squares([singles(sigma * v for v in row) for row in unit])
        staged = squares([[kept(rounded(kept(root) * kept(sigma * v), "f32")) for v in row] for row in unit])
        meet("deviation", [here["deviation"][i]], [sigma])
        meet("share", [here["share"][i]], [share(position, word)])
        meet("share with √d", [here["share with √d"][i]], [share(position, width * word)])
        meet("expected", [here["share expected"][i]], [share(1, 2 * sigma**2)])
        meet("expected with √d", [here["share with √d expected"][i]], [share(1, 2 * width * sigma**2)])
        meet("in the format", [here["share with √d in the format"][i]], [share(in_format, staged)])


def scale_by_width(found, begins, rows, seed, meet):
    shares, measured = found["shares"], found["measured"]
    widths = without_repeats(2 * math.floor(2 ** (k / 4) / 2 + 0.5) for k in range(4, 57))
    meet("widths", shares["width"], widths)
    units = {d: normals(seed, d, rows, d) for d in (4, 16, 64, 256, 1024, 4096)}
    meet("measured widths", measured["width"], list(units))
    for i, name in enumerate(["1/√d", "0.02", "1", "typed"][:len(begins(4))]):
        meet(name, shares[name], [share(1, 2 * begins(d)[i] ** 2) for d in widths])
        meet(f"{name} times √d", shares[f"{name}, times √d"], [share(1, 2 * d * begins(d)[i] ** 2) for d in widths])
        words = {d: squares([singles(begins(d)[i] * v for v in row) for row in unit]) for d, unit in units.items()}
        meet(f"{name} measured", measured[name], [share(rows * d / 2, word) for d, word in words.items()])
        meet(f"{name} times √d measured", measured[f"{name}, times √d"],
             [share(rows * d / 2, d * word) for d, word in words.items()])


def scale_factors(found, models, name, meet):
    """√d and what formats make of it; the models that multiply: the first Transformer and Gemma."""
    factors = found["factor_by_width"]
    meet("widths of factors", factors["width"], range(64, 16385, 64))
    meet("√d", factors["√d"], [math.sqrt(d) for d in factors["width"]])
    for each in FORMATS:
        meet(f"√d in {each}", factors[f"in {each}"], [rounded(math.sqrt(d), each) for d in factors["width"]])
        meet(f"error in {each}", beside_one(factors[f"relative error in {each}"]),
             [rounded(math.sqrt(d), each) / math.sqrt(d) for d in factors["width"]])
    table = found["models"]
    meet("models", table["width"], models)
    meet("models' √d", table["√d"], [math.sqrt(d) for d in models])
    meet("models' factor", table["in the format"], [rounded(math.sqrt(d), name) for d in models])
    meet("models' error", beside_one(table["relative error"]), [rounded(math.sqrt(d), name) / math.sqrt(d) for d in models])


def scale(program, rng, worst, default):
    width, begin, typed, rows, name = (512, "root", 0.1, 32, "bf16") if default else (
        2 * rng.randint(1, 400), rng.choice(["root", "gpt2", "torch", "typed"]), float(f"{10 ** rng.uniform(-3, 1):.3g}"),
        rng.randint(1, 3), rng.choice(list(FORMATS)))
    seed = seed_of(rng, default)
    settings = {"width": width, "begin": begin, "rows": rows, "format": name, "seed": seed}
    settings |= {"deviation": repr(typed)} if begin == "typed" else {}
    found = tables(program, "embedding/scale", settings)
    meet = lambda column, has, want: worst.meet("embedding/scale", column, has, want, settings)
    begins = lambda d: [1 / math.sqrt(d), 0.02, 1.0] + ([typed] if begin == "typed" else [])
    scale_here(found, begins, rows, width, seed, name, meet)
    scale_by_width(found, begins, rows, seed, meet)
    scaling = ("transformer", "gemma", "gemma2", "gemma3_text")
    configs = [card["config"] for card in cards(program) if card["config"]["model_type"] in scaling]
    scale_factors(found, sorted(c.get("hidden_size") or c["d_model"] for c in configs), name, meet)


# embedding/lookup

WORDS = "the a cat Dog mat hat Sat ran on under quickly . THE one two red".split()


def lookup(program, rng, worst, default):
    first, second, width = ("The cat sat on the mat", "the dog ran", 8) if default else (
        " ".join(rng.choices(WORDS, k=rng.randint(0, 20))), " ".join(rng.choices(WORDS, k=rng.randint(0, 20))),
        rng.randint(1, 64))
    seed = seed_of(rng, default)
    position = 1 if default else rng.randint(0, 15)
    settings = {"text": first, "second": second, "width": width, "seed": seed, "position": position}
    found = tables(program, "embedding/lookup", settings)
    meet = lambda column, has, want: worst.meet("embedding/lookup", column, has, want, settings)
    sentences = [text.lower().split()[:16] or ["[PAD]"] for text in (first, second)]
    length = max(map(len, sentences))
    batch = [words + ["[PAD]"] * (length - len(words)) for words in sentences]
    vocabulary = ["[PAD]"] + sorted({w for words in batch for w in words} - {"[PAD]"})
    tokens = found["tokens"]
    meet("sentence", tokens["sentence"], [b for b in range(2) for _ in range(length)])
    meet("token", tokens["token"], [*range(length)] * 2)
    meet("id", tokens["id"], [vocabulary.index(w) for words in batch for w in words])
    meet("word", [has == want for has, want in zip(tokens["word"], flat(batch))], [True] * 2 * length)
    rows = [[0.0] * width] + [singles(row) for row in normals(seed, 0, len(vocabulary), width)[1:]]
    for v, row in enumerate(rows):  # a column for each word
        meet(f"row of word {v}", found["table"][f"key {v}"], row)
    costs = {"tokens": length, "words": len(vocabulary), "width": width,
             "multiply-adds": length * len(vocabulary) * width, "copies": length * width}
    for column, want in costs.items():
        meet(column, found["costs"][column], [want])


# embedding/tying

@functools.cache
def facts_of(program, length=1):
    """Of every model, by its title."""
    names = [card["name"] for card in cards(program)]
    by_name = {fact["name"]: fact for fact in told(program, *names, "--length", str(length))}
    return {card["title"]: by_name[card["name"]] | {"config": card["config"]} for card in cards(program)}


def one_table(config):
    width = config.get("word_embed_proj_dim") or next(config[k] for k in ("hidden_size", "n_embd", "d_model") if k in config)
    return config["vocab_size"] * width


def tied_row(fact):
    """Tied is a model whose head has no table among its weights; BERT's has a matrix all the same."""
    published, table = fact["parameters"]["total"], one_table(fact["config"])
    tied = fact["parameters"]["head"] < table
    untied = published + table if tied else published
    return {"parameters": published, "published": published, "untied": untied, "one table": table, "tied": tied,
            "share of the untied model": 100 * table / untied, "share of the published model": 100 * table / published}


def tying(program, rng, worst, default):
    name = "gpt2" if default else rng.choice(cards(program))["name"]
    settings = {"model": name, "share": "untied" if default else rng.choice(["untied", "published"])}
    found = tables(program, "embedding/tying", settings)
    meet = lambda column, has, want: worst.meet("embedding/tying", column, has, want, settings)
    rows = {title: tied_row(fact) for title, fact in facts_of(program).items()}
    chosen, models = found["chosen"], found["models"]
    for column in chosen:
        meet(column, chosen[column], [rows[next(c["title"] for c in cards(program) if c["name"] == name)][column]])
    meet("models", [sorted(models["model"]) == sorted(rows)], [True])
    meet("in order", models["parameters"], sorted(models["parameters"]))
    for column in models.keys() - {"model"}:
        meet(column, models[column], [rows[title][column] for title in models["model"]])
