// The life of a cache as tables and panels.
//
//   timeline (passes downwards, tokens across)   | errors by pass, in line with it
//   the last query's weights                     | the distances that it sees
#pragma once

#include "app/study/attention/cache_life.h"

namespace orrery::study::attention_cache {

/// A row for each pass; for each token; for each key that the last query meets; and for each key in each pass.
Series passes_of(Asked&, const CacheLife&);
Series tokens_of(Asked&, const CacheLife&);
Series last_keys_of(const CacheLife&);
Table held_table(Asked&, const CacheLife&);

/// Passes × tokens: by how much each held key's distance is off, or its frequencies are slowed.
Panel timeline_panel(Asked&, const CacheLife&, bool distances);
Panel errors_panel(const CacheLife&, const Series& passes);
Panel last_panel(const CacheLife&, const Series& tokens);
Panel distance_panel(const Series& last_keys);

}  // namespace orrery::study::attention_cache
