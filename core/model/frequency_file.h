// A vector of rotary frequencies from a file, as people have them: dumped from a run, or copied out of a report.
//
// .npy    any shape with one axis longer than 1; as it is
// .safetensors#NAME    the same for one of its tensors; without a name the only one, or the only one whose name ends in
//         inv_freq; of an index and of a folder too, as core/file/tensor_path.h has it
// .json   a list of numbers; or an object that holds one as inv_freq, itself or in the first of its layers (what
//         `orrery rope --json` prints)
// .csv, .txt, others   numbers apart by commas, semicolons or white space, a line of names above them passed over (what
//         begins like a number is none); of several columns the one that is called inv_freq or frequency, else the last
//
// Throws Failure, one line, naming the file and the place.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/file/source.h"

namespace orrery::model {

std::vector<double> read_frequencies(const std::filesystem::path&, file::Accept = file::Accept::files);
/// `origin` is what errors call the text: a file name, whose ending decides.
std::vector<double> parse_frequencies(std::string_view bytes, std::string_view origin);

}  // namespace orrery::model
