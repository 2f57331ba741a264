// What is opened, what is refused, and that neither waits.
#include "core/file/source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "core/file/npy.h"
#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::source_test {
namespace {

std::string refusal(const std::filesystem::path& path, Accept accept) {
  try {
    const Source source(path, accept);
  } catch (const Failure& error) {
    return error.what();
  }
  return "";
}

TEST(Source, APipeThatNobodyWritesToIsRefusedAtOnce) {
  const support::TemporaryFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(pipe, Accept::files),
            pipe.string() + ": is a pipe, which can be read only once; allowed: a file");
  EXPECT_EQ(refusal(pipe, Accept::files_and_pipes), "");
}

TEST(Source, ANamedPipeIsReadFromItsWriterOnToItsEnd) {
  const support::TemporaryFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Source source(pipe, Accept::files_and_pipes);  // nobody writes yet: that is not its end
  std::jthread writer([&] {
    const int out = ::open(pipe.c_str(), O_WRONLY);
    for (const char* part : {"abc", "def"}) {
      EXPECT_EQ(::write(out, part, 3), 3);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::close(out);
  });
  std::string bytes(10, '\0');
  EXPECT_EQ(source.read(bytes.data(), bytes.size()), 6u);
  EXPECT_EQ(bytes.substr(0, 6), "abcdef");
  EXPECT_FALSE(source.size());
}

TEST(Source, WhatIsNeitherIsRefused) {
  const support::TemporaryFolder folder;
  for (const Accept accept : {Accept::files, Accept::files_and_pipes}) {
    EXPECT_NE(refusal("/dev/zero", accept).find("neither a file nor a pipe"), std::string::npos);
    EXPECT_NE(refusal(folder.path(), accept).find("is a directory"), std::string::npos);
    EXPECT_NE(refusal(folder / "absent", accept).find("No such file"), std::string::npos);
  }
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  const std::string path = (folder / "socket").string();
  ASSERT_LT(path.size(), sizeof at.sun_path);
  path.copy(at.sun_path, path.size());
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  EXPECT_NE(refusal(path, Accept::files), "");
}

TEST(Source, AnArrayComesThroughAPipeInPieces) {
  tensor::Array array = tensor::Array::zeros(tensor::Format::f64, {100, 1000});
  for (std::size_t i = 0; i < array.values.size(); ++i) array.values.doubles()[i] = static_cast<double>(i);
  const std::string bytes = npy_bytes(array) + "behind";
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  std::jthread writer([&] {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::write(ends[1], bytes.data() + at, std::min<std::size_t>(50001, bytes.size() - at));
      ASSERT_GT(n, 0);
      at += static_cast<std::size_t>(n);
    }
    ::close(ends[1]);
  });
  const Npy npy = read_npy_file("/proc/self/fd/" + std::to_string(ends[0]), Accept::files_and_pipes);
  EXPECT_EQ(npy.array.values, array.values);
  EXPECT_EQ(npy.trailing_bytes, 6u);
  ::close(ends[0]);
}

/// The head of an array of bytes of 0, and the hole behind it.
std::filesystem::path sparse_npy(const support::TemporaryFolder& folder, std::uint64_t count) {
  const std::filesystem::path path = folder / "sparse.npy";
  std::string head = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  head.resize(117, ' ');
  head += '\n';
  std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << head;
  std::filesystem::resize_file(path, 128 + count);
  return path;
}

TEST(StoredArrayTest, MoreNumbersThanMayBeReadAreRefusedByTheirCount) {
  const support::TemporaryFolder folder;
  const StoredArray array = open_npy(sparse_npy(folder, most_numbers + 1));
  EXPECT_EQ(array.count, most_numbers + 1);
  try {
    array.read();
    FAIL();
  } catch (const Failure& error) {
    EXPECT_NE(std::string(error.what()).find("536870913 numbers, shape 536870913; allowed: up to 536870912"),
              std::string::npos)
        << error.what();
  }
}

TEST(StoredArrayTest, BlocksAreTheWholeInItsOrder) {
  const support::TemporaryFolder folder;
  tensor::Array array = tensor::Array::zeros(tensor::Format::f32, {70000});
  for (std::size_t i = 0; i < array.values.size(); ++i) array.values.doubles()[i] = static_cast<double>(i);
  std::ofstream(folder / "x.npy", std::ios::binary) << npy_bytes(array);
  std::vector<double> together;
  int blocks = 0;
  open_npy(folder / "x.npy").for_each_block([&](std::span<const double> block) {
    together.insert(together.end(), block.begin(), block.end());
    ++blocks;
  });
  EXPECT_EQ(together, array.values);
  EXPECT_GT(blocks, 1);
}

}  // namespace
}  // namespace orrery::file::source_test
