#include "CAVX512.h"
#include "AVX512.h"

#if defined(__x86_64__)

RAWMILL_AVX512_BEGIN

#include "LUTTetrahedra.h"

/// Luma of 16 squares: 32 bytes of the upper row, then 32 of the lower row.
///
/// Lanes: lane i of lumas[g] has the luma of square 4 g + i: upper left, upper right, lower left, lower right. `order`
/// selects the upper byte pairs of squares 0 to 15, then their lower pairs.
static inline __m512i rows(const __m512i *lumas) {
    const __m512i order = _mm512_set_epi16(
        31, 23, 15, 7, 29, 21, 13, 5, 27, 19, 11, 3, 25, 17, 9, 1,
        30, 22, 14, 6, 28, 20, 12, 4, 26, 18, 10, 2, 24, 16, 8, 0);
    return _mm512_permutexvar_epi16(order, bytes(lumas));
}

/// Chroma of 16 squares: 16 bytes of Cb, then 16 of Cr.
///
/// Lanes: lane i of sums[g] has luma, Cb, Cr and an unused value of square 4 g + i. `together` gathers the Cb and Cr
/// bytes of each lane, `lanes` the Cb of all lanes and then the Cr, and `transpose` orders the squares.
static inline __m256i planes(const __m512i *sums) {
    const __m512i together =
        _mm512_broadcast_i32x4(_mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 14, 10, 6, 2, 13, 9, 5, 1));
    const __m512i lanes = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 13, 9, 5, 1, 12, 8, 4, 0);
    const __m256i transpose =
        _mm256_broadcastsi128_si256(_mm_set_epi8(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0));
    __m512i both = _mm512_permutexvar_epi32(lanes, _mm512_shuffle_epi8(bytes(sums), together));
    return _mm256_shuffle_epi8(_mm512_castsi512_si256(both), transpose);
}

/// Formula, per pixel: value = tetrahedral interpolation at the coordinates of its light; luma = luma value >> (7 + F).
/// Per square: Cb and Cr = (sum of its four pixels' values) >> (9 + F). The LUT already includes half a step, so shifts
/// round.
///
/// Lanes: 32 squares at once; `interpolate` takes four pixels of each corner at a time: lane i of v[c] is corner c of
/// square i of a group of four. Unpacking gathers the luma of a square's four corners in its lane.
size_t rawmill_lut_to_ycbcr420(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *upper, uint8_t *lower,
    uint8_t *cb, uint8_t *cr) {
    const __m512i shift = _mm512_set1_epi32((int32_t)lut->shift);
    const __m512i sumShift = _mm512_set1_epi32((int32_t)lut->shift + 2);
    const int16_t *tetrahedra = lut->tetrahedra;
    size_t start = 0;
    for (; start + 32 <= count; start += 32) {
        struct Tetrahedra pixels[4];
        for (int corner = 0; corner < 4; corner++) {
            pixels[corner] = locate(lut, light + 3 * corner * stride + start, stride);
        }
        for (int half = 0; half < 2; half++) {
            __m512i lumas[4], sums[4];
            // Unrolling saves 3 ms per 24 megapixels: indices become constants, and more stays in registers.
#pragma clang loop unroll(full)
            for (int group = 0; group < 4; group++) {
                __m512i v[4];
                for (int corner = 0; corner < 4; corner++) {
                    v[corner] = interpolate(tetrahedra, &pixels[corner], half, 4 * group);
                }
                __m512i top = _mm512_unpacklo_epi32(v[0], v[1]), bottom = _mm512_unpacklo_epi32(v[2], v[3]);
                lumas[group] = _mm512_srlv_epi32(_mm512_unpacklo_epi64(top, bottom), shift);
                __m512i sum = _mm512_add_epi32(_mm512_add_epi32(v[0], v[1]), _mm512_add_epi32(v[2], v[3]));
                sums[group] = _mm512_srlv_epi32(sum, sumShift);
            }
            size_t x = start + 16 * half;
            __m512i luma = rows(lumas);
            _mm256_storeu_si256((__m256i *)(upper + 2 * x), _mm512_castsi512_si256(luma));
            _mm256_storeu_si256((__m256i *)(lower + 2 * x), _mm512_extracti64x4_epi64(luma, 1));
            __m256i chroma = planes(sums);
            _mm_storeu_si128((__m128i *)(cb + x), _mm256_castsi256_si128(chroma));
            _mm_storeu_si128((__m128i *)(cr + x), _mm256_extracti128_si256(chroma, 1));
        }
    }
    return start;
}

RAWMILL_AVX512_END

#else

size_t rawmill_lut_to_ycbcr420(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *upper, uint8_t *lower,
    uint8_t *cb, uint8_t *cr) {
    __builtin_trap();
}

#endif
