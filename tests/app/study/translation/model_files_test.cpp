// rope/model says everything of odd files too in every language: what they leave out, and positions that do not rotate.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/study/translate.h"
#include "core/tensor/error.h"
#include "tests/app/study/translation/gaps.h"
#include "tests/core/model/faults.h"
#include "tests/support/source.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study::model_files_test {
namespace {

/// A key of the file stands as it is written: "rope_scaling.factor".
bool is_key(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

/// Throws Failure where the file is refused.
StudyResult result_for(const std::string& text) {
  const support::TemporaryFolder folder;
  const auto file = folder.path() / "config.json";
  std::ofstream(file) << text;
  const Study& model = find("rope/model");
  parameter::Settings settings(model.parameters);
  settings.set("config", file.string());
  return model.compute(settings, study::Run{});
}

/// The study's texts for a file with this text; none where the file is refused.
void look_at_file(const std::string& text, Gaps& gaps) {
  try {
    each_text(result_for(text), [&](std::string_view said) {
      if (!is_key(said)) gaps.look_at(said);
    });
  } catch (const Failure&) {
  }
}

/// Files that nobody published and that have no fault of their own, each with what only it makes the program say.
struct Odd {
  const char *json, *said;
};
constexpr auto odd_files = std::to_array<Odd>({
    {R"({"model_type":"gemma3_text","head_dim":64,"rope_theta":1e6,"sliding_window":512,"num_hidden_layers":12})",
     "missing: 10 000 is assumed, the default of “gemma3_text”"},
    {R"({"head_dim":64,"max_position_embeddings":8192,"rope_scaling":{"rope_type":"linear","factor":2}})",
     "missing: 10 000 is assumed"},
    {R"({"model_type":"wavlm","hidden_size":64})",
     "positions by convolution: a grouped convolution over neighbouring places is added to the input"},
    {R"({"model_type":"wavlm","hidden_size":64})",
     "a gated bias for each range of distances is added to the scores besides"},
    {R"({"model_type":"chatglm","hidden_size":64,"num_attention_heads":4,"position_encoding_2d":true})",
     "the second half of a head turns by positions inside a block; what is resolved is the first half alone"},
    {R"({"model_type":"foo","head_dim":64,"rope_theta":1e4})",
     "does not say which columns turn together, and no key does: half is taken, as most models have it"},
    {R"({"head_dim":64,"rope_theta":1e4})",
     "missing, and no key says which columns turn together: half is taken, as most models have it"},
    {R"({"model_type":"mistral","rope_theta":1e4})", "trained length 131 072, by the default of its class"},
    {R"({"model_type":"llama","rope_scaling":{"type":"linear","factor":2}})",
     "trained length 1024, by the default of its class over factor"},
    {R"({"model_type":"gptj","n_positions":16384,"rope_scaling":{"type":"linear","factor":2}})",
     "trained length 8192, by n_positions over factor"},
    {R"({"head_dim":64,"rope_theta":1e4,"max_position_embeddings":8192,"rope_scaling":{"rope_type":"yarn","factor":4,
        "original_max_position_embeddings":2048,"beta_fast":1,"beta_slow":32}})",
     "1 is below beta_slow, 32: the ramp runs backwards, and fast pairs are divided"},
    {R"({"head_dim":8,"rope_theta":1e4,"max_position_embeddings":1048576,"rope_scaling":{"rope_type":"yarn",
        "factor":4,"original_max_position_embeddings":262144}})",
     "the ramp ends at pair 5, but the last pair is 3: even the slowest pairs are not fully divided"},
    {R"({"head_dim":64,"rope_theta":1e4,"max_position_embeddings":32768,"rope_scaling":{"rope_type":"dynamic",
        "factor":1,"alpha":1000}})",
     "Hunyuan's rule: a fixed base, multiplied by alpha^(R/(R − 2)); factor and length change nothing"},
    {R"({"head_dim":128,"rope_theta":1e4,"rope_scaling":{"rope_type":"default","mrope_section":[24,20,20],
        "mrope_interleaved":true}})",
     "the axes take turns pair by pair (t h w t h w …), not in blocks: text looks right either way, images do not"},
    {R"({"head_dim":64,"rope_theta":1e4,"max_position_embeddings":8192,"rope_scaling":{"rope_type":"dynamic",
        "factor":2,"original_max_position_embeddings":4096}})",
     "not used: dynamic counts from max_position_embeddings"},
});

/// In a figure too no English is left of what they make it say.
TEST(ModelFiles, AreSpokenOfWhenTheyAreOdd) {
  for (const Odd& odd : odd_files) {
    const StudyResult result = result_for(odd.json);
    const auto shown = [&odd](const StudyResult& of) {
      bool found = false;
      each_text(of, [&](std::string_view text) { found = found || text.find(odd.said) != text.npos; });
      return found;
    };
    EXPECT_TRUE(shown(result)) << odd.said;
    for (const auto& named : language::languages().subspan(1)) {
      EXPECT_FALSE(shown(translated(result, named.language))) << odd.said;
      Gaps gaps(language::dictionary(named.language));
      each_text(result, [&](std::string_view text) {
        if (!is_key(text)) gaps.look_at(text);
      });
      EXPECT_TRUE(gaps.empty()) << gaps.toml();
    }
  }
}

TEST(ModelFiles, AreSpokenOfInEveryLanguage) {
  const auto published =
      nlohmann::json::parse(std::ifstream(support::source("tests/reference/published_positions.json")));
  for (const auto& named : language::languages().subspan(1)) {
    Gaps gaps(language::dictionary(named.language));
    for (const auto& each : published) look_at_file(each["config"].dump(), gaps);
    for (const auto& fault : model_test::faults) look_at_file(fault.json, gaps);
    EXPECT_TRUE(gaps.empty()) << gaps.toml();
  }
}

}  // namespace
}  // namespace orrery::study::model_files_test
