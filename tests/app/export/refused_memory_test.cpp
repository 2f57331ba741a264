// Memory that is not there while text is set.
#include "app/export/refused_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <utility>

#include "app/export/export.h"
#include "app/figure/gallery.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::exporter::refused_memory_test {
namespace {

bool is_refused() {
  try {
    require_no_refused_memory();
    return false;
  } catch (const Failure&) {
    return true;
  }
}

void limit_addresses(rlim_t bytes) {
  const rlimit limit{bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_AS, &limit);
}

/// Of a process of its own: it does not forget. Nothing of gtest's, which asks for memory itself.
template <class What>
bool in_a_child(What what) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(what() ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Until a request of so many bytes is refused; whatever else there was is given back.
void use_up(std::size_t bytes) {
  struct Piece {
    Piece* before;
  };
  limit_addresses(1);
  Piece* all = nullptr;
  while (void* const piece = std::malloc(bytes)) all = ::new (piece) Piece{all};
  while (all) std::free(std::exchange(all, all->before));
  limit_addresses(RLIM_INFINITY);
}

class RefusedMemory : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's malloc ends the program instead";
#endif
  }
};

TEST_F(RefusedMemory, OneSmallRequestIsRemembered) {
  EXPECT_TRUE(in_a_child([] {
    const bool before = is_refused();
    use_up(64);
    return !before && is_refused();
  }));
  EXPECT_TRUE(in_a_child([] {
    limit_addresses(1);
    while (std::calloc(3, 1000)) continue;
    limit_addresses(RLIM_INFINITY);
    return is_refused();
  }));
  EXPECT_TRUE(in_a_child([] {
    void* piece = std::malloc(16);
    limit_addresses(1);
    std::size_t size = 16;
    while (void* const larger = std::realloc(piece, size += 1000)) piece = larger;
    limit_addresses(RLIM_INFINITY);
    return is_refused();
  }));
}

TEST_F(RefusedMemory, SomebodysTensorIsNot) {
  EXPECT_TRUE(in_a_child([] {
    const volatile std::size_t large = std::size_t{1} << 60;  // as the compiler does not see
    void* const none = std::malloc(large);
    void* const nor_this = std::calloc(large, 16);
    return !none && !nor_this && !is_refused();
  }));
}

TEST_F(RefusedMemory, NoFigureIsWrittenAfterIt) {
  const support::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "good");
  for (const char* const name : {"a.pdf", "a.svg", "a.png", "a.tex"}) {
    support::put(folder / name, "old");
    EXPECT_TRUE(in_a_child([&] {
      Page page;
      page.size = parse_size("12cm×8cm");
      const figure::Figure figure = figure::gallery_figure();
      write_figure(figure, page, folder / "good" / name);
      use_up(64);
      return samples::message_of<Failure>([&] {
               write_figure(figure, page, folder / name);
             }).find("memory") != std::string::npos;
    })) << name;
    EXPECT_TRUE(std::filesystem::exists(folder / "good" / name)) << "before it, it was";
    EXPECT_EQ(support::contents(folder / name), "old");
  }
}

}  // namespace
}  // namespace orrery::exporter::refused_memory_test
