#include "core/model/json.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/file/json.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using nlohmann::json;

constexpr int max_depth = 64;

Subject place(std::string_view origin, std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n') + 1);
  const auto newline = before.rfind('\n');
  const auto column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
  return in_file(origin, line, std::max<std::size_t>(column, 1));
}

/// The library's own words without its code, its place and whatever raw bytes it quotes.
Phrase reason(std::string_view what) {
  const auto drop_up_to = [&](std::string_view end) {
    if (const auto at = what.find(end); at != std::string_view::npos) what.remove_prefix(at + end.size());
  };
  drop_up_to("] ");
  if (what.starts_with("parse error at ")) drop_up_to(": ");
  if (what.starts_with("syntax error ")) what.remove_prefix(std::string_view("syntax error ").size());
  std::string out;
  for (const char c : what.substr(0, 160)) out += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return foreign(out);
}

/// Said here, because the library's releases have each their own words for it; a zero byte ends a text for all of them.
void refuse_empty(std::string_view text, std::string_view origin) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    throw Failure(wrong("not JSON: there is nothing in it").within(place(origin, text, 1)));
  if (text[first] == '\0')
    throw Failure(wrong("not JSON: begins with a zero byte").within(place(origin, text, first + 1)));
}

std::string text_of(const json& value) {
  std::string out = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (out.size() > 40) out = out.substr(0, 37) + "...";
  return out;
}

Complaint refused(const json& found, Phrase fault) {
  return Complaint().found(text_of(found)).fault(std::move(fault));
}

}  // namespace

json parse_any_json(std::string_view text, std::string_view origin, std::vector<std::string>& repeated) {
  std::set<std::string> once;
  const auto repeat = [&](const std::string& key) {
    if (once.insert(key).second) repeated.push_back(key);
  };
  const auto underflow = [&](const std::string& number) {
    throw Failure(wrong("number {} is too small: it would be read as 0", number).within(in_file(origin)));
  };
  refuse_empty(text, origin);
  try {
    return file::read_json(text, {.max_depth = max_depth, .on_repeated = repeat, .on_underflow = underflow});
  } catch (const json::parse_error& e) {
    throw Failure(wrong("not JSON: {}", reason(e.what())).within(place(origin, text, e.byte)));
  } catch (const file::NumberTooLarge& e) {
    throw Failure(
        wrong("not JSON that can be read: {}", reason(e.what())).within(place(origin, text, e.byte)));
  } catch (const file::TooDeep& e) {
    throw Failure(e.complaint().within(in_file(origin)));
  } catch (const json::exception& e) {
    throw Failure(wrong("not JSON that can be read: {}", reason(e.what())).within(in_file(origin)));
  }
}

json parse_json(std::string_view text, std::string_view origin, std::vector<std::string>& repeated) {
  json root = parse_any_json(text, origin, repeated);
  if (!root.is_object())
    throw Failure(wrong("holds no JSON object but {}", text_of(root)).within(in_file(origin)));
  return root;
}

const json* Fields::value(std::string_view key) {
  read_.emplace(key);
  const auto found = object_->find(std::string(key));
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(std::string_view key) const {
  const auto found = object_->find(std::string(key));
  return found != object_->end() && !found->is_null();
}

bool Fields::stands(std::string_view key) const {
  return object_->contains(std::string(key));
}

bool Fields::is_flag(std::string_view key) const {
  return has(key) && object_->find(std::string(key))->is_boolean();
}

bool Fields::is_number(std::string_view key) const {
  return has(key) && object_->find(std::string(key))->is_number();
}

bool Fields::is_text(std::string_view key) const {
  return has(key) && object_->find(std::string(key))->is_string();
}

bool Fields::is_list(std::string_view key) const {
  return has(key) && object_->find(std::string(key))->is_array();
}

std::vector<std::string> Fields::keys() const {
  std::vector<std::string> out;
  for (const auto& [key, v] : object_->items()) out.push_back(key);
  return out;
}

std::optional<double> Fields::number(std::string_view key) {
  const json* v = value(key);
  if (v == nullptr) return {};
  if (!v->is_number()) fail(key, refused(*v, words("{} is not a number", text_of(*v))));
  return v->get<double>();
}

std::optional<double> Fields::number(std::initializer_list<std::string_view> keys) {
  std::optional<double> first;
  for (const auto key : keys) {
    if (const auto v = number(key); v && !first) first = v;
  }
  return first;
}

std::optional<std::int64_t> Fields::whole(std::string_view key, std::int64_t min, std::int64_t max) {
  const auto v = number(key);
  if (!v) return {};
  if (std::floor(*v) != *v || *v < static_cast<double>(min) || *v > static_cast<double>(max)) {
    const std::string found = shown(key);
    fail(key, Complaint().found(found).fault("{}", found).allowed("a whole number from {} to {}", min, max));
  }
  return static_cast<std::int64_t>(*v);
}

std::optional<std::int64_t> Fields::whole(std::initializer_list<std::string_view> keys, std::int64_t min,
                                          std::int64_t max) {
  std::optional<std::int64_t> first;
  for (const auto key : keys) {
    if (const auto v = whole(key, min, max); v && !first) first = v;
  }
  return first;
}

std::optional<bool> Fields::flag(std::string_view key) {
  const json* v = value(key);
  if (v == nullptr) return {};
  if (!v->is_boolean()) fail(key, refused(*v, words("{} is neither true nor false", text_of(*v))));
  return v->get<bool>();
}

std::optional<std::string> Fields::text(std::string_view key) {
  const json* v = value(key);
  if (v == nullptr) return {};
  if (!v->is_string()) fail(key, refused(*v, words("{} is not a text", text_of(*v))));
  return v->get<std::string>();
}

std::optional<std::vector<double>> Fields::numbers(std::string_view key) {
  const json* v = value(key);
  if (v == nullptr) return {};
  if (!v->is_array()) fail(key, refused(*v, words("{} is not a list of numbers", text_of(*v))));
  std::vector<double> out;
  for (const json& element : *v) {
    if (!element.is_number())
      fail(key, refused(element, words("number {} is {}, not a number", out.size(), text_of(element))));
    out.push_back(element.get<double>());
  }
  return out;
}

std::optional<std::vector<std::string>> Fields::texts(std::string_view key) {
  const json* v = value(key);
  if (v == nullptr) return {};
  if (!v->is_array()) fail(key, refused(*v, words("{} is not a list of texts", text_of(*v))));
  std::vector<std::string> out;
  for (const json& element : *v) {
    if (!element.is_string())
      fail(key, refused(element, words("number {} is {}, not a text", out.size(), text_of(element))));
    out.push_back(element.get<std::string>());
  }
  return out;
}

const json* Fields::object(std::string_view key) {
  const json* v = value(key);
  return v != nullptr && v->is_object() ? v : nullptr;
}

std::string Fields::shown(std::string_view key) const {
  const auto found = object_->find(std::string(key));
  return found == object_->end() ? std::string() : text_of(*found);
}

std::vector<std::string> Fields::unread() const {
  std::vector<std::string> out;
  for (const auto& [key, v] : object_->items()) {
    if (!v.is_null() && !read_.contains(key)) out.push_back(key);
  }
  return out;
}

std::string Fields::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void Fields::fail(std::string_view key, const Complaint& what) const {
  const Subject subject{Subject::Kind::key, name_phrase(path(key))};
  throw Failure(what.within(subject).within(in_file(origin_)));
}

}  // namespace orrery::model
