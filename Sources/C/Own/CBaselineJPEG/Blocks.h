/// Samples to quantised coefficients, as many 8 × 8 blocks at once as a vector has 128-bit lanes.
///
/// The including file defines `V`, which names the instructions, and everything else that depends on the vector's
/// width. All instructions work within lanes, each holding a row of a block, so the code is the same for all widths.
#pragma once

/// Transposes each block.
static inline void transpose(Vector *r) {
    Vector a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = V(unpacklo_epi16)(r[i], r[i + 1]);
        a[i + 1] = V(unpackhi_epi16)(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        b[i] = V(unpacklo_epi32)(a[i], a[i + 2]);
        b[i + 1] = V(unpackhi_epi32)(a[i], a[i + 2]);
        b[i + 2] = V(unpacklo_epi32)(a[i + 1], a[i + 3]);
        b[i + 3] = V(unpackhi_epi32)(a[i + 1], a[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        r[2 * i] = V(unpacklo_epi64)(b[i], b[i + 4]);
        r[2 * i + 1] = V(unpackhi_epi64)(b[i], b[i + 4]);
    }
}

/// Two 16-bit factors in each 32 bits.
static inline Vector factors(int16_t first, int16_t second) {
    return V(set1_epi32)((int32_t)((uint32_t)(uint16_t)second << 16 | (uint16_t)first));
}

/// 32-bit sums, rounded to 16-bit numbers without `shift` fraction bits.
static inline Vector narrow(Vector low, Vector high, int shift) {
    const Vector half = V(set1_epi32)(1 << (shift - 1));
    return V(packs_epi32)(
        V(srai_epi32)(V(add_epi32)(low, half), shift), V(srai_epi32)(V(add_epi32)(high, half), shift));
}

/// Sums of the products of pairs (a, b) with two factors.
static inline Vector two(Vector a, Vector b, Vector f, int shift) {
    return narrow(
        V(madd_epi16)(V(unpacklo_epi16)(a, b), f), V(madd_epi16)(V(unpackhi_epi16)(a, b), f), shift);
}

/// One direction of the discrete cosine transform (C. Loeffler, A. Ligtenberg and G. Moschytz, 1989, "Practical fast
/// 1-D DCT algorithms with 11 multiplications"), with 13-bit factors as in libjpeg's accurate integer transform (T. G.
/// Lane, 1991), whose sums are exact and may be added in any order.
///
/// The first direction keeps two fraction bits, which the second removes. Samples are unsigned; the offset is
/// subtracted from the mean, the only coefficient that it affects.
static inline void cosines(Vector *d, int isFirst) {
    const Vector t0 = V(add_epi16)(d[0], d[7]), t7 = V(sub_epi16)(d[0], d[7]);
    const Vector t1 = V(add_epi16)(d[1], d[6]), t6 = V(sub_epi16)(d[1], d[6]);
    const Vector t2 = V(add_epi16)(d[2], d[5]), t5 = V(sub_epi16)(d[2], d[5]);
    const Vector t3 = V(add_epi16)(d[3], d[4]), t4 = V(sub_epi16)(d[3], d[4]);
    const Vector t10 = V(add_epi16)(t0, t3), t13 = V(sub_epi16)(t0, t3);
    const Vector t11 = V(add_epi16)(t1, t2), t12 = V(sub_epi16)(t1, t2);
    const Vector mean = V(add_epi16)(t10, t11), fourth = V(sub_epi16)(t10, t11);
    const int shift = isFirst ? 11 : 15;
    if (isFirst) {
        d[0] = V(slli_epi16)(V(sub_epi16)(mean, V(set1_epi16)(8 * 128)), 2);
        d[4] = V(slli_epi16)(fourth, 2);
    } else {
        const Vector half = V(set1_epi16)(2);
        d[0] = V(srai_epi16)(V(add_epi16)(mean, half), 2);
        d[4] = V(srai_epi16)(V(add_epi16)(fourth, half), 2);
    }
    d[2] = two(t12, t13, factors(4433, 4433 + 6270), shift);
    d[6] = two(t12, t13, factors(4433 - 15137, 4433), shift);
    const Vector low45 = V(unpacklo_epi16)(t4, t5), high45 = V(unpackhi_epi16)(t4, t5);
    const Vector low67 = V(unpacklo_epi16)(t6, t7), high67 = V(unpackhi_epi16)(t6, t7);
    static const int16_t odd[4][4] = {
        {2260, 6437, 9633, 11363}, {-6436, -11362, -2259, 9633}, {9633, 2261, -11362, 6437}, {-11363, 9633, -6436, 2260}};
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        const Vector f = factors(odd[i][0], odd[i][1]), g = factors(odd[i][2], odd[i][3]);
        d[2 * i + 1] = narrow(
            V(add_epi32)(V(madd_epi16)(low45, f), V(madd_epi16)(low67, g)),
            V(add_epi32)(V(madd_epi16)(high45, f), V(madd_epi16)(high67, g)), shift);
    }
}

/// Divides a row of coefficients, rounding halves away from zero.
static inline Vector quantised(Vector row, const struct RawmillJPEGTables *tables, int index) {
    const Vector magnitude = V(add_epi16)(V(abs_epi16)(row), everywhere(tables->corrections + 8 * index));
    const Vector quotient = V(mulhi_epu16)(magnitude, everywhere(tables->reciprocals + 8 * index));
    return withSign(V(mulhi_epu16)(quotient, everywhere(tables->scales + 8 * index)), row);
}

/// For each group of eight coefficients in coding order and each row, which bytes come from that row.
struct Zigzag {
    _Alignas(16) int8_t bytes[8][8][16];
};

/// Position in a block of each coefficient in coding order (ITU-T T.81, figure A.6).
static const uint8_t naturalPlaces[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

static inline void makeZigzag(struct Zigzag *zigzag) {
    memset(zigzag, -1, sizeof *zigzag);
    for (int place = 0; place < 64; place++) {
        const int row = naturalPlaces[place] / 8, column = naturalPlaces[place] % 8;
        int8_t *bytes = zigzag->bytes[place / 8][row] + 2 * (place % 8);
        bytes[0] = (int8_t)(2 * column);
        bytes[1] = (int8_t)(2 * column + 1);
    }
}

/// Transforms and quantises adjacent blocks.
///
/// - rows: the blocks' eight rows of samples.
/// - coefficients: 64 per block, in coding order.
static inline void transformBlocks(
    const uint8_t *const *rows, size_t x, const struct RawmillJPEGTables *tables, const struct Zigzag *zigzag,
    int16_t *coefficients) {
    Vector d[8];
    for (int i = 0; i < 8; i++) d[i] = widened(rows[i] + x);
    transpose(d);
    cosines(d, 1);
    transpose(d);
    cosines(d, 0);
    for (int i = 0; i < 8; i++) d[i] = quantised(d[i], tables, i);
    // The first and last row that each group of eight uses.
    static const int first[8] = {0, 0, 1, 0, 4, 1, 3, 5}, last[8] = {2, 4, 6, 3, 7, 6, 7, 7};
#pragma clang loop unroll(full)
    for (int group = 0; group < 8; group++) {
        Vector ordered = V(shuffle_epi8)(d[first[group]], everywhere(zigzag->bytes[group][first[group]]));
        for (int row = first[group] + 1; row <= last[group]; row++) {
            const Vector picked = V(shuffle_epi8)(d[row], everywhere(zigzag->bytes[group][row]));
            ordered = either(ordered, picked);
        }
        storeLanes(ordered, coefficients + 8 * group);
    }
}
