// libFuzzer's way in: one program for all targets, of which ORRERY_FUZZ_TARGET names one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/target.h"

namespace {

const orrery::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("ORRERY_FUZZ_TARGET");
  chosen = name ? orrery::fuzz::find_target(name) : nullptr;
  if (chosen) {
    chosen->read({});  // what is made once, such as a list of typefaces, is no input's fault
    return 0;
  }
  std::fprintf(stderr, "ORRERY_FUZZ_TARGET: found '%s'; allowed:", name ? name : "");
  for (const orrery::fuzz::Target* each : orrery::fuzz::targets())
    std::fprintf(stderr, " %s", std::string(each->name).c_str());
  std::fputc('\n', stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  chosen->read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
