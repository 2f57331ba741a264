#!/usr/bin/python3
"""What orrery model counts, against a count of its own from the same configurations.

    tests/reference/cards.py PROGRAM [--cards FOLDER…] [--lengths N…] [--formats f16…]

Every published model's checkpoint is written down as the tensors that its code makes, under the names that its files have
(transformers' modeling_*.py; the papers for GPT-3, PaLM and the original Transformer), and their sizes are added up.
Keys that a query sees are counted query by query, bytes of the cache position by position. Parameters and bytes must be
the same numbers; operations, which are means over the queries, may be off by one. Exit 1 where anything differs. Nothing
but Python is needed.
"""

import argparse
import functools
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BYTES = {"f64": 8, "f32": 4, "bf16": 2, "f16": 2}


class Checkpoint:
    """Tensors by part; of a matrix also which tokens are multiplied with it, and how many of its copies each of them."""

    def __init__(self):
        self.parts, self.idle, self.by_token, self.by_source = {}, 0, 0, 0

    def tensor(self, part, *shape):
        self.parts[part] = self.parts.get(part, 0) + math.prod(shape)

    def linear(self, part, fan_in, fan_out, bias=False, passes="token", copies=1, chosen=None):
        """nn.Linear: weight [out, in], bias [out]; `copies` of it, of which a token passes `chosen`."""
        chosen = copies if chosen is None else chosen
        for _ in range(copies):
            self.tensor(part, fan_out, fan_in)
            if bias:
                self.tensor(part, fan_out)
        self.idle += (copies - chosen) * (fan_out * fan_in + (fan_out if bias else 0))
        operations = 2 * fan_in * fan_out * chosen
        if passes == "token":
            self.by_token += operations
        if passes == "source":
            self.by_source += operations

    def norm(self, width, bias):
        self.tensor("norm", width)
        if bias:
            self.tensor("norm", width)


def attention(net, D, H, KV, d, bias=False, out_bias=False, passes="token", source=None):
    net.linear("attention", D, H * d, bias, passes)
    for _ in "kv":
        net.linear("attention", D, KV * d, bias, source or passes)
    net.linear("attention", H * d, D, out_bias, passes)


def gated(net, D, F, bias=False, copies=1, chosen=None, passes="token"):
    for shape in (D, F), (D, F), (F, D):
        net.linear("feed_forward", *shape, bias, passes, copies, chosen)


def plain(net, D, F, bias=True, passes="token"):
    net.linear("feed_forward", D, F, bias, passes)
    net.linear("feed_forward", F, D, bias, passes)


def head(net, V, D, tied):
    """lm_head; where it is the embedding itself it multiplies all the same."""
    net.by_token += 2 * V * D
    if not tied:
        net.tensor("head", V, D)


def everywhere(layers):
    return [0] * layers


def turns(layers, window, every):
    """`every`-th layers see the whole text."""
    return [0 if (i + 1) % every == 0 else window for i in range(layers)]


class Model:
    """What the counts below need beside the tensors."""

    def __init__(self, kind, windows, per_key, kept, chunked=False, encoder_layers=0, absorbed=None):
        self.kind, self.windows, self.chunked, self.encoder_layers = kind, windows, chunked, encoder_layers
        self.per_key, self.kept, self.absorbed = per_key, kept, absorbed or per_key


def decoder(H, KV, d, windows, chunked=False):
    return Model("decoder", windows, 4 * H * d, 2 * KV * d, chunked)


def gpt(c, net):
    D, L, H, V = c["n_embd"], c["n_layer"], c["n_head"], c["vocab_size"]
    net.tensor("embedding", V, D)
    net.tensor("embedding", c["n_positions"], D)
    for _ in range(L):
        attention(net, D, H, H, D // H, True, True)
        plain(net, D, c.get("n_inner") or 4 * D)
        net.norm(D, True), net.norm(D, True)
    net.norm(D, True)
    head(net, V, D, True)
    return decoder(H, H, D // H, everywhere(L))


def opt(c, net):
    D, L, H, V = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["vocab_size"]
    net.tensor("embedding", V, D)
    net.tensor("embedding", c["max_position_embeddings"] + 2, D)  # OPTLearnedPositionalEmbedding.offset
    for _ in range(L):
        attention(net, D, H, H, D // H, True, True)
        plain(net, D, c["ffn_dim"])
        net.norm(D, True), net.norm(D, True)
    net.norm(D, True)
    head(net, V, D, True)
    return decoder(H, H, D // H, everywhere(L))


def bloom(c, net):
    D, L, H, V = c["hidden_size"], c["n_layer"], c["n_head"], c["vocab_size"]
    net.tensor("embedding", V, D)
    net.norm(D, True)  # word_embeddings_layernorm
    for _ in range(L):
        attention(net, D, H, H, D // H, True, True)
        plain(net, D, 4 * D)
        net.norm(D, True), net.norm(D, True)
    net.norm(D, True)
    head(net, V, D, True)
    return decoder(H, H, D // H, everywhere(L))


def mpt(c, net):
    D, L, H, V = c["d_model"], c["n_layers"], c["n_heads"], c["vocab_size"]
    net.tensor("embedding", V, D)
    for _ in range(L):
        attention(net, D, H, H, D // H)
        plain(net, D, c["expansion_ratio"] * D, False)
        net.norm(D, False), net.norm(D, False)
    net.norm(D, False)
    head(net, V, D, True)
    return decoder(H, H, D // H, everywhere(L))


def falcon(c, net):
    D, L, H, V = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["vocab_size"]
    new = c["new_decoder_architecture"]
    KV = c["num_kv_heads"] if new else 1
    net.tensor("embedding", V, D)
    for _ in range(L):
        attention(net, D, H, KV, D // H)
        plain(net, D, 4 * D, False)
        for _ in range(2 if new else 1):  # ln_attn and ln_mlp, or input_layernorm
            net.norm(D, True)
    net.norm(D, True)
    head(net, V, D, True)
    if not new:  # the old files have post_attention_layernorm only where attention and feed-forward do not run side by side
        assert c["parallel_attn"]
    return decoder(H, KV, D // H, everywhere(L))


def neox(c, net):
    D, L, H, V = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["vocab_size"]
    net.tensor("embedding", V, D)
    for _ in range(L):
        attention(net, D, H, H, D // H, True, True)
        plain(net, D, c["intermediate_size"])
        net.norm(D, True), net.norm(D, True)
    net.norm(D, True)
    head(net, V, D, False)
    return decoder(H, H, D // H, everywhere(L))


def palm(c, net):
    D, L, H, V, d = (c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["vocab_size"], c["head_dim"])
    net.tensor("embedding", V, D)
    for _ in range(L):
        attention(net, D, H, 1, d)
        gated(net, D, c["intermediate_size"])
        net.norm(D, False)
    net.norm(D, False)
    head(net, V, D, True)
    return decoder(H, 1, d, everywhere(L))


def bert(c, net):
    D, L, H, V = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["vocab_size"]
    net.tensor("embedding", V, D)
    net.tensor("embedding", c["max_position_embeddings"], D)
    net.tensor("embedding", c.get("type_vocab_size", 2), D)
    net.norm(D, True)
    for _ in range(L):
        attention(net, D, H, H, D // H, True, True)
        plain(net, D, c["intermediate_size"])
        net.norm(D, True), net.norm(D, True)
    net.linear("head", D, D, True, "")  # the pooler, which sees the first token only
    return Model("encoder", everywhere(L), 4 * D, 0)


def t5(c, net):
    D, H, d, F, V = c["d_model"], c["num_heads"], c["d_kv"], c["d_ff"], c["vocab_size"]
    L = c["num_layers"]
    block = gated if c["feed_forward_proj"].startswith("gated") else lambda n, D, F, passes: plain(n, D, F, False, passes)
    net.tensor("embedding", V, D)
    for _ in range(L):
        attention(net, D, H, H, d, passes="source")
        block(net, D, F, passes="source")
        net.norm(D, False), net.norm(D, False)
        attention(net, D, H, H, d)
        attention(net, D, H, H, d, source="source")
        block(net, D, F, passes="token")
        net.norm(D, False), net.norm(D, False), net.norm(D, False)
    for _ in range(2):
        net.tensor("other", c["relative_attention_num_buckets"], H)
        net.norm(D, False)
    head(net, V, D, c.get("tie_word_embeddings", True))
    return Model("both", everywhere(L), 4 * H * d, 2 * H * d, encoder_layers=L)


def original(c, net):
    D, H, L, F, V = c["d_model"], c["num_heads"], c["num_layers"], c["d_ff"], c["vocab_size"]
    net.tensor("embedding", V, D)
    for _ in range(L):
        attention(net, D, H, H, D // H, passes="source")
        plain(net, D, F, True, "source")
        net.norm(D, True), net.norm(D, True)
        attention(net, D, H, H, D // H)
        attention(net, D, H, H, D // H, source="source")
        plain(net, D, F, True)
        net.norm(D, True), net.norm(D, True), net.norm(D, True)
    head(net, V, D, True)
    return Model("both", everywhere(L), 4 * D, 2 * D, encoder_layers=L)


def llama_like(c, net):
    """LLaMA and its kin: RMSNorm, three matrices, and what each of them does in its own way."""
    kind = c["model_type"]
    D, L, H, V = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["vocab_size"]
    KV, F = c.get("num_key_value_heads", H), c["intermediate_size"]
    d = c.get("head_dim") or c.get("kv_channels") or D // H
    gemma, qwen3 = kind.startswith("gemma"), kind.startswith("qwen3")
    if kind == "qwen":
        F //= 2  # of w1 and w2 together
    tied = c.get("tie_word_embeddings", gemma)
    net.tensor("embedding", V, D)
    for _ in range(L):
        attention(net, D, H, KV, d, kind in ("qwen", "qwen2", "gpt_oss"), kind == "gpt_oss")
        if kind == "gpt_oss":
            net.tensor("attention", H)  # sinks
        for _ in range(4 if kind.startswith(("gemma2", "gemma3")) else 2):
            net.norm(D, False)
        if qwen3 or kind.startswith("gemma3"):
            net.norm(d, False), net.norm(d, False)
        if kind == "olmo3":
            net.norm(H * d, False), net.norm(KV * d, False)
        if kind in ("mixtral", "gpt_oss", "qwen3_moe", "llama4_text"):
            total = c.get("num_local_experts") or c["num_experts"]
            net.linear("feed_forward", D, total, kind == "gpt_oss")
            gated(net, D, c.get("moe_intermediate_size", F), kind == "gpt_oss", total, c["num_experts_per_tok"])
            if kind == "llama4_text":
                gated(net, D, F)
        else:
            gated(net, D, F)
    net.norm(D, False)
    head(net, V, D, tied)
    window = c.get("sliding_window") or 0
    windows = {"mistral": [window] * L, "gemma2": turns(L, window, 2), "gpt_oss": turns(L, window, 2),
               "gemma3_text": turns(L, window, 6), "olmo3": turns(L, window, 4),
               "llama4_text": turns(L, c.get("attention_chunk_size", 8192), 4)}
    return decoder(H, KV, d, windows.get(kind, everywhere(L)), kind == "llama4_text")


def deepseek(c, net):
    D, L, H, V = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["vocab_size"]
    rank, rope, nope, value = c["kv_lora_rank"], c["qk_rope_head_dim"], c["qk_nope_head_dim"], c["v_head_dim"]
    third, queries = c["model_type"] == "deepseek_v3", c["q_lora_rank"]
    net.tensor("embedding", V, D)
    for i in range(L):
        if queries:
            net.linear("attention", D, queries)
            net.norm(queries, False)
            net.linear("attention", queries, H * (nope + rope))
        else:
            net.linear("attention", D, H * (nope + rope))
        net.linear("attention", D, rank + rope)
        net.norm(rank, False)
        net.linear("attention", rank, H * (nope + value))
        net.linear("attention", H * value, D)
        net.norm(D, False), net.norm(D, False)
        if i < c["first_k_dense_replace"]:
            gated(net, D, c["intermediate_size"])
            continue
        net.linear("feed_forward", D, c["n_routed_experts"], third)  # its bias: e_score_correction_bias
        gated(net, D, c["moe_intermediate_size"], False, c["n_routed_experts"], c["num_experts_per_tok"])
        gated(net, D, c["moe_intermediate_size"] * c["n_shared_experts"])
    net.norm(D, False)
    head(net, V, D, c.get("tie_word_embeddings", False))
    return Model("decoder", everywhere(L), 2 * H * (nope + rope + value), rank + rope,
                 absorbed=2 * H * (rank + rope + rank))


MAKERS = {"gpt2": gpt, "gpt3": gpt, "opt": opt, "bloom": bloom, "mpt": mpt, "falcon": falcon, "gpt_neox": neox, "palm": palm,
          "bert": bert, "roberta": bert, "t5": t5, "transformer": original, "deepseek_v2": deepseek, "deepseek_v3": deepseek}


@functools.cache
def seen(window, chunked, n):
    """Keys that n queries see, of those behind them and themselves: all of them, and the last one."""
    if window == 0:
        each = range(1, n + 1)
    else:
        each = [at % window + 1 if chunked else min(at + 1, window) for at in range(n)]
    return sum(each), each[-1]


def counted(config, length, number_bytes):
    net = Checkpoint()
    model = MAKERS.get(config["model_type"], llama_like)(config, net)
    parameters = {part: net.parts.get(part, 0) for part in ("embedding", "attention", "feed_forward", "norm", "head", "other")}
    parameters["total"] = sum(net.parts.values())
    parameters["active"] = parameters["total"] - net.idle
    keys = sum(seen(w, model.chunked, length)[0] for w in model.windows)
    last = sum(seen(w, model.chunked, length)[1] for w in model.windows)
    layers = len(model.windows)
    if model.kind == "decoder":
        prefill, decode = net.by_token + model.per_key * keys / length, net.by_token + model.absorbed * last
    elif model.kind == "encoder":
        prefill, decode = net.by_token + model.per_key * layers * length, None
    else:
        prefill = net.by_source + model.per_key * model.encoder_layers * length
        decode = net.by_token + model.per_key * (last + layers * length)
    kept = sum(min(w, length) if w else length for w in model.windows) + (layers * length if model.kind == "both" else 0)
    return {"parameters": parameters, "prefill": prefill, "decode": decode,
            "a token": layers * model.kept * number_bytes, "the text": kept * model.kept * number_bytes}


def configurations(folders):
    found = {}
    for folder in folders:
        for file in sorted(pathlib.Path(folder).glob("*.json")):
            found[file.stem] = json.loads(file.read_text())
    return found


def ask(program, *arguments):
    ran = subprocess.run([program, "model", *arguments, "--json"], capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{program} model: {ran.stderr.strip()}")
    return json.loads(ran.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cards", nargs="+", default=[ROOT / "assets/cards", ROOT / "assets/models"])
    parser.add_argument("--lengths", nargs="+", type=int, default=[1, 1000, 5000, 100000])
    parser.add_argument("--formats", nargs="+", default=["bf16", "f32"])
    asked = parser.parse_args()
    configs = configurations(asked.cards)
    names = [each["name"] for each in ask(asked.program)]
    wrong = compared = 0

    def same(name, what, has, wanted, slack=0):
        nonlocal wrong, compared
        compared += 1
        if (has is None) != (wanted is None) or (has is not None and abs(has - wanted) > slack):
            wrong += 1
            print(f"{name}: {what} is {has}, counted here {wanted}")

    for length in asked.lengths:
        for form in asked.formats:
            said = {each["name"]: each for each in ask(asked.program, *names, "--length", str(length), "--format", form)}
            if set(said) != set(names):
                sys.exit(f"asked for {len(names)} models, told of {len(said)}")
            for name in names:
                has, want = said[name], counted(configs[name], length, BYTES[form])
                at = f" at {length} in {form}"
                for part, wanted in want["parameters"].items():
                    same(name, part, has["parameters"][part], wanted)
                same(name, "prefill" + at, has["flops_per_token"]["prefill"], want["prefill"], 1)
                same(name, "decode" + at, has["flops_per_token"]["decode"], want["decode"], 1)
                same(name, "bytes a token" + at, has["kv_bytes_per_token"], want["a token"])
                same(name, "bytes of the text" + at, has["kv_bytes"]["bytes"], want["the text"])
    print(f"{len(names)} models, {compared} numbers compared, {wrong} differ")
    sys.exit(1 if wrong else 0)


main()
