/// Applies a LUT to light, for the files that pack the resulting bytes. Include between `RAWMILL_AVX512_BEGIN` and
/// `RAWMILL_AVX512_END`.
#pragma once

// A 512-bit vector has four 128-bit lanes, and most integer instructions work within lanes. "u0.12" is an unsigned
// fixed-point number with 12 fraction bits. F is the number of fraction bits of a coordinate (`fractionBits`), at most
// 12.

/// 32 pixels of one corner: pixels 0-15 in vectors 0, pixels 16-31 in vectors 1.
struct Tetrahedra {
    /// Byte offset of each pixel's tetrahedron, 32 bits each.
    __m512i offsets[2];
    /// Pairs of 16 bits: 1 and red's fraction, both u(16-F).F.
    __m512i baseRed[2];
    /// Pairs of 16 bits: green's and blue's fraction, both u(16-F).F.
    __m512i greenBlue[2];
};

/// The values of a curve at 32 indices.
///
/// Formula (`PiecewiseCubic`): start + slope · t + bend · t (256 - t) + twist · t (256 - t) (t - 128) / 256, each
/// product rounded down. The index's upper byte is the piece, its lower byte is t.
///
/// Format: 16-bit integers. start is u16.0, slope u8.8, bend and twist s0.16. In the code `t` is t · 2⁸, so that the
/// upper halves of products are the results: ⌊slope · t⌋; `square` = t (256 - t), from t · 2⁸ times (256 - t) · 2⁸;
/// `odd` = ⌊square · (t - 128) / 2⁸⌋, where flipping the top bit of `t` gives the signed (t - 128) · 2⁸.
///
/// Lanes: element i belongs to index i. A table of 32 numbers fills one vector, so a permutation is a look-up.
static inline __m512i value(const uint16_t *pieces, __m512i index) {
    const __m512i sign = _mm512_set1_epi16((int16_t)0x8000);
    const __m512i piece = _mm512_srli_epi16(index, 8);
    const __m512i start = _mm512_permutexvar_epi16(piece, _mm512_loadu_si512(pieces));
    const __m512i slope = _mm512_permutexvar_epi16(piece, _mm512_loadu_si512(pieces + 32));
    const __m512i bend = _mm512_permutexvar_epi16(piece, _mm512_loadu_si512(pieces + 64));
    const __m512i twist = _mm512_permutexvar_epi16(piece, _mm512_loadu_si512(pieces + 96));
    const __m512i t = _mm512_slli_epi16(index, 8);
    const __m512i square = _mm512_mulhi_epu16(t, _mm512_sub_epi16(_mm512_setzero_si512(), t));
    const __m512i odd = _mm512_mulhi_epi16(square, _mm512_xor_si512(t, sign));
    return _mm512_add_epi16(
        _mm512_add_epi16(start, _mm512_mulhi_epu16(t, slope)),
        _mm512_add_epi16(_mm512_mulhi_epi16(square, bend), _mm512_mulhi_epi16(odd, twist)));
}

/// The LUT coordinates of 32 light values.
///
/// Formula (`LightLUTIndex`): index = (bits(light + offset) - bits(offset)) >> 14, at most `last`; coordinate =
/// value(index).
///
/// Format: single precision to u(16-F).F, cells and fractions of a cell.
///
/// Lanes: packing works within lanes, so the results are in the order 0-3, 16-19 | 4-7, 20-23 | 8-11, 24-27 | 12-15,
/// 28-31. Unpacking in `locate` restores pixel order.
static inline __m512i coordinates(struct RawmillCoordinateCurve curve, const float *light, __m512 offset) {
    const __m512i first = _mm512_castps_si512(offset);
    __m512i low = _mm512_castps_si512(_mm512_add_ps(_mm512_loadu_ps(light), offset));
    __m512i high = _mm512_castps_si512(_mm512_add_ps(_mm512_loadu_ps(light + 16), offset));
    low = _mm512_srli_epi32(_mm512_sub_epi32(low, first), 14);
    high = _mm512_srli_epi32(_mm512_sub_epi32(high, first), 14);
    __m512i last = _mm512_set1_epi16((int16_t)curve.last);
    return value(curve.pieces, _mm512_min_epu16(_mm512_packus_epi32(low, high), last));
}

/// The tetrahedra and weights of 32 pixels of one corner.
///
/// Formula: with the fractions fr, fg, fb of the coordinates and n cells along an edge, the tetrahedron's number is 6 ·
/// (red cell + green cell · n + blue cell · n²) + (fr > fg) + 2 · ((fg > fb) + (fr > fb)), as in `TetrahedralLUT`.
///
/// Format: cells, fractions and codes are 16-bit integers; n³ - 1 fits for n ≤ 32. Fractions have at most 12 bits, so
/// comparisons are sign bits of differences. Byte offsets are 32-bit integers: 192 · cell + 32 · code, one
/// multiplication of pairs.
///
/// Lanes: the coordinates are in the order of `coordinates`. Unpacking the lower and upper halves of each lane gives
/// pixels 0-15 and 16-31 in order.
static inline struct Tetrahedra locate(const struct RawmillLUT *lut, const float *light, size_t stride) {
    const __m512 offset = _mm512_set1_ps(lut->offset);
    const __m512i red = coordinates(lut->curve, light, offset);
    const __m512i green = coordinates(lut->curve, light + stride, offset);
    const __m512i blue = coordinates(lut->curve, light + 2 * stride, offset);
    const __m512i bits = _mm512_set1_epi16((int16_t)lut->fractionBits);
    const __m512i one = _mm512_set1_epi16((int16_t)(1 << lut->fractionBits));
    const __m512i mask = _mm512_sub_epi16(one, _mm512_set1_epi16(1));
    const __m512i row = _mm512_set1_epi16((int16_t)lut->cells);
    const __m512i plane = _mm512_mullo_epi16(row, row);
    __m512i fr = _mm512_and_si512(red, mask), fg = _mm512_and_si512(green, mask), fb = _mm512_and_si512(blue, mask);
    __m512i cell = _mm512_add_epi16(
        _mm512_srlv_epi16(red, bits),
        _mm512_add_epi16(
            _mm512_mullo_epi16(_mm512_srlv_epi16(green, bits), row),
            _mm512_mullo_epi16(_mm512_srlv_epi16(blue, bits), plane)));
    __m512i redGreen = _mm512_srli_epi16(_mm512_sub_epi16(fg, fr), 15);
    __m512i aboveBlue = _mm512_add_epi16(
        _mm512_srli_epi16(_mm512_sub_epi16(fb, fg), 15), _mm512_srli_epi16(_mm512_sub_epi16(fb, fr), 15));
    __m512i code = _mm512_add_epi16(redGreen, _mm512_slli_epi16(aboveBlue, 1));
    // A tetrahedron has 32 bytes, a cell six tetrahedra.
    const __m512i sizes = _mm512_set1_epi32(32 << 16 | 6 * 32);
    return (struct Tetrahedra){
        {_mm512_madd_epi16(_mm512_unpacklo_epi16(cell, code), sizes),
         _mm512_madd_epi16(_mm512_unpackhi_epi16(cell, code), sizes)},
        {_mm512_unpacklo_epi16(one, fr), _mm512_unpackhi_epi16(one, fr)},
        {_mm512_unpacklo_epi16(fg, fb), _mm512_unpackhi_epi16(fg, fb)}};
}

/// Two tetrahedra, by byte offset.
///
/// Lanes: two per tetrahedron: the four pairs (base, red slope), then the four pairs (-green slope, -blue slope), each
/// for luma, Cb, Cr and an unused value. Base and slopes are s8.7.
static inline __m512i pair(const int16_t *tetrahedra, const uint32_t *offsets) {
    const char *bytes = (const char *)tetrahedra;
    __m256i first = _mm256_load_si256((const __m256i *)(bytes + offsets[0]));
    __m256i second = _mm256_load_si256((const __m256i *)(bytes + offsets[1]));
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
}

/// The values of pixels `index` to `index` + 3 of 16.
///
/// Formula: value = (base · 1 + red slope · fr) - (-green slope · fg + -blue slope · fb).
///
/// Format: s8.7 times u0.F, giving non-negative 32-bit integers with 7 + F fraction bits.
///
/// Lanes: one per pixel, with luma, Cb, Cr and an unused value. `spread` repeats each pixel's pair of weights for the
/// four pairs that it multiplies. Products of a pixel's first and second lane are then gathered from lanes 0 and 2, and
/// from lanes 1 and 3.
static inline __m512i interpolate(
    const int16_t *tetrahedra, const struct Tetrahedra *pixels, int half, int index) {
    const uint32_t *offsets = (const uint32_t *)&pixels->offsets[half];
    const __m512i baseRed = pixels->baseRed[half], greenBlue = pixels->greenBlue[half];
    const __m512i spread = _mm512_set_epi32(17, 17, 17, 17, 1, 1, 1, 1, 16, 16, 16, 16, 0, 0, 0, 0);
    __m512i first = _mm512_add_epi32(spread, _mm512_set1_epi32(index));
    __m512i next = _mm512_add_epi32(spread, _mm512_set1_epi32(index + 2));
    __m512i a = _mm512_madd_epi16(
        pair(tetrahedra, offsets + index), _mm512_permutex2var_epi32(baseRed, first, greenBlue));
    __m512i b = _mm512_madd_epi16(
        pair(tetrahedra, offsets + index + 2), _mm512_permutex2var_epi32(baseRed, next, greenBlue));
    return _mm512_sub_epi32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
}

/// The bytes of four vectors of 32-bit integers, 0…255.
///
/// Lanes: lane i holds the four bytes of lane i of v[0], then those of v[1], v[2] and v[3].
static inline __m512i bytes(const __m512i *v) {
    return _mm512_packus_epi16(_mm512_packus_epi32(v[0], v[1]), _mm512_packus_epi32(v[2], v[3]));
}
