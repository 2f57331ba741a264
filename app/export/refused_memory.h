// Requests for memory that were refused. Libraries that set text go on without what they asked for and say nothing: FreeType
// leaves a letter out, HarfBuzz the positions of letters, Cairo and fontconfig what was wanted of a typeface. So malloc,
// calloc and realloc of the whole program are asked through this file, which only remembers that one gave nothing.
#pragma once

namespace orrery::exporter {

/// Throws Failure where a small request was refused since the program began, in whatever thread: what is drawn may lack a part,
/// and what a library keeps of it is the same for the next figure. A large one is a tensor or a picture: who asked for it
/// says so, as who hears a bad_alloc does. Never under a sanitizer, which has a malloc of its own.
void require_no_refused_memory();

}  // namespace orrery::exporter
