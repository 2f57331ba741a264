// From a driver's error log to the place in a shader's file.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/gpu/program.h"
#include "core/tensor/text_stream.h"

namespace orrery::gpu {
namespace {

bool is_digit(unsigned char c) {
  return std::isdigit(c) != 0;
}
bool is_letter(unsigned char c) {
  return std::isalpha(c) != 0;
}

/// "file:line" of a line of the source, counted from 1; the last mark before it says where its piece is from.
std::string place(const std::string& source, int line) {
  tensor::TextReader lines(source);
  std::string text, file;
  int file_line = 0;
  for (int i = 1; i <= line && std::getline(lines, text); ++i) {
    ++file_line;
    const std::size_t colon = text.rfind(':');
    int next = 0;
    if (!text.starts_with(place_mark) || colon == std::string::npos) continue;
    if (std::from_chars(text.data() + colon + 1, text.data() + text.size(), next).ec != std::errc{}) continue;
    file = text.substr(place_mark.size(), colon - place_mark.size());
    file_line = next - 1;
  }
  return file + ":" + std::to_string(file_line);
}

}  // namespace

// Drivers begin an error with "0:12(5): error: …" (Mesa), "0(12) : error …" (NVIDIA) or "ERROR: 0:12: …"
// (others): everywhere the first two numbers are the source string, of which there is one, and the line.
std::string located_error(const std::string& source, const std::string& log) {
  tensor::TextReader lines(log);
  for (std::string text; std::getline(lines, text);) {
    const char* const end = text.data() + text.size();
    int string = 0, line = 0;
    const char* const begin = std::find_if(end - text.size(), end, is_digit);
    const auto first = std::from_chars(begin, end, string);
    if (first.ec != std::errc{} || first.ptr == end || (*first.ptr != ':' && *first.ptr != '(')) continue;
    const auto second = std::from_chars(first.ptr + 1, end, line);
    if (second.ec != std::errc{}) continue;
    // Between the place and the message: ")", "(5):", " : " …
    const char* const message = std::find_if(second.ptr, end, is_letter);
    return place(source, line) + ": " + std::string(message, end);
  }
  return log.substr(0, log.find('\n'));
}

}  // namespace orrery::gpu
