/// What Swift has no word for: to say what is soon read, and what is not.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Begins to fetch the line of the cache that holds the place. It need not be memory that can be read.
static inline void rawmill_prefetch(const void *place) { __builtin_prefetch(place); }

typedef uint64_t RawmillLine __attribute__((vector_size(64)));

/// Copies lines of 64 bytes past the caches: what was there is not fetched first, and pushes nothing out.
///
/// - to: on a multiple of 64 bytes. Another thread sees them after `rawmill_settle`.
static inline void rawmill_stream(void *to, const void *from, size_t lines) {
    for (size_t line = 0; line < lines; line++) {
        RawmillLine bytes;
        __builtin_memcpy(&bytes, (const char *)from + line * sizeof bytes, sizeof bytes);
        __builtin_nontemporal_store(bytes, (RawmillLine *)to + line);
    }
}

/// Has all that was streamed be in memory before whatever is written later.
static inline void rawmill_settle(void) {
#if defined(__SSE__)
    // Such stores pass by what orders all others on these processors.
    __builtin_ia32_sfence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
