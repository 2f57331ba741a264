// Logits cut before a token is drawn.
#include "core/attention/truncation.h"
#include "core/op/adapters.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::View;

attention::TopK rule_of(const TopK*, const Call& call) {
  return {.k = call.settings.integer("k")};
}
attention::TopP rule_of(const TopP*, const Call& call) {
  return {.p = call.settings.real("p"), .temperature = call.settings.real("temperature")};
}
attention::MinP rule_of(const MinP*, const Call& call) {
  return {.p = call.settings.real("min_p"), .temperature = call.settings.real("temperature")};
}

template <class Rule, class T>
Work truncate(const Call& call, auto twin) {
  const tensor::Array& x = input_with_axes(call, "x", 1, "… × V");
  const auto rule = rule_of(static_cast<const Rule*>(nullptr), call);
  const auto in = kept<T>(x), out = room<T>(in->rows(), in->cols());
  return Work(
      out, x.shape, [=] { twin(View<const T>(*in), rule, View<T>(*out)); }, in);
}

}  // namespace

template <class Rule>
Work Truncation<Rule>::ref(const Call& call) {
  return truncate<Rule, double>(
      call, [](auto x, const auto& rule, auto y) { attention::truncate_ref(x, rule, y); });
}

template <class Rule>
Work Truncation<Rule>::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) {
    return truncate<Rule, T>(
        call, [](auto x, const auto& rule, auto y) { attention::truncate_cpu<T>(x, rule, y); });
  });
}

template <class Rule>
Work Truncation<Rule>::gpu(const Call& call) {
  return truncate<Rule, float>(call, [&device = device_of(call)](auto x, const auto& rule, auto y) {
    attention::truncate_gpu(device, x, rule, y);
  });
}

template <class Rule>
Work Truncation<Rule>::staged(const Call& call) {
  return truncate<Rule, double>(call, [precision = call.precision](auto x, const auto& rule, auto y) {
    attention::truncate_staged(x, rule, precision, y);
  });
}

template <class Rule>
Bounds Truncation<Rule>::bounds(const Call&) {
  return {attention::truncation_bound, attention::truncation_bound};
}

template struct Truncation<TopK>;
template struct Truncation<TopP>;
template struct Truncation<MinP>;

}  // namespace orrery::op
