// One sentence through a whole Transformer: the diagram, and of the part that is chosen every matrix with its numbers.
#include <algorithm>
#include <utility>

#include "app/study/block/walk_checks.h"
#include "app/study/block/walk_links.h"
#include "app/study/block/walk_picture.h"
#include "app/study/block/walk_tables.h"
#include "app/study/kit.h"
#include "app/study/kit/words.h"

namespace orrery::study::block_walk {
namespace {

constexpr std::string_view own = "model=custom";

constexpr auto parameters = std::to_array<Parameter>({
    choice("model", "Model", "original|llama|both|custom",
           "the first Transformer; LLaMA with grouped heads; both; or of parts that are chosen"),
    text(
        "sentence", "Sentence", "the cat sat", {1, 400},
        "what is read: of two stacks by the encoder. Divided by spaces; of a file's model numbers of tokens, or the "
        "bytes of a text"),
    text("target", "Target", "<s> die Katze", {1, 400},
         "what the decoder of two stacks has written so far, from the mark of the beginning on",
         {.only_when = "model=original|both|custom"}),
    whole("padding", "Padding", "0", {0, 4}, "so many <pad> behind the sentence, seen by no query",
          {.unit = "tokens"}),
    choice(
        "part", "Part", all_parts,
        "the box whose matrices are shown, also by a click on it; where a model has no such box, its next of kin"),
    whole("layer", "Layer", "1", {1, 6}, "whose numbers they are; a number past the last means the last"),
    whole("head", "Head", "1", {1, 16}, "the one that is followed; a number past the last means the last"),
    choice(
        "placement", "Placement", "post|pre|sandwich|output|deep_norm|parallel|parallel_one_norm",
        "where the norms stand; parallel blocks have no place for cross-attention: then the decoder stands alone",
        {.only_when = own}),
    choice("family", "Stacks", "encoder_decoder|decoder|encoder", "both, or one alone", {.only_when = own}),
    choice("norm", "Norm", "layer_norm|rms_norm", "its kind, everywhere", {.only_when = own}),
    choice("positions", "Position scheme", "sinusoidal|learned|rope|rope_half|alibi|none",
           "what tells places: rope turns neighbours, rope_half a number of each half of a head",
           {.only_when = own}),
    choice("network", "Network", "relu|gelu|swiglu", "the activation of the feed-forward network",
           {.only_when = own}),
    file(
        "weights", "Checkpoint", ".safetensors",
        "a model with the names that a training saves; sizes, stacks, norms and gates are read from it, heads, "
        "positions without a table and the activation are those above",
        {.only_when = own}),
    with_fallback(choice("width", "Width", "2|4|8|16", "D: numbers of a token"), "4"),
    with_fallback(
        choice("heads", "Heads", "1|2|4|8|16", "H, of d = D/H numbers; no more than D/2, but for a file"),
        "2"),
    with_fallback(choice("shared_by", "Share a key head", "1|2|4",
                         "as many query heads as read one key head, in LLaMA and where parts are chosen",
                         {.only_when = "model=llama|both|custom"}),
                  "2"),
    whole("layers", "Layers", "2", {1, 6}, "N, of each stack"),
    whole("hidden", "Hidden width", "6", {1, 64},
          "F, of the feed-forward network: 4 D in the first Transformer, about 8/3 D in LLaMA"),
    with_fallback(seed_parameter("other matrices"), "25"),
    show_parameter("all|diagram|matrices"),
});

// Words.

std::string last_word(const Walked& w) {
  return in_quotes(as_typed(w.model().words[static_cast<std::size_t>(w.model().last)]));
}
std::string next_word(const Walked& w) {
  return in_quotes(as_typed(w.model().vocabulary[static_cast<std::size_t>(w.next())]));
}

std::string title_text(const std::vector<Walked>& all) {
  const Walked& w = all.front();
  if (all.size() == 2)
    return "After " + last_word(w) + " the first Transformer says " + next_word(w) + ", after " +
           last_word(all[1]) + " LLaMA says " + next_word(all[1]);
  if (!w.model().decodes())
    return "The encoder gives each word " + grouped(number(w.config().width)) +
           " numbers that know of all words";
  return "After " + last_word(w) + " comes " + next_word(w) + ", with a probability of " +
         fixed_text(w.probabilities()(w.model().last, w.next()), 3);
}

std::string part_title(const Walked& w, const Place& place, bool beside) {
  std::string title = title_of(place);
  if (place.of_layer)
    title += ", layer " + std::to_string(place.spot.layer + 1) + " of " +
             std::to_string(w.layers(place.spot.stack));
  return beside ? title + (w.model().name == "llama" ? ": LLaMA" : ": the first Transformer") : title;
}

// The formula with its numbers.

/// The last query's score of the key with the largest weight, and that weight.
void add_attention(Worked& worked, const Walked& w, const Spot& spot, Index head) {
  const Index d = w.config().head_width, g = w.key_head(head);
  const Matrix scores = w.scores(spot, head), weights = w.weights(spot, head),
               masked = w.masked(spot, scores);
  const Index t = weights.rows() - 1;
  Index best = 0;
  weights.row(t).maxCoeff(&best);
  const bool biased = spot.sub == Sub::attention && w.has(spot.stack + ".bias");
  std::vector<Term> products, exponentials;
  for (Index j = 0; j < d; ++j)
    products.push_back(term(w.queries(spot)(t, head * d + j)) * term(w.keys(spot)(best, g * d + j)));
  for (Index n = 0; n < masked.cols(); ++n)
    if (std::isfinite(masked(t, n))) exponentials.push_back(exp(term(scores(t, n))));
  const std::string places = "{" + std::to_string(t + 1) + "," + std::to_string(best + 1) + "}";
  if (!biased)
    worked.add("S_" + places, worked::frac(worked::sum(products), worked::sqrt(number(d))), scores(t, best));
  worked.add("A_" + places, worked::frac(exp(term(scores(t, best))), worked::sum(exponentials)),
             weights(t, best));
}

std::string worked_of(const Walked& w, const Place& place, Index head) {
  Worked worked;
  if (place.of_layer && place.piece.empty() && place.spot.sub != Sub::network)
    add_attention(worked, w, place.spot, std::min(head, w.config().heads - 1));
  std::vector<Term> exponentials;
  const Matrix& logits = w.tape("logits");
  for (Index v = 0; v < logits.cols(); ++v) exponentials.push_back(exp(term(logits(w.model().last, v))));
  const double most = logits(w.model().last, w.next());
  return worked
      .add("p", worked::frac(exp(term(most)), worked::sum(exponentials)),
           w.probabilities()(w.model().last, w.next()))
      .tex();
}

/// A page is as high as the matrices that stand on it one below the other, so that the diagram beside them has its room too.
double aspect_for(const std::vector<Line>& lines, double usual, double least) {
  constexpr double usual_rows = 19;
  return std::clamp(usual * usual_rows / std::max(1.0, rows_of(lines)), least, usual);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  std::vector<Walked> all;
  all.reserve(asked.models.size());
  for (const Model& model : asked.models) {
    run.check();
    all.emplace_back(model);
  }
  const bool both = all.size() == 2;
  Picture picture(
      title_text(all),
      "The architecture as a diagram, one box of it chosen, and beside it that box's matrices as maps with "
      "their numbers, put together to equations.");
  StudyResult result;
  std::vector<Panel> equations;
  std::vector<Table> of_models;
  std::vector<Link> links;
  double aspect = both ? 0.95 : 1.35;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Walked& w = all[i];
    const std::string part = own_part(w, asked.part), prefix = i == 0 ? "" : "llama_";
    const Place place = place_of(w, part, asked.layer);
    const std::vector<Line> lines = lines_of(w, place, asked.head);
    aspect = std::min(aspect, both ? aspect_for(lines, 0.95, 0.75) : aspect_for(lines, 1.35, 0.9));
    picture.at({0, static_cast<int>(i)}, "diagram", diagram_panel(w, part));
    equations.push_back(equations_panel(part_title(w, place, both), lines));
    add_part_tables(lines, prefix, result.tables);
    add_model_tables(w, prefix, of_models);
    std::ranges::move(links_of(w, place, asked.head, name_of(w.model())), std::back_inserter(links));
    if (i == 0) result.worked = worked_of(w, place, asked.head);
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    picture.at(both ? figure::Cell{1, static_cast<int>(i)} : figure::Cell{0, 1}, "matrices",
               std::move(equations[i]));
  std::ranges::move(of_models, std::back_inserter(result.tables));
  if (!links.empty()) result.tables.push_back(links_table(links));
  result.figure = std::move(picture).figure(
      settings, both ? FigureShape{.aspect = aspect,
                                   .rows = {1, 1},
                                   .cols = {1.15, 1},
                                   .telling = {"matrices", "diagram"}}
                     : FigureShape{.aspect = aspect,
                                   .cols = {all[0].model().has_both() ? 0.95 : 0.62, 1},
                                   .telling = {"matrices", "diagram"}});
  // Where there is no room for two models, the first one's matrices are worth more than both at half their size.
  if (both)
    for (bool first = true; Panel & panel : result.figure.panels)
      if (panel.name == "matrices" && !std::exchange(first, false)) panel.rank = 2;
  result.checks = checks_of(run, all);
  return result;
}

const figure::Table* table_in(const StudyResult& result, std::string_view name) {
  const auto found = std::ranges::find(result.tables, name, &Table::name);
  return found == result.tables.end() ? nullptr : &*found;
}

constexpr auto tries = std::to_array<Try>({
    {"LLaMA beside it: the norm before each sublayer, RoPE in the heads, a gate in the network.",
     "model=both part=decoder_feed_forward",
     [](auto& now, auto&) {
       return table_in(now, "llama_hidden_gate") != nullptr && table_in(now, "hidden_gate") == nullptr;
     }},
    {"What comes next: the most probable of all words behind the last one.", "part=probabilities",
     [](auto& now, auto&) {
       const auto& p = column(now, "next", "probability");
       return std::abs(most(p) - largest(p)) == 0 && at(now, "shapes", "rows", "probabilities") == 3;
     }},
    {"Two words of padding: no weight lies on them.", "padding=2 part=decoder_cross",
     [](auto& now, auto&) {
       return largest(column(now, "weights", "column 4")) == 0 &&
              largest(column(now, "weights", "column 5")) == 0;
     }},
    {"The decoder's own attention: of three words the first sees only itself.", "part=decoder_attention",
     [](auto& now, auto&) {
       return column(now, "weights", "column 1")[0] == 1 && column(now, "weights", "column 3")[0] == 0;
     }},
    {"The norm before the sublayer: what is added to the stream stays in it as it is.",
     "model=custom placement=pre part=decoder_feed_forward_add",
     [](auto& now, auto&) { return table_in(now, "normed") == nullptr && table_in(now, "sum") != nullptr; }},
    {"From Chinese.", "sentence='猫坐下' target='<s> the cat' part=encoder_attention",
     [](auto& now, auto&) { return at(now, "shapes", "rows", "input") == 3; }},
});

}  // namespace

extern const Study study{
    .id = "block/walk",
    .title = "A walk through",
    .topic = "Blocks",
    .summary = "one sentence through a whole Transformer, box by box, with every matrix",
    .formula =
        R"(\text{Post}: x' = \mathrm{LN}(x + F(x)) \quad \text{Pre}: x' = x + F(\mathrm{RMS}(x)) \quad A = \mathrm{softmax}\left(\frac{Q K^T}{\sqrt{d}} + M\right) \quad p = \mathrm{softmax}(y W_V))",
    .derivation =
        "Why two masks? Padding is no word: no query may see it, in either stack. A decoder must not see the words that it is to foretell: its own attention is causal; towards the encoder's result it is not, for all of that sentence is known.\n"
        "Why cross-attention? The decoder's rows ask, $Q = X W^Q$; the encoder's result answers, $K = M W^K$ and $V = M W^V$. Scores are then $T \\times S$: a row for each word written, a column for each word read.\n"
        "Where does the residual branch off? In Post-LN the sum itself is normed, so that nothing passes a block as it is. In Pre-LN the norm stands inside of the branch: $x_L = x_0 + \\sum_l F_l$, and one norm more is needed at the end.\n"
        "Why is $W^O$ needed? Heads stand side by side in columns of their own; $W^O$ lets each of them write into all of $D$.",
    .about =
        "The original Transformer has an encoder and a decoder, LayerNorm behind each sum, sinusoids and ReLU; LLaMA a decoder alone, RMSNorm before each "
        "sublayer, RoPE, SwiGLU and no biases. Everything is computed in double by the reference, whatever the device. Biases begin at 0 and are shown where they "
        "are not. A part's numbers open in its own study where that takes such shapes: attention of three words in heads of two columns, a "
        "norm or a rotation of up to eight, a network from 2 to 3, logits of up to 16 words.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, section 3 and figure 1; Touvron et al. 2023, arXiv 2302.13971, section 2.2; grouped heads: Touvron et "
        "al. 2023, arXiv 2307.09288",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::block_walk
