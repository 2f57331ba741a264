#include "app/study/block/model_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/study/block/initial_stack.h"

namespace orrery::study {
namespace {

using tensor::Index;
using tensor::Matrix;

template <class T>
double length_of(const Matrix<T>& m) {
  return m.template cast<double>().norm();
}

double length_of(auto numbers) {
  double sum = 0;
  for (const auto x : numbers) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

std::size_t kind_of(transformer::Role role) {
  switch (role) {
    case transformer::Role::query:
      return 0;
    case transformer::Role::value:
      return 1;
    case transformer::Role::mix:
      return 2;
    case transformer::Role::expand:
      return 3;
    case transformer::Role::contract:
      return 4;
    default:
      return 5;
  }
}

template <class T>
class Started {
 public:
  Started(const Run& run, const transformer::Config& config, const transformer::Initialisation& start,
          const transformer::Batch& batch, std::uint64_t seed)
      : pass_(config), batch_(batch) {
    InitialDraws(start, seed).fill(run, pass_);
    pass_.forward(run, batch_);
    pass_.backward(run, batch_);
  }

  ModelStart measured() const {
    ModelStart found;
    found.loss = pass_.loss;
    measure_stream(found);
    measure_gradients(found);
    measure_losses(found);
    measure_last_norm(found);
    return found;
  }

 private:
  static constexpr double unit = std::numeric_limits<T>::epsilon() / 2;

  void measure_stream(ModelStart& found) const {
    found.variance.push_back(mean_square_of<T>(pass_.tape.decoder.embedded));
    for (const auto& layer : pass_.tape.decoder.layers)
      for (const auto* sum : {&layer.self_residual, &layer.feed_forward_residual}) {
        found.variance.push_back(mean_square_of<T>(sum->out));
        const double branch = mean_square_of<T>(sum->inner.size() > 0 ? sum->inner : sum->branch);
        found.largest_branch = std::max(found.largest_branch, std::sqrt(branch));
      }
  }

  void measure_gradients(ModelStart& found) const {
    const std::string stem = "decoder.layers.";
    const auto layers = static_cast<std::size_t>(pass_.model.config().layers);
    for (auto& each : found.gradients) each.assign(layers, 0);
    found.gradient.assign(layers, 0);
    for (const auto& array : pass_.model.layout().arrays()) {
      if (!array.name.starts_with(stem) || array.role == transformer::Role::bias) continue;
      const auto layer = static_cast<std::size_t>(std::stoi(array.name.substr(stem.size())));
      const double length = length_of(array.slot.numbers(transformer::Values<T>(pass_.gradient)));
      auto& of_kind = found.gradients.at(kind_of(array.role)).at(layer);
      of_kind = std::hypot(of_kind, length);
      found.gradient.at(layer) = std::hypot(found.gradient.at(layer), length);
    }
  }

  void measure_losses(ModelStart& found) const {
    const Matrix<double> z = pass_.tape.logits.template cast<double>();
    const double even = std::log(static_cast<double>(z.cols()));
    found.outside = -std::numeric_limits<double>::infinity();
    for (Index t = 0; t < z.rows(); ++t) {
      const auto row = static_cast<std::size_t>(t);
      const double log_sum = pass_.tape.loss.by_token[row] + z(t, batch_.targets[row]) - z.row(t).mean();
      const double range = z.row(t).maxCoeff() - z.row(t).minCoeff();
      found.outside = std::max({found.outside, even - log_sum, log_sum - even - range * range / 8});
      // The loss is rounded as a number of its size and of its logits', and a sum of V exponentials by V roundings of it.
      found.outside_slack = std::max(found.outside_slack, unit * (static_cast<double>(z.cols()) + 8) *
                                                              (1 + std::abs(pass_.tape.loss.by_token[row]) +
                                                               z.row(t).cwiseAbs().maxCoeff()));
    }
  }

  void measure_last_norm(ModelStart& found) const {
    const auto& config = pass_.model.config();
    const auto& layout = pass_.model.layout();
    const auto* final_norm = layout.find("decoder.norm.weight");
    const auto* last = final_norm ? final_norm
                                  : layout.find("decoder.layers." + std::to_string(config.layers - 1) +
                                                ".feed_forward.norm_after.weight");
    const Matrix<T>& h =
        final_norm ? pass_.tape.decoder.out : pass_.tape.decoder.layers.back().feed_forward_residual.out;
    const auto gain = last->slot.numbers(transformer::Values<T>(pass_.values)),
               of_gain = last->slot.numbers(transformer::Values<T>(pass_.gradient));
    double by_gain = 0, by_logits = 0;
    for (std::size_t j = 0; j < gain.size(); ++j)
      by_gain += static_cast<double>(gain[j]) * static_cast<double>(of_gain[j]);
    Matrix<double> dz = pass_.tape.probabilities.template cast<double>();
    for (Index t = 0; t < dz.rows(); ++t) dz(t, batch_.targets[static_cast<std::size_t>(t)]) -= 1;
    dz /= static_cast<double>(dz.rows());
    by_logits = dz.cwiseProduct(pass_.tape.logits.template cast<double>()).sum();
    found.euler = std::abs(by_gain - by_logits);
    // Both are sums over tokens, features and words of products |h| |W| |dz|, each off by as many roundings as it has terms;
    // probabilities are off by their own, which dz has even where they cancel.
    const auto* head = layout.find(config.tied ? "token_embedding.weight" : "head.weight");
    const double V = static_cast<double>(dz.cols()), T_ = static_cast<double>(dz.rows());
    const double terms = V + static_cast<double>(config.width) + T_ + 16;
    found.euler_slack = 2 * terms * unit * length_of(h) *
                        length_of(head->slot.numbers(transformer::Values<T>(pass_.values))) *
                        (dz.norm() + std::sqrt(V) * length_of(pass_.tape.probabilities) / T_);
  }

  InitialPass<T> pass_;
  const transformer::Batch& batch_;
};

}  // namespace

ModelStart model_start(const Run& run, const transformer::Config& config,
                       const transformer::Initialisation& start, const transformer::Batch& batch,
                       std::uint64_t seed) {
  return run.device == DeviceChoice::ref ? Started<double>(run, config, start, batch, seed).measured()
                                         : Started<float>(run, config, start, batch, seed).measured();
}

}  // namespace orrery::study
