#include "core/bench/benchmark.h"

#include <omp.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>

#include "core/bench/arithmetic.h"
#include "core/bench/device_benchmark.h"
#include "core/bench/memory.h"
#include "core/bench/statistics.h"

namespace orrery::bench {
namespace {

int repeats_of(const std::function<void()>& f) {
  f();  // pages touched, code paged in, frequency up
  return repeats_for(milliseconds(f, 1));
}

}  // namespace

int threads() {
  return omp_get_max_threads();
}

std::string machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

namespace {

/// One way to do what limits an op, and nothing else.
struct Reference {
  std::string_view name;
  std::function<void()> call;
  int repeats = 1;
  std::vector<double> ms = {};

  void sample() { ms.push_back(milliseconds(call, repeats)); }
};

/// Moves from and to the op's own arrays, where they are that long: where arrays lie makes a tenth of a copy's speed. Zeros are
/// written where most of what the op writes beside what it reads is zeros. The op must have been called.
class Moves {
 public:
  explicit Moves(const Case& c)
      : read_(static_cast<std::ptrdiff_t>(c.read / sizeof(float))),
        written_(static_cast<std::ptrdiff_t>(c.written / sizeof(float))) {
    const bool from_own = !c.inputs.empty() && std::ssize(c.inputs.front()) >= read_,
               to_own = std::ssize(c.output) >= written_;
    if (!from_own) other_from_.emplace(read_, 1);
    if (!to_own) other_to_.emplace(written_);
    const auto zeros = std::ranges::count(c.output, 0.0F);
    fill_ = 2 * zeros >= written_ - read_ ? 0 : 1;
    from_ = from_own ? c.inputs.front().data() : other_from_->data();
    to_ = to_own ? c.output.data() : other_to_->data();
  }
  void operator()(bool past_caches) const { move_floats(from_, read_, to_, written_, past_caches, fill_); }

 private:
  std::ptrdiff_t read_, written_;
  std::optional<AlignedFloats> other_from_, other_to_;
  const float* from_;
  float* to_;
  float fill_;
};

/// Past the caches, or what is taken for it, and for every write both ways: a processor's last cache may hold more, and what it
/// holds is written there twice as fast as past it.
std::vector<Reference> references(const Case& c) {
  if (c.arithmetic) {
    if (c.in_double) return {{"multiply-adds in double", [&c] { multiply_adds_in_double(c.flops); }}};
    return {{"multiply-adds", [&c] { multiply_adds(c.flops); }}};
  }
  const auto move = std::make_shared<Moves>(c);
  const bool reads = c.reads();
  std::vector<Reference> ways{{reads ? "copy" : "write", [move] { (*move)(false); }}};
  if (!reads || c.bytes() > cached_bytes)
    ways.push_back({reads ? "non-temporal copy" : "non-temporal write", [move] { (*move)(true); }});
  return ways;
}

}  // namespace

Result measure(const Case& c, const Options& options) {
  if (c.device == "gpu") return measure_on_device(c, options);
  const int op_repeats = repeats_of(c.call);
  std::vector<Reference> ways = references(c);
  for (Reference& way : ways) way.repeats = repeats_of(way.call);
  std::vector<double> op_ms;
  for (int i = 0; i < options.samples; ++i) {
    op_ms.push_back(milliseconds(c.call, op_repeats));
    for (Reference& way : ways) way.sample();
  }
  c.call();  // what the op writes is in its array again
  const Reference& limit =
      *std::ranges::min_element(ways, {}, [](const Reference& way) { return median(way.ms); });
  std::vector<double> ratio;
  std::ranges::transform(limit.ms, op_ms, std::back_inserter(ratio), std::divides());
  return {c.op,    c.shape,          c.device,      median(op_ms),          c.bytes(),
          c.flops, median(limit.ms), median(ratio), std::string(limit.name)};
}

}  // namespace orrery::bench
