"""The judge of norm/cost."""

import math

from arithmetic import D, cards, without_repeats
from embeddings import facts_of, one_table
from studies import tables


# norm/cost

def bias_of(fact):
    return fact["norm"]["bias"]


def operations_of(kind, bias):
    """Square, sum, division, gain; LayerNorm: mean and difference too, and a shift where it has one."""
    return 4 if kind == "rms_norm" else 7 if bias else 6


def numbers_normed(fact):
    """For each token: as many as norms have gains, but heads share theirs, and plain norms of queries and keys have none."""
    weights = fact["parameters"]["norm"] / (2 if bias_of(fact) else 1)
    heads = (fact["heads"] + fact["kv_heads"]) * fact["head_width"]
    if fact["norm"]["query_key"] == "head":
        return weights + fact["layers"] * (heads - 2 * fact["head_width"])
    if fact["norm"]["query_key"] == "plain":
        return weights + sum(w > 0 for w in fact["windows"]) * heads
    return weights


def writes(fact):
    return not fact["encoder_layers"] and fact["model_type"] not in ("bert", "roberta")


def attention_of(fact):
    """Matrices of one attention, as (in, out), what a token's queries and values have, and its keys and values."""
    D, Q, K = fact["width"], fact["heads"] * fact["head_width"], fact["kv_heads"] * fact["head_width"]
    rank, c = fact["kv_lora_rank"], fact["config"]
    if not rank:
        return [(D, Q), (D, K), (D, K), (Q, D)], 2 * Q, 2 * K
    value = fact["heads"] * c["v_head_dim"]  # of latent attention all heads have keys of their own
    down = [(D, c["q_lora_rank"]), (c["q_lora_rank"], Q)] if c["q_lora_rank"] else [(D, Q)]
    up = (rank, fact["heads"] * (c["qk_nope_head_dim"] + c["v_head_dim"]))
    return down + [(D, rank + c["qk_rope_head_dim"]), up, (value, D)], Q + value, Q + value


def block_of(fact, hidden):
    """Numbers that a feed-forward block carries for a token: in and out of its matrices, and of what lies between them."""
    matrices = 3 if fact["gated"] else 2
    return matrices * (fact["width"] + hidden) + matrices * hidden


def expert_size(fact):
    D, F = fact["width"], fact["experts"]["hidden_width"]
    return 3 * D * F + (2 * F + D if fact["model_type"] == "gpt_oss" else 0)  # which has biases


class Moves:
    """Numbers that a step of a model carries through memory: n m N + P of its norms, and all else."""

    def __init__(self, fact, bias, moves):
        self.fact, self.N, self.moves = fact, numbers_normed(fact), moves
        self.P = fact["parameters"]["norm"] / (2 if bias_of(fact) else 1) * (2 if bias else 1)
        both, self.layers = fact["encoder_layers"] > 0, fact["layers"]
        self.attentions = fact["encoder_layers"] + self.layers * (2 if both else 1)
        self.sublayers = 2 * fact["encoder_layers"] + self.layers * (3 if both else 2)
        self.sparse = self.layers - fact["config"].get("first_k_dense_replace", 0) if fact["experts"]["total"] else 0

    def norms(self, n):
        return n * self.moves * self.N + self.P

    def weights(self, n):
        """All but norms and tables; of experts those that n tokens meet which choose evenly."""
        p, f, experts = self.fact["parameters"], self.fact, self.fact["experts"]
        whole = p["total"] - p["norm"] - p["embedding"]
        if f["tied"] and f["model_type"] not in ("bert", "roberta"):
            whole += one_table(f["config"])
        if self.sparse:
            unmet = experts["total"] * (1 - experts["active"] / experts["total"]) ** n
            whole -= unmet * self.sparse * expert_size(f)
        return whole

    def feed_forward(self):
        f, experts = self.fact, self.fact["experts"]
        chosen = (experts["active"] + experts["shared"]) * block_of(f, experts["hidden_width"])
        router = f["width"] + experts["total"]
        dense = f["encoder_layers"] + self.layers - self.sparse
        return self.sparse * (chosen + router) + dense * block_of(f, f["hidden_width"])

    def of_a_token(self, keys):
        f, D = self.fact, self.fact["width"]
        matrices, carried, _ = attention_of(f)
        tables = 1 + (f["positions"] == "learned") + (f["config"].get("type_vocab_size") is not None)
        sums = self.layers * 4 * D if f["norm"]["parallel"] else self.sublayers * 3 * D
        attention = sum(map(sum, matrices)) + carried
        return tables * 2 * D + self.feed_forward() + sums + self.attentions * attention + keys

    def all_else(self, n, writing, length):
        f = self.fact
        keys = self.attentions * attention_of(f)[2]
        if writing:
            latent = f["kv_lora_rank"] and f["kv_lora_rank"] + f["config"]["qk_rope_head_dim"]
            each = latent or 2 * f["kv_heads"] * f["head_width"]
            keys = each * sum(min(w, length) if w else length for w in f["windows"])
        out = (n if writing else 1) * (f["vocabulary"] + f["width"])
        return self.weights(n) + n * self.of_a_token(keys) + (0 if f["model_type"] in ("bert", "roberta") else out)

    def share(self, n, writing=False, length=0):
        norms = self.norms(n)
        return 100 * norms / (norms + self.all_else(n, writing, length))


def cost_settings(program, rng, default):
    if default:
        return {"model": "llama-2-7b", "tokens": 4096, "length": 4096, "kernel": "fused", "format": "bf16"}
    return {"model": rng.choice(cards(program))["name"], "tokens": rng.choice([1, 64, 4096, 2**20, rng.randint(1, 2**20)]),
            "length": rng.randint(1, 2**20), "kernel": rng.choice(["fused", "passes"]),
            "format": rng.choice(["bf16", "f32"])}


def cost(program, rng, worst, default):
    settings = cost_settings(program, rng, default)
    found = tables(program, "norm/cost", settings)
    meet = lambda column, has, want, by=0: worst.meet("norm/cost", column, has, want, settings, by)
    facts, tokens, length = facts_of(program, settings["tokens"]), settings["tokens"], settings["length"]
    moves = lambda kind: 2 if settings["kernel"] == "fused" else {"rms_norm": 7, "layer_norm": 12}[kind]
    shares = lambda fact, kind, bias: cost_shares(fact, kind, bias, moves(kind), tokens, length)
    models, norms = found["models"], found["norms"]
    for i, title in enumerate(models["model"]):
        fact = facts[title]
        wants = {"parameters": fact["parameters"]["total"], "of norms": fact["parameters"]["norm"]}
        cost_row(models, i, wants | shares(fact, fact["norm"]["kind"], bias_of(fact)), meet)
    fact = next(facts[card["title"]] for card in cards(program) if card["name"] == settings["model"])
    ways = [(fact["norm"]["kind"], bias_of(fact)), ("layer_norm", True), ("rms_norm", False)]
    for i, (kind, bias) in enumerate(ways):
        move, operations = Moves(fact, bias, moves(kind)), operations_of(kind, bias)
        wants = {"operations a number": operations, "parameters of one norm": (1 + bias) * fact["width"],
                 "of all norms": move.P, "operations a token": operations * move.N,
                 "moved a token": (2 if settings["format"] == "bf16" else 4) * moves(kind) * move.N}
        cost_row(norms, i, wants | shares(fact, kind, bias), meet)
    cost_steps(found["steps"], Moves(fact, bias_of(fact), moves(fact["norm"]["kind"])), length, meet)


def cost_shares(fact, kind, bias, moves, tokens, length):
    move = Moves(fact, bias, moves)
    flops, total = fact["flops_per_token"], fact["parameters"]["total"] - fact["parameters"]["norm"] + move.P
    rest = flops["prefill"] + (flops["decode"] if fact["encoder_layers"] and flops["decode"] else 0)
    own = operations_of(kind, bias) * move.N
    shares = {"parameters of norms": 100 * move.P / total, "operations": 100 * own / (own + rest)}
    written = move.share(tokens, True, length) if writes(fact) else 0
    return shares | {"moved in reading": move.share(tokens), "moved in writing": written}


def cost_row(table, i, wants, meet):
    for column, want in wants.items():
        meet(column, [table[column][i]], [want], 1e-8 if column == "operations" else 0)  # whole operations are told


def cost_steps(steps, move, length, meet):
    tokens = without_repeats(math.floor(2 ** (q / 4) + 0.5) for q in range(81))
    meet("tokens", steps["tokens"], tokens)
    meet("columns", [len(steps)], [3 if writes(move.fact) else 2])
    for column in steps.keys() - {"tokens"}:
        meet(column, steps[column], [move.share(n, column == "writing", length) for n in tokens])
