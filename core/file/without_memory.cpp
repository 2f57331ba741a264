#include "core/file/without_memory.h"

#include <cxxabi.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include "core/file/undisturbed.h"

namespace orrery::file {
namespace {

const char* last_line = "";
std::terminate_handler otherwise = nullptr;

/// Without memory: what was thrown is not thrown again, only asked for its type.
[[noreturn]] void end_with_a_line() {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  const bool for_want_of_memory = thrown != nullptr && (*thrown == typeid(std::bad_alloc) ||
                                                        *thrown == typeid(std::bad_array_new_length));
  if (!for_want_of_memory) otherwise();
  // Where nobody reads, nobody reads.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, last_line, std::strlen(last_line));
  end_program(1);
}

}  // namespace

void say_without_memory(const char* line) {
  last_line = line;
  const std::terminate_handler before = std::set_terminate(end_with_a_line);
  if (before != end_with_a_line) otherwise = before;
}

}  // namespace orrery::file
