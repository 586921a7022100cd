/// Cache control that Swift cannot express: prefetching, and stores that bypass the caches.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Begins to fetch the cache line that holds the address. The address need not be readable.
static inline void rawmill_prefetch(const void *address) { __builtin_prefetch(address); }

typedef uint64_t RawmillLine __attribute__((vector_size(64)));

/// Copies cache lines of 64 bytes past the caches: the target's old contents are not fetched first, and nothing is
/// evicted.
///
/// - to: on a multiple of 64 bytes. Another thread sees the copy after `rawmill_store_fence`.
static inline void rawmill_stream_lines(void *to, const void *from, size_t lines) {
    for (size_t line = 0; line < lines; line++) {
        RawmillLine bytes;
        __builtin_memcpy(&bytes, (const char *)from + line * sizeof bytes, sizeof bytes);
        __builtin_nontemporal_store(bytes, (RawmillLine *)to + line);
    }
}

/// Orders all streamed stores before every later store.
static inline void rawmill_store_fence(void) {
#if defined(__SSE__)
    // The ordering that other stores have on these processors does not cover non-temporal ones.
    __builtin_ia32_sfence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
