#include "core/parameter/settings.h"

#include <algorithm>

#include "core/parameter/former.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"
#include "core/tensor/hash.h"

namespace orrery::parameter {

Settings::Settings(std::span<const Parameter> declared) : declared_(declared) {
  values_.reserve(declared.size());
  for (const Parameter& p : declared) values_.push_back(parse(p, p.fallback));
}

std::size_t Settings::index(std::string_view name) const {
  const auto found = std::ranges::find(declared_, name, &Parameter::name);
  if (found != declared_.end()) return static_cast<std::size_t>(found - declared_.begin());
  std::vector<std::string_view> known;
  for (const Parameter& p : declared_) known.push_back(p.name);
  Complaint none = unknown(about(name), name, known).fault("no such parameter");
  throw InvalidArgument(known.empty() ? none.led_by("; there are none") : none.led_by("; known: "));
}

void Settings::set(std::string_view name, std::string_view text) {
  const std::size_t i = index(name);
  values_[i] = parse(declared_[i], text);
}

void Settings::set(std::string_view name, Value value) {
  const std::size_t i = index(name);
  if (auto* text = std::get_if<std::string>(&value)) *text = todays_choice(declared_[i], *text);
  validate(declared_[i], value);
  values_[i] = std::move(value);
}

const Value& Settings::value(std::string_view name) const {
  return values_[index(name)];
}
std::int64_t Settings::integer(std::string_view name) const {
  return std::get<std::int64_t>(value(name));
}
double Settings::real(std::string_view name) const {
  const Value& v = value(name);
  const std::int64_t* whole = std::get_if<std::int64_t>(&v);  // a whole number is a real one
  return whole == nullptr ? std::get<double>(v) : static_cast<double>(*whole);
}
std::optional<double> Settings::number(std::string_view name) const {
  const double* x = std::get_if<double>(&value(name));
  return x == nullptr ? std::nullopt : std::optional(*x);
}
const std::string& Settings::choice(std::string_view name) const {
  return std::get<std::string>(value(name));
}
const std::string& Settings::file(std::string_view name) const {
  return std::get<std::string>(value(name));
}
bool Settings::toggle(std::string_view name) const {
  return std::get<bool>(value(name));
}
const std::vector<double>& Settings::vector(std::string_view name) const {
  return std::get<std::vector<double>>(value(name));
}
const Matrix& Settings::matrix(std::string_view name) const {
  return std::get<Matrix>(value(name));
}

bool Settings::is_default(std::string_view name) const {
  const std::size_t i = index(name);
  return values_[i] == parse(declared_[i], declared_[i].fallback);
}

std::uint64_t Settings::hash() const {
  // Over names and canonical texts: the same on every machine, whatever the order of bytes in a double. 0xff is no byte of
  // UTF-8: it keeps "ab" "c" apart from "a" "bc".
  tensor::Hash hash;
  for (std::size_t i = 0; i < declared_.size(); ++i)
    hash.add(declared_[i].name).add(0xff).add(format(values_[i])).add(0xff);
  return hash.value();
}

}  // namespace orrery::parameter
