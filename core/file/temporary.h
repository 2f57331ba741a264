// The file that is written beside its target, until it takes the target's place.
#pragma once

#include <filesystem>

namespace orrery::file {

/// A name in a folder for a new file, whatever the target's own name is, however long. The file is unlinked when this
/// ends, and when a signal ends the program.
class Temporary {
 public:
  /// With a guard, in the same folder, it is one of many that need not stay open: as long as the guard is, somebody writes
  /// them.
  explicit Temporary(const std::filesystem::path& folder, const Temporary* guard = nullptr);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  /// Another one after open(), where somebody had it: two containers share a folder, and number their processes alike.
  const char* path() const { return path_.c_str(); }
  /// Makes the file and keeps it locked: a descriptor, or −1 with errno.
  int open(unsigned mode);
  /// It has another name now. Said by who is Undisturbed (undisturbed.h) since before the rename.
  void renamed();

  struct Slot;

 private:
  void forget();

  std::filesystem::path path_;
  Slot* slot_ = nullptr;
  bool made_ = false;
};

/// One path for a folder that is there, whatever way leads to it.
std::filesystem::path same_however_spelled(const std::filesystem::path& folder);

/// Removes what processes that are gone left in the folder, once for a folder. What a living one writes is left alone, here
/// or on another machine that shares the folder, and what belongs to somebody else.
void remove_leftovers(const std::filesystem::path& folder);

/// From now on SIGTERM, SIGINT, SIGHUP and SIGPIPE, where nobody else listens to them, remove what is half written before
/// they end the program, and a file that is larger than the shell allows is an error like a full disk, no signal.
void remove_temporaries_on_signals();

}  // namespace orrery::file
