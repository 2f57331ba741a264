// The tables of an outcome in files, one each or the one that was asked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/render/make.h"

namespace orrery::render {

/// Where a table goes when all `tables` of a study are asked for at `path`: there where it is the only one, else with its
/// name before the ending.
std::filesystem::path table_path(const std::filesystem::path&, const figure::Table&, std::size_t tables);

/// In the words of the recipe's language where a person reads them (.md, .tex). Throws InvalidArgument where no table has the
/// name, Failure where there is none at all or one cannot be written: then every file is as it was.
std::vector<std::filesystem::path> write_tables(const recipe::Recipe&, const recipe::Outcome&,
                                                const std::filesystem::path&, const Choice&,
                                                const exporter::BeforeWriting& = {});

/// What write_tables leaves out of a .npy: "table.column" of words, in whose places it has numbers.
std::vector<std::string> words_as_numbers(const recipe::Outcome&, const std::filesystem::path&,
                                          const Choice&);

}  // namespace orrery::render
