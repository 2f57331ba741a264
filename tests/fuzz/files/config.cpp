// A model's config.json: what it says about rotary positions, and what the model is made of.
#include "core/model/card.h"
#include "core/model/frequency_file.h"
#include "core/model/rope_config.h"
#include "tests/fuzz/target.h"

namespace orrery::fuzz::config {
namespace {

void read(std::string_view bytes) {
  or_refuse([&] { model::parse_rope_config(bytes, "config.json"); });
  or_refuse([&] { model::parse_rope_config(bytes, "config.json", 100000.0); });
  or_refuse([&] { model::parse_card(bytes, "fuzz", "config.json"); });
}

/// The first byte says which of the formats.
void read_frequencies(std::string_view bytes) {
  const char* const names[] = {"f.json", "f.csv", "f.txt", "f.npy"};
  const unsigned kind = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]) % 4;
  if (!bytes.empty()) bytes.remove_prefix(1);
  or_refuse([&] {
    promise(model::parse_frequencies(bytes, names[kind]).size() <= bytes.size(), "more numbers than bytes");
  });
}

const Registered config({"config",
                         read,
                         {{"", "[", ""},
                          {"", R"({"a":)", ""},
                          {"{", R"("a#":1,)", R"("b":1})"},
                          {R"({"model_type":"llama","rope_scaling":{"rope_type":"longrope","long_factor":[)",
                           "1.5,", "1]}}"},
                          {R"({"model_type":"gemma3","num_hidden_layers":4,"layer_types":[)",
                           R"("full_attention",)", R"("full_attention"]})"},
                          {R"({"model_type":"llama","num_hidden_layers":)", "9", "}"},
                          {R"({"model_type":")", "x", R"("})"}}});
const Registered frequencies({"frequencies",
                              read_frequencies,
                              {{std::string(1, '\0') + "[", "1,", "1]"},
                               {std::string(1, '\0'), "[", ""},
                               {std::string(1, '\1') + "a,inv_freq\n", "1,2\n", ""},
                               {std::string(1, '\1'), ",", ""},
                               {std::string(1, '\2'), "1 ", ""},
                               {std::string(1, '\2'), "1", ""}}});

}  // namespace
}  // namespace orrery::fuzz::config
