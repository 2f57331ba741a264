#include "app/study/block/walk_links.h"

#include <algorithm>

#include "app/study/kit/numbers.h"
#include "core/parameter/parameter.h"
#include "core/tensor/error.h"

namespace orrery::study::block_walk {
namespace {

constexpr Index most_linked_columns = 8,
                most_words_of_head = 16;  // that norm/steps, rope/steps and output/head have

std::string numbers_text(const Matrix& m) {
  std::string text;
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      text += (j > 0 ? "," : i > 0 ? ";" : "") + parameter::shortest(m(i, j));
  return text;
}

/// " name=1,2,3"
std::string set(const char* name, const Matrix& m) {
  return " " + std::string(name) + "=" + numbers_text(m);
}

/// " words='the cat sat'"; nothing where a word has an apostrophe.
std::string set(const char* name, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  if (text.find('\'') != std::string::npos) return {};
  return " " + std::string(name) + "='" + text + "'";
}

class Links {
 public:
  Links(const Walked& w, Index head, std::string panel)
      : w_(w), head_(std::min(head, w.config().heads - 1)), panel_(std::move(panel)) {}

  void attention(const Spot& spot) {
    const Index d = w_.config().head_width, g = w_.key_head(head_);
    const Matrix q = w_.queries(spot).middleCols(head_ * d, d), k = w_.keys(spot).middleCols(g * d, d),
                 v = w_.tape(spot.path() + ".v").middleCols(g * d, d);
    const attention::ScoresParams seen = w_.seen(spot);
    const bool biased = spot.sub == Sub::attention && w_.has(spot.stack + ".bias");
    if (q.rows() == 3 && k.rows() == 3 && d == 2 && seen.padding.empty() && !biased)
      add("queries, keys and values of this head", "attention/steps",
          set("q", q) + set("k", k) + set("v", v) + set("words", w_.words(spot.stack)) +
              (seen.mask.kind == attention::Mask::Kind::causal ? " mask=causal" : " mask=none"));
    const std::string own = spot.path() + ".q";
    if (w_.has(own + "_turned") && d <= most_linked_columns)
      add("the last query of this head", "rope/steps",
          set("vector", w_.tape(own).block(w_.tape(own).rows() - 1, head_ * d, 1, d)) +
              " position=" + std::to_string(q.rows() - 1) + " head_width=" + std::to_string(d) +
              " base=" + parameter::shortest(w_.config().rope.base) +
              " layout=" + (w_.config().rope.layout == position::RopeLayout::half ? "half" : "interleaved"));
  }

  void norm(const Matrix& x, const std::string& path) {
    if (x.cols() > most_linked_columns) return;
    const bool rms = w_.config().norm.kind == transformer::NormKind::rms;
    const Matrix shift = w_.transposed_weight(path + ".bias");
    add("the last row into this norm", "norm/steps",
        set("vector", x.bottomRows(1)) + set("gain", w_.transposed_weight(path + ".weight")) +
            (rms || shift.size() == 0 ? "" : set("bias", shift)) + " eps=" +
            parameter::shortest(w_.config().norm.eps) + " norm=" + (rms ? "rms_norm" : "layer_norm"));
  }

  void network(const Spot& spot) {
    const transformer::Config& c = w_.config();
    const std::string path = spot.path();
    const auto kind = c.activation.kind;
    if (c.width != 2 || c.hidden != 3) return;
    if (c.gated && !w_.transposed_weight(path + ".up.bias").isZero(0))
      return;  // there the gate alone has one
    const auto bias = [&](const char* array, Index size) {
      const Matrix b = w_.transposed_weight(path + array);
      return b.size() > 0 ? b : Matrix::Zero(1, size);
    };
    add("the last row into this network", "ffn/steps",
        std::string(" activation=") +
            (c.gated                          ? "swiglu"
             : kind == activation::Kind::gelu ? "gelu"
                                              : "relu") +
            set("x", w_.read(spot).bottomRows(1)) +
            set("w1", w_.transposed_weight(path + (c.gated ? ".gate.weight" : ".up.weight"))) +
            set("b1", bias(c.gated ? ".gate.bias" : ".up.bias", 3)) +
            (c.gated ? set("w3", w_.transposed_weight(path + ".up.weight")) : std::string()) +
            set("w2", w_.transposed_weight(path + ".down.weight")) + set("b2", bias(".down.bias", 2)));
  }

  void embedding() {
    if (w_.config().positions != transformer::Positions::sinusoidal) return;
    const Index rows = std::max<Index>(2, w_.model().batch.length);
    add("the same table of sinusoids", "position/sinusoidal",
        " length=" + std::to_string(rows) + " width=" + std::to_string(w_.config().width));
  }

  void logits() {
    const Model& m = w_.model();
    if (std::ssize(m.vocabulary) > most_words_of_head) return;
    add("the logits of the last word", "output/head",
        set("words", m.vocabulary) + " logits=typed rule=none" + set("typed", w_.tape("logits").row(m.last)));
  }

  std::vector<Link> all() && { return std::move(links_); }

 private:
  /// Unless the study refuses it.
  void add(std::string text, std::string study, std::string changes) {
    Link link{panel_, std::move(text), std::move(study), changes.substr(1)};
    try {
      settings_of(link);
      links_.push_back(std::move(link));
    } catch (const InvalidArgument&) {  // a number past an end of its parameter
    }
  }

  const Walked& w_;
  Index head_;
  std::string panel_;
  std::vector<Link> links_;
};

}  // namespace

std::vector<Link> links_of(const Walked& w, const Place& place, Index head, const std::string& panel) {
  const Spot& spot = place.spot;
  const std::string path = spot.path();
  Links links(w, head, panel);
  if (place.piece == "logits" || place.piece == "probabilities")
    links.logits();
  else if (place.piece == "embedding")
    links.embedding();
  else if (place.piece == "final_norm")
    links.norm(w.stream(spot.stack, w.layers(spot.stack)), spot.stack + ".norm");
  else if (place.piece == "_add" && w.has(path + ".sum"))
    links.norm(w.tape(path + ".sum"), path + ".norm_after");
  else if (place.piece == "_norm" && w.has(path + ".normed"))
    links.norm(w.stream(spot), path + ".norm_before");
  else if (place.piece == "_norm" || place.piece == "_inner")
    links.norm(w.tape(path + ".branch"), path + ".norm_inner");
  else if (place.piece.empty() && spot.sub == Sub::network)
    links.network(spot);
  else if (place.piece.empty())
    links.attention(spot);
  return std::move(links).all();
}

}  // namespace orrery::study::block_walk
