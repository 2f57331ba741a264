// A study: a pure function from settings to a figure, tables and checks. It declares its parameters and
// computes; the window's controls, the command line, recipes and tests follow from the declaration.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/table.h"
#include "core/parameter/settings.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::study {

/// A statement that the study proves as it runs: it holds when value ≤ bound.
struct Check {
  std::string statement;
  double value = 0;
  double bound = 0;
  bool known = false;  ///< a known answer: a published number found again, the same whatever is set
  bool holds() const { return value <= bound; }  // false for NaN
};

struct StudyResult {
  figure::Figure figure;
  std::vector<figure::Table> tables;
  std::vector<Check> checks;
  /// The study's formula with the numbers of these settings and what comes of them, TeX without dollar signs: for each
  /// statement a name, "=", the numbers put in, "=" or "\approx", the result. Statements stand apart by \quad.
  std::string worked = {};
  /// Of what was measured here and now: the changes to these settings that give the figure again without measuring
  /// ("measure=off results='…'"). What leaves the program holds them. Empty: nothing was measured.
  std::string keeps = {};
  /// What a person should know of it who does not read its title: that numbers by chance stand in for a file, say. A sentence
  /// without its end. Empty: nothing.
  std::string remark = {};
};

enum class DeviceChoice : std::uint8_t { ref, cpu, gpu };

/// What a computation may ask of whoever runs it. Lives on the thread that computes.
struct Run {
  DeviceChoice device = DeviceChoice::cpu;
  std::stop_token stop;
  std::function<void(double)> on_progress;             ///< 0 to 1
  std::function<void(const StudyResult&)> on_partial;  ///< a figure to look at while the rest is computed
  std::function<void()> on_check;  ///< at every check, before it may throw: where a clock stands

  bool cancelled() const { return stop.stop_requested(); }
  /// Throws Cancelled when asked to stop. Call it at least every 100 ms.
  void check() const;
  void progress(double fraction) const;
  void publish(const StudyResult& partial) const;
  gpu::Device& gpu() const;  ///< this thread's; throws Failure when there is none
};

/// One thing to try, said to a person, and the settings that make it happen.
struct Try {
  std::string_view text;
  std::string_view changes;  ///< "base=500000 position=100": applied to the current settings
  /// Whether the text is so: what it promises, looked up in the result of the defaults with these changes, and in that of
  /// the defaults themselves. A test asks every one of every study (kit/expects.h).
  bool (*expects)(const StudyResult& now, const StudyResult& before) = nullptr;
};

struct Study {
  std::string_view id;       ///< "rope/rotation": topic/name
  std::string_view title;    ///< "Rotation"
  std::string_view topic;    ///< "Rotary positions"
  std::string_view summary;  ///< one line: "each pair of dimensions turns at its own speed"
  std::string_view formula;  ///< TeX, without dollar signs
  /// Why the formula is so, in three to six lines of text with $TeX$ in it; empty where nobody asks.
  std::string_view derivation = {};
  std::string_view about;   ///< two or three sentences
  std::string_view source;  ///< "Su et al. 2021, eq. 14"
  std::span<const parameter::Parameter> parameters;
  std::span<const Try> tries;
  StudyResult (*compute)(const parameter::Settings&, const Run&);
};

/// All studies, in the order of the list in the window.
std::span<const Study* const> studies();
/// Throws InvalidArgument naming the nearest ids.
const Study& find(std::string_view id);

}  // namespace orrery::study
