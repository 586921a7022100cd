#include "CAVX512.h"
#include "AVX512.h"

#if defined(__x86_64__)

// Fusing a multiplication and an addition would change the sums' bits.
#pragma STDC FP_CONTRACT OFF

RAWMILL_AVX512_BEGIN

/// Red, green and blue of two rows.
enum { planes = 6 };

struct Sums {
    __m512 plane[planes];
};

/// Up to 16 adjacent outputs of each plane.
///
/// Formula: sum[i] = Σ over taps k of input[starts[i] + k] · weight[k][i], in single precision, each product and each
/// sum rounded, k ascending from a sum of 0.
///
/// Lanes: lane i of each vector belongs to output `output` + i. `low` and `high` hold the 32 inputs from the first
/// output's start. Lane i of `index` is the position of the current tap's input among them. Only its lowest five bits
/// count, so lanes beyond the group read arbitrary inputs and are ignored.
static inline struct Sums sums(
    const struct RawmillFilterTaps *taps, const float *inputs, size_t stride, size_t output) {
    const int32_t first = taps->starts[output];
    __m512i index = _mm512_sub_epi32(_mm512_loadu_si512(taps->starts + output), _mm512_set1_epi32(first));
    __m512 low[planes], high[planes];
    struct Sums sums;
    for (int plane = 0; plane < planes; plane++) {
        low[plane] = _mm512_loadu_ps(inputs + plane * stride + first);
        high[plane] = _mm512_loadu_ps(inputs + plane * stride + first + 16);
        sums.plane[plane] = _mm512_setzero_ps();
    }
    for (size_t tap = 0; tap < taps->count; tap++) {
        __m512 weight = _mm512_loadu_ps(taps->weights + tap * taps->stride + output);
        for (int plane = 0; plane < planes; plane++) {
            __m512 input = _mm512_permutex2var_ps(low[plane], index, high[plane]);
            sums.plane[plane] = _mm512_add_ps(sums.plane[plane], _mm512_mul_ps(input, weight));
        }
        index = _mm512_add_epi32(index, _mm512_set1_epi32(1));
    }
    return sums;
}

/// Formula: output[i] = max(0, sum[i]), with the operands of max in the order that keeps NaN and the sign of zero.
///
/// Lanes: `order` sorts a group's outputs o0 … o15 to o0 o2 … o14 | o1 o3 … o15. The lower half goes to the corners on
/// one side of the squares, the upper half to those on the other side.
void rawmill_filter_horizontally(
    const struct RawmillFilterTaps *taps, const float *inputs, size_t inputStride, size_t first, size_t count,
    float *outputs, size_t outputStride, bool beginsRight) {
    const __m512i order = _mm512_set_epi32(15, 13, 11, 9, 7, 5, 3, 1, 14, 12, 10, 8, 6, 4, 2, 0);
    // If the first output is a right corner, the second is the left corner of the next square.
    float *even = outputs + (beginsRight ? 3 * outputStride : 0);
    float *odd = outputs + (beginsRight ? 1 : 3 * outputStride);
    for (size_t x = 0; x < count; x += taps->atOnce) {
        struct Sums group = sums(taps, inputs, inputStride, first + x);
        for (int plane = 0; plane < planes; plane++) {
            __m512 light = _mm512_max_ps(_mm512_setzero_ps(), group.plane[plane]);
            __m512 sorted = _mm512_permutexvar_ps(order, light);
            // Each of the two rows has two corners of three planes.
            size_t offset = (plane / 3 * 6 + plane % 3) * outputStride + x / 2;
            _mm256_storeu_ps(even + offset, _mm512_castps512_ps256(sorted));
            _mm256_storeu_ps(odd + offset, _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(sorted), 1)));
        }
    }
}

RAWMILL_AVX512_END

#else

void rawmill_filter_horizontally(
    const struct RawmillFilterTaps *taps, const float *inputs, size_t inputStride, size_t first, size_t count,
    float *outputs, size_t outputStride, bool beginsRight) {
    __builtin_trap();
}

#endif
