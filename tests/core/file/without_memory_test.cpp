#include "core/file/without_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include "core/file/descriptor.h"
#include "core/file/temporary.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::without_memory_test {
namespace {

/// Where nothing may be thrown.
void do_quietly(const std::function<void()>& what) noexcept {
  what();
}

struct Ended {
  support::End end;
  std::string said;
  std::size_t files;
};

/// A process that writes a file, and then does this where nobody can catch what it throws.
Ended after(const std::function<void()>& what) {
  const support::TemporaryFolder folder, words;
  const auto end = support::end_of_child([&] {
    const Descriptor said(::open((words / "said").c_str(), O_WRONLY | O_CREAT, 0600));
    ::dup2(said.get(), STDERR_FILENO);
    std::set_terminate(std::abort);
    say_without_memory("ours: out of memory\n");
    say_without_memory("ours: out of memory\n");
    remove_temporaries_on_signals();
    Temporary half(folder.path());
    half.open(0600);
    do_quietly(what);
  });
  return {end, support::contents(words / "said"), folder.files()};
}

TEST(WithoutMemory, EndsWithALineAndNothingHalfWritten) {
  const Ended ended = after([] { throw std::bad_alloc(); });
  EXPECT_EQ(ended.end, support::code(1));
  EXPECT_EQ(ended.said, "ours: out of memory\n");
  EXPECT_EQ(ended.files, 0u);
}

TEST(WithoutMemory, HidesNoOtherFault) {
  const Ended ended = after([] { throw std::runtime_error("nobody hears this"); });
  EXPECT_EQ(ended.end, support::signal(SIGABRT));
  EXPECT_EQ(ended.said, "");
}

}  // namespace
}  // namespace orrery::file::without_memory_test
