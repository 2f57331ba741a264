#include "app/study/kit/kept_results.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"

namespace orrery::study {

// assets/trained/*.txt
extern const tensor::EmbeddedFile trained_results[];
extern const int trained_results_count;

std::vector<std::string_view> parts(std::string_view text, char between) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ') || part.ends_with('\n')) part.remove_suffix(1);
    if (!part.empty()) all.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::string five_digits(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, 5).ptr};
}

std::string plain(std::string text) {
  std::erase_if(text, [](char c) { return c == '\'' || c == ';' || static_cast<unsigned char>(c) < 0x20; });
  constexpr std::size_t longest = 80;
  return text.substr(0, longest);
}

std::string today() {
  const std::chrono::year_month_day day{
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

void refuse_results(std::string_view found) {
  throw InvalidArgument(about(Subject::Kind::parameter, "results")
                            .found_text(found)
                            .allowed("the line that a figure with retrain=on keeps in its recipe"));
}

double kept_number(std::string_view text, double least, double most) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || !(x >= least && x <= most))
    refuse_results(text);
  return x;
}

double kept_count(std::string_view text, std::string_view word, double most) {
  if (!text.ends_with(word) || text.size() < word.size() + 2) refuse_results(text);
  return kept_number(text.substr(0, text.size() - word.size() - 1), 0, most);
}

std::string_view trained_line(std::string_view name) {
  for (int i = 0; i < trained_results_count; ++i)
    if (std::string_view(trained_results[i].name) == name) return trained_results[i].text;
  throw std::logic_error("no such line came with the program");
}

}  // namespace orrery::study
