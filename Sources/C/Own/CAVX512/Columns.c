#include "CAVX512.h"

#if defined(__AVX512F__)
#include <immintrin.h>

// Sums are the same bits everywhere: nothing may become a fused multiplication and addition.
#pragma STDC FP_CONTRACT OFF

enum { planes = 6 };

/// The results of one group, before they are split into even and odd ones.
struct Sums {
    __m512 plane[planes];
};

/// Up to 16 results of each plane from 32 inputs: each tap picks its own.
static inline struct Sums sums(const struct RawmillTaps *taps, const float *inputs, size_t stride, size_t result) {
    const int32_t first = taps->starts[result];
    __m512i place = _mm512_sub_epi32(_mm512_loadu_si512(taps->starts + result), _mm512_set1_epi32(first));
    __m512 low[planes], high[planes];
    struct Sums sums;
    for (int plane = 0; plane < planes; plane++) {
        low[plane] = _mm512_loadu_ps(inputs + plane * stride + first);
        high[plane] = _mm512_loadu_ps(inputs + plane * stride + first + 16);
        sums.plane[plane] = _mm512_setzero_ps();
    }
    for (size_t tap = 0; tap < taps->count; tap++) {
        __m512 weight = _mm512_loadu_ps(taps->weights + tap * taps->stride + result);
        for (int plane = 0; plane < planes; plane++) {
            __m512 input = _mm512_permutex2var_ps(low[plane], place, high[plane]);
            sums.plane[plane] = _mm512_add_ps(sums.plane[plane], _mm512_mul_ps(input, weight));
        }
        place = _mm512_add_epi32(place, _mm512_set1_epi32(1));
    }
    return sums;
}

bool rawmill_filter_columns(
    const struct RawmillTaps *taps, const float *inputs, size_t inputStride, size_t first, size_t count,
    float *outputs, size_t outputStride, bool beginsRight) {
    const __m512i order = _mm512_set_epi32(15, 13, 11, 9, 7, 5, 3, 1, 14, 12, 10, 8, 6, 4, 2, 0);
    // Where the first result is a right one, the next one is the left one of the square after it.
    float *even = outputs + (beginsRight ? 3 * outputStride : 0);
    float *odd = outputs + (beginsRight ? 1 : 3 * outputStride);
    for (size_t x = 0; x < count; x += taps->atOnce) {
        struct Sums group = sums(taps, inputs, inputStride, first + x);
        for (int plane = 0; plane < planes; plane++) {
            // In this order what is no number, and the sign of zero, stay.
            __m512 light = _mm512_max_ps(_mm512_setzero_ps(), group.plane[plane]);
            __m512 sorted = _mm512_permutexvar_ps(order, light);
            // Two corners of three planes for each of the two rows.
            size_t place = (plane / 3 * 6 + plane % 3) * outputStride + x / 2;
            _mm256_storeu_ps(even + place, _mm512_castps512_ps256(sorted));
            _mm256_storeu_ps(odd + place, _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(sorted), 1)));
        }
    }
    return true;
}

#else

bool rawmill_filter_columns(
    const struct RawmillTaps *taps, const float *inputs, size_t inputStride, size_t first, size_t count,
    float *outputs, size_t outputStride, bool beginsRight) {
    return false;
}

#endif
