#include "core/file/json.h"

#include <utility>
#include <vector>

namespace orrery::file {
namespace {

using nlohmann::json;

/// No digit before the exponent is another one.
bool means_zero(std::string_view number) {
  return number.substr(0, number.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
}

/// What json::parse does, and json::parse with a callback does not: no step looks at more than the value it adds.
class Builder : public json::json_sax_t {
 public:
  explicit Builder(const JsonReading& reading) : reading_(reading) {}

  json root;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    if (value == 0 && reading_.on_underflow && !means_zero(text)) reading_.on_underflow(text);
    return add(value);
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override { return add(std::move(value)); }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    Open& object = open_.back();
    object.key = std::move(key);
    if (reading_.on_repeated && object.value->contains(object.key)) reading_.on_repeated(object.key);
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const json::exception& error) override {
    if (const auto* syntax = dynamic_cast<const json::parse_error*>(&error)) throw *syntax;
    if (const auto* range = dynamic_cast<const json::out_of_range*>(&error))
      throw NumberTooLarge(*range, byte);
    throw Failure(Complaint().fault(foreign(error.what())));
  }

 private:
  struct Open {
    json* value;
    std::string key;  // of an object: the one that the next value is for
  };

  json& place(json&& value) {
    if (open_.empty()) return root = std::move(value);
    Open& parent = open_.back();
    if (parent.value->is_object()) return (*parent.value)[parent.key] = std::move(value);
    return parent.value->emplace_back(std::move(value));
  }

  bool open(json&& empty) {
    if (static_cast<int>(open_.size()) >= reading_.max_depth)
      throw TooDeep(wrong("nested deeper than {}", reading_.max_depth));
    open_.push_back({&place(std::move(empty)), {}});
    return true;
  }

  bool add(json&& value) {
    place(std::move(value));
    return ended();
  }
  bool close() {
    open_.pop_back();
    return ended();
  }
  /// After each value: a member of the outermost object goes to whom it is for.
  bool ended() {
    if (!reading_.on_member || open_.size() != 1 || !root.is_object()) return true;
    const auto member = root.find(open_.back().key);
    reading_.on_member(member.key(), member.value());
    root.erase(member);
    return true;
  }

  const JsonReading& reading_;
  std::vector<Open> open_;
};

}  // namespace

json read_json(std::string_view text, const JsonReading& reading) {
  Builder builder(reading);
  json::sax_parse(text, &builder);
  return std::move(builder.root);
}

}  // namespace orrery::file
