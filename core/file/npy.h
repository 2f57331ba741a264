// NumPy's .npy files.
//
// Read       versions 1.0, 2.0, 3.0; f2 f4 f8, i and u of 1, 2, 4, 8 bytes, b1; either byte order; V2 as bf16, little-endian
//            (NumPy's name for two bytes that it does not know, under which np.save keeps the bfloat16 of ml_dtypes, of JAX and of
//            TensorFlow; whoever shows numbers of such a file says how they were read); C and Fortran order; up to 8 axes, axes of size 0 and scalars included. An integer beyond ±2^53 would not be the same
//            number as a double: refused. Every size is checked against the file before anything is
//            allocated.
// Written    version 1.0, little-endian, C order, keys sorted, data at a multiple of 64 bytes: the bytes that
// NumPy writes.
//            bf16 does not exist in NumPy: written as f4, every value exact, or where asked as '<V2', the bytes that np.save
//            writes of an array of ml_dtypes.bfloat16; np.load(…).view(ml_dtypes.bfloat16) has it back.
// Source     NumPy, numpy/lib/format.py (the format's specification is its docstring); V2: jax-ml/ml_dtypes#41, jax#8499.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/file/source.h"
#include "core/file/stored_array.h"
#include "core/tensor/array.h"

namespace orrery::file {

class NewFiles;

/// The array and where its numbers lie; only its head is read. Throws Failure, one line, for anything malformed.
StoredArray open_npy(const std::filesystem::path&, Accept = Accept::files);
/// How many bytes stand behind the data, ignored: worth a warning. Of a pipe only when all numbers were read.
std::uint64_t trailing_bytes(const StoredArray&);

struct Npy {
  tensor::Array array;  ///< integers and booleans are carried as f64
  std::string dtype;    ///< as NumPy calls it: "float32", "int64", "bool"; of V2 "bfloat16"
  std::uint64_t data_bytes = 0;
  std::uint64_t trailing_bytes = 0;
};

/// `origin` is what errors call the bytes: a file name. Throws Failure as above, and for more numbers than most_numbers.
Npy parse_npy(std::string_view bytes, std::string_view origin);
Npy read_npy_file(const std::filesystem::path&, Accept = Accept::files);
tensor::Array read_npy(const std::filesystem::path&);

/// How an array of bf16 is written: as f4, which every reader knows, or in two bytes, V2.
enum class BrainFloats : std::uint8_t { widened, kept };

std::string npy_bytes(const tensor::Array&, BrainFloats = BrainFloats::widened);
/// The same bytes into a file, as write_file does; numbers that are kept as the file has them are not copied first.
void write_npy(const std::filesystem::path&, const tensor::Array&, BrainFloats = BrainFloats::widened);
/// As one of several files.
void write_npy(NewFiles&, const std::filesystem::path&, const tensor::Array&,
               BrainFloats = BrainFloats::widened);

}  // namespace orrery::file
