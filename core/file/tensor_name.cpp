#include "core/file/tensor_name.h"

#include <algorithm>

#include "core/tensor/error.h"

namespace orrery::file {
namespace {

constexpr std::size_t longest_shown = 80, longest_name = 4096;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

/// Names that are near, or else the first one.
std::string examples(std::string_view wanted, std::span<const std::string_view> names) {
  constexpr int most = 3;
  const std::string_view last = wanted.substr(wanted.rfind('.') + 1);
  std::string text;
  int count = 0;
  for (const bool near : {true, false})
    for (const std::string_view name : names)
      if (count < most && (name.find(last) != std::string_view::npos) == near && (near || count == 0)) {
        text += (text.empty() ? "" : ", ") + shown_name(name);
        ++count;
      }
  return text;
}

}  // namespace

void refuse_file(std::string_view origin, const Complaint& what) {
  throw Failure(what.within(in_file(origin)));
}

std::string shown_name(std::string_view name) {
  std::size_t end = std::min(name.size(), longest_shown);
  // Never within a character of several bytes.
  while (end < name.size() && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  std::string text = "'";
  for (const char c : name.substr(0, end)) text += is_control(c) ? '?' : c;
  return text + (end < name.size() ? "…'" : "'");
}

Complaint fault_of_name(std::string_view name) {
  if (name.empty()) return wrong("a tensor has no name");
  if (name.size() > longest_name)
    return wrong("the name of tensor {} is {} bytes long", shown_name(name), name.size())
        .allowed("up to {}", longest_name);
  if (std::ranges::any_of(name, is_control))
    return wrong("the name of tensor {} holds control characters", shown_name(name));
  return {};
}

Complaint no_such_tensor(std::string_view wanted, std::span<const std::string_view> names) {
  if (names.empty())
    return Complaint().found(wanted).fault("no tensor {}; it holds none", shown_name(wanted));
  return Complaint().found(wanted).fault("no tensor {}; it holds {}, such as {}", shown_name(wanted),
                                         names.size(), examples(wanted, names));
}

}  // namespace orrery::file
