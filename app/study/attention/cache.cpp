// The life of a cache of keys: read in chunks, padded, evicted, renumbered, with frequencies that change on the way; and what
// becomes of attention when a program forgets one of these.
#include "app/study/attention/cache_checks.h"
#include "app/study/attention/cache_picture.h"
#include "app/study/kit.h"
#include "app/study/rope/source.h"

namespace orrery::study::attention_cache {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    whole("prompt", "Prompt", "24", {1, 64}, "tokens that are there before the first one is decoded",
          {.travel = Travel::log, .unit = "tokens"}),
    whole("chunk", "Chunk", "8", {0, 64}, "of the prompt, read in one pass; 0: all of it at once",
          {.unit = "tokens"}),
    whole("decoded", "Decoded", "24", {1, 48}, "one in each pass behind the prompt",
          {.travel = Travel::log, .unit = "tokens"}),
    whole("padding", "Padding", "4", {0, 32}, "on the left of the prompt, where a batch has longer ones",
          {.unit = "tokens"}),
    choice("pads", "Padding's positions", "skipped|counted",
           "the text begins at 0, as a mask tells; or behind the padding"),
    whole("capacity", "Capacity", "36", {0, 128}, "keys that the cache holds; 0: all", {.unit = "keys"}),
    whole("first_kept", "First kept", "4", {0, 32}, "tokens of the beginning whose keys never leave",
          {.unit = "tokens"}),
    toggle(
        "renumber", "Renumber", "off",
        "positions are slots of the cache, anew in every pass, as StreamingLLM has it; off: those of the text"),
    with_fallback(choice("change", "Change", changes, "what becomes of the frequencies as the text grows"),
                  "dynamic"),
    real("trained", "From length", "32", {4, 256}, "L: a longer text has other frequencies",
         {.travel = Travel::log, .unit = "tokens", .only_when = "change=dynamic|dynamic_yarn|longrope|base"}),
    real("factor", "Factor", "4", {1, 64}, "s: of dynamic NTK, and of the long list",
         {.travel = Travel::log, .only_when = "change=dynamic|longrope"}),
    real("new_base", "New base", "500000", {10, 1e9}, "beyond that length",
         {.travel = Travel::log, .only_when = "change=base"}),
    with_fallback(choice("mistake", "Mistake", mistakes, "what a program gets wrong"), "old_rotation"),
    always_read(base_parameter),
    up_to(128, always_read(with_fallback(head_width_parameter, "64"))),
    content_parameter("one vector for all queries and keys, so that only places count, or independent ones"),
    seed_parameter("another one gives other vectors"),
    choice("colour", "Colour", "frequencies|distance",
           "of the timeline: what a key was turned with, or by how much its distance is off",
           {.presentation = true}),
    show_parameter("all|timeline|errors|last|distances"),
});

std::string percent_of(double share) {
  return short_text(100 * share, 2);
}

/// What a mistake does, in words, with the weight that it costs the last token.
std::string mistaken_title(CacheMistake mistake, const std::string& percent) {
  switch (mistake) {
    case CacheMistake::old_rotation:
      return "Keys that keep their old rotation: the last token gives " + percent +
             " % of its weight to other keys";
    case CacheMistake::decoded_at_zero:
      return "Every decoded token at 0: the last one gives " + percent + " % of its weight to other keys";
    case CacheMistake::chunks_from_zero:
      return "Every chunk counted from 0: the last token gives " + percent + " % of its weight to other keys";
    case CacheMistake::table_by_length:
      return "Angles remembered by size alone: the last token gives " + percent +
             " % of its weight to other keys";
    case CacheMistake::prompt_before_zero:
      return "A prompt that begins before 0: the last token gives " + percent +
             " % of its weight to other keys";
    case CacheMistake::length_of_cache:
      return "Positions counted by the keys that are held: the last token gives " + percent +
             " % of its weight to other keys";
    default:
      return "Frequencies of a longer text: the last token gives " + percent +
             " % of its weight to other keys";
  }
}

constexpr double hardly = 1e-4;  // of a weight: below that a twin's rounding may be all of it

std::string title_of(const Asked& asked, const CacheLife& life) {
  const Index last = std::ssize(life.passes) - 1;
  const double mistaken = elsewhere(life.cached, life.recomputed, last),
               lost = elsewhere(life.cached, life.whole, last);
  if (asked.plan.mistake != CacheMistake::none)
    return mistaken >= hardly ? mistaken_title(asked.plan.mistake, percent_of(mistaken))
                              : "Here the mistake moves less than 0.01 % of the last token's weight";
  if (lost >= hardly)
    return "The cache gives what turning all its keys anew gives; against the whole text " +
           percent_of(lost) + " % of the last token's weight is elsewhere";
  return "The cache gives what the whole text at once gives";
}

/// The key of the last pass whose score is furthest from what it should be; the first one where all are right.
const CachedKey& most_mistaken(Asked& asked, const CachePass& pass) {
  const CachedKey& query = pass.last();
  const auto off = [&](const CachedKey& key) {
    return std::abs(closed_form(pair_parts(asked, query.token, query.cached, key.token, key.cached)) -
                    closed_form(pair_parts(asked, query.token, query.right, key.token, key.right)));
  };
  return *std::ranges::max_element(pass.keys, {}, off);
}

/// The base of that moment, and how the last query meets a key: rightly, and as that is cached.
std::string worked_of(Asked& asked, const CacheLife& life) {
  Turning& turning = asked.turning;
  const CachePass& pass = life.last();
  const CachedKey &query = pass.last(), &key = most_mistaken(asked, pass);
  const double width = number(turning.width);
  Worked worked;
  if (turning.change == "dynamic" && query.right.length > turning.trained)
    worked.add(
        "b'",
        term(turning.base) * power(term(turning.factor) * worked::frac(query.right.length, turning.trained) -
                                       (term(turning.factor) - 1),
                                   worked::frac(width, width - 2)),
        turning.at(query.right.length).base);
  const auto add = [&](const char* letter, const TurnedWith& q, const TurnedWith& k) {
    std::vector<Term> terms;
    const std::vector<PairPart> parts = pair_parts(asked, query.token, q, key.token, k);
    for (const PairPart& part : parts) {
      Term angle =
          term(part.query_position) * part.query_frequency - term(part.key_position) * part.key_frequency;
      if (part.angle != 0) angle = angle + part.angle;
      terms.push_back(term(part.size) * cos(angle));
    }
    worked.add(subscripted(letter, number(query.token), number(key.token)),
               worked::frac(worked::sum(terms), sqrt(term(width))), closed_form(parts));
  };
  add("s", query.right, key.right);
  if (asked.plan.mistake != CacheMistake::none) add("\\hat s", query.cached, key.cached);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  Asked asked(settings);
  const CacheLife life = life_of(run, asked);
  const Series passes = passes_of(asked, life), tokens = tokens_of(asked, life), keys = last_keys_of(life);
  Picture picture(
      title_of(asked, life),
      "A row for each forward pass and a column for each token: the keys that the cache holds, coloured by what they were "
      "turned with, or by how much their distance is off. Beside it, pass by pass, the weight that goes elsewhere and the largest difference of a score, "
      "against turning all keys anew. Below, the weights of the last query and the distances of its keys, as they should be "
      "and as they are cached.");
  picture.at({0, 0}, "timeline", timeline_panel(asked, life, settings.choice("colour") == "distance"))
      .at({0, 1}, "errors", errors_panel(life, passes))
      .at({1, 0}, "last", last_panel(life, tokens))
      .at({1, 1}, "distances", distance_panel(keys));
  return {
      .figure = std::move(picture).figure(settings, {.aspect = 1.05,
                                                     .rows = {1.6, 1},
                                                     .cols = {1.25, 1},
                                                     .telling = {"timeline", "last", "errors", "distances"}}),
      .tables = {passes.table(), tokens.table(), keys.table(), held_table(asked, life)},
      .checks = checks_of(run, asked, life),
      .worked = worked_of(asked, life)};
}

const std::vector<double>& gone_elsewhere(const StudyResult& result) {
  return column(result, "passes", "weight elsewhere");
}

constexpr auto tries = std::to_array<Try>({
    {"Turn all cached keys on as the base grows: nothing goes elsewhere any more but what has left.",
     "mistake=none",
     [](auto& now, auto& before) {
       return most(gone_elsewhere(now)) < 1e-4 && most(gone_elsewhere(before)) > 0.04 &&
              column(now, "passes", "weight elsewhere, whole text").back() > 0.01;
     }},
    {"LongRoPE's other list from one token to the next: all keys that were there before are wrong at once.",
     "change=longrope",
     [](auto& now, auto&) {
       const double flips = x_where(now, "passes", "length", [](double n) { return n > 32; });
       return at(now, "passes", "weight elsewhere", flips - 1) < 1e-4 &&
              at(now, "passes", "weight elsewhere", flips) > 0.05;
     }},
    {"Every decoded token at position 0: it looks at the beginning of the prompt.",
     "mistake=decoded_at_zero change=none capacity=0 colour=distance",
     [](auto& now, auto&) {
       const auto& weights = column(now, "tokens", "weight as cached");
       return at(now, "last_query", "distance as cached", 0) == 0 && weights[0] > weights[23] &&
              at(now, "tokens", "weight, recomputed", 0) < weights[0];
     }},
    {"Every chunk counted from 0: three prompts lie over each other.",
     "mistake=chunks_from_zero change=none capacity=0 colour=distance",
     [](auto& now, auto&) {
       return at(now, "tokens", "position as cached", 8) == 0 &&
              at(now, "tokens", "position as cached", 16) == 0 && gone_elsewhere(now)[0] < 1e-4 &&
              gone_elsewhere(now)[2] > 0.05;
     }},
    {"Angles remembered by how many tokens a pass has: all decoded ones are where the first was.",
     "mistake=table_by_length change=none capacity=0 colour=distance",
     [](auto& now, auto&) {
       return at(now, "tokens", "position as cached", 24) == 24 &&
              at(now, "tokens", "position as cached", 47) == 24 && gone_elsewhere(now)[3] < 0.5;
     }},
    {"Five pads taken off the prompt and not off what is decoded: the prompt seems five tokens further away.",
     "mistake=prompt_before_zero padding=5 change=none capacity=0 colour=distance",
     [](auto& now, auto&) {
       return at(now, "tokens", "position as cached", 0) == -5 &&
              at(now, "last_query", "distance as cached", 0) == at(now, "last_query", "distance", 0) + 5 &&
              at(now, "last_query", "distance as cached", 40) == at(now, "last_query", "distance", 40);
     }},
    {"New tokens counted by the keys that are left: once keys leave, they all stand at the end of the cache.",
     "mistake=length_of_cache change=none colour=distance",
     [](auto& now, auto&) {
       return at(now, "tokens", "position as cached", 47) == 35 &&
              at(now, "tokens", "position as cached", 46) == 35 && gone_elsewhere(now).back() > 0.01;
     }},
    {"The base of a longer text from the beginning: wrong while the text is short, right at its end.",
     "mistake=never_reset",
     [](auto& now, auto&) {
       return gone_elsewhere(now).front() > 0.01 && gone_elsewhere(now).back() < 1e-4;
     }},
    {"xPos with scales about the middle of the text so far: the middle moves, and cached keys keep their old one.",
     "change=xpos",
     [](auto& now, auto&) {
       return at(now, "tokens", "centre of the scales", 0) == 4 &&
              at(now, "tokens", "centre of the scales", 47) == 24 && gone_elsewhere(now)[0] < 1e-4 &&
              gone_elsewhere(now).back() > 0.002;
     }},
    {"StreamingLLM: four first tokens, the last ones, and slots for positions: the base never has to grow.",
     "mistake=none renumber=on capacity=16 chunk=4",
     [](auto& now, auto&) {
       return most(column(now, "passes", "length")) == 16 &&
              most(column(now, "passes", "slowest pair, times slower")) == 1 &&
              most(gone_elsewhere(now)) < 1e-4;
     }},
});

}  // namespace

extern const Study study{
    .id = "attention/cache",
    .title = "Life of a cache",
    .topic = "Attention",
    .summary = "chunks, padding, eviction and changing frequencies: what cached keys are turned with",
    .formula =
        R"(s_{m,n} = \frac{1}{\sqrt{d}} \sum_i |q_i||k_i| \cos\left(p_m\, \theta_i - p_n\, \theta'_i + \varphi_i\right), \qquad \theta'_i = \theta_i)",
    .derivation =
        R"(A cached key carries $p_n\, \theta'_i$, its position and the frequencies when it was turned; the query comes with $p_m\, \theta_i$.)"
        "\n"
        R"(Where $\theta' = \theta$ the difference is $(p_m - p_n)\, \theta_i$: only the distance counts, and a shift of all positions is not seen.)"
        "\n"
        R"(Where $\theta$ has changed since, $p_n (\theta_i - \theta'_i)$ is left over, which grows with the key's position: no distance explains it.)"
        "\n"
        R"(Turning the key on by $p'_n\, \theta_i - p_n\, \theta'_i$ mends both, a new position and new frequencies: rotations of a pair add up.)",
    .about =
        "A forward pass reads a chunk of the prompt or one token, and keeps the keys, already turned. From then on each key carries "
        "the position and the frequencies of that moment; whatever changes later (eviction with new positions, a base that grows "
        "with the text) must reach the keys too, or they must be kept unturned. Decode steps at wrong positions are all that "
        "rope/cache-offset shows; here is the whole life of a cache. A pass looks with the query of its last token; one layer, so "
        "that what is read earlier is not changed by what went wrong.",
    .source =
        "Peng et al. 2023, arXiv 2309.00071, section 3.3; Xiao et al. 2024, arXiv 2309.17453; huggingface/transformers#25104, "
        "#43082 and #25306, ml-explore/mlx-vlm#1983, lucidrains/rotary-embedding-torch#11 and #27, "
        "fla-org/flash-linear-attention#902, rajveer43/VeloxQuant-MLX#389, openvinotoolkit/openvino#37682",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_cache
