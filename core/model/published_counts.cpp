#include "core/model/published_counts.h"

#include <algorithm>
#include <array>

namespace orrery::model {
namespace {

constexpr std::string_view weights = "all weights of the published file";
constexpr std::string_view language = "all weights of the language model";
constexpr std::string_view with_pooler = "encoder and pooler, without the masked-language head";
constexpr std::string_view hub = "Hugging Face, the file's own count";

// A model is a line.
// clang-format off
constexpr auto counts = std::to_array<PublishedCount>({
    {"bert-base", 109482240, true, with_pooler, "Hugging Face, BertModel of google-bert/bert-base-uncased"},
    {"bert-large", 335141888, true, with_pooler, "Hugging Face, BertModel of google-bert/bert-large-uncased"},
    {"bloom", 176247271424, true, weights, "BigScience 2022, arXiv 2211.05100, table 3"},
    {"bloom-560m", 559214592, true, weights, "BigScience 2022, arXiv 2211.05100, table 3"},
    {"deepseek-v2-lite", 15706484224, true, weights, hub},
    {"deepseek-v3", 671026419200, true, "all weights without the second token's module", "DeepSeek-AI 2024, arXiv 2412.19437: 671 billion; its files"},
    {"falcon-40b", 41303293952, true, weights, hub},
    {"falcon-7b", 6921720704, true, weights, hub},
    {"flan-t5-base", 247577856, true, weights, hub},
    {"gemma-2-9b", 9241705984, true, weights, hub},
    {"gemma-2b", 2506172416, true, weights, hub},
    {"gemma-3-1b", 999885952, true, weights, hub},
    {"gemma-7b", 8537680896, true, weights, hub},
    {"gpt-neox-20b", 20554567680, true, weights, "Black et al. 2022, arXiv 2204.06745, table 1"},
    {"gpt-oss-20b", 20914757184, true, weights, "OpenAI 2025, arXiv 2508.10925: 20.91 billion; its files"},
    {"gpt2", 124439808, true, weights, hub},
    {"gpt2-large", 774030080, true, weights, hub},
    {"gpt2-medium", 354823168, true, weights, hub},
    {"gpt2-xl", 1557611200, true, weights, hub},
    {"gpt3", 174600e6, false, language, "Brown et al. 2020, arXiv 2005.14165, table D.1"},
    {"llama-13b", 13015864320, true, weights, hub},
    {"llama-2-70b", 68976648192, true, weights, hub},
    {"llama-2-7b", 6738415616, true, weights, hub},
    {"llama-3-8b", 8030261248, true, weights, hub},
    {"llama-3.1-405b", 405853388800, true, weights, hub},
    {"llama-3.1-70b", 70553706496, true, weights, hub},
    {"llama-3.1-8b", 8030261248, true, weights, hub},
    {"llama-3.2-1b", 1235814400, true, weights, hub},
    {"llama-3.2-3b", 3212749824, true, weights, hub},
    {"llama-65b", 65285660672, true, weights, hub},
    {"llama-7b", 6738415616, true, weights, hub},
    {"mistral-7b", 7241732096, true, weights, hub},
    {"mixtral-8x7b", 46702792704, true, weights, hub},
    {"mpt-7b", 6649286656, true, weights, hub},
    {"olmo-3-7b", 7298011136, true, weights, hub},
    {"opt-1.3b", 1315758080, true, weights, hub},
    {"opt-125m", 125239296, true, weights, hub},
    {"opt-6.7b", 6658473984, true, weights, hub},
    {"palm-540b", 540.35e9, false, language, "Chowdhery et al. 2022, arXiv 2204.02311, table 1"},
    {"phi-4-mini", 3836021760, true, weights, hub},
    {"qwen-7b", 7721324544, true, weights, hub},
    {"qwen2.5-0.5b", 494032768, true, weights, hub},
    {"qwen2.5-7b", 7615616512, true, weights, hub},
    {"qwen3-30b-a3b", 30532122624, true, weights, hub},
    {"qwen3-8b", 8190735360, true, weights, hub},
    {"roberta-base", 124645632, true, with_pooler, "Hugging Face, RobertaModel of FacebookAI/roberta-base"},
    {"smollm2-135m", 134515008, true, weights, hub},
    {"t5-base", 222903552, true, weights, hub},
    {"t5-small", 60506624, true, weights, hub},
});
// clang-format on

}  // namespace

std::span<const PublishedCount> published_counts() {
  return counts;
}

const PublishedCount* published_count(std::string_view model) {
  const auto found = std::ranges::find(counts, model, &PublishedCount::model);
  return found == counts.end() ? nullptr : &*found;
}

}  // namespace orrery::model
