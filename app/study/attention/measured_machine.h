// A machine's own limits as they were measured, as one line of text that a recipe keeps.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/bench/limits.h"

namespace orrery::study::attention_memory {

struct MeasuredMachine {
  std::string where;  ///< "AMD EPYC, 2 threads, 2026-11-25"
  bench::Limits limits;
};

/// "AMD EPYC, 2 threads, 2026-11-25; 180.27 Gflop/s; 29.4 GB/s"
std::string text_of(const MeasuredMachine&);
/// Throws InvalidArgument that names the parameter `results`.
MeasuredMachine measured_machine(std::string_view text);

/// What came with the program, measured for norm/speed by `./dev measure`.
MeasuredMachine shipped_machine();
/// This processor, now.
MeasuredMachine measure_processor(const std::function<void()>& between);
/// This thread's graphics device, now. Throws Failure where there is none.
MeasuredMachine measure_device(const std::function<void()>& between);

}  // namespace orrery::study::attention_memory
