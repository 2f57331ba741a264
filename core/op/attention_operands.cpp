#include "core/op/attention_operands.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>

namespace orrery::op {

using tensor::Array;
using tensor::Index;

namespace {

using Shape = std::vector<Index>;

Index product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

/// All axes but the last two.
Shape leading_axes(const Array& a) {
  return {a.shape.begin(), a.shape.end() - 2};
}

}  // namespace

attention::Mask mask_of(const parameter::Settings& s) {
  using Kind = attention::Mask::Kind;
  const std::string& text = s.choice("mask");
  if (text == "none") return {};
  if (text == "causal") return {.kind = Kind::causal};
  const std::size_t colon = text.find(':');  // the settings let nothing else pass
  Index number = 0;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
  if (text.starts_with("prefix")) return {.kind = Kind::prefix, .prefix = number};
  if (text.starts_with("chunked")) return {.kind = Kind::chunked, .chunk = number};
  return {.kind = Kind::sliding, .window = number};
}

attention::ScoresParams scores_params(const parameter::Settings& s) {
  attention::ScoresParams params;
  params.mask = mask_of(s);
  params.scale = s.number("scale");
  if (s.real("cap") != 0) params.cap = s.real("cap");
  if (s.real("log_n") != 0) params.log_n = {.trained = s.real("log_n"), .clipped = s.toggle("log_n_clip")};
  return params;
}

attention::SoftmaxStages softmax_stages(const parameter::Settings& s) {
  using attention::SoftmaxStages;
  return s.choice("softmax_in") == "storage" ? SoftmaxStages::storage : SoftmaxStages::accumulate;
}

Sinks::Sinks(const Call& call, const std::vector<Index>& leading) : values_(call.settings.vector("sink")) {
  const Index heads = leading.empty() ? 1 : leading.back();
  if (const Array* array = call.find("sinks")) {
    if (!values_.empty())
      throw InvalidArgument(
          about("sink").found(values_.size()).fault("found beside {}", "sinks").allowed("one of the two"));
    if (array->shape.size() > 1 || (array->size() != 1 && array->size() != heads))
      throw InvalidArgument(wrong_shape("sinks", *array).allowed("one, or {}, one for each head", heads));
    name_ = "sinks";
    values_ = array->values.to<double>();
  }
  if (values_.size() > 1 && std::ssize(values_) != heads)
    throw InvalidArgument(about("sink")
                              .found(values_.size())
                              .fault("found {} numbers", values_.size())
                              .allowed("none, one, or {}, one for each head", heads));
}

std::optional<double> Sinks::of(Index group) const {
  if (values_.empty()) return {};
  return values_[index(group)];
}

void Sinks::add(std::vector<double>& by_sink, Index group, double part) const {
  by_sink[index(group)] += part;
}

void Sinks::keep(Gradients& result, const std::vector<double>& by_sink, tensor::Format format) const {
  if (by_sink.empty()) return;
  Array gradient{format, {std::ssize(by_sink)}, by_sink};
  gradient.values.round_to(format);
  result.emplace(name_, std::move(gradient));
}

double seen(const attention::Mask& mask, const Heads& heads) {
  Index sum = 0;
  for (Index t = 0; t < heads.queries; ++t) sum += mask.range(t, heads.queries, heads.keys).count();
  return static_cast<double>(heads.count * sum);
}

void require_few_scores(const Heads& heads) {
  constexpr Index most = Index{1} << 31;
  const Index found = heads.count * heads.queries;
  if (heads.keys == 0 || found <= most / heads.keys) return;
  throw InvalidArgument(about(Subject::Kind::input, "k")
                            .found(heads.keys)
                            .fault("found {} keys for {} queries", heads.keys, found)
                            .allowed("queries × keys up to {}", most));
}

std::vector<Index> Heads::with(Index rows, Index cols) const {
  Shape shape = leading;
  shape.insert(shape.end(), {rows, cols});
  return shape;
}

Heads heads_of(const Array& q, const Array& k, bool grouped) {
  Heads heads{.queries = *(q.shape.end() - 2), .keys = *(k.shape.end() - 2), .width = q.cols()};
  heads.leading = leading_axes(q);
  heads.count = product(heads.leading);
  Shape expected = heads.leading;
  const Shape found = leading_axes(k);
  if (grouped && !expected.empty() && found.size() == expected.size()) {
    const Index all = expected.back(), shared = found.back();
    if (shared > 0 && all % shared == 0) {
      heads.sharing = all / shared;
      expected.back() = shared;
    }
  }
  if (found != expected || k.cols() != heads.width) {
    const std::string right = tensor::shape_text(heads.with(heads.keys, heads.width));
    throw InvalidArgument(wrong_shape("k", k).allowed(
        grouped ? words("{}, as q is {}, or fewer heads that divide q's", right, tensor::shape_text(q.shape))
                : words("{}, as q is {}", right, tensor::shape_text(q.shape))));
  }
  return heads;
}

template <class T>
Bias<T>::Bias(const Call& call, const Heads& heads) : queries_(heads.queries) {
  const Array* a = call.find("bias");
  if (a == nullptr) return;
  const Shape whole = heads.with(heads.queries, heads.keys);
  if (a->shape.size() < 2 || a->shape.size() > whole.size() ||
      !std::equal(a->shape.rbegin(), a->shape.rend(), whole.rbegin())) {
    const std::string right = tensor::shape_text({heads.queries, heads.keys});
    throw InvalidArgument(
        wrong_shape("bias", *a)
            .allowed(whole.size() > 2 ? words("{}, or the last axes of {}", right, tensor::shape_text(whole))
                                      : name_phrase(right)));
  }
  values_ = matrix_of<T>(*a);
}

template class Bias<float>;
template class Bias<double>;

namespace {

/// The input, when it is as long as the first axes of the groups, and then has `last`; else InvalidArgument.
void require_leading(const Array& a, std::string_view name, const Heads& heads, Shape last,
                     const Phrase& allowed) {
  const std::size_t axes = a.shape.size() - last.size();
  const bool fits = a.shape.size() >= last.size() && axes <= heads.leading.size() &&
                    std::equal(a.shape.begin(), a.shape.begin() + static_cast<std::ptrdiff_t>(axes),
                               heads.leading.begin()) &&
                    std::equal(last.rbegin(), last.rend(), a.shape.rbegin());
  if (fits) return;
  Shape longest = heads.leading;
  longest.insert(longest.end(), last.begin(), last.end());
  throw InvalidArgument(wrong_shape(name, a).allowed(
      longest.size() > last.size()
          ? words("{}, or with the first axes of {}", allowed, tensor::shape_text(longest))
          : allowed));
}

}  // namespace

Padding::Padding(const Call& call, const Heads& heads) : keys_(heads.keys) {
  const Array *flags = call.find("padding"), *lengths = call.find("lengths");
  if (flags == nullptr && lengths == nullptr) return;

  flags_.assign(static_cast<std::size_t>(heads.count * keys_), 1);
  if (flags != nullptr) {
    require_leading(*flags, "padding", heads, {keys_}, words("{}, one for each key", keys_));
    for (const double v : flags->values) {
      if (v != 0 && v != 1)
        throw InvalidArgument(about(Subject::Kind::input, "padding")
                                  .found(std::to_string(v))
                                  .allowed("1 for a key, 0 for padding"));
    }
    const std::size_t each = flags->values.empty() ? 1 : flags_.size() / flags->values.size();
    for (std::size_t i = 0; i < flags_.size(); ++i) {
      const auto keys = static_cast<std::size_t>(keys_);
      if (flags->values[i / keys / each * keys + i % keys] == 0) flags_[i] = 0;
    }
  }
  if (lengths != nullptr) {
    if (heads.count != 1 || lengths->size() != 1)  // an array of one number is that number
      require_leading(*lengths, "lengths", heads, {}, words("one number"));
    for (const double v : lengths->values) {
      if (v != std::floor(v) || v < 0 || v > static_cast<double>(keys_))
        throw InvalidArgument(about(Subject::Kind::input, "lengths")
                                  .found(parameter::shortest(v))
                                  .allowed("whole numbers from 0 to {}, the number of keys", keys_));
    }
    const Index groups_each = lengths->values.empty() ? 1 : heads.count / lengths->size();
    for (Index group = 0; group < heads.count; ++group) {
      const auto length = static_cast<Index>(lengths->values[static_cast<std::size_t>(group / groups_each)]);
      std::fill(flags_.begin() + group * keys_ + length, flags_.begin() + (group + 1) * keys_, 0);
    }
  }
}

std::span<const std::uint8_t> Padding::of(Index group) const {
  if (flags_.empty()) return {};
  return std::span(flags_).subspan(static_cast<std::size_t>(group * keys_), static_cast<std::size_t>(keys_));
}

Documents::Documents(const Call& call, const Heads& heads) {
  const Array* ids = call.find("document_id");
  if (ids == nullptr) return;
  require_leading(*ids, "document_id", heads, {heads.keys}, words("{}, one for each key", heads.keys));
  const tensor::Matrix<double> rows = ids->matrix();
  for (Index i = 0; i < rows.rows(); ++i) {
    const std::span<const double> row(rows.data() + i * rows.cols(), static_cast<std::size_t>(rows.cols()));
    ranges_.push_back(attention::documents_of(row));
  }
  groups_each_ = heads.count / std::max<Index>(rows.rows(), 1);
}

std::span<const attention::KeyRange> Documents::of(Index group) const {
  if (ranges_.empty()) return {};
  return ranges_[static_cast<std::size_t>(group / groups_each_)];
}

GradientOfBias::GradientOfBias(const Call& call, const Heads& heads)
    : bias_(call.find("bias")), queries_(heads.queries) {
  if (bias_ != nullptr) sum_ = tensor::Matrix<double>::Zero(bias_->rows(), bias_->cols());
}

void GradientOfBias::keep(Gradients& result, tensor::Format format) const {
  if (bias_ == nullptr) return;
  Array gradient = array_of(sum_, bias_->shape);
  gradient.values.round_to(format);
  gradient.format = format;
  result.emplace("bias", std::move(gradient));
}

}  // namespace orrery::op
