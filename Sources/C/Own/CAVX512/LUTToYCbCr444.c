#include "CAVX512.h"
#include "AVX512.h"

#if defined(__x86_64__)

RAWMILL_AVX512_BEGIN

#include "LUTTetrahedra.h"

/// The bytes of 8 pairs of pixels, from 2 × 2 vectors of `interpolate`: left and right of pairs 0-3 and 4-7.
///
/// Lanes: packing gives lane i the luma, Cb, Cr and unused byte of the left pixel of pair i, of its right pixel, and of
/// those of pair 4 + i. `together` gathers luma, Cb and Cr of the four pixels as a 16-bit number per pair and plane.
static inline __m512i pairs(const __m512i *left, const __m512i *right) {
    const __m512i together =
        _mm512_broadcast_i32x4(_mm_set_epi8(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0));
    const __m512i v[4] = {left[0], right[0], left[1], right[1]};
    return _mm512_shuffle_epi8(bytes(v), together);
}

/// Formula, per pixel and plane: tetrahedral interpolation at the coordinates of its light >> (7 + F). The LUT already
/// includes half a step, so shifts round.
///
/// Lanes: 32 pairs of pixels at once; `interpolate` takes the left or the right pixels of four. From the two vectors
/// that `pairs` makes of 16 pairs, `order` gathers all luma, then Cb; `last` gathers Cr.
size_t rawmill_lut_to_ycbcr444(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *luma, uint8_t *cb,
    uint8_t *cr) {
    const __m512i shift = _mm512_set1_epi32((int32_t)lut->shift);
    const __m512i order = _mm512_set_epi16(
        59, 51, 43, 35, 58, 50, 42, 34, 27, 19, 11, 3, 26, 18, 10, 2,
        57, 49, 41, 33, 56, 48, 40, 32, 25, 17, 9, 1, 24, 16, 8, 0);
    const __m512i last = _mm512_add_epi16(order, _mm512_set1_epi16(4));
    const int16_t *tetrahedra = lut->tetrahedra;
    size_t start = 0;
    for (; start + 32 <= count; start += 32) {
        const struct Tetrahedra left = locate(lut, light + start, stride);
        const struct Tetrahedra right = locate(lut, light + 3 * stride + start, stride);
        for (int half = 0; half < 2; half++) {
            __m512i packed[2];
#pragma clang loop unroll(full)
            for (int part = 0; part < 2; part++) {
                __m512i l[2], r[2];
#pragma clang loop unroll(full)
                for (int group = 0; group < 2; group++) {
                    const int index = 8 * part + 4 * group;
                    l[group] = _mm512_srlv_epi32(interpolate(tetrahedra, &left, half, index), shift);
                    r[group] = _mm512_srlv_epi32(interpolate(tetrahedra, &right, half, index), shift);
                }
                packed[part] = pairs(l, r);
            }
            const size_t x = 2 * (start + 16 * half);
            __m512i lumaCb = _mm512_permutex2var_epi16(packed[0], order, packed[1]);
            __m512i reds = _mm512_permutex2var_epi16(packed[0], last, packed[1]);
            _mm256_storeu_si256((__m256i *)(luma + x), _mm512_castsi512_si256(lumaCb));
            _mm256_storeu_si256((__m256i *)(cb + x), _mm512_extracti64x4_epi64(lumaCb, 1));
            _mm256_storeu_si256((__m256i *)(cr + x), _mm512_castsi512_si256(reds));
        }
    }
    return start;
}

RAWMILL_AVX512_END

#else

size_t rawmill_lut_to_ycbcr444(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *luma, uint8_t *cb,
    uint8_t *cr) {
    __builtin_trap();
}

#endif
