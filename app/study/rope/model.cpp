// A published model's config.json, or one of your own: what it says about rotary positions, resolved, and how else it
// is read.
#include <string>

#include "app/study/kit.h"
#include "app/study/kit/paragraphs.h"
#include "app/study/reading.h"
#include "app/study/rope/published.h"
#include "app/study/rope/resolved_text.h"
#include "app/study/rope/rules.h"
#include "app/study/rope/worked_frequency.h"
#include "core/model/rope_readings.h"

namespace orrery::study::rope_model {
namespace {

using model::RopeConfig;
using model::RopeLayer;
using model::RopeOtherReading;

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(choice("model", "Model", own_or_published.substr(4),
                         "a published configuration, unless a file is given",
                         {.only_when = "config=", .model_fact = "name"}),
                  "gpt-oss-20b"),  // without "own"
    file("config", "config.json", "config.json|.json",
         "a configuration of your own, read instead of the published one"),
    whole("length", "Length", "1", {1, 10485760},
          "of the text, for rules that change with it (dynamic, longrope)",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    toggle("readings", "Other readings", "on",
           "how older copies, other programs and the paper read the same file"),
    show_parameter("all|frequencies|words"),
});

RopeConfig chosen(const Settings& settings, const Run& run) {
  const double length = settings.real("length");
  const std::string& path = settings.file("config");
  if (path.empty()) return published_model(settings.choice("model"), length);
  return read_patiently(run.stop, path, [path, length] { return model::read_rope_config(path, length); });
}

/// Over what the file's base gives without any rule; NaN where a pair stands still.
std::vector<double> ratios(const std::vector<double>& inv_freq, const RopeLayer& layer) {
  position::RopeRule plain = layer.rule;
  plain.type = position::RopeType::standard;
  const std::vector<double> w = rope_frequencies(plain).inv_freq;
  std::vector<double> ratio;
  for (std::size_t i = 0; i < std::min(w.size(), inv_freq.size()); ++i)
    ratio.push_back(inv_freq[i] > 0 ? inv_freq[i] / w[i] : std::numeric_limits<double>::quiet_NaN());
  return ratio;
}

Panel layer_panel(const RopeLayer& layer, const std::vector<RopeOtherReading>& others, bool alone) {
  std::string name = layer.name;
  std::ranges::replace(name, '_', ' ');
  Panel panel{.title = (alone ? "" : name + ", ") + layer.rope_type + ": frequency / plain power of the base",
              .x = counts("pair $i$"),
              .y = values(R"($\theta_i / b^{-2i/R}$)"),
              .legend = LegendPlace::above};
  panel.y.scale = Scale::log(2);
  double least = 1, most = 1;
  const auto add = [&](const std::vector<double>& inv_freq, Line line) {
    line.y = ratios(inv_freq, layer);
    line.x = counted(std::ssize(line.y));
    for (const double y : line.y)
      if (std::isfinite(y)) least = std::min(least, y), most = std::max(most, y);
    panel.marks.push_back(std::move(line));
  };
  int color = 0;
  for (const RopeOtherReading& other : others) {
    add(other.inv_freq, {.ink = series(color), .width = 0.8, .label = other.name});
    color = (color + 1) % 6;
  }
  add(layer.inv_freq, {.ink = ink(Role::accent), .width = 1.6, .label = "as the file says"});
  panel.y.range = Range{std::min(least / 1.2, 0.5), std::max(most * 1.2, 1.25)};
  return panel;
}

Series frequencies_of(const RopeLayer& layer, const std::vector<RopeOtherReading>& others,
                      std::size_t layer_number) {
  Series frequencies("layer_" + std::to_string(layer_number),
                     {"pair", "", counted(std::ssize(layer.inv_freq))});
  frequencies.add({.name = "frequency", .unit = "rad/token", .values = layer.inv_freq, .digits = 16});
  for (const RopeOtherReading& other : others)
    if (other.inv_freq.size() == layer.inv_freq.size())
      frequencies.add({other.name, "rad/token", other.inv_freq});
  return frequencies;
}

/// What the layers of this rule that see furthest have seen in training.
double seen_by(const RopeLayer& layer, const model::TrainedLength& trained) {
  double most = 0;
  for (const model::RopeSpan& span : layer.spans) most = std::max(most, trained.seen(span.window));
  return most;
}

/// One row for each kind of layer.
Table layer_table(const RopeConfig& config) {
  Table table{"layers",
              {{.name = "layer", .typed = config.layers.size() > 1},  // kinds as the file names them
               {.name = "head width"},
               {.name = "rotary width"},
               {.name = "base", .digits = 12},
               {.name = "factor"},
               {.name = "original length", .unit = "tokens", .digits = 9},
               {.name = "longest length", .unit = "tokens", .digits = 9},
               {.name = "attention factor", .digits = 16},
               {.name = "softmax factor", .digits = 16},
               {.name = "pairs kept"},
               {.name = "blended"},
               {.name = "divided"},
               {.name = "still"},
               {.name = "trained length", .unit = "tokens", .digits = 9}}};
  for (std::size_t i = 0; i < config.layers.size(); ++i) {
    const RopeLayer& layer = config.layers[i];
    const auto pairs = count_pairs(layer.rule, layer.frequencies);
    add_row(table, Called{layer.name, number(i)}, layer.head_dim, layer.rotary_dim, layer.base,
            layer.rule.factor, layer.rule.original_length, layer.rule.max_length, layer.attention_factor,
            layer.softmax_factor, pairs.kept, pairs.blended, pairs.divided, pairs.still,
            seen_by(layer, config.trained));
  }
  return table;
}

/// Numbers that others published about these files, and what must hold of any.
std::vector<Check> checks_of(const RopeConfig& config) {
  double rising = 0;
  for (const RopeLayer& layer : config.layers)
    for (std::size_t i = 1; i < layer.inv_freq.size(); ++i)
      rising = std::max(rising, layer.inv_freq[i] - layer.inv_freq[i - 1]);
  const auto off = [](double found, double published) { return std::abs(found / published - 1); };
  const RopeLayer llama = published_model("llama-3.1-8b").layers[0],
                  phi = published_model("phi-4-mini").layers[0],
                  deepseek = published_model("deepseek-v3").layers[0];
  return {
      {"no pair is faster than the one before it", rising, 0},
      known_answer("Llama 3.1 8B: the last frequency is 3.068925988914511e-07",
                   off(llama.inv_freq.back(), 3.068925988914511e-07), 1e-12),
      known_answer("Phi: the attention factor is 1.1902380714238083",
                   off(phi.attention_factor, 1.1902380714238083), 1e-12),
      known_answer("DeepSeek V3: the second correction is 1.873854", off(deepseek.softmax_factor, 1.873854),
                   5e-7),
  };
}

/// Those of some use: others are for positions that are not rotary, and have no frequencies.
std::vector<RopeLayer> turning_layers(const RopeConfig& config) {
  std::vector<RopeLayer> layers;
  std::ranges::copy_if(config.layers, std::back_inserter(layers),
                       [](const RopeLayer& layer) { return !layer.inv_freq.empty(); });
  return layers;
}

/// Of which file it is, and whether there is another way to read it.
std::string file_text(const Settings& settings, const RopeConfig& config, bool turns, bool read_otherwise) {
  const std::string file =
      settings.file("config").empty() ? "the file of " + settings.choice("model") : std::string("the file");
  if (config.positions.kind == model::Positions::unknown)
    return "What positions " + file + " means is not known";
  if (!turns) return "By " + file + " no layer has rotary positions";
  return "What " + file + " says" + (read_otherwise ? ", and how else it is read" : "");
}

figure::Figure figure_of(const Settings& settings, const RopeConfig& config, std::vector<Panel> layers,
                         bool read_otherwise) {
  Picture picture(
      file_text(settings, config, !layers.empty(), read_otherwise),
      "The frequency of every pair over the plain power of the base, for each kind of layer, as the file "
      "says and as other programs read it; below, the resolved values in words, and everything in the file "
      "that is missing, contradictory or read in more than one way.");
  Panel words = resolved_panel(config);
  const bool words_chosen = settings.choice("show") == "words";
  if (layers.empty()) {  // no rotary positions: there are words alone, whatever is chosen
    picture.at({0, 0}, "words", std::move(words));
    return std::move(picture).whole({.aspect = words_chosen ? 1 : 1.6});
  }
  // As high as its lines, where the curves are as high as 12 of them and their title, legend and axis as 10.
  const double share = std::clamp((paragraph_lines(words) + 1) / 12, 0.4, 1.6);
  const int columns = static_cast<int>(layers.size());
  for (int i = 0; i < columns; ++i) picture.at({0, i}, "frequencies", std::move(layers[i]));
  picture.at({1, 0, 1, columns}, "words", std::move(words));
  return std::move(picture).figure(settings, {.aspect = 3.25 / (10.0 / 12 + 1 + share),
                                              .rows = {1, share},
                                              .cols = std::vector<double>(layers.size(), 1),
                                              .aspect_alone = words_chosen ? 1 : 1.6,
                                              .titles_alone = true});
}

/// Of the first kind of layers that turn: a pair that its rule changes, and what multiplies the cosines.
std::string worked_of(const std::vector<RopeLayer>& turning) {
  Worked worked;
  if (turning.empty()) return {};
  add_frequency(worked, "\\theta", turning[0].rule, worked_pair(turning[0].rule));
  add_attention_factor(worked, turning[0].rule);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const RopeConfig config = chosen(settings, run);
  const std::vector<RopeLayer> turning = turning_layers(config);
  std::vector<Table> tables{layer_table(config)};
  std::vector<Panel> panels;
  bool read_otherwise = false;
  for (const RopeLayer& layer : turning) {
    const auto others = settings.toggle("readings") ? other_readings(layer) : std::vector<RopeOtherReading>{};
    tables.push_back(frequencies_of(layer, others, tables.size()).table());
    read_otherwise = read_otherwise || !others.empty();
    if (panels.size() < 3)
      panels.push_back(layer_panel(layer, others, turning.size() == 1));  // more have no room
  }
  return {figure_of(settings, config, std::move(panels), read_otherwise), std::move(tables),
          checks_of(config), worked_of(turning)};
}

/// How many times slower the last pair turns than it would without the file's rule.
double last_slowed(const StudyResult& result) {
  return column(result, "layer_1", "rule forgotten").back() / column(result, "layer_1", "frequency").back();
}

constexpr auto tries = std::to_array<Try>({
    {"Llama 3.1, and what is lost when its rule is forgotten.", "model=llama-3.1-8b",
     [](auto& now, auto&) { return std::abs(last_slowed(now) - 8) < 1e-9; }},
    {"Two kinds of layers: Gemma 4 lets three quarters of its pairs stand still.", "model=gemma-4-shape-v5",
     [](auto& now, auto&) {
       return column(now, "layers", "still").size() == 2 &&
              at(now, "layers", "still", 0) == 3 * at(now, "layers", "pairs kept", 0);
     }},
    {"A base that grows with the text: InternVL2.5 at twice its length.",
     "model=internvl2.5-llm-dynamic length=65536",
     [](auto& now, auto&) { return at(now, "layers", "base", 0) > 3e6; }},
    {"Phi-4-mini beyond 4096 tokens: the other list of divisors.", "model=phi-4-mini length=8192",
     [](auto& now, auto&) { return last_slowed(now) > 40; }},
});

}  // namespace

extern const Study study{
    .id = "rope/model",
    .title = "A model's file",
    .topic = "Context extension",
    .summary = "what a config.json says about rotary positions, resolved, and how else it is read",
    .formula = R"(\theta_i = f(b,\ R,\ s,\ L,\ \ldots), \quad \cos, \sin \to a\cos, a\sin)",
    .about =
        "A published configuration, or a file of your own in either generation (rope_scaling or "
        "rope_parameters), with every default filled in, layer by layer. What is missing, said twice or read "
        "by no rule is named; positions that do not rotate are named too. The thin lines are how older copies of the library, other programs and the "
        "paper read the same file.",
    .source =
        "Hugging Face transformers, modeling_rope_utils; the models' published configurations; Peng et al. "
        "2023, arXiv 2309.00071",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_model
