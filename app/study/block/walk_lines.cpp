#include "app/study/block/walk_parts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace orrery::study::block_walk {
namespace {

using transformer::Placement;

/// An array of biases, where one of them is not 0.
void add_bias(const Walked& w, Line& line, const std::string& name, std::string table, std::string symbol,
              std::string letters) {
  const Matrix bias = w.transposed_weight(name);
  if (bias.size() == 0 || bias.isZero(0)) return;
  line.push_back({"+", std::move(table), std::move(symbol), std::move(letters), bias});
}

struct Projected {
  const char *array, *table, *symbol, *letters;
};

/// x W = y
Line projection(const Walked& w, const Spot& spot, const Shown& x, const Projected& p, Index of_head,
                Index heads_width) {
  const std::string path = spot.path() + "." + p.array, letter = p.symbol;
  Line line{x,
            {"·", std::string("weight_") + p.array, "W^" + letter, std::string("D × ") + p.letters,
             w.weight(path + ".weight")}};
  line.back().columns = {of_head, heads_width};
  add_bias(w, line, path + ".bias", std::string("bias_") + p.array, "b^" + letter,
           std::string("1 × ") + p.letters);
  line.push_back({"=", p.table, letter,
                  (spot.sub == Sub::cross && letter != "Q" ? "S × " : "T × ") + std::string(p.letters),
                  w.tape(path)});
  line.back().columns = {of_head, heads_width};
  for (const auto& [behind, sign, mark] : {std::tuple{"_normed", "→", "N"}, {"_turned", "↻", "R"}})
    if (w.has(path + behind)) {
      line.push_back({sign, std::string(p.table) + behind, letter + "_" + mark, line.back().letters,
                      w.tape(path + behind)});
      line.back().columns = {of_head, heads_width};
    }
  return line;
}

/// What the scores of a head are made of: queries and keys as they are when they meet, normed or turned, and the bias of a
/// position scheme that has one.
std::string scores_symbol(const Walked& w, const Spot& spot, const std::string& head,
                          const std::string& group) {
  const auto of = [&](const std::string& letter, const char* array, const std::string& number) {
    const std::string path = spot.path() + "." + array;
    const std::string mark = w.has(path + "_turned") ? "R" : w.has(path + "_normed") ? "N" : "";
    return letter + "_{" + (mark.empty() ? number : mark + "," + number) + "}";
  };
  std::string symbol = of("Q", "q", head) + " " + of("K", "k", group) + "^T";
  if (const auto scale = w.config().score_scale; !scale)
    symbol += "/\\sqrt{d}";
  else if (*scale != 1)
    symbol += " \\cdot " + parameter::shortest(*scale);
  if (w.biased(spot)) symbol += " + B_{" + head + "}";
  return symbol;
}

std::vector<Line> attention_lines(const Walked& w, const Spot& spot, Index head) {
  const transformer::Config& c = w.config();
  const Index d = c.head_width, group = w.key_head(head);
  const bool cross = spot.sub == Sub::cross;
  const std::string h = std::to_string(head + 1), g = std::to_string(group + 1);
  const Shown x{"",
                "input",
                w.has(spot.path() + ".normed") ? "N(X)" : "X",
                "T × D",
                w.read(spot),
                Look::values,
                w.words(spot.stack)};
  const Shown m =
      cross ? Shown{"", "encoded", "M", "S × D", w.keys_read(spot), Look::values, w.key_words(spot)} : x;
  std::vector<Line> lines{projection(w, spot, x, {"q", "queries", "Q", "H d"}, head * d, d),
                          projection(w, spot, m, {"k", "keys", "K", "H' d"}, group * d, d),
                          projection(w, spot, m, {"v", "projected_values", "V", "H' d"}, group * d, d)};
  const Matrix scores = w.scores(spot, head);
  const std::string keys = cross ? "S" : "T";
  Line one{
      {"", "scores", scores_symbol(w, spot, h, g), "T × " + keys, w.masked(spot, scores), Look::scores,
       w.words(spot.stack), w.key_words(spot)},
      {"→", "weights", "A_" + h, "T × " + keys, w.weights(spot, head), Look::weights, {}, w.key_words(spot)},
      {"·", "head_values", "V_" + g, keys + " × d", w.tape(spot.path() + ".v").middleCols(group * d, d)},
      {"=", "head_output", "A_" + h + " V_" + g, "T × d",
       w.tape(spot.path() + ".mixed").middleCols(head * d, d)}};
  one.front().tabled = scores;
  lines.push_back(std::move(one));
  Line last{{"", "heads_side_by_side", "[O_1 \\ldots O_H]", "T × H d", w.tape(spot.path() + ".mixed"),
             Look::values, w.words(spot.stack)},
            {"·", "weight_out", "W^O", "H d × D", w.weight(spot.path() + ".out.weight")}};
  last[0].columns = {head * d, d};
  add_bias(w, last, spot.path() + ".out.bias", "bias_out", "b^O", "1 × D");
  last.push_back({"=", "output", "F", "T × D", w.tape(spot.path() + ".branch")});
  lines.push_back(std::move(last));
  return lines;
}

std::string activation_symbol(const Walked& w) {
  switch (w.config().activation.kind) {
    case activation::Kind::relu:
      return "\\mathrm{ReLU}";
    case activation::Kind::gelu:
      return "\\mathrm{GELU}";
    default:
      return "\\mathrm{SiLU}";
  }
}

std::vector<Line> network_lines(const Walked& w, const Spot& spot) {
  const std::string path = spot.path(), f = activation_symbol(w);
  const Index width = w.config().hidden;
  const Shown x{"",
                "input",
                w.has(path + ".normed") ? "N(X)" : "X",
                "T × D",
                w.read(spot),
                Look::values,
                w.words(spot.stack)};
  const Matrix& hidden = w.tape(path + ".hidden");
  std::vector<Line> lines;
  const auto expand = [&](const char* array, const char* symbol, const Matrix& result, const char* letter) {
    Line line{
        x, {"·", std::string("weight_") + array, symbol, "D × F", w.weight(path + "." + array + ".weight")}};
    add_bias(w, line, path + "." + array + ".bias", std::string("bias_") + array, "b_1", "1 × F");
    line.push_back({"=", std::string("hidden_") + array, letter, "T × F", result});
    lines.push_back(std::move(line));
  };
  if (w.config().gated) {
    expand("gate", "W_g", hidden.leftCols(width), "G");
    expand("up", "W_u", hidden.rightCols(width), "U");
  } else {
    expand("up", "W_1", hidden, "H");
  }
  Line line{{"", "activated", w.config().gated ? f + "(G) \\odot U" : f + "(H)", "T × F",
             w.tape(path + ".activated"), Look::values, w.words(spot.stack)},
            {"·", "weight_down", w.config().gated ? "W_d" : "W_2", "F × D", w.weight(path + ".down.weight")}};
  add_bias(w, line, path + ".down.bias", "bias_down", "b_2", "1 × D");
  line.push_back({"=", "output", "F", "T × D", w.tape(path + ".branch")});
  lines.push_back(std::move(line));
  return lines;
}

/// x → N(x), and what the norm has learnt.
std::vector<Line> norm_lines(const Walked& w, const std::string& stack, const std::string& norm, Shown x,
                             const Matrix& y) {
  x.rows = w.words(stack);
  Line learnt{{"", "gain", "\\gamma", "1 × D", w.transposed_weight(norm + ".weight")}};
  const Matrix shift = w.transposed_weight(norm + ".bias");
  if (shift.size() > 0) learnt.push_back({"", "shift", "\\beta", "1 × D", shift});
  Line line{x, {"→", "normed", "N(" + x.symbol + ")", "T × D", y}};
  return {line, learnt};
}

/// The residual and what the sublayer gave, and the norm of their sum where it stands there.
std::vector<Line> add_lines(const Walked& w, const Spot& spot) {
  const std::string path = spot.path();
  const double alpha = w.alpha(spot.stack);
  const bool inner = w.has(path + ".branch_normed");
  Line line{{"", "stream", alpha == 1 ? "X" : "\\alpha X", "T × D", alpha * w.stream(spot), Look::values,
             w.words(spot.stack)}};
  if (w.parallel()) {
    line.push_back({"+", "attention_output", "A", "T × D",
                    w.tape(Spot{spot.stack, spot.layer, Sub::attention}.path() + ".branch")});
    line.push_back({"+", "network_output", "F", "T × D",
                    w.tape(Spot{spot.stack, spot.layer, Sub::network}.path() + ".branch")});
  } else {
    line.push_back({"+", "output", inner ? "N(F)" : "F", "T × D",
                    w.tape(path + (inner ? ".branch_normed" : ".branch"))});
  }
  const bool after = w.has(path + ".sum");
  line.push_back({"=", "sum", after ? "Z" : "Y", "T × D", w.tape(path + (after ? ".sum" : ".out"))});
  std::vector<Line> lines{line};
  if (after) {
    const Shown sum{"", "sum", "Z", "T × D", w.tape(path + ".sum")};
    for (Line& each : norm_lines(w, spot.stack, path + ".norm_after", sum, w.tape(path + ".out")))
      lines.push_back(std::move(each));
  }
  return lines;
}

std::vector<Line> embedding_lines(const Walked& w, const std::string& stack) {
  const Model& m = w.model();
  const Matrix table = w.transposed_weight("token_embedding.weight");
  std::vector<Line> lines;
  if (table.rows() <= 32) lines.push_back({{"", "table", "E", "V × D", table, Look::values, m.vocabulary}});
  const std::string embedded = stack + ".embedded", positions = stack + ".positions";
  const double scale = m.config.scaled_embedding ? std::sqrt(static_cast<double>(m.config.width)) : 1;
  const std::vector<Index>& ids = stack == "encoder" && m.has_both() ? m.batch.source : m.batch.tokens;
  Matrix rows(std::ssize(ids), table.cols());
  for (Index t = 0; t < rows.rows(); ++t) rows.row(t) = scale * table.row(ids[static_cast<std::size_t>(t)]);
  Line line{
      {"", "rows", scale == 1 ? "E[w]" : "\\sqrt{D}\\,E[w]", "T × D", rows, Look::values, w.words(stack)}};
  if (w.has(positions)) {
    line.push_back({"+", "positions", "P", "T × D", w.tape(positions)});
    line.push_back({"=", "embedded", "X", "T × D", w.tape(embedded)});
  }
  lines.push_back(std::move(line));
  return lines;
}

std::vector<Line> logit_lines(const Walked& w) {
  const Model& m = w.model();
  const bool named = m.vocabulary.size() <= 32;
  const Matrix head = m.config.tied ? w.weight("token_embedding.weight") : w.weight("head.weight");
  const std::vector<std::string> vocabulary = named ? m.vocabulary : std::vector<std::string>{};
  return {{{"", "result", "Y", "T × D", w.result(w.stack()), Look::values, w.words(w.stack())},
           {"·", "weight_head", m.config.tied ? "E^T" : "W_V", "D × V", head, Look::values, {}, vocabulary}},
          {{"=",
            "logits",
            "Z",
            "T × V",
            w.tape("logits"),
            Look::values,
            w.words(w.stack()),
            vocabulary,
            {0, 0},
            {m.last, w.next()}}}};
}

std::vector<Line> probability_lines(const Walked& w) {
  const Model& m = w.model();
  const std::vector<std::string> vocabulary =
      m.vocabulary.size() <= 32 ? m.vocabulary : std::vector<std::string>{};
  return {{{"", "logits", "Z", "T × V", w.tape("logits"), Look::values, w.words(w.stack()), vocabulary}},
          {{"→",
            "probabilities",
            "P",
            "T × V",
            w.probabilities(),
            Look::weights,
            w.words(w.stack()),
            vocabulary,
            {0, 0},
            {m.last, w.next()}}}};
}

}  // namespace

std::vector<Line> lines_of(const Walked& w, const Place& place, Index head) {
  const Spot& spot = place.spot;
  if (place.piece == "logits") return logit_lines(w);
  if (place.piece == "probabilities") return probability_lines(w);
  if (place.piece == "embedding") return embedding_lines(w, spot.stack);
  if (place.piece == "final_norm")
    return norm_lines(w, spot.stack, spot.stack + ".norm",
                      {"", "stream", "X", "T × D", w.stream(spot.stack, w.layers(spot.stack))},
                      w.tape(spot.stack + ".out"));
  if (place.piece == "_add") return add_lines(w, spot);
  const bool before = transformer::norms_of(w.config().placement).before;
  if (place.piece == "_norm" && before)
    return norm_lines(w, spot.stack, spot.path() + ".norm_before",
                      {"", "stream", "X", "T × D", w.stream(spot)}, w.tape(spot.path() + ".normed"));
  if (!place.piece.empty())
    return norm_lines(w, spot.stack, spot.path() + ".norm_inner",
                      {"", "output", "F", "T × D", w.tape(spot.path() + ".branch")},
                      w.tape(spot.path() + ".branch_normed"));
  if (spot.sub == Sub::network) return network_lines(w, spot);
  return attention_lines(w, spot, std::min(head, w.config().heads - 1));
}

}  // namespace orrery::study::block_walk
