// Hugging Face's .safetensors files: many named tensors behind one JSON header.
//
// Read       F64 F32 F16 BF16, I64 I32 I16 I8, U64 U32 U16 U8, BOOL; little-endian, row-major, as the format demands. Only
//            the header and the tensor that is asked for are read, so that a file of many gigabytes costs nothing.
//            Every offset is checked against the file, and every shape against its offsets, before anything is
//            allocated. Other types (F8_E4M3, F8_E5M2, F4 …) are listed and cannot be read.
// Refused    what the reference implementation refuses (holes, tensors over each other, bytes behind the last one, sizes
//            that do not fit), and what it leaves to the reader: a key that stands there twice, names with control
//            characters, more than 8 axes, more than a million tensors.
// Source     the format's description at github.com/huggingface/safetensors
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/file/source.h"
#include "core/file/stored_array.h"
#include "core/tensor/array.h"

namespace orrery::file {

struct SafetensorsEntry {
  std::string name, dtype;  ///< the type as the file writes it: "BF16"
  std::vector<tensor::Index> shape;
  std::uint64_t begin = 0, end = 0;  ///< in the file
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  ///< in the order of their data
};

/// `head` begins with the file's first byte and holds all of its header; `origin` is what errors call it. Throws Failure,
/// one line, for anything malformed.
SafetensorsHeader parse_safetensors_header(std::string_view head, std::uint64_t file_size,
                                           std::string_view origin);
SafetensorsHeader read_safetensors_header(const std::filesystem::path&);

/// How many bytes parse_safetensors_header must see, from the file's first 8. Throws Failure where that is absurd.
std::uint64_t safetensors_header_size(std::string_view head, std::uint64_t file_size,
                                      std::string_view origin);

/// A file that is open: all of its tensors are of one state of it, whatever is renamed over its path meanwhile.
class SafetensorsFile {
 public:
  /// Throws Failure for anything malformed.
  explicit SafetensorsFile(const std::filesystem::path&);
  const SafetensorsHeader& header() const { return header_; }
  /// One of its tensors, none of whose numbers is read yet; `next` hands out those of the one that was opened last. Throws
  /// Failure for a name that is not there (it names the nearest) and for a type that cannot be read.
  StoredArray open(std::string_view name) const;

 private:
  std::shared_ptr<Source> file_;
  SafetensorsHeader header_;
};

/// One of its tensors, none of whose numbers is read yet. Throws Failure for a name that is not there (it names the nearest)
/// and for a type that cannot be read.
StoredArray open_safetensors(const std::filesystem::path&, std::string_view name);
/// Integers and booleans are carried as f64. Throws Failure as above, and for more numbers than most_numbers.
tensor::Array read_safetensors(const std::filesystem::path&, std::string_view name);

}  // namespace orrery::file
