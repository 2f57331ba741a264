// Memory that is not there while text is set.
#include "app/export/refused_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "app/export/export.h"
#include "app/figure/gallery.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::exporter::refused_memory_test {
namespace {

// A compiler may leave out a request whose memory nobody uses.
void* (*volatile ask)(std::size_t) = std::malloc;
void* (*volatile ask_for_many)(std::size_t, std::size_t) = std::calloc;

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
  return support::end_of_child([&] { return what() ? 0 : 1; }) == support::code(0);
}

/// Until a request of so many bytes is refused; whatever else there was is given back.
void use_up(std::size_t bytes) {
  struct Piece {
    Piece* before;
  };
  limit_addresses(1);
  Piece* all = nullptr;
  while (void* const piece = ask(bytes)) all = ::new (piece) Piece{all};
  while (all) std::free(std::exchange(all, all->before));
  limit_addresses(RLIM_INFINITY);
}

class RefusedMemory : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // as GCC says it, which builds the tests
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
    while (ask_for_many(3, 1000)) continue;
    limit_addresses(RLIM_INFINITY);
    return is_refused();
  }));
  EXPECT_TRUE(in_a_child([] {
    void* piece = ask(16);
    limit_addresses(1);
    std::size_t size = 16;
    while (void* const larger = std::realloc(piece, size += 1000)) piece = larger;
    limit_addresses(RLIM_INFINITY);
    return is_refused();
  }));
}

TEST_F(RefusedMemory, WhatIsThrownIsNot) {
  EXPECT_TRUE(in_a_child([] {
    struct Piece {
      Piece* before;
      char more[1 << 18];  // there is room for the exception itself
    };
    limit_addresses(1);
    Piece* all = nullptr;
    bool thrown = false;
    try {
      for (;;) {
        auto* const piece = new Piece;
        piece->before = std::exchange(all, piece);
      }
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    while (all) delete std::exchange(all, all->before);
    limit_addresses(RLIM_INFINITY);
    return thrown && !is_refused();
  }));
}

TEST_F(RefusedMemory, SomebodysTensorIsNot) {
  EXPECT_TRUE(in_a_child([] {
    constexpr std::size_t large = std::size_t{1} << 60;
    return !ask(large) && !ask_for_many(large, 16) && !is_refused();
  }));
}

/// A film, or one picture.
void write(const std::filesystem::path& path) {
  Page page;
  page.size = parse_size("12cm×8cm");
  const figure::Figure figure = figure::gallery_figure();
  if (path.extension() == ".webp")
    write_animation({figure}, {8}, page, path);
  else
    write_figure(figure, page, path);
}

TEST_F(RefusedMemory, NoFigureIsWrittenAfterIt) {
  const support::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "good");
  for (const char* const name : {"a.pdf", "a.svg", "a.png", "a.tex", "a.webp"}) {
    support::put(folder / name, "old");
    EXPECT_TRUE(in_a_child([&] {
      write(folder / "good" / name);
      use_up(64);
      const std::string said = samples::message_of<Failure>([&] { write(folder / name); });
      return said.find("memory") != std::string::npos;
    })) << name;
    EXPECT_TRUE(std::filesystem::exists(folder / "good" / name)) << "before it, it was";
    EXPECT_EQ(support::contents(folder / name), "old");
  }
}

/// What this process has now.
rlim_t addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

// A map is one large request, which Cairo answers with a surface of none: the figure would lack it.
TEST_F(RefusedMemory, NoFigureLacksItsMap) {
  EXPECT_TRUE(in_a_child([] {
    constexpr int side = 4096;
    Sheet sheet = samples::sheet();
    sheet.scene.primitives = {figure::Image{
        {240, 40, 60, 30}, side, side, std::make_shared<std::vector<figure::Color>>(side * side)}};
    if (pdf_bytes(sheet, samples::print_text()).empty()) return false;
    limit_addresses(addresses() + (rlim_t{16} << 20));  // and the map takes 64 MiB
    const std::string said = samples::message_of<Failure>([&] { pdf_bytes(sheet, samples::print_text()); });
    limit_addresses(RLIM_INFINITY);
    return said.find("cannot paint the figure") != std::string::npos;
  }));
}

}  // namespace
}  // namespace orrery::exporter::refused_memory_test
