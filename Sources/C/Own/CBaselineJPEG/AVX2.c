#include "CBaselineJPEG.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt"))), apply_to = function)

typedef __m256i Vector;
enum { BLOCKS = 2 };
#define V(name) _mm256_##name

static inline Vector widened(const uint8_t *samples) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)samples));
}

/// Repeats 16 bytes in each lane.
static inline Vector everywhere(const void *bytes) { return _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes)); }

static inline Vector either(Vector a, Vector b) { return _mm256_or_si256(a, b); }

static inline Vector withSign(Vector magnitude, Vector number) { return _mm256_sign_epi16(magnitude, number); }

static inline void storeLanes(Vector v, int16_t *first) {
    _mm_store_si128((__m128i *)first, _mm256_castsi256_si128(v));
    _mm_store_si128((__m128i *)(first + 64), _mm256_extracti128_si256(v, 1));
}

/// A bit for each of 32 coefficients.
static inline uint32_t nonzeroHalf(const int16_t *half) {
    const Vector zero = _mm256_setzero_si256();
    const Vector low = _mm256_cmpeq_epi16(_mm256_load_si256((const Vector *)half), zero);
    const Vector high = _mm256_cmpeq_epi16(_mm256_load_si256((const Vector *)(half + 16)), zero);
    // Packing works within lanes; this restores the order of halves.
    const Vector bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
    return ~(uint32_t)_mm256_movemask_epi8(bytes);
}

/// A bit for each of 64 coefficients.
static inline uint64_t nonzeros(const int16_t *block) {
    return (uint64_t)nonzeroHalf(block + 32) << 32 | nonzeroHalf(block);
}

#include "Blocks.h"
#include "Codes.h"

struct Nonzeros {
    /// A bit for each non-zero AC coefficient.
    uint64_t places;
};

static inline void look(const int16_t *block, struct Nonzeros *found) { found->places = nonzeros(block) & ~(uint64_t)1; }

/// Not faster without a look-up of several codes at once.
static inline int putMany(struct BitWriter *writer, const uint32_t *codes, const struct Nonzeros *found) { return 0; }

#include "BlockCodes.h"
#include "Scan.h"

size_t rawmill_jpeg_code_avx2(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity) {
    return codeScan(scan, output, capacity);
}

#pragma clang attribute pop
#else
size_t rawmill_jpeg_code_avx2(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity) { return 0; }
#endif
