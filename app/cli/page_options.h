// The options of the page and of the motion, as app/recipe/page_fields.h declares them.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/recipe/page_fields.h"

namespace orrery::cli {

/// What was typed for them.
struct PageWords {
  struct Word {
    std::string text;  ///< empty: nothing was given
    bool on = false;   ///< of a flag
    bool off = false;  ///< of one that some pages have unless asked not to
  };
  // Arguments point into them, and a deque leaves what it holds where it is.
  std::deque<Word> page, motion;
};

/// Adds them to the arguments of a command: those with a value, those of the motion, and the flags. `group` is what they are
/// listed under in --help; empty: among the others.
void add_page_values(PageWords&, std::vector<Argument>&, const std::string& group = {});
void add_motion_values(PageWords&, std::vector<Argument>&, const std::string& group = {});
void add_page_flags(PageWords&, std::vector<Argument>&, const std::string& group = {});

/// What was given, over what the recipe says. Throws InvalidArgument that names the option.
void set_page(const PageWords&, recipe::Recipe&);
/// Refuses a flag of the page that shows in no file of these endings; of what else shows in none, a line says so.
void refuse_without_effect(const PageWords&, std::span<const std::string> endings);
void set_motion(const PageWords&, recipe::Animation&);
bool says_motion(const PageWords&);

}  // namespace orrery::cli
