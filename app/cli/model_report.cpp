#include "app/cli/model_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/warnings.h"
#include "app/study/model/card_rows.h"
#include "core/model/cost.h"
#include "core/model/weights.h"

namespace orrery::cli {
namespace {

using model::Card;
using model::Part;
using nlohmann::ordered_json;

/// null for what is not known.
template <class T>
ordered_json known(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

/// Whole, where a double holds all its digits.
ordered_json count(double n) {
  return n < 9e15 ? ordered_json(static_cast<std::int64_t>(n)) : ordered_json(n);
}

/// What a tool takes for unset.
ordered_json text(const std::string& words) {
  return words.empty() ? ordered_json() : ordered_json(words);
}

ordered_json norm_json(const Card& card) {
  const model::CardNorm& norm = card.norm;
  constexpr std::array<const char*, 4> query_key{"none", "head", "all", "plain"};
  return {{"kind", name(norm.kind)},     {"place", name(norm.place)},
          {"eps", known(norm.eps)},      {"weight_offset", known(norm.weight_offset)},
          {"final", known(norm.final)},  {"bias", known(norm.bias)},
          {"embedding", norm.embedding}, {"query_key", query_key[static_cast<std::size_t>(norm.query_key)]},
          {"parallel", card.parallel}};
}

/// The numbers of its positions, beside the word for them.
ordered_json positions_json(const Card& card) {
  ordered_json rules = ordered_json::array();
  for (const model::RopeLayer& layer : card.rope)
    rules.push_back({{"name", layer.name},
                     {"rope_type", layer.rope_type},
                     {"base", layer.base},
                     {"rotary_dim", layer.rotary_dim},
                     {"factor", layer.rule.factor}});
  return {{"longest", card.longest > 0 ? count(card.longest) : ordered_json()},
          {"rows", card.position_rows},
          {"buckets", card.buckets},
          {"far_bucket", card.far_bucket},
          {"rotary", rules}};
}

ordered_json windows_json(const Card& card) {
  ordered_json all = ordered_json::array();
  for (const model::CardLayer& layer : card.layers)
    all.push_back(layer.banded ? ordered_json() : count(layer.window));
  return all;
}

ordered_json parameters_json(const Card& card) {
  const model::Parameters p = parameters_of(card);
  ordered_json parts{{"total", count(p.total)}, {"active", count(p.active)}};
  for (int i = 0; i < model::part_count; ++i) {
    const auto part = static_cast<Part>(i);
    parts[std::string(name(part))] = count(p.of(part));
  }
  return parts;
}

double bytes_of(const CostOf& of) {
  return tensor::info(of.format).bytes;
}

/// Of the file, and of the length.
std::vector<position::RopeWarning> warnings_of(const Card& card, const CostOf& of) {
  std::vector<position::RopeWarning> all = card.warnings;
  std::ranges::copy(warnings_at(card, of.length), std::back_inserter(all));
  return all;
}

/// Bytes by thousands as memory is sold, by 1024 as it is counted: the latter, with its unit.
std::string bytes_text(double n) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (n >= 1024 && unit + 1 < units.size()) n /= 1024, ++unit;
  return short_number(n) + " " + units[unit];
}

std::string whole(double n) {
  return std::to_string(static_cast<std::int64_t>(n));
}

using Row = std::vector<std::string>;

void count_rows(TextTable& table, std::span<const Card> cards) {
  std::vector<model::Parameters> all;
  for (const Card& card : cards) all.push_back(card.countable() ? parameters_of(card) : model::Parameters{});
  const auto row = [&](const std::string& what, auto value) {
    Row cells{what};
    for (std::size_t i = 0; i < cards.size(); ++i)
      cells.push_back(cards[i].countable() ? whole(value(all[i])) : translated("unknown"));
    table.row(std::move(cells));
  };
  row(say("parameters"), [](const model::Parameters& p) { return p.total; });
  row(say("that a token meets"), [](const model::Parameters& p) { return p.active; });
  for (int i = 0; i < model::part_count; ++i) {
    const auto part = static_cast<Part>(i);
    std::string words(name(part));
    for (char& c : words) c = c == '_' ? ' ' : c;
    row("    " + translated(words), [part](const model::Parameters& p) { return p.of(part); });
  }
}

/// Before what cannot be counted to the end.
std::string at_most(const Card& card) {
  return card.counts_at_most() ? "≤ " : "";
}

void cost_rows(TextTable& table, std::span<const Card> cards, const CostOf& of) {
  const auto row = [&](const std::string& what, auto value) {
    Row cells{what};
    for (const Card& card : cards) cells.push_back(card.countable() ? value(card) : translated("unknown"));
    table.row(std::move(cells));
  };
  const std::string length = whole(of.length);
  row(say("operations a token, reading {}", length),
      [&](const Card& card) { return at_most(card) + short_number(cost_of(card, of.length).prefill); });
  row(say("operations a token, behind {}", length), [&](const Card& card) {
    const auto decode = cost_of(card, of.length).decode;
    return decode ? at_most(card) + short_number(*decode) : translated("none");
  });
  row(say("cache a token, in {}", tensor::name(of.format)),
      [&](const Card& card) { return bytes_text(bytes_of(of) * cached_numbers_per_token(card)); });
  row(say("cache of {} tokens, in {}", length, tensor::name(of.format)), [&](const Card& card) {
    return at_most(card) + bytes_text(bytes_of(of) * cached_numbers(card, of.length));
  });
  const auto two_stacks = [](const Card& card) { return card.stacks == model::Stacks::both; };
  if (std::ranges::any_of(cards, two_stacks))
    row("    " + say("of it of the source, as long"), [&](const Card& card) {
      return two_stacks(card) ? bytes_text(bytes_of(of) * cached_numbers_per_token(card) * of.length)
                              : translated("none");
    });
}

/// "epsilon, tied": as the table calls them.
std::string by_family_text(const Card& card) {
  std::string text;
  for (const std::string& what : card.by_family) text += (text.empty() ? "" : say(", ")) + translated(what);
  return text;
}

}  // namespace

ordered_json model_json(const Card& card, const CostOf& of) {
  ordered_json out{
      {"name", card.name},
      {"source", card.source},
      {"model_type", text(card.model_type)},
      {"layers", card.layers.empty() ? ordered_json() : ordered_json(card.depth())},
      {"encoder_layers", card.encoder_layers},
      {"width", known(card.width)},
      {"heads", known(card.heads)},
      {"kv_heads", known(card.kv_heads)},
      {"head_width", known(card.head_width)},
      {"hidden_width", known(card.hidden_width)},
      {"vocabulary", known(card.vocabulary)},
      {"norm", norm_json(card)},
      {"positions", name(card.positions.kind)},
      {"position_numbers", positions_json(card)},
      {"windows", windows_json(card)},
      {"activation", text(card.activation)},
      {"activation_slope", card.activation_slope},
      {"activation_limit", card.activation_limit > 0 ? ordered_json(card.activation_limit) : ordered_json()},
      {"gated", known(card.gated)},
      {"bias", known(card.bias)},
      {"tied", known(card.tied)},
      {"experts",
       {{"total", card.experts.total},
        {"active", card.experts.active},
        {"shared", card.experts.shared},
        {"hidden_width", card.experts.hidden_width}}},
      {"kv_lora_rank", nullptr}};
  if (card.latent) {
    out["kv_lora_rank"] = card.latent->key_value_rank;
    out["q_lora_rank"] = card.latent->query_rank;
    out["rope_head_width"] = card.latent->rope_width;
  }
  for (const char* key : {"parameters", "flops_per_token", "kv_bytes_per_token", "kv_bytes"})
    out[key] = nullptr;
  if (card.countable()) {
    const model::Cost cost = cost_of(card, of.length);
    out["parameters"] = parameters_json(card);
    out["flops_per_token"] = {{"length", count(of.length)},
                              {"prefill", count(cost.prefill)},
                              {"decode", cost.decode ? count(*cost.decode) : ordered_json()},
                              {"at_most", card.counts_at_most()}};
    out["kv_bytes_per_token"] = count(bytes_of(of) * cached_numbers_per_token(card));
    out["kv_bytes"] = {{"length", count(of.length)},
                       {"format", tensor::name(of.format)},
                       {"bytes", count(bytes_of(of) * cached_numbers(card, of.length))},
                       {"at_most", card.counts_at_most()}};
  }
  out["by_family"] = card.by_family;
  out["warnings"] = warnings_json(warnings_of(card, of));
  return out;
}

std::string model_text(std::span<const Card> cards, const CostOf& of) {
  TextTable table;
  Row heads{""};
  for (const Card& card : cards) heads.push_back(single_line(card.name));
  table.row(std::move(heads));
  std::vector<std::vector<study::CardRow>> all;
  for (const Card& card : cards) all.push_back(study::card_rows(card));
  for (std::size_t r = 0; r < all.front().size(); ++r) {
    Row cells{translated(all.front()[r].what)};
    for (const auto& rows : all) cells.push_back(translated(rows[r].value));
    table.row(std::move(cells));
  }
  count_rows(table, cards);
  cost_rows(table, cards, of);
  std::string out = table.text();
  for (const Card& card : cards) {
    out += "\n" + single_line(say("{}: {}", card.name, card.source)) + "\n";
    if (!card.by_family.empty())
      out += "    " + say("not from the file, but as its family has it: {}", by_family_text(card)) + "\n";
    for (const auto& w : warnings_of(card, of)) out += "    " + warning_text(w) + "\n";
  }
  return out;
}

}  // namespace orrery::cli
