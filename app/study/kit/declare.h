// Parameters in a line or two: what it is, its default, what it may be, what it is for; all else by name behind it.
//
//   whole("length", "Length", "24", {2, 512}, "queries and keys", {.travel = Travel::log, .unit = "tokens"})
#pragma once

#include <string_view>

#include "core/parameter/parameter.h"

namespace orrery::study {

using parameter::Parameter;
using parameter::Travel;

/// The least and the largest that is allowed.
struct Between {
  double min, max;
};

constexpr Parameter declared(parameter::Kind kind, std::string_view name, std::string_view label,
                             std::string_view fallback, std::string_view help, Parameter rest) {
  rest.kind = kind;
  rest.name = name;
  rest.label = label;
  rest.fallback = fallback;
  rest.help = help;
  return rest;
}
constexpr Parameter within(Between allowed, Parameter p) {
  p.min = allowed.min;
  p.max = allowed.max;
  return p;
}

constexpr Parameter whole(std::string_view name, std::string_view label, std::string_view fallback,
                          Between allowed, std::string_view help, Parameter rest = {}) {
  return within(allowed, declared(parameter::Kind::integer, name, label, fallback, help, rest));
}
constexpr Parameter real(std::string_view name, std::string_view label, std::string_view fallback,
                         Between allowed, std::string_view help, Parameter rest = {}) {
  return within(allowed, declared(parameter::Kind::real, name, label, fallback, help, rest));
}
/// Real numbers, each of them within what is allowed.
constexpr Parameter numbers(std::string_view name, std::string_view label, std::string_view fallback,
                            Between allowed, std::string_view help, Parameter rest = {}) {
  return within(allowed, declared(parameter::Kind::vector, name, label, fallback, help, rest));
}
/// Rows of real numbers, each of them within what is allowed: "1,0;0,1". `rest` may say how many .rows, each of which .length.
constexpr Parameter matrix(std::string_view name, std::string_view label, std::string_view fallback,
                           Between allowed, std::string_view help, Parameter rest = {}) {
  return within(allowed, declared(parameter::Kind::matrix, name, label, fallback, help, rest));
}
/// A line of words, of so many characters.
constexpr Parameter text(std::string_view name, std::string_view label, std::string_view fallback,
                         Between characters, std::string_view help, Parameter rest = {}) {
  return within(characters, declared(parameter::Kind::text, name, label, fallback, help, rest));
}
/// The default is the first of the choices; with_fallback() names another.
constexpr Parameter choice(std::string_view name, std::string_view label, std::string_view choices,
                           std::string_view help, Parameter rest = {}) {
  rest.choices = choices;
  return declared(parameter::Kind::choice, name, label, choices.substr(0, choices.find('|')), help, rest);
}
constexpr Parameter toggle(std::string_view name, std::string_view label, std::string_view fallback,
                           std::string_view help, Parameter rest = {}) {
  return declared(parameter::Kind::toggle, name, label, fallback, help, rest);
}
/// `takes`: as Parameter::takes.
constexpr Parameter file(std::string_view name, std::string_view label, std::string_view takes,
                         std::string_view help, Parameter rest = {}) {
  rest.takes = takes;
  return declared(parameter::Kind::file, name, label, {}, help, rest);
}

/// The same declaration with another default.
constexpr Parameter with_fallback(Parameter p, std::string_view fallback) {
  p.fallback = fallback;
  return p;
}
/// The same declaration with another largest value.
constexpr Parameter up_to(double most, Parameter p) {
  p.max = most;
  return p;
}
/// The same declaration where other parameters say when it is read.
constexpr Parameter read_when(Parameter p, std::string_view condition) {
  p.only_when = condition;
  return p;
}
/// The same declaration where nothing decides whether it is read.
constexpr Parameter always_read(Parameter p) {
  return read_when(p, {});
}

}  // namespace orrery::study
