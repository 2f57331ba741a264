// Names of files that are half written: whose they are, and who may take them away.
#include "core/file/temporary.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/file/descriptor.h"
#include "core/file/new_files.h"
#include "core/file/write_file.h"
#include "core/tensor/error.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::temporary_test {
namespace {

namespace fs = std::filesystem;

/// .orrery-123-4.tmp becomes .orrery-123-6.tmp by 2.
fs::path later_name(const fs::path& path, unsigned by) {
  const std::string& name = path.native();
  const std::size_t at = name.rfind('-') + 1;
  return name.substr(0, at) + std::to_string(std::strtoul(name.c_str() + at, nullptr, 10) + by) + ".tmp";
}

/// The signal that ends a process that does this; 0 where none does.
int signal_that_ends(const std::function<void()>& what) {
  return support::end_of_child([&] {
           for (const int each : {SIGTERM, SIGINT, SIGHUP}) std::signal(each, SIG_DFL);
           remove_temporaries_on_signals();
           what();
         })
      .signal;
}

// A process of another container that has our number writes there too, or its user's leftover cannot be removed.
TEST(Temporary, TakesAnotherNameWhereSomebodyHasIt) {
  const support::TemporaryFolder folder;
  const Temporary counted(folder.path());
  for (const unsigned by : {1u, 2u, 3u}) support::put(later_name(counted.path(), by), "theirs");
  {
    Temporary ours(folder.path());
    EXPECT_EQ(fs::path(ours.path()), later_name(counted.path(), 1));
    const Descriptor open(ours.open(0600));
    ASSERT_GE(open.get(), 0);
    EXPECT_EQ(fs::path(ours.path()), later_name(counted.path(), 4));
    EXPECT_EQ(folder.files(), 4u);

    const fs::path next = later_name(ours.path(), 1);  // what is guarded counts on
    const std::string stem = fs::path(ours.path()).replace_extension().string();
    const std::string number = next.native().substr(next.native().rfind('-'));
    support::put(stem + number, "theirs");
    Temporary guarded(folder.path(), &ours);
    EXPECT_EQ(fs::path(guarded.path()), fs::path(stem + number));
    const Descriptor other(guarded.open(0600));
    ASSERT_GE(other.get(), 0);
    EXPECT_EQ(fs::path(guarded.path()), later_name(stem + number, 1));
    EXPECT_EQ(support::contents(stem + number), "theirs");
    fs::remove(stem + number);
  }
  EXPECT_EQ(folder.files(), 3u);
  for (const unsigned by : {1u, 2u, 3u})
    EXPECT_EQ(support::contents(later_name(counted.path(), by)), "theirs");
}

TEST(Temporary, AFileIsWrittenWhereSomebodyHasItsName) {
  const support::TemporaryFolder folder;
  write_file(folder / "a.svg", "new");  // looks for leftovers, which these would be
  const Temporary counted(folder.path());
  for (unsigned by = 1; by <= 8; ++by) support::put(later_name(counted.path(), by), "theirs");
  write_file(folder / "b.svg", "new");
  EXPECT_EQ(support::contents(folder / "b.svg"), "new");
  EXPECT_EQ(folder.files(), 10u);
}

TEST(Temporary, ThatFindsNoNameSaysWhatIsThere) {
  const support::TemporaryFolder folder;
  write_file(folder / "a.svg", "new");
  const Temporary counted(folder.path());
  for (unsigned by = 1; by <= 1000; ++by) fs::create_directory(later_name(counted.path(), by));
  EXPECT_EQ(support::message_of<Failure>([&] { write_file(folder / "b.svg", "new"); }),
            "cannot write " + (folder / "b.svg").string() + ": File exists");
}

TEST(Temporary, ASignalLeavesWhatIsNotOurs) {
  const support::TemporaryFolder folder;
  const int ended = signal_that_ends([&] {
    const Temporary never_open(folder.path());
    Temporary ours(folder.path());
    support::put(never_open.path(), "theirs");
    support::put(ours.path(), "theirs");
    if (ours.open(0600) >= 0 && folder.files() == 3) ::raise(SIGTERM);
  });
  EXPECT_EQ(ended, SIGTERM);
  EXPECT_EQ(folder.files(), 2u);
}

// Of an animation all pictures are half written until the last one is painted.
TEST(Temporary, ASignalRemovesAsManyAsAnAnimationHas) {
  const support::TemporaryFolder folder;
  constexpr std::size_t many = 3000;
  const int ended = signal_that_ends([&] {
    Temporary guard(folder.path());
    const Descriptor open(guard.open(0600));
    std::vector<std::unique_ptr<Temporary>> all;
    for (std::size_t i = 0; i < many; ++i) {
      all.push_back(std::make_unique<Temporary>(folder.path(), &guard));
      const Descriptor closes(all.back()->open(0600));
    }
    if (folder.files() == many + 1) ::raise(SIGTERM);
  });
  EXPECT_EQ(ended, SIGTERM);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Temporary, AFolderIsLookedThroughOnceHoweverItIsSpelled) {
  const support::TemporaryFolder folder;
  fs::create_directory_symlink(folder.path(), folder / "link");
  remove_leftovers(folder.path());
  const fs::path left = folder / (".orrery-" + std::to_string(::getpid()) + "-1000000.tmp");
  support::put(left, "as long as it is not locked yet, or any longer");
  for (const fs::path& other :
       {folder / ".", folder / "link", folder / "link/link/.", fs::relative(folder.path())}) {
    remove_leftovers(other);
    EXPECT_TRUE(fs::exists(left)) << other;
  }
}

TEST(Temporary, OfThisProcessIsNoLeftoverThoughItIsNotLocked) {
  const support::TemporaryFolder folder;
  fs::create_directory_symlink(folder.path(), folder / "link");
  Temporary ours(folder / "link");
  Descriptor(ours.open(0600)).close();
  const fs::path left = folder / (".orrery-" + std::to_string(::getpid()) + "-1000000.tmp");
  support::put(left, "of one that had our number");
  remove_leftovers(folder.path());
  EXPECT_TRUE(fs::exists(ours.path()));
  EXPECT_FALSE(fs::exists(left));
}

/// Whether somebody holds the lock of the only file there that is half written.
bool is_locked(const fs::path& folder) {
  for (const auto& each : fs::directory_iterator(folder))
    if (each.path().filename().native().starts_with(".orrery-")) {
      const Descriptor file(::open(each.path().c_str(), O_RDONLY | O_CLOEXEC));
      return file.get() >= 0 && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
    }
  return false;
}

TEST(NewFiles, TheFirstOneStaysLockedUntilItHasItsName) {
  const support::TemporaryFolder folder;
  NewFiles files;
  files.write(folder / "a.csv", "new");
  EXPECT_TRUE(is_locked(folder.path()));
  fs::create_directories(folder / "a.csv/in the way");
  EXPECT_THROW(files.commit(), Failure);
  EXPECT_TRUE(is_locked(folder.path())) << "it is closed, and was not renamed";
}

TEST(NewFiles, AFolderHoldsTwoDescriptorsHoweverItIsSpelled) {
  const support::TemporaryFolder folder;
  fs::create_directory_symlink(folder.path(), folder / "link");
  for (const char* name : {"a.csv", "b.csv"}) support::put(folder / name, "old");
  const auto open_files = [] { return std::distance(fs::directory_iterator("/proc/self/fd"), {}); };
  const auto before = open_files();
  NewFiles files;
  for (const char* name : {"a.csv", "link/b.csv", "c.csv", "link/d.csv", "./e.csv", "link/./f.csv"})
    files.write(folder / name, "new");
  EXPECT_EQ(open_files(), before + 2);
  files.commit();
  EXPECT_EQ(open_files(), before);
  for (const char* name : {"a.csv", "b.csv", "c.csv", "d.csv", "e.csv", "f.csv"})
    EXPECT_EQ(support::contents(folder / name), "new") << name;
  EXPECT_EQ(folder.files(), 7u);
}

}  // namespace
}  // namespace orrery::file::temporary_test
