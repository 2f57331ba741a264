#include "app/study/block/walk_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/study/kit/checks.h"
#include "app/study/kit/numbers.h"

namespace orrery::study::block_walk {
namespace {

constexpr double u = 0x1p-53;

/// Of many numbers that may be off by so much each: the one that comes nearest to breaking that, or breaks it most.
class Nearest {
 public:
  void meet(double off, double allowed) {
    const double share = off == 0 ? 0 : off / allowed;
    if (met_ && share <= share_) return;
    met_ = true, share_ = share, off_ = off, allowed_ = allowed;
  }
  void meet(const Matrix& shown, const Matrix& again, const Matrix& allowed) {
    if (shown.rows() != again.rows() || shown.cols() != again.cols()) return meet(INFINITY, 0);
    for (Index i = 0; i < shown.rows(); ++i)
      for (Index j = 0; j < shown.cols(); ++j) meet(std::abs(shown(i, j) - again(i, j)), allowed(i, j));
  }
  bool met() const { return met_; }
  Check check(std::string statement) const { return {std::move(statement), off_, allowed_}; }

 private:
  bool met_ = false;
  double share_ = 0, off_ = 0, allowed_ = 0;
};

/// base^(−2i/d): three roundings of an exponent up to ln 10 000 = 9.2 and one of e^x make 29 of it; with the op's own and
/// that of the product with a place, fewer than 40.
double slow(Index i, Index d, double base) {
  return std::exp(-2 * number(i) / number(d) * std::log(base));
}

/// As papers write it.
double activated_one(activation::Kind kind, double x) {
  if (kind == activation::Kind::relu) return std::max(x, 0.0);
  if (kind == activation::Kind::gelu) return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);
  return x / (1 + std::exp(-x));
}

struct Found {
  Nearest products, norms, sums, softmaxes, rows, turned, activated, embedded;
  Worst hidden;  ///< weights where none may be
};

class Asking {
 public:
  Asking(const Run& run, const Walked& w, Found& found)
      : run_(twin::on_reference(run)), w_(w), found_(found) {}

  void stack(const std::string& stack) {
    embedding(stack);
    for (Index l = 0; l < w_.layers(stack); ++l)
      for (const Sub sub : {Sub::attention, Sub::cross, Sub::network}) {
        run_.check();
        const Spot spot{stack, l, sub};
        if (!w_.has(spot.path() + ".branch")) continue;
        if (sub == Sub::network)
          network(spot);
        else
          attention(spot);
        residual(spot);
      }
    if (w_.has(stack + ".out"))
      norm(w_.stream(stack, w_.layers(stack)), stack + ".norm", w_.tape(stack + ".out"));
  }

  void head() {
    const Matrix table = w_.config().tied ? w_.weight("token_embedding.weight") : w_.weight("head.weight");
    product(w_.result(w_.stack()), table, {}, w_.tape("logits"));
    rows_of(w_.probabilities());
  }

 private:
  /// Two sums of n products and a bias, each with n + 1 roundings of no more than all terms together.
  void product(const Matrix& x, const Matrix& weight, const Matrix& bias, const Matrix& shown) {
    Matrix again = x * weight, terms = x.cwiseAbs() * weight.cwiseAbs();
    if (bias.size() > 0) {
      again.rowwise() += bias.row(0);
      terms.rowwise() += bias.row(0).cwiseAbs();
    }
    found_.products.meet(shown, again, 2 * (number(x.cols()) + 2) * u * terms);
  }
  void linear(const Matrix& x, const std::string& path, const Matrix& shown) {
    product(x, w_.weight(path + ".weight"), w_.transposed_weight(path + ".bias"), shown);
  }

  /// Weights lie within a few roundings of e^x, and their sum has one for each.
  void rows_of(const Matrix& weights) {
    for (Index t = 0; t < weights.rows(); ++t)
      found_.rows.meet(std::abs(weights.row(t).sum() - 1), (2 * number(weights.cols()) + 16) * u);
  }

  void attention(const Spot& spot) {
    const std::string path = spot.path();
    linear(w_.read(spot), path + ".q", w_.tape(path + ".q"));
    linear(w_.keys_read(spot), path + ".k", w_.tape(path + ".k"));
    linear(w_.keys_read(spot), path + ".v", w_.tape(path + ".v"));
    for (const char* each : {".q", ".k"}) turned(path + each);
    for (Index h = 0; h < w_.config().heads; ++h) one_head(spot, h);
    linear(w_.tape(path + ".mixed"), path + ".out", w_.tape(path + ".branch"));
  }

  void turned(const std::string& name) {
    if (!w_.has(name + "_turned")) return;
    const Matrix &x = w_.tape(name), &y = w_.tape(name + "_turned");
    const Index d = w_.config().head_width;
    const bool half = w_.config().rope.layout == position::RopeLayout::half;
    for (Index t = 0; t < x.rows(); ++t)
      for (Index first = 0; first < x.cols(); first += d)
        for (Index i = 0; i < d / 2; ++i) {
          const Index a = first + (half ? i : 2 * i), b = half ? a + d / 2 : a + 1;
          const double angle = number(t) * slow(i, d, w_.config().rope.base);
          const double c = std::cos(angle), s = std::sin(angle);
          // The angle is off by its size times that of slow(); products and sums have six roundings.
          const double allowed = (8 + 40 * number(t)) * u * std::hypot(x(t, a), x(t, b));
          found_.turned.meet(std::abs(c * x(t, a) - s * x(t, b) - y(t, a)), allowed);
          found_.turned.meet(std::abs(s * x(t, a) + c * x(t, b) - y(t, b)), allowed);
        }
  }

  void one_head(const Spot& spot, Index h) {
    const Index d = w_.config().head_width, g = w_.key_head(h);
    const Matrix scores = w_.scores(spot, h), weights = w_.weights(spot, h);
    const Matrix q = w_.queries(spot).middleCols(h * d, d), k = w_.keys(spot).middleCols(g * d, d);
    const Matrix masked = w_.masked(spot, scores);
    for (Index t = 0; t < masked.rows(); ++t)
      for (Index n = 0; n < masked.cols(); ++n)
        if (std::isinf(masked(t, n))) found_.hidden.meet(weights(t, n));
    // A score has d + 4 roundings of no more than its terms, here and there; a weight is e to it over a sum of such.
    const double terms = (q.cwiseAbs() * k.cwiseAbs().transpose()).maxCoeff() + scores.cwiseAbs().maxCoeff();
    const double off = std::expm1(4 * (number(d) + 4) * terms * u) + (4 * number(weights.cols()) + 32) * u;
    found_.softmaxes.meet(weights, twin::softmax(run_, masked, {}),
                          Matrix::Constant(weights.rows(), weights.cols(), off));
    rows_of(weights);
    product(weights, w_.tape(spot.path() + ".v").middleCols(g * d, d), {},
            w_.tape(spot.path() + ".mixed").middleCols(h * d, d));
  }

  void network(const Spot& spot) {
    const std::string path = spot.path();
    const Index F = w_.config().hidden;
    const Matrix &hidden = w_.tape(path + ".hidden"), &activated = w_.tape(path + ".activated");
    const bool gated = w_.config().gated;
    if (gated) linear(w_.read(spot), path + ".gate", hidden.leftCols(F));
    linear(w_.read(spot), path + ".up", gated ? Matrix(hidden.rightCols(F)) : hidden);
    const Matrix z = hidden.leftCols(F);
    const Matrix passed = gated ? Matrix(hidden.rightCols(F)) : Matrix::Ones(z.rows(), F);
    const activation::Kind kind = w_.config().activation.kind;
    const Matrix again = z.unaryExpr([&](double x) { return activated_one(kind, x); }).cwiseProduct(passed);
    // |f(z)| ≤ |z| of all three; e^x and erfc are off by four roundings at most, and there are four of these more, both times.
    found_.activated.meet(activated, again, 16 * u * z.cwiseAbs().cwiseProduct(passed.cwiseAbs()));
    linear(activated, path + ".down", w_.tape(path + ".branch"));
  }

  /// The mean and the square have D + 4 roundings each: of numbers as large as the largest of the row, over its deviation;
  /// and of the result.
  void norm(const Matrix& x, const std::string& path, const Matrix& shown) {
    const transformer::NormConfig& c = w_.config().norm;
    const Matrix gain = w_.transposed_weight(path + ".weight"), shift = w_.transposed_weight(path + ".bias");
    const bool rms = c.kind == transformer::NormKind::rms;
    Matrix again = rms ? twin::rms_norm(run_, x, {.eps = c.eps}) : twin::layer_norm(run_, x, {.eps = c.eps});
    again = again.array().rowwise() * gain.row(0).array();
    if (shift.size() > 0) again.rowwise() += shift.row(0);
    Matrix allowed(shown.rows(), shown.cols());
    for (Index t = 0; t < x.rows(); ++t) {
      const double mean = rms ? 0 : x.row(t).mean(), most = x.row(t).cwiseAbs().maxCoeff();
      const double deviation = std::sqrt((x.row(t).array() - mean).square().mean() + c.eps);
      const double size = gain.cwiseAbs().maxCoeff() * most / deviation + shown.row(t).cwiseAbs().maxCoeff() +
                          (shift.size() > 0 ? shift.cwiseAbs().maxCoeff() : 0);
      allowed.row(t).setConstant(4 * (number(x.cols()) + 4) * u * size);
    }
    found_.norms.meet(shown, again, allowed);
  }

  void residual(const Spot& spot) {
    const std::string path = spot.path();
    const auto has = [&](const char* what) { return w_.has(path + what); };
    const auto tape = [&](const char* what) -> const Matrix& { return w_.tape(path + what); };
    if (has(".normed")) norm(w_.stream(spot), path + ".norm_before", tape(".normed"));
    if (has(".branch_normed")) norm(tape(".branch"), path + ".norm_inner", tape(".branch_normed"));
    if (has(".sum")) norm(tape(".sum"), path + ".norm_after", tape(".out"));
    if (w_.parallel() && spot.sub == Sub::attention) return;  // the network's sum is that of both
    Matrix sum = w_.alpha(spot.stack) * w_.stream(spot);
    Matrix terms = sum.cwiseAbs();
    const auto add = [&](const Matrix& x) { sum += x, terms += x.cwiseAbs(); };
    if (w_.parallel()) add(w_.tape(Spot{spot.stack, spot.layer, Sub::attention}.path() + ".branch"));
    add(has(".branch_normed") ? tape(".branch_normed") : tape(".branch"));
    found_.sums.meet(has(".sum") ? tape(".sum") : tape(".out"), sum, 6 * u * terms);
  }

  void embedding(const std::string& stack) {
    const Model& m = w_.model();
    const std::vector<Index>& ids = stack == "encoder" && m.has_both() ? m.batch.source : m.batch.tokens;
    const Matrix table = w_.transposed_weight("token_embedding.weight");
    const double scale = m.config.scaled_embedding ? std::sqrt(number(m.config.width)) : 1;
    Matrix again(std::ssize(ids), table.cols());
    for (Index t = 0; t < again.rows(); ++t)
      again.row(t) = scale * table.row(ids[static_cast<std::size_t>(t)]);
    Matrix terms = again.cwiseAbs();
    if (m.config.positions == transformer::Positions::sinusoidal) {
      for (Index t = 0; t < again.rows(); ++t)
        for (Index j = 0; j < again.cols(); ++j) {
          const double angle = number(t) * slow(j / 2, again.cols(), 10000);
          again(t, j) += j % 2 == 0 ? std::sin(angle) : std::cos(angle);
          terms(t, j) += 10 * number(t) + 1;  // an angle is off by its size times that of slow()
        }
    } else if (w_.has(stack + ".positions")) {
      const Matrix rows = w_.transposed_weight(stack + ".position_embedding.weight").topRows(again.rows());
      again += rows, terms += rows.cwiseAbs();
    }
    found_.embedded.meet(w_.tape(stack + ".embedded"), again, 4 * u * terms);
  }

  Run run_;
  const Walked& w_;
  Found& found_;
};

}  // namespace

std::vector<Check> checks_of(const Run& run, const std::vector<Walked>& all) {
  Found found;
  for (const Walked& w : all) {
    Asking asking(run, w, found);
    for (const char* stack : {"encoder", "decoder"})
      if (w.has_stack(stack)) asking.stack(stack);
    asking.head();
  }
  std::vector<Check> checks{
      found.embedded.check(
          "the rows of the words, and of their places where such are added, are what enters"),
      found.products.check("every projection, head, output and logit is its input times its matrix"),
      found.softmaxes.check("weights are the softmax of the scores that may be seen"),
      {"no weight lies on padding, nor on a word that is still to come", found.hidden, 0},
      found.rows.check("every row of weights and of probabilities sums to 1"),
      found.activated.check("the network's numbers are activated, and gated where there is a gate"),
      found.sums.check("residual and sublayer add up to the sum"),
      found.norms.check("every norm is that of what it stands behind")};
  if (found.turned.met()) checks.push_back(found.turned.check("queries and keys are turned by their places"));
  return checks;
}

}  // namespace orrery::study::block_walk
