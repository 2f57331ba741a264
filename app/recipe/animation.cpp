#include "app/recipe/animation.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw InvalidArgument(about(Subject::Kind::option, "--animate")
                            .found_text(text)
                            .allowed("name=from:to or name=from:to:log, as in {}", "base=1000:1e6:log"));
}

double number_of_text(std::string_view text, std::string_view whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) refuse(whole);
  return value;
}

const parameter::Parameter& declared(const Animation& animation, const parameter::Settings& settings) {
  static_cast<void>(settings.value(animation.parameter));  // the known names, where this is none
  return *std::ranges::find(settings.declared(), animation.parameter, &parameter::Parameter::name);
}

/// Of a parameter that is no number.
Phrase kind_phrase(const parameter::Parameter& p) {
  return words("{} is {}", p.name, parameter::kind_name(p.kind));
}

/// The frame that stands at the far end.
int far_end(const Animation& a) {
  return a.loop == Loop::back_and_forth ? a.frames / 2 : a.frames - 1;
}

/// Where the parameter stands in a frame. On the way back the last frame is one step before the first, which follows it.
double position(const Animation& a, int frame) {
  const int turn = far_end(a);
  if (frame == 0) return a.from;
  if (frame == turn) return a.to;
  const double t = frame < turn ? static_cast<double>(frame) / turn
                                : static_cast<double>(a.frames - frame) / (a.frames - turn);
  return a.log ? a.from * std::pow(a.to / a.from, t) : a.from + (a.to - a.from) * t;
}

parameter::Value value_at(const Animation& a, int frame, const parameter::Parameter& p) {
  const double x = position(a, frame);
  if (p.kind == parameter::Kind::real) return x;
  const double step = std::max(1, p.multiple);
  return static_cast<std::int64_t>(std::round(x / step) * step);
}

}  // namespace

Animation parse_animation(std::string_view text) {
  Animation a;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) refuse(text);
  a.parameter = text.substr(0, equals);
  std::string_view rest = text.substr(equals + 1);
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) refuse(text);
  a.from = number_of_text(rest.substr(0, colon), text);
  rest.remove_prefix(colon + 1);
  if (rest.ends_with(":log")) {
    a.log = true;
    rest.remove_suffix(4);
  }
  a.to = number_of_text(rest, text);
  return a;
}

Loop parse_loop(std::string_view argument, std::string_view text) {
  const auto* const found = std::ranges::find(loop_names, text);
  if (found != loop_names.end()) return static_cast<Loop>(found - loop_names.begin());
  throw InvalidArgument(parameter::unknown(about_argument(argument), text, loop_names));
}

void validate(const Animation& a, const parameter::Settings& settings) {
  const auto refuse = [](Complaint complaint) {
    throw InvalidArgument(complaint.within({Subject::Kind::key, name_phrase("animation")}));
  };
  const parameter::Parameter& p = declared(a, settings);
  if (p.kind != parameter::Kind::real && p.kind != parameter::Kind::integer) {
    refuse(Complaint().found(a.parameter).fault(kind_phrase(p)).allowed("an integer or a real parameter"));
  }
  if (a.frames < 2 || a.frames > most_frames) {
    refuse(
        Complaint().found(a.frames).fault("found {} frames", a.frames).allowed("{} to {}", 2, most_frames));
  }
  if (!(a.fps >= 1 && a.fps <= most_fps)) {
    refuse(Complaint()
               .found(parameter::shortest(a.fps))
               .fault("found {} frames a second", parameter::shortest(a.fps))
               .allowed("{} to {}", 1, parameter::shortest(most_fps)));
  }
  if (a.log && !(a.from > 0 && a.to > 0)) {
    refuse(wrong("{} on a log way from {} to {}", a.parameter, parameter::shortest(a.from),
                 parameter::shortest(a.to))
               .allowed("both more than 0"));
  }
  if (a.frame && (*a.frame < 0 || *a.frame >= a.frames)) {
    refuse(
        Complaint().found(*a.frame).fault("found frame {}", *a.frame).allowed("{} to {}", 0, a.frames - 1));
  }
  for (const double end : {a.from, a.to}) {
    if (p.kind == parameter::Kind::integer && !(std::abs(end) <= 0x1p53)) {
      refuse(Complaint()
                 .found(parameter::shortest(end))
                 .fault("{} would be {}", a.parameter, parameter::shortest(end))
                 .allowed(parameter::allowed_phrase(p)));
    }
  }
  // What lies between two allowed ends is allowed.
  for (const int end : {0, far_end(a)}) parameter::validate(p, value_at(a, end, p));
}

std::vector<parameter::Settings> frame_settings(const Animation& a, const parameter::Settings& settings) {
  validate(a, settings);
  const parameter::Parameter& p = declared(a, settings);
  std::vector<parameter::Settings> all(static_cast<std::size_t>(a.frames), settings);
  for (int i = 0; i < a.frames; ++i) all[static_cast<std::size_t>(i)].set(p.name, value_at(a, i, p));
  return all;
}

}  // namespace orrery::recipe
