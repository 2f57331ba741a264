// The old file or the new one, whatever happens meanwhile.
#include "core/file/write_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "core/file/descriptor.h"
#include "core/file/new_files.h"
#include "core/file/temporary.h"
#include "core/tensor/error.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::write_file_test {
namespace {

using support::contents;
using support::message_of;

TEST(WriteFile, ReplacesAndLeavesNothingBeside) {
  const support::TemporaryFolder folder;
  write_file(folder / "a.svg", "first");
  write_file(folder / "a.svg", "second");
  EXPECT_EQ(contents(folder / "a.svg"), "second");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(WriteFile, AMissingFolderIsNamed) {
  const support::TemporaryFolder folder;
  const auto path = folder / "missing" / "a.svg";
  EXPECT_EQ(message_of<Failure>([&] { write_file(path, "x"); }),
            "cannot write " + path.string() + ": No such file or directory");
}

TEST(WriteFile, AFolderInTheWayStaysAndNoTemporaryIsLeft) {
  const support::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.svg");
  EXPECT_EQ(message_of<Failure>([&] { write_file(folder / "a.svg", "x"); }),
            "cannot write " + (folder / "a.svg").string() + ": Is a directory");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a.svg"));
  EXPECT_EQ(folder.files(), 1u);
}

TEST(WriteFile, AFullDeviceIsAFailure) {
  // Linux has it; other systems fill a disk in other ways.
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full on this machine";
  EXPECT_EQ(message_of<Failure>([] { write_file("/dev/full", "x"); }),
            "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device is written into, never replaced";
}

TEST(WriteFile, AWriteThatStopsHalfWayLeavesTheOldFileAndNothingElse) {
  const support::TemporaryFolder folder;
  support::put(folder / "a.svg", "old");
  std::string message;
  {
    const support::FullDisk disk(1000);
    message = message_of<Failure>([&] { write_file(folder / "a.svg", std::string(5000, 'x')); });
  }
  EXPECT_EQ(message, "cannot write " + (folder / "a.svg").string() + ": File too large");
  EXPECT_EQ(contents(folder / "a.svg"), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(WriteFile, EveryNameThatAFileCanHave) {
  const support::TemporaryFolder folder;
  for (const std::size_t letters : {243u, 244u, 255u}) {
    const std::string name(letters, 'a');
    write_file(folder / name, "first");
    write_file(folder / name, "second");
    EXPECT_EQ(contents(folder / name), "second");
  }
  const std::string none(256, 'a');
  EXPECT_NE(message_of<Failure>([&] { write_file(folder / none, "x"); }).find("File name too long"),
            std::string::npos);
  EXPECT_EQ(folder.files(), 3u);
}

TEST(WriteFile, KeepsALinkAndTheModeOfWhatItPointsTo) {
  const support::TemporaryFolder folder;
  support::put(folder / "real.svg", "old");
  ::chmod((folder / "real.svg").c_str(), 0640);
  std::filesystem::create_symlink("real.svg", folder / "link.svg");
  write_file(folder / "link.svg", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.svg"));
  EXPECT_EQ(contents(folder / "real.svg"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "real.svg").permissions(), std::filesystem::perms(0640));
}

TEST(WriteFile, KeepsRightsThatTheMaskWouldNarrow) {
  const support::TemporaryFolder folder;
  support::put(folder / "a.svg", "old");
  ::chmod((folder / "a.svg").c_str(), 0666);
  const mode_t before = ::umask(077);
  write_file(folder / "a.svg", "new");
  write_file(folder / "b.svg", "new");
  ::umask(before);
  EXPECT_EQ(std::filesystem::status(folder / "a.svg").permissions(), std::filesystem::perms(0666));
  EXPECT_EQ(std::filesystem::status(folder / "b.svg").permissions(), std::filesystem::perms(0600))
      << "a file that was not there is as the mask says";
}

TEST(WriteFile, AReaderThatLeavesAPipeIsAFailure) {
  const support::TemporaryFolder folder;
  const auto pipe = folder / "pipe.svg";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread reader([&] { const Descriptor opened(::open(pipe.c_str(), O_RDONLY | O_CLOEXEC)); });
  // More than a pipe holds: whoever writes it meets the end of the reader.
  EXPECT_EQ(message_of<Failure>([&] { write_file(pipe, std::string(1 << 20, 'x')); }),
            "cannot write " + pipe.string() + ": Broken pipe");
  sigset_t waiting, blocked;
  ::sigpending(&waiting);
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_FALSE(::sigismember(&waiting, SIGPIPE) == 1 || ::sigismember(&blocked, SIGPIPE) == 1);
}

TEST(WriteFile, ALinkThatLeadsNowhereStaysOne) {
  const support::TemporaryFolder folder;
  std::filesystem::create_symlink("second.svg", folder / "first.svg");
  std::filesystem::create_symlink("real.svg", folder / "second.svg");
  write_file(folder / "first.svg", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "first.svg"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second.svg"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "real.svg"));
  EXPECT_EQ(contents(folder / "real.svg"), "new");

  std::filesystem::create_symlink("round.svg", folder / "round.svg");
  EXPECT_NE(message_of<Failure>([&] { write_file(folder / "round.svg", "x"); }), "nothing thrown");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "round.svg"));
}

TEST(WriteFile, AProtectedFileIsNotReplaced) {
  const support::TemporaryFolder folder;
  const auto path = folder / "a.svg";
  support::put(path, "old");
  ::chmod(path.c_str(), 0444);
  // The superuser may write everything: he gives that up, in a process of its own.
  const support::End end = support::end_of_child([&] {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && (::chmod(folder.path().c_str(), 0777) != 0 || ::setuid(nobody) != 0)) return 2;
    const std::string said = message_of<Failure>([&] { write_file(path, "new"); });
    return said == "cannot write " + path.string() + ": Permission denied" ? 0 : 1;
  });
  if (end == support::code(2)) GTEST_SKIP() << "the superuser cannot be another user here";
  EXPECT_EQ(end, support::code(0));
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(NewFiles, AllAreNewOrAllAreOld) {
  const support::TemporaryFolder folder;
  support::put(folder / "a.csv", "old");
  support::put(folder / "b.csv", "old");
  std::filesystem::create_directory(folder / "c.csv");
  {
    NewFiles files;
    files.write(folder / "a.csv", "new");
    files.write(folder / "b.csv", "new");
    EXPECT_EQ(contents(folder / "a.csv"), "old");
    EXPECT_EQ(message_of<Failure>([&] { files.write(folder / "c.csv", "new"); }),
              "cannot write " + (folder / "c.csv").string() + ": Is a directory");
  }
  EXPECT_EQ(contents(folder / "a.csv"), "old");
  EXPECT_EQ(contents(folder / "b.csv"), "old");
  EXPECT_EQ(folder.files(), 3u);

  NewFiles files;
  files.write(folder / "a.csv", "new");
  files.write(folder / "d.csv", "new");
  files.commit();
  EXPECT_EQ(contents(folder / "a.csv"), "new");
  EXPECT_EQ(contents(folder / "d.csv"), "new");
  EXPECT_EQ(folder.files(), 4u);
}

/// Whether names can be exchanged there: some network file systems have no such thing.
bool can_exchange(const support::TemporaryFolder& folder) {
  const auto a = folder / "exchange-a", b = folder / "exchange-b";
  support::put(a, "a");
  support::put(b, "b");
  const bool can = ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
  std::filesystem::remove(a);
  std::filesystem::remove(b);
  return can;
}

TEST(NewFiles, ARenameThatFailsPutsThoseBeforeItBack) {
  const support::TemporaryFolder folder;
  if (!can_exchange(folder)) GTEST_SKIP() << "this file system cannot exchange two names";
  support::put(folder / "a.csv", "old");
  support::put(folder / "d.csv", "old");
  {
    NewFiles files;
    for (const char* name : {"a.csv", "b.csv", "c.csv", "d.csv"}) files.write(folder / name, "new");
    std::filesystem::create_directories(folder / "c.csv/in the way");
    EXPECT_EQ(message_of<Failure>([&] { files.commit(); }),
              "cannot write " + (folder / "c.csv").string() + ": Is a directory");
  }
  EXPECT_EQ(contents(folder / "a.csv"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "b.csv")) << "it was not there before";
  EXPECT_TRUE(std::filesystem::is_directory(folder / "c.csv/in the way"));
  EXPECT_EQ(contents(folder / "d.csv"), "old");
  EXPECT_EQ(folder.files(), 3u);
}

/// So few files may be open as long as it lives.
class FewOpenFiles {
 public:
  explicit FewOpenFiles(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{most, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~FewOpenFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewOpenFiles(const FewOpenFiles&) = delete;

 private:
  rlimit before_{};
};

// An animation has more pictures than a process may have open files.
TEST(NewFiles, ManyNeedFewOpenFiles) {
  const support::TemporaryFolder folder;
  const auto name = [&](unsigned i) { return folder / (std::to_string(i) + ".svg"); };
  constexpr unsigned many = 200;
  for (unsigned i = 0; i < many; i += 2) support::put(name(i), "old");
  ::chmod(name(0).c_str(), 0640);
  ::chmod(name(2).c_str(), 0640);
  const FewOpenFiles limit(64);
  {
    NewFiles never_committed;
    for (unsigned i = 0; i < many; ++i) never_committed.write(name(i), "new");
  }
  EXPECT_EQ(contents(name(0)) + contents(name(2)), "oldold");
  EXPECT_EQ(folder.files(), many / 2);
  NewFiles files;
  for (unsigned i = 0; i < many; ++i) files.write(name(i), "new");
  files.commit();
  for (unsigned i = 0; i < many; ++i) EXPECT_EQ(contents(name(i)), "new") << i;
  for (const unsigned i : {0u, 2u})
    EXPECT_EQ(std::filesystem::status(name(i)).permissions(), std::filesystem::perms(0640)) << i;
  EXPECT_EQ(folder.files(), many);
}

// Though they are closed, whoever comes to the folder leaves them alone. Of a process with our own number, which this one takes
// itself for here, nothing but a lock tells that it lives.
TEST(NewFiles, ThatAreClosedAreNoLeftovers) {
  const support::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "here");
  NewFiles files;
  for (const char* name : {"a.csv", "b.csv", "c.csv"}) files.write(folder / "here" / name, "new");
  // As if nobody had looked there yet, and as if they were of another process.
  std::filesystem::rename(folder / "here", folder / "elsewhere");
  remove_leftovers(folder / "elsewhere");
  std::filesystem::rename(folder / "elsewhere", folder / "here");
  files.commit();
  for (const char* name : {"a.csv", "b.csv", "c.csv"}) EXPECT_EQ(contents(folder / "here" / name), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "here"), {}), 3);
}

/// The number of a process that is gone.
pid_t dead_process() {
  const pid_t child = support::begin_child([] {});
  support::end_of(child);
  return child;
}

TEST(WriteFile, RemovesWhatTheDeadLeftAndNothingElse) {
  const support::TemporaryFolder folder;
  const auto name = [](pid_t pid) { return ".orrery-" + std::to_string(pid) + "-1.tmp"; };
  const pid_t dead = dead_process();
  const std::vector<std::string> kept{name(::getppid()), ".orrery-notes-1.tmp",
                                      ".orrery-" + std::to_string(dead) + ".tmp", "x" + name(dead)};
  for (const std::string& other : kept) support::put(folder / other, "x");
  std::filesystem::create_directory(folder / (".orrery-" + std::to_string(dead) + "-2.tmp"));
  // Held by somebody whose number means nothing here: on another machine, in another container.
  const std::string held = ".orrery-" + std::to_string(dead) + "-3.tmp";
  support::put(folder / held, "x");
  const file::Descriptor holder(::open((folder / held).c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(holder.get(), LOCK_EX), 0);
  support::put(folder / name(dead), "half a figure");

  support::put(folder / name(::getpid()), "of one that had our number");

  write_file(folder / "a.svg", "new");
  EXPECT_FALSE(std::filesystem::exists(folder / name(dead)));
  EXPECT_FALSE(std::filesystem::exists(folder / name(::getpid())));
  for (const std::string& other : kept) EXPECT_TRUE(std::filesystem::exists(folder / other)) << other;
  EXPECT_EQ(folder.files(), kept.size() + 3);
}

TEST(WriteFile, RemovesManyWhoseGuardIsDead) {
  const support::TemporaryFolder folder;
  const std::string process = ".orrery-" + std::to_string(dead_process());
  for (const char* number : {"-1.tmp", "-1-2.tmp", "-3-4.tmp", "-5.tmp", "-5-6.tmp", "-5-7.tmp"})
    support::put(folder / (process + number), "half a picture");
  const file::Descriptor holder(::open((folder / (process + "-5.tmp")).c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(holder.get(), LOCK_EX), 0);
  write_file(folder / "a.svg", "new");
  for (const char* dead : {"-1.tmp", "-1-2.tmp", "-3-4.tmp"})
    EXPECT_FALSE(std::filesystem::exists(folder / (process + dead))) << dead;
  for (const char* guarded : {"-5.tmp", "-5-6.tmp", "-5-7.tmp"})
    EXPECT_TRUE(std::filesystem::exists(folder / (process + guarded))) << guarded;
}

TEST(WriteFile, ASignalRemovesWhatIsHalfWritten) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const support::TemporaryFolder folder;
    const support::End end = support::end_of_child([&] {
      std::signal(signal, SIG_DFL);
      remove_temporaries_on_signals();
      Temporary half(folder / ".");
      if (half.open(0666) >= 0 && folder.files() == 1) ::raise(signal);
    });
    EXPECT_EQ(end, support::signal(signal));
    EXPECT_EQ(folder.files(), 0u);
  }
}

}  // namespace
}  // namespace orrery::file::write_file_test
