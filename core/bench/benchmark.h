// How fast an op is, said as a ratio. Absolute times move with the machine's mood by a factor of two; the
// ratio of an op to a copy that reads and writes as much, measured in turns within one run, does not. So every sample of
// an op is followed by a sample of the copies, and what is reported is the median of the paired ratios.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace orrery::bench {

/// One op at one shape on one device, ready to be called again and again on buffers that already exist.
struct Case {
  std::string op;                ///< as in the op table
  std::string shape;             ///< "4096×4096"
  std::string device;            ///< "cpu", "gpu"
  double read = 0, written = 0;  ///< bytes: what an ideal op moves
  double flops = 0;              ///< for ops that arithmetic limits; 0 for those that memory limits
  std::function<void()> call;
  bool arithmetic = false;                 ///< the fair reference is as many multiply-adds …
  bool in_double = false;                  ///< … in double
  std::vector<std::span<float>> inputs{};  ///< what `call` reads (x; q and k) …
  std::span<float> output{};               ///< … and writes, for those who compare results, not only times

  double bytes() const { return read + written; }
  /// Not a table, made from nothing, whose fair reference is a write.
  bool reads() const { return read > 0; }
};

struct Result {
  std::string op, shape, device;
  double ms = 0;  ///< median
  double bytes = 0, flops = 0;
  double limit_ms = 0;  ///< median of the reference: see `limit`
  /// Median of the ratios of each pair of samples, reference / op: 1 is as fast as the reference, 0.5 half as fast. On a machine
  /// that is busy it may be another than limit_ms / ms.
  double of_limit = 0;
  /// What the ratio is to: "copy", "non-temporal copy", "write", "non-temporal write", "multiply-adds", "multiply-adds in
  /// double"; on the gpu "copy shader", "write shader", "multiply-add shader".
  std::string limit;
};

struct Options {
  int samples = 9;
  bool gpu = false;
};

int threads();
/// The processor's name, as the system gives it.
std::string machine();

/// A case that is made when its turn comes: its arrays may be hundreds of megabytes.
struct Planned {
  std::string op, shape;
  std::function<Case()> make;
};

/// Cases of the named ops; of all when `ops` is empty. Names must be in the op table; every op in it has some.
std::vector<Planned> planned(std::span<const std::string> ops, const Options&);

/// Times one case against a copy that reads and writes as much, from its first input to its output, or a write of as much where
/// nothing is read: a plain copy where both fit the caches (up to 16 MiB in all); above, and for every write, the faster of
/// a plain and a non-temporal one; one that arithmetic limits against as many multiply-adds, in double where its contract
/// sums so. On the gpu: device_benchmark.h.
Result measure(const Case&, const Options&);

}  // namespace orrery::bench
