/// What Swift has no word for: to have memory brought near before it is read.
#pragma once

/// Begins to fetch the line of the cache that holds the place. It need not be memory that can be read.
static inline void rawmill_prefetch(const void *place) { __builtin_prefetch(place); }
