#include "app/experiment/declarations.h"

#include <array>

namespace orrery::experiment {
namespace {

using parameter::Kind;
using parameter::Parameter;

struct More {
  std::string_view word = {}, unit = {}, only_when = {};
  int multiple = 1;
};

constexpr Parameter number(Kind kind, std::string_view name, std::string_view fallback, double least,
                           double most, std::string_view help, const More& more) {
  return {.name = name,
          .label = name,
          .kind = kind,
          .fallback = fallback,
          .min = least,
          .max = most,
          .multiple = more.multiple,
          .word = more.word,
          .unit = more.unit,
          .help = help,
          .only_when = more.only_when};
}

constexpr Parameter whole(std::string_view name, std::string_view fallback, double least, double most,
                          std::string_view help, const More& more = {}) {
  return number(Kind::integer, name, fallback, least, most, help, more);
}

constexpr Parameter real(std::string_view name, std::string_view fallback, double least, double most,
                         std::string_view help, const More& more = {}) {
  return number(Kind::real, name, fallback, least, most, help, more);
}

constexpr Parameter choice(std::string_view name, std::string_view choices, std::string_view help,
                           std::string_view only_when = {}) {
  return {.name = name,
          .label = name,
          .kind = Kind::choice,
          .fallback = choices.substr(0, choices.find('|')),
          .choices = choices,
          .help = help,
          .only_when = only_when};
}

constexpr Parameter toggle(std::string_view name, std::string_view fallback, std::string_view help,
                           std::string_view only_when = {}) {
  return {.name = name,
          .label = name,
          .kind = Kind::toggle,
          .fallback = fallback,
          .help = help,
          .only_when = only_when};
}

constexpr auto task = std::to_array<Parameter>({
    choice("kind", "copy|markov|text",
           "copy a word behind itself; chains drawn anew for every sequence; the next byte of a text"),
    whole("content", "64", 2, 4096, "tokens that words are made of", {.only_when = "kind=copy"}),
    whole("shortest", "4", 1, 4096, "word that is trained", {.unit = "tokens", .only_when = "kind=copy"}),
    whole("longest", "30", 1, 4096, "word that is trained", {.unit = "tokens", .only_when = "kind=copy"}),
    whole("tokens", "1240", 1, 1e6, "of a batch, about", {.only_when = "kind=copy"}),
    whole("states", "8", 2, 256, "of a chain", {.only_when = "kind=markov"}),
    real("concentration", "0.3", 0.01, 1, "α of the Dirichlet distribution that rows are drawn from",
         {.only_when = "kind=markov"}),
    Parameter{.name = "file",
              .label = "file",
              .kind = Kind::file,
              .fallback = "/usr/share/common-licenses",
              .help = "a text, or a folder whose files stand one behind the other by name",
              .only_when = "kind=text"},
    real("held_out", "0.1", 0.01, 0.9, "share of the text, at its end, that is never trained on",
         {.only_when = "kind=text"}),
    whole("length", "64", 1, 65536, "of a sequence that is trained",
          {.unit = "tokens", .only_when = "kind=markov|text"}),
    whole("sequences", "16", 1, 65536, "of a batch", {.only_when = "kind=markov|text"}),
});

constexpr auto model = std::to_array<Parameter>({
    whole("width", "64", 1, 8192, "D, of a token's vector"),
    whole("layers", "2", 0, 256, "blocks"),
    whole("heads", "4", 1, 256, "H"),
    whole("key_value_heads", "0", 0, 256, "of grouped queries; 0: as many as heads"),
    whole("head_width", "0", 0, 8192, "d; 0: D/H"),
    whole("hidden", "256", 1, 65536, "F, of the feed-forward network"),
    choice("norm", "layer|rms", "LayerNorm or RMSNorm"),
    real("norm_eps", "1e-5", 0, 1, "ε of the norms"),
    toggle("norm_bias", "on", "of LayerNorm", "norm=layer"),
    choice("placement", "pre|post|sandwich|output|deep_norm|parallel|parallel_one_norm",
           "where the norms of a block stand"),
    toggle("embedding_norm", "off", "a norm behind the embedding (with sandwich: Peri-LN)"),
    choice("final_norm", "auto|on|off", "behind the last block; auto: where none stands at its end"),
    choice("qk_norm", "none|heads|whole", "a norm of queries and keys: of each head, or of the projection"),
    choice(
        "activation",
        "gelu|gelu_tanh|gelu_quick|relu|leaky_relu|elu|selu|silu|swish|mish|softplus|relu2|hard_swish|sigmoid|tanh",
        "of the feed-forward network"),
    toggle("gated", "off", "the activated half lets the other one pass (GLU)"),
    toggle("bias", "on", "of linear maps"),
    choice("positions", "learned|sinusoidal|rope|alibi|t5|fire|none", "how positions are told apart"),
    whole("length", "0", 0, 65536,
          "rows of a learned table; 0: as many as are read at a time, trained or asked",
          {.unit = "tokens", .only_when = "positions=learned"}),
    real("rope_base", "10000", 1.001, 1e12, "b of rotary positions", {.only_when = "positions=rope"}),
    choice("rope_layout", "half|interleaved", "which columns are a pair", "positions=rope"),
    whole("rope_width", "0", 0, 8192, "columns of a head that turn; 0: all",
          {.only_when = "positions=rope", .multiple = 2}),
    whole("t5_buckets", "32", 2, 4096, "of distances", {.only_when = "positions=t5"}),
    whole("t5_distance", "128", 2, 1e6, "from which on all are in the last bucket",
          {.only_when = "positions=t5"}),
    whole("fire_width", "32", 1, 4096, "of the network of distances", {.only_when = "positions=fire"}),
    real("fire_c", "0.1", 1e-6, 1e6, "c of ψ(x) = ln(c x + 1)", {.only_when = "positions=fire"}),
    real("fire_threshold", "512", 1e-3, 1e6, "least reach that distances are measured against",
         {.unit = "tokens", .only_when = "positions=fire"}),
    toggle("fire_deep", "on", "two hidden layers", "positions=fire"),
    real("score_scale", "default", 1e-6, 1e6, "of the scores; default: 1/√d", {.word = "default"}),
    real("score_cap", "none", 1e-3, 1e6, "c of c·tanh(score/c)", {.word = "none"}),
    whole("window", "0", 0, 65536, "tokens that a query sees, itself included; 0: all before it",
          {.unit = "tokens"}),
    toggle("scaled_embedding", "off", "rows of the embedding times √D"),
    toggle("tied", "off", "logits by the table of the embedding"),
});

constexpr auto start = std::to_array<Parameter>({
    choice("spread", "lecun_normal|normal|xavier_normal|xavier_uniform|he_normal", "of matrices"),
    real("deviation", "0.02", 0, 10, "of `normal`", {.only_when = "spread=normal"}),
    real("embedding_deviation", "1", 0, 10, "of rows that are looked up"),
    choice("into_stream", "as_others|divided|zero",
           "matrices that end in the stream: as the others, divided by the root of their number, or 0"),
    real("inner_gain", "1", 0, 10, "of norms behind a sublayer and before the sum",
         {.only_when = "model.placement=sandwich|output"}),
});

constexpr auto optimiser = std::to_array<Parameter>({
    real("beta1", "0.9", 0, 0.99999, "β₁, of the mean of gradients"),
    real("beta2", "0.98", 0, 0.999999, "β₂, of the mean of their squares"),
    real("eps", "1e-8", 1e-20, 1, "beside the root"),
    real("decay", "0.01", 0, 10, "λ, of the weights"),
    toggle("decoupled", "on", "the decay beside the gradient (AdamW), not in it"),
    toggle("corrected", "on", "both means, which begin at 0, divided by 1 − βᵗ"),
    real("clip", "1", 1e-6, 1e6, "the longest gradient of all parameters"),
});

constexpr auto schedule = std::to_array<Parameter>({
    choice("kind", "cosine|inverse_root|linear|stable|constant", "how the rate goes on after the warm-up"),
    real("highest", "0.002", 1e-8, 10, "the rate at the end of the warm-up"),
    whole("warm_up", "100", 0, 1e6, "in which the rate rises on a line", {.unit = "steps"}),
    real("end", "0", 0, 1, "share of the highest rate that is left at the last step",
         {.only_when = "kind=cosine|linear|stable"}),
    real("decay_share", "0.1", 0.001, 1, "of all steps, at their end, in which the rate falls",
         {.only_when = "kind=stable"}),
});

constexpr auto training = std::to_array<Parameter>({
    whole("steps", "2000", 1, 1e8, "of the training"),
    whole("seed", "1", 0, 4294967295.0, "of the first weights and of the batches"),
});

constexpr auto evaluation = std::to_array<Parameter>({
    Parameter{.name = "lengths",
              .label = "lengths",
              .kind = Kind::vector,
              .min = 1,
              .max = 65536,
              .unit = "tokens",
              .help = "of test sequences (copy: of words); none: the longest that is trained"},
    whole("sequences", "32", 1, 65536, "of each length"),
    whole("window", "0", 0, 65536, "tokens that each one is predicted from, which slide; 0: all before it",
          {.unit = "tokens"}),
    choice("rule", "default|linear|ntk|by_parts|yarn", "what makes rotary positions reach further"),
    choice("reading", "code|paper", "of yarn's ramp, where paper and code differ", "rule=yarn"),
    real("factor", "auto", 1, 4096, "s; auto: the length, or the window, over the trained length",
         {.word = "auto", .only_when = "rule=linear|ntk|by_parts|yarn"}),
    real("beta_fast", "32", 0.001, 1e6, "turns within the trained length from which on a pair is kept",
         {.only_when = "rule=by_parts|yarn"}),
    real("beta_slow", "1", 0.0001, 1e6, "turns below which a pair is divided by s",
         {.only_when = "rule=by_parts|yarn"}),
    whole("seed", "777", 0, 4294967295.0, "of the test sequences"),
});

constexpr auto all = std::to_array<Section>({
    {"task", "what is learned", task},
    {"model", "a decoder: what it is made of", model},
    {"start", "the numbers that it starts with", start},
    {"optimiser", "AdamW, and clipping", optimiser},
    {"schedule", "the learning rate over the steps", schedule},
    {"training", "how long, and which of many", training},
    {asked_section, "what is asked of it when it is trained", evaluation},
});

}  // namespace

std::span<const Section> sections() {
  return all;
}

}  // namespace orrery::experiment
