"""What the published configurations of assets/models mean, worked out with 40 digits: frequencies, attention and softmax
factors of every kind of layer. Written from the rules' definitions, not from the program.

    python3 tests/reference/make_configs.py > tests/reference/configs.json
"""

import json
import pathlib

from mpmath import ceil, floor, ln, mp, mpf, pi, sqrt

mp.dps = 40
models = pathlib.Path(__file__).parents[2] / "assets" / "models"


def powers(base, width):
    return [mpf(base) ** (-mpf(2 * i) / width) for i in range(width // 2)]


def mscale(s, k):
    return mpf(1) if s <= 1 else mpf(k) * ln(s) / 10 + 1


def yarn(rope, base, width, longest):
    s = mpf(rope["factor"])
    length = rope.get("original_max_position_embeddings", longest)
    c = lambda turns: width * ln(mpf(length) / (2 * pi * turns)) / (2 * ln(base))
    low, high = c(rope.get("beta_fast", 32)), c(rope.get("beta_slow", 1))
    if rope.get("truncate", True):
        low, high = floor(low), ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    if low == high:
        high += mpf(1) / 1000
    out = []
    for i, w in enumerate(powers(base, width)):
        g = min(max((i - low) / (high - low), 0), 1)
        out.append(w * (1 - g) + w / s * g)
    if rope.get("attention_factor") is not None:
        a = mpf(rope["attention_factor"])
    elif rope.get("mscale") and rope.get("mscale_all_dim"):
        a = mscale(s, rope["mscale"]) / mscale(s, rope["mscale_all_dim"])
    else:
        a = mscale(s, 1)
    return out, a


def llama3(rope, base, width):
    s, length = mpf(rope["factor"]), mpf(rope["original_max_position_embeddings"])
    low, high = mpf(rope["low_freq_factor"]), mpf(rope["high_freq_factor"])
    out = []
    for w in powers(base, width):
        turns = length * w / (2 * pi)
        if turns > high:
            out.append(w)
        elif turns < low or low == high:
            out.append(w / s)
        else:
            t = (turns - low) / (high - low)
            out.append((1 - t) * w / s + t * w)
    return out, mpf(1)


def layer(config, rope, base, head, name):
    kind = rope.get("rope_type", rope.get("type", "default"))
    longest = config.get("max_position_embeddings", 0)
    partial = rope.get("partial_rotary_factor", config.get("partial_rotary_factor", 1))
    width = config.get("qk_rope_head_dim") or (head if kind == "proportional" else int(head * partial))
    a = softmax = mpf(1)
    if kind in ("default", "mrope", "dynamic"):  # a short text
        f = powers(base, width)
    elif kind == "linear":
        f = [w / rope["factor"] for w in powers(base, width)]
    elif kind == "yarn":
        f, a = yarn(rope, base, width, longest)
        if "qk_rope_head_dim" in config and rope.get("mscale_all_dim"):
            softmax = mscale(mpf(rope["factor"]), rope["mscale_all_dim"]) ** 2
    elif kind == "llama3":
        f, a = llama3(rope, base, width)
    elif kind == "longrope":  # a short text
        f = [w / mpf(e) for w, e in zip(powers(base, width), rope["short_factor"])]
        length = config.get("original_max_position_embeddings", rope.get("original_max_position_embeddings"))
        s = mpf(rope["factor"]) if rope.get("factor") else mpf(longest) / length
        a = sqrt(1 + ln(s) / ln(length)) if s > 1 else mpf(1)
    elif kind == "proportional":
        live = int(partial * head // 2)
        f = [w if i < live else mpf(0) for i, w in enumerate(powers(base, head))]
    else:
        raise ValueError(kind)
    if config["model_type"].startswith("gemma4"):  # its scores are not divided by the root of the head width
        softmax = sqrt(mpf(head))
    digits = lambda x: float(mp.nstr(x, 20))
    return {"name": name, "inv_freq": [digits(x) for x in f], "attention_factor": digits(a), "softmax_factor": digits(softmax)}


def layers(config):
    config = {**config, **config.get("text_config", {})}
    if "qk_rope_head_dim" in config:
        head = config["qk_rope_head_dim"] + config["qk_nope_head_dim"]
    else:
        head = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    if any(isinstance(v, dict) for v in rope.values()):
        wide = {"full_attention": config.get("global_head_dim", head)}
        return [layer(config, r, r["rope_theta"], wide.get(n, head), n) for n, r in sorted(rope.items())]
    base = rope.get("rope_theta", config.get("rope_theta", 10000))
    if config["model_type"] == "olmo3":  # its sliding layers are not stretched
        return [layer(config, rope, base, head, "full_attention"), layer(config, {}, base, head, "sliding_attention")]
    if config["model_type"].startswith("llama4"):  # every fourth layer sees the whole text, and has no positions
        still = {"name": "full_attention", "inv_freq": [], "attention_factor": 1.0, "softmax_factor": 1.0}
        return [layer(config, rope, base, head, "chunked_attention"), still]
    return [layer(config, rope, base, head, "all")]


print(json.dumps({p.stem: layers(json.loads(p.read_text())) for p in sorted(models.glob("*.json"))}, indent=0))
