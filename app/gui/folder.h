// What a folder holds, for a person who looks for a file in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/complaint.h"

namespace orrery::gui {

struct FolderEntry {
  std::string name;
  bool folder = false;
  std::uintmax_t bytes = 0;
};

struct Folder {
  std::vector<FolderEntry> entries;  ///< folders first, each in alphabetical order, capitals not told apart
  Complaint error{};                 ///< why there are none; empty: it was read
};

/// Files that `takes` does not list (Parameter::takes) are left out unless `all`; hidden ones unless `hidden`.
Folder read_folder(const std::filesystem::path&, std::string_view takes, bool all, bool hidden);

/// With one "/" at its end.
std::string folder_text(std::string folder);

/// A typed path in two: the folder, "/" at its end, and the beginning of a name in it.
struct TypedPlace {
  std::string folder, beginning;
};
TypedPlace typed_place(std::string_view typed);

/// What a person most likely means: the name goes on as far as all entries that begin with it agree, with a "/" behind the
/// only folder. Capitals are not told apart.
std::string completed(std::string_view beginning, const std::vector<FolderEntry>&);
bool begins_with(std::string_view name, std::string_view beginning);

/// "12 B", "3.4 MB"
std::string bytes_text(std::uintmax_t);

}  // namespace orrery::gui
