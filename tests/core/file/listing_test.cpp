#include "core/file/listing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <set>
#include <string>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace {

thread_local bool without_memory = false;

}  // namespace

/// The system's own, but for a thread that is to have no memory.
extern "C" DIR* opendir(const char* path) {
  static auto* const own = reinterpret_cast<DIR* (*)(const char*)>(dlsym(RTLD_NEXT, "opendir"));
  if (!without_memory) return own(path);
  errno = ENOMEM;
  return nullptr;
}

namespace orrery::file::listing_test {
namespace {

namespace fs = std::filesystem;

std::multiset<std::string> all_of(Listing& listing) {
  std::multiset<std::string> found;
  while (const auto path = listing.next()) found.insert(path->string());
  return found;
}

TEST(Listing, GivesFilesFoldersAndHiddenOnesOnce) {
  const support::TemporaryFolder folder;
  std::multiset<std::string> made;
  for (const char* name : {".hidden", "...", "b"}) {
    support::put(folder / name, "");
    made.insert((folder / name).string());
  }
  fs::create_directory(folder / "a");
  support::put(folder / "a" / "below", "");
  made.insert((folder / "a").string());
  fs::create_symlink("nowhere", folder / "link");
  made.insert((folder / "link").string());
  Listing listing(folder.path());
  EXPECT_EQ(all_of(listing), made);
  EXPECT_FALSE(listing.error());
  EXPECT_FALSE(listing.next()) << "the end stays the end";
}

TEST(Listing, SaysWhyAFolderCannotBeRead) {
  const support::TemporaryFolder folder;
  support::put(folder / "file", "");
  Listing of_none(folder / "none"), of_a_file(folder / "file"), of_nothing("");
  for (Listing* each : {&of_none, &of_a_file, &of_nothing}) EXPECT_FALSE(each->next());
  EXPECT_EQ(of_none.error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(of_a_file.error(), std::errc::not_a_directory);
  EXPECT_EQ(of_nothing.error(), std::errc::no_such_file_or_directory);
}

// Or a folder full of files would pass for one without any.
TEST(Listing, ThrowsWhereThereIsNoMemory) {
  const support::TemporaryFolder folder;
  without_memory = true;
  EXPECT_THROW(Listing(folder.path()), std::bad_alloc);
  without_memory = false;
  EXPECT_NO_THROW(Listing(folder.path()));
}

}  // namespace
}  // namespace orrery::file::listing_test
