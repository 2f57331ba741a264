// NumPy's arrays: what is read must fit into what was there.
#include "core/file/npy.h"

#include "tests/fuzz/target.h"

namespace orrery::fuzz::npy {
namespace {

void read(std::string_view bytes) {
  or_refuse([&] {
    const file::Npy npy = file::parse_npy(bytes, "fuzz.npy");
    promise(npy.array.values.size() <= bytes.size(), "more numbers than bytes");
    promise(npy.data_bytes + npy.trailing_bytes <= bytes.size(), "more bytes than the file has");
    or_refuse([&] { file::npy_bytes(npy.array); });
  });
}

std::string head(const std::string& begin) {
  return std::string("\x93NUMPY\x01\x00\xf0\xff", 10) + begin;
}

const Registered target({"npy",
                         read,
                         {{head("{'descr': '<f4', 'fortran_order': False, 'shape': ("), "1, ", "), }"},
                          {head(""), " ", ""},
                          {head(""), "(", ""},
                          {head("{"), "'a#': 1, ", "}"},
                          {std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                               "{'descr': '|u1', 'fortran_order': True, 'shape': (1000, 1000), }" +
                               std::string(54, ' '),
                           "x", ""}}});

}  // namespace
}  // namespace orrery::fuzz::npy
