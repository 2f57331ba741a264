#include "core/model/rope_readings.h"

#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using position::RopeReading;
using position::RopeRule;
using position::RopeType;

class Readings {
 public:
  explicit Readings(const RopeLayer& layer) : layer_(layer) {}

  template <class Change>
  void add(const char* name, const char* who, Change change) {
    RopeRule rule = layer_.rule;
    change(rule);
    try {
      const auto rope = rope_frequencies(rule);
      if (rope.inv_freq == layer_.inv_freq && rope.attention_factor == layer_.attention_factor) return;
      found_.push_back({name, who, rule, rope.inv_freq, rope.attention_factor});
    } catch (const InvalidArgument&) {
      // Read so, the file would be refused: nobody runs that.
    }
  }
  std::vector<RopeOtherReading> take() { return std::move(found_); }

 private:
  const RopeLayer& layer_;
  std::vector<RopeOtherReading> found_;
};

void factor_from_lengths(Readings& readings, const RopeRule& own, const char* who) {
  if (own.max_length > own.original_length)
    readings.add("factor from the lengths", who,
                 [](RopeRule& r) { r.factor = r.max_length / r.original_length; });
}

void yarn_readings(Readings& readings, const RopeRule& own) {
  factor_from_lengths(readings, own, "transformers before the factor of the file counted");
  if (own.max_length > 0) {
    readings.add("longest length as the original", "the oldest copies of the rule",
                 [](RopeRule& r) { r.original_length = r.max_length; });
  }
  if (!own.truncate) {
    readings.add("ramp's ends rounded", "whoever does not know truncate, or looks for it at the top only",
                 [](RopeRule& r) { r.truncate = true; });
  }
  readings.add("the paper's ramp", "arXiv 2309.00071, definition 2",
               [](RopeRule& r) { r.reading = RopeReading::paper; });
}

}  // namespace

std::vector<RopeOtherReading> other_readings(const RopeLayer& layer) {
  if (layer.rope_type == "none") return {};
  Readings readings(layer);
  const RopeRule& own = layer.rule;
  switch (own.type) {
    case RopeType::yarn:
      yarn_readings(readings, own);
      break;
    case RopeType::dynamic:
      readings.add("grown once", "vLLM: the base of the longest text, for all texts",
                   [](RopeRule& r) { r.length = r.factor * r.max_length; });
      readings.add("the paper's growth", "arXiv 2309.00071, section 3.3",
                   [](RopeRule& r) { r.reading = RopeReading::paper; });
      break;
    case RopeType::longrope:
      factor_from_lengths(readings, own,
                          "transformers before version 5, where the original length stands at the top");
      readings.add("always long_factor", "transformers, where it chose by the lengths of the file",
                   [](RopeRule& r) { r.length = std::max(r.length, r.original_length + 1); });
      break;
    case RopeType::proportional:
      readings.add(
          "ordinary partial rotary", "programs that know partial_rotary_factor only", [](RopeRule& r) {
            r.type = RopeType::standard;
            r.rotary_dim = 2 * static_cast<tensor::Index>(r.partial * static_cast<double>(r.rotary_dim) / 2);
          });
      break;
    default:
      break;
  }
  if (own.type != RopeType::standard) {
    readings.add("rule forgotten", "programs that do not find or know the dictionary", [](RopeRule& r) {
      r.type = RopeType::standard;
      r.attention_factor.reset();
    });
  }
  if (own.base != 10000) {
    readings.add("base not found, 10000 taken", "programs that look for rope_theta in the other place",
                 [](RopeRule& r) { r.base = 10000; });
  }
  if (layer.rotary_dim < layer.head_dim && own.type == RopeType::standard) {
    const tensor::Index whole = layer.head_dim;
    readings.add("the whole head rotated", "programs that pass over partial_rotary_factor",
                 [whole](RopeRule& r) { r.rotary_dim = whole - whole % 2; });
  }
  return readings.take();
}

}  // namespace orrery::model
