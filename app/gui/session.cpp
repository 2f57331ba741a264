#include "app/gui/session.h"

#include "core/file/base_folder.h"
#include "core/file/bytes.h"
#include "core/file/write_file.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = 16 << 20;  // a tray of a thousand figures has two million

}  // namespace

fs::path session_file() {
  const fs::path base = file::base_folder("XDG_STATE_HOME", ".local/state");
  return base.empty() ? base : base / "orrery" / "session.toml";
}

fs::path keep_aside(const fs::path& file) {
  const fs::path aside = fs::path(file).replace_filename("session.bad.toml");
  std::error_code ignored;
  fs::rename(file, aside, ignored);
  return aside;
}

ReadSession session_of_file(const fs::path& file) {
  ReadSession read;
  std::error_code error;
  if (const auto bytes = fs::file_size(file, error); !error && bytes > most_bytes) {
    read.fault = "it has more than 16 MB";
    return read;
  }
  try {
    return session_from_toml(file::read_bytes(file, most_bytes));
  } catch (const Failure&) {
    read.fault = "it cannot be read";
    return read;
  }
}

ReadSession read_session(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  ReadSession read = session_of_file(file);
  if (!read.fault.empty()) {
    // The name first: the rest may not fit into the line.
    read.fault = keep_aside(file).filename().string() +
                 " keeps the last session; not all of it could be restored: " + read.fault + " (in " +
                 file.parent_path().string() + ")";
  }
  return read;
}

void write_session(const Session& session, const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error && !fs::is_directory(file.parent_path()))
    throw Failure(wrong("cannot make {}: {}", file.parent_path().string(), foreign(error.message())));
  file::write_file(file, to_toml(session));
}

}  // namespace orrery::gui
