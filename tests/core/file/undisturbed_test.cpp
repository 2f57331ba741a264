// Signals that come while files get their names.
#include "core/file/undisturbed.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <latch>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/file/new_files.h"
#include "core/file/temporary.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::undisturbed_test {
namespace {

namespace fs = std::filesystem;
using support::begin_child;
using support::end_of;
using support::end_of_child;

void listen_as_the_program_does() {
  for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) std::signal(each, SIG_DFL);
  remove_temporaries_on_signals();
  ::alarm(60);  // one that waits for an end that never comes has failed
}

TEST(Undisturbed, TheFirstSignalWaitsForTheLastOfThem) {
  const support::TemporaryFolder folder;
  const support::End end = end_of_child([&] {
    listen_as_the_program_does();
    {
      const Undisturbed one;
      for (const int each : {SIGHUP, SIGTERM, SIGTERM, SIGINT, SIGHUP}) ::raise(each);
      support::put(folder / "still here", "x");
    }
    support::put(folder / "too long", "x");
  });
  EXPECT_EQ(end, support::signal(SIGHUP));
  EXPECT_TRUE(fs::exists(folder / "still here"));
  EXPECT_FALSE(fs::exists(folder / "too long"));
}

TEST(Undisturbed, WithoutASignalNothingHappens) {
  const support::End end = end_of_child([&] {
    listen_as_the_program_does();
    { const Undisturbed one; }
    { const Undisturbed another; }
    ::raise(SIGINT);
  });
  EXPECT_EQ(end, support::signal(SIGINT));
}

// A disk that does not answer holds nobody for ever who has a keyboard.
TEST(Undisturbed, AKeyThatIsPressedAgainAfterAWhileEndsItAtOnce) {
  const support::TemporaryFolder folder;
  const support::End end = end_of_child([&] {
    listen_as_the_program_does();
    const Undisturbed for_ever;
    for (int i = 0; i < 3; ++i) ::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(4100));
    ::raise(SIGTERM);  // what programs say many times is noted still
    support::put(folder / "patient", "x");
    ::raise(SIGINT);
    support::put(folder / "too long", "x");
  });
  EXPECT_EQ(end, support::signal(SIGINT));
  EXPECT_TRUE(fs::exists(folder / "patient"));
  EXPECT_FALSE(fs::exists(folder / "too long"));
}

// A reader that leaves, as `head` does, ends the program as it ends others, and nothing stays.
TEST(Undisturbed, NothingStaysWhereAReaderLeaves) {
  const support::TemporaryFolder folder;
  const support::End end = end_of_child([&] {
    listen_as_the_program_does();
    NewFiles files;
    files.write(folder / "a.svg", "half a picture");
    int ends[2];
    if (::pipe(ends) != 0 || ::close(ends[0]) != 0) ::_exit(1);
    [[maybe_unused]] const ssize_t refused = ::write(ends[1], "x", 1);
  });
  EXPECT_EQ(end, support::signal(SIGPIPE));
  EXPECT_EQ(folder.files(), 0u);
}

// In a thread that hears no signals itself, too.
TEST(Undisturbed, ASignalIsNotLostWhereItIsBlocked) {
  const support::End end = end_of_child([&] {
    listen_as_the_program_does();
    {
      const Undisturbed one;
      ::raise(SIGTERM);
      sigset_t all;
      ::sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    }
  });
  EXPECT_EQ(end, support::signal(SIGTERM));
}

// A watch that gives up on the rest of the program.
TEST(Undisturbed, TheProgramEndsAfterThem) {
  const support::TemporaryFolder folder;
  const support::End end = end_of_child([&] {
    listen_as_the_program_does();
    NewFiles half;
    half.write(folder / "half", "x");
    std::latch begun(1);
    std::thread other([&] {
      const Undisturbed one;
      begun.count_down();
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      support::put(folder / "whole", "x");
    });
    begun.wait();
    end_program(7);
  });
  EXPECT_EQ(end, support::code(7));
  EXPECT_TRUE(fs::exists(folder / "whole"));
  EXPECT_EQ(folder.files(), 1u) << "what has no name yet is removed";
}

// The alarm ends it where it waits on.
TEST(Undisturbed, AnEndWaitsSomeSecondsAndNotForEver) {
  const auto begun = std::chrono::steady_clock::now();
  const support::End end = end_of_child([] {
    listen_as_the_program_does();
    const Undisturbed for_ever;
    end_program(7);
  });
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begun;
  EXPECT_EQ(end, support::code(7));
  EXPECT_GE(waited.count(), 2) << "a clock of whole seconds";
}

// Somebody presses a key while what is half written is removed.
TEST(Undisturbed, AKeyDoesNotCutTheEndOff) {
  static int begun[2], cleaned[2];
  ASSERT_EQ(::pipe(begun) | ::pipe(cleaned), 0);
  const pid_t child = begin_child([] {
    for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) std::signal(each, SIG_DFL);
    before_signals_end([] {
      [[maybe_unused]] ssize_t done = ::write(begun[1], "x", 1);
      ::usleep(300'000);
      done = ::write(cleaned[1], "x", 1);
    });
    end_program(7);
  });
  char byte = 0;
  ASSERT_EQ(::read(begun[0], &byte, 1), 1);
  ::kill(child, SIGINT);
  EXPECT_EQ(end_of(child), support::code(7));
  ::close(cleaned[1]);
  EXPECT_EQ(::read(cleaned[0], &byte, 1), 1);
  for (const int end : {begun[0], begun[1], cleaned[0]}) ::close(end);
}

constexpr unsigned pictures = 200;

fs::path picture(const fs::path& folder, unsigned i) {
  return folder / (std::to_string(i) + ".png");
}

/// "old", "new", or both.
std::set<std::string> what_they_hold(const fs::path& folder) {
  std::set<std::string> all;
  for (unsigned i = 0; i < pictures; ++i) all.insert(support::contents(picture(folder, i)));
  return all;
}

/// Replaces all of them, of one folder by each thread, which give the names at the same time.
void replace_all(const std::vector<fs::path>& folders) {
  std::vector<std::thread> threads;
  std::latch all_are_written(static_cast<std::ptrdiff_t>(folders.size()));
  for (const fs::path& folder : folders)
    threads.emplace_back([&, folder] {
      NewFiles files;
      for (unsigned i = 0; i < pictures; ++i) files.write(picture(folder, i), "new");
      all_are_written.arrive_and_wait();
      files.commit();
    });
  // This thread hears none, so that a signal comes to one that is amid its names.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (std::thread& each : threads) each.join();
  ::pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
}

/// SIGTERM comes to this process at the first rename there, in the middle of it, where the kernel can do that; else it comes
/// from whoever watches.
void be_ended_by_a_rename(const fs::path& folder) {
  const int watched = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (::fcntl(watched, F_SETSIG, SIGTERM) == 0) static_cast<void>(::fcntl(watched, F_NOTIFY, DN_RENAME));
}

/// Waits until the first name leads to another file: the others follow now. Not for ever: the child may fail.
void wait_for_the_first(const fs::path& path) {
  struct stat before {};
  struct stat now {};
  ::stat(path.c_str(), &before);
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  do ::stat(path.c_str(), &now);
  while (now.st_ino == before.st_ino && std::chrono::steady_clock::now() < late);
}

TEST(NewFiles, ASignalLeavesAllNewOrAllOld) {
  for (const unsigned threads : {1u, 2u}) {
    const support::TemporaryFolder folder;
    std::vector<fs::path> folders;
    for (unsigned i = 0; i < threads; ++i) {
      folders.push_back(folder / std::to_string(i));
      fs::create_directory(folders.back());
      for (unsigned k = 0; k < pictures; ++k) support::put(picture(folders.back(), k), "old");
    }
    const pid_t child = begin_child([&] {
      listen_as_the_program_does();
      be_ended_by_a_rename(folders[0]);
      replace_all(folders);
      for (;;) ::pause();
    });
    wait_for_the_first(picture(folders[0], 0));
    for (const int each : {SIGTERM, SIGTERM, SIGINT, SIGHUP, SIGTERM}) ::kill(child, each);
    const int ended = end_of(child).signal;
    EXPECT_TRUE(ended == SIGTERM || ended == SIGINT || ended == SIGHUP) << ended;
    EXPECT_EQ(what_they_hold(folders[0]), std::set<std::string>{"new"});
    for (const fs::path& each : folders) {
      EXPECT_EQ(what_they_hold(each).size(), 1u) << each;
      EXPECT_EQ(std::distance(fs::directory_iterator(each), {}), pictures) << "nothing is left beside";
    }
  }
}

}  // namespace
}  // namespace orrery::file::undisturbed_test
