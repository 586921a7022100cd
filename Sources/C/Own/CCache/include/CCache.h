/// Cache control that Swift cannot express: prefetching, and stores that bypass the caches.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Prefetches the cache line of an address, which need not be readable.
static inline void rawmill_prefetch(const void *address) { __builtin_prefetch(address); }

typedef uint64_t RawmillLine __attribute__((vector_size(64)));

/// Copies 64-byte cache lines past the caches: does not fetch the target's old contents, and evicts nothing.
///
/// - to: aligned to 64 bytes. Other threads see the copy after `rawmill_store_fence`.
static inline void rawmill_stream_lines(void *to, const void *from, size_t lines) {
    for (size_t line = 0; line < lines; line++) {
        RawmillLine bytes;
        __builtin_memcpy(&bytes, (const char *)from + line * sizeof bytes, sizeof bytes);
        __builtin_nontemporal_store(bytes, (RawmillLine *)to + line);
    }
}

/// Orders all streaming stores before later stores.
static inline void rawmill_store_fence(void) {
#if defined(__SSE__)
    // x86's store ordering does not cover non-temporal stores.
    __builtin_ia32_sfence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
