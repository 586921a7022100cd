#include "CBaselineJPEG.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,lzcnt"))), apply_to = function)

typedef __m512i Vector;
enum { BLOCKS = 4 };
#define V(name) _mm512_##name

static inline Vector widened(const uint8_t *samples) {
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)samples));
}

/// Repeats 16 bytes in each lane.
static inline Vector everywhere(const void *bytes) { return _mm512_broadcast_i32x4(_mm_loadu_si128(bytes)); }

static inline Vector either(Vector a, Vector b) { return _mm512_or_si512(a, b); }

static inline Vector withSign(Vector magnitude, Vector number) {
    return _mm512_mask_sub_epi16(magnitude, _mm512_movepi16_mask(number), _mm512_setzero_si512(), magnitude);
}

static inline void storeLanes(Vector v, int16_t *first) {
    _mm_store_si128((__m128i *)first, _mm512_castsi512_si128(v));
    _mm_store_si128((__m128i *)(first + 64), _mm512_extracti32x4_epi32(v, 1));
    _mm_store_si128((__m128i *)(first + 128), _mm512_extracti32x4_epi32(v, 2));
    _mm_store_si128((__m128i *)(first + 192), _mm512_extracti32x4_epi32(v, 3));
}

/// A bit for each of 64 coefficients.
static inline uint64_t nonzeros(const int16_t *block) {
    const Vector low = _mm512_load_si512(block), high = _mm512_load_si512(block + 32);
    return (uint64_t)_mm512_test_epi16_mask(high, high) << 32 | _mm512_test_epi16_mask(low, low);
}

#include "Blocks.h"
#include "Codes.h"
#include "ManyCodes.h"
#include "BlockCodes.h"
#include "Scan.h"

size_t rawmill_jpeg_code_avx512(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity) {
    return codeScan(scan, output, capacity);
}

#pragma clang attribute pop
#else
size_t rawmill_jpeg_code_avx512(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity) { return 0; }
#endif
