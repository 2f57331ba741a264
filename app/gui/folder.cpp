#include "app/gui/folder.h"

#include <algorithm>
#include <cctype>

#include "app/gui/number_text.h"
#include "core/file/listing.h"
#include "core/parameter/takes.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool sorts_before(const FolderEntry& a, const FolderEntry& b) {
  if (a.folder != b.folder) return a.folder;
  return std::ranges::lexicographical_compare(a.name, b.name, {}, lower, lower);
}

}  // namespace

Folder read_folder(const fs::path& path, std::string_view takes, bool all, bool hidden) {
  Folder found;
  file::Listing files(path);
  while (const auto each = files.next()) {
    FolderEntry entry{.name = each->filename().string()};
    std::error_code ignored;  // a link that leads nowhere is a file without a size
    entry.folder = fs::is_directory(*each, ignored);
    if (entry.name.starts_with('.') && !hidden) continue;
    if (!entry.folder && !all && parameter::taken(takes, entry.name) == 0) continue;
    if (!entry.folder)
      if (const std::uintmax_t bytes = fs::file_size(*each, ignored); !ignored) entry.bytes = bytes;
    found.entries.push_back(std::move(entry));
  }
  if (files.error())
    found.error = Complaint().fault(foreign(files.error().message())).within(in_file(path.string()));
  std::ranges::sort(found.entries, sorts_before);
  return found;
}

std::string folder_text(std::string folder) {
  if (folder.empty() || folder.back() != '/') folder += '/';
  return folder;
}

TypedPlace typed_place(std::string_view typed) {
  const std::size_t slash = typed.rfind('/');
  if (slash == std::string_view::npos) return {"", std::string(typed)};
  return {std::string(typed.substr(0, slash + 1)), std::string(typed.substr(slash + 1))};
}

bool begins_with(std::string_view name, std::string_view beginning) {
  return name.size() >= beginning.size() &&
         std::ranges::equal(name.substr(0, beginning.size()), beginning, {}, lower, lower);
}

std::string completed(std::string_view beginning, const std::vector<FolderEntry>& entries) {
  const FolderEntry* first = nullptr;
  std::string common;
  int count = 0;
  for (const FolderEntry& entry : entries) {
    if (!begins_with(entry.name, beginning)) continue;
    ++count;
    if (!first) {
      first = &entry;
      common = entry.name;
      continue;
    }
    const auto [end, other] = std::ranges::mismatch(common, entry.name, {}, lower, lower);
    common.erase(end, common.end());
  }
  while (!common.empty() && first && common.size() < first->name.size() &&
         (first->name[common.size()] & 0xC0) == 0x80)
    common.pop_back();  // not within a character
  if (count == 0 || common.size() < beginning.size()) return std::string(beginning);
  return count == 1 && first->folder ? common + "/" : common;
}

std::string bytes_text(std::uintmax_t bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (size >= 999.5 && unit + 1 < std::size(units)) {
    size /= 1000;
    ++unit;
  }
  return unit == 0 ? formatted("%.0f B", size) : formatted("%.3g %s", size, units[unit]);
}

}  // namespace orrery::gui
