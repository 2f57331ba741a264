// Where shader text comes from, and how one source is put together of several files.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/gpu/program.h"
#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"
#include "core/tensor/text_stream.h"

namespace orrery::gpu {

// Written by the build from shaders/: see orrery_embed in CMakeLists.txt.
extern const tensor::EmbeddedFile embedded_shaders[];
extern const int embedded_shaders_count;

namespace {

std::string text_on_disk(const std::string& directory, std::string_view name) {
  std::ifstream file(std::filesystem::path(directory) / name);
  try {
    if (file) return std::string(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios_base::failure&) {  // a folder
  }
  throw InvalidArgument(
      wrong("no shader named {} in {}", in_apostrophes(name), "ORRERY_SHADER_DIR=" + directory));
}

/// Puts files one after another, with a mark wherever the text goes on in another place.
class Composer {
 public:
  std::string compose(const std::string& name, std::span<const std::string> defines) {
    append(name, defines);
    return out_;
  }

 private:
  void append(const std::string& name, std::span<const std::string> defines = {}) {
    if (!seen_.insert(name).second) return;
    tensor::TextReader lines(shader_text(name));
    int line_number = 0;
    if (seen_.size() > 1) mark(name, 1);
    for (std::string line; std::getline(lines, line);) {
      ++line_number;
      if (line.starts_with("#version")) {
        out_ += line + '\n';
        for (const std::string& define : defines) out_ += "#define " + define + '\n';
        mark(name, line_number + 1);
      } else if (const std::string included = include_in(line); !included.empty()) {
        append(included);
        mark(name, line_number + 1);
      } else {
        out_ += line + '\n';
      }
    }
  }

  void mark(const std::string& name, int line) {
    out_ += std::string(place_mark) + name + ':' + std::to_string(line) + '\n';
  }

  /// The name between the quotes of an #include line, else nothing.
  static std::string include_in(const std::string& line) {
    if (!line.starts_with("#include")) return {};
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open == close) throw InvalidArgument(wrong("not an #include with a name in quotes: {}", line));
    return line.substr(open + 1, close - open - 1);
  }

  std::string out_;
  std::set<std::string> seen_;
};

}  // namespace

std::string shader_text(std::string_view name) {
  if (const char* directory = std::getenv("ORRERY_SHADER_DIR")) return text_on_disk(directory, name);
  for (int i = 0; i < embedded_shaders_count; ++i)
    if (embedded_shaders[i].name == name) return embedded_shaders[i].text;
  throw InvalidArgument(wrong("no shader named {} in this program", in_apostrophes(name)));
}

std::string shader_source(std::string_view name, std::span<const std::string> defines) {
  return Composer().compose(std::string(name) + ".comp", defines);
}

}  // namespace orrery::gpu
