#include "app/study/json_file.h"

#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

#include "app/study/tensor_file.h"
#include "core/file/bytes.h"
#include "core/model/json.h"

namespace orrery::study {

void refuse_broken_json(const std::filesystem::path& file, std::string_view origin) {
  constexpr std::uint64_t longest = 1 << 26;
  std::error_code none;
  const bool looked_at = file.extension() == ".json" && !holds_tensors(file.string()) &&
                         std::filesystem::is_regular_file(file, none) &&
                         std::filesystem::file_size(file, none) <= longest;
  if (!looked_at) return;
  std::vector<std::string> repeated;
  model::parse_any_json(file::read_bytes(file, longest), origin, repeated);
}

}  // namespace orrery::study
