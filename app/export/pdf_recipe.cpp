// The recipe inside a PDF, found without believing the file: an embedded file stands among its objects in the open, so
// they are looked through, and nothing is unpacked but what may be the recipe. A library that reads a whole PDF would
// follow the file's own tables, and unpack what they say, however large that becomes.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "app/export/formats.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

constexpr std::size_t most_dictionary = 4096;  // bytes; ours has 200
constexpr int most_embedded = 64;              // files looked at: there may be others beside the recipe

/// A file that ends as a PDF must, and whose last pointer points into it.
void check_whole(std::string_view bytes) {
  constexpr std::size_t tail = 1024;  // where readers look for the end
  const std::string_view end = bytes.substr(bytes.size() - std::min(bytes.size(), tail));
  const std::size_t start = end.rfind("startxref");
  if (start == std::string_view::npos || end.find("%%EOF", start) == std::string_view::npos)
    throw Failure(wrong("broken {}: the file ends too early", "PDF"));
  std::string_view number = end.substr(start + 9);
  number.remove_prefix(std::min(number.find_first_not_of(" \r\n"), number.size()));
  std::size_t table = 0;
  if (std::from_chars(number.data(), number.data() + number.size(), table).ec != std::errc() ||
      table >= bytes.size())
    throw Failure(wrong("broken {}: its table of contents is not where it says", "PDF"));
}

/// At most what a recipe may have.
std::string inflated(std::string_view packed) {
  z_stream z{};
  if (inflateInit(&z) != Z_OK) throw Failure(wrong("out of memory"));
  struct End {
    z_stream* z;
    ~End() { inflateEnd(z); }
  } const end{&z};
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  z.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), 2 * most_recipe_bytes));
  std::string text;
  std::array<char, 16384> part{};
  for (int state = Z_OK; state != Z_STREAM_END;) {
    z.next_out = reinterpret_cast<Bytef*>(part.data());
    z.avail_out = part.size();
    state = inflate(&z, Z_NO_FLUSH);
    const std::size_t made = part.size() - z.avail_out;
    if ((state != Z_OK && state != Z_STREAM_END) || (made == 0 && state == Z_OK))
      throw Failure(wrong("broken {}: its recipe is damaged", "PDF"));
    text.append(part.data(), made);
    if (text.size() > most_recipe_bytes) throw Failure(wrong("the recipe is larger than {}", "1 MiB"));
  }
  return text;
}

/// What stands between `stream` and `endstream`, unpacked where its dictionary says that it is packed.
std::string contents(std::string_view dictionary, std::string_view rest) {
  if (rest.starts_with("\r\n"))
    rest.remove_prefix(2);
  else if (rest.starts_with("\n") || rest.starts_with("\r"))
    rest.remove_prefix(1);
  if (dictionary.find("/FlateDecode") != std::string_view::npos) return inflated(rest);
  if (dictionary.find("/Filter") != std::string_view::npos)
    throw Failure(wrong("its recipe is packed in an unknown way"));
  rest = rest.substr(0, rest.find("endstream"));
  if (rest.size() > most_recipe_bytes) throw Failure(wrong("the recipe is larger than {}", "1 MiB"));
  if (rest.ends_with("\n")) rest.remove_suffix(1);
  return std::string(rest);
}

/// The dictionary of the object around a place in it, and where its stream begins.
struct Embedded {
  std::string_view dictionary;
  std::size_t stream = 0;
};
std::optional<Embedded> object_around(std::string_view bytes, std::size_t at) {
  const std::size_t from = at - std::min(at, most_dictionary);
  const std::size_t begin = bytes.substr(from, at - from).rfind(" obj");
  const std::size_t stream = bytes.substr(0, std::min(bytes.size(), at + most_dictionary)).find("stream", at);
  if (begin == std::string_view::npos || stream == std::string_view::npos) return std::nullopt;
  const std::string_view dictionary = bytes.substr(from + begin, stream - from - begin);
  if (dictionary.find("endobj") != std::string_view::npos) return std::nullopt;
  return Embedded{dictionary, stream + 6};
}

bool is_toml(std::string_view dictionary) {
  return dictionary.find("application#2ftoml") != std::string_view::npos ||
         dictionary.find("application#2Ftoml") != std::string_view::npos;
}

}  // namespace

std::string pdf_recipe(const std::string& file) {
  const std::string_view bytes = file;
  check_whole(bytes);
  constexpr std::string_view kind = "/EmbeddedFile";
  int seen = 0;
  for (std::size_t at = bytes.find(kind); at != std::string_view::npos && seen < most_embedded;
       at = bytes.find(kind, at + kind.size()), ++seen) {
    if (bytes.substr(at + kind.size()).starts_with("s")) continue;  // /EmbeddedFiles: the list of them
    const auto object = object_around(bytes, at);
    if (object && is_toml(object->dictionary))
      return contents(object->dictionary, bytes.substr(object->stream));
  }
  return {};
}

}  // namespace orrery::exporter
