/// Encodes blocks with many coefficients with AVX-512: sixteen codes at once, written four at a time.
#pragma once

enum {
    /// Fewer coefficients are faster one by one.
    MANY = 10,
    /// Maximum bits written at once. Four codes rarely exceed it.
    MAX_BITS = 60,
};

/// The non-zero coefficients of a block. Collected for all blocks of a chunk before the first is encoded: whole-vector
/// loads right after partial stores would stall until these reach the first-level cache.
struct Nonzeros {
    /// A bit for each non-zero AC coefficient.
    uint64_t places;
    /// If there are many: 0, then each coefficient, with its position in the upper and its value in the lower half.
    uint32_t coefficients[1 + 64 + 15];
};

static inline void look(const int16_t *block, struct Nonzeros *found) {
    uint64_t left = nonzeros(block) & ~(uint64_t)1;
    found->places = left;
    if (__builtin_popcountll(left) < MANY) return;
    __m512i places = _mm512_set_epi32(
        15 << 16, 14 << 16, 13 << 16, 12 << 16, 11 << 16, 10 << 16, 9 << 16, 8 << 16, 7 << 16, 6 << 16, 5 << 16, 4 << 16,
        3 << 16, 2 << 16, 1 << 16, 0);
    uint32_t *next = found->coefficients;
    *next++ = 0;
#pragma clang loop unroll(full)
    for (int i = 0; i < 64; i += 16) {
        const __m512i values = _mm512_cvtepu16_epi32(_mm256_load_si256((const __m256i *)(block + i)));
        _mm512_storeu_si512(next, _mm512_maskz_compress_epi32((__mmask16)left, _mm512_or_si512(values, places)));
        next += __builtin_popcount((uint16_t)left);
        left >>= 16;
        places = _mm512_add_epi32(places, _mm512_set1_epi32(16 << 16));
    }
}

/// Consecutive codes in 64 bits each: of four coefficients in the even elements; the odd ones are unused.
struct Fours {
    _Alignas(64) uint64_t bits[32], lengths[32];
};

/// Encodes sixteen coefficients, merging codes pairwise twice.
///
/// - coefficients: preceded by one more.
/// - there: a bit for each that is present.
///
/// Returns false if a run of zeros is longer than fifteen, or four codes exceed `MAX_BITS`.
static inline int codeSixteen(
    const uint32_t *codes, const uint32_t *coefficients, __mmask16 there, uint64_t *bits, uint64_t *lengths) {
    const __m512i own = _mm512_loadu_si512(coefficients), before = _mm512_loadu_si512(coefficients - 1);
    const __m512i apart = _mm512_sub_epi32(_mm512_srli_epi32(own, 16), _mm512_srli_epi32(before, 16));
    const __m512i zeros = _mm512_sub_epi32(apart, _mm512_set1_epi32(1));
    const __m512i value = _mm512_srai_epi32(_mm512_slli_epi32(own, 16), 16);
    const __m512i category =
        _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(_mm512_abs_epi32(value)));
    // Too long a run has no code; the mask keeps its index within the table.
    const __m512i symbol = _mm512_and_si512(
        _mm512_add_epi32(_mm512_slli_epi32(zeros, 4), category), _mm512_set1_epi32(255));
    const __m512i code = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), there, symbol, codes, 4);
    // Bits of negative values are one less.
    const __m512i valueBits = _mm512_andnot_si512(
        _mm512_sllv_epi32(_mm512_set1_epi32(-1), category), _mm512_add_epi32(value, _mm512_srai_epi32(value, 31)));
    const __m512i one = _mm512_maskz_or_epi32(there, _mm512_srli_epi32(code, 5), valueBits);
    const __m512i length = _mm512_and_si512(code, _mm512_set1_epi32(31));

    const __m512i low = _mm512_set1_epi64(0xFFFFFFFF), secondLength = _mm512_srli_epi64(length, 32);
    const __m512i two = _mm512_or_si512(
        _mm512_sllv_epi64(_mm512_and_si512(one, low), secondLength), _mm512_srli_epi64(one, 32));
    const __m512i twoLength = _mm512_add_epi64(_mm512_and_si512(length, low), secondLength);

    const __m512i nextLength = _mm512_unpackhi_epi64(twoLength, twoLength);
    const __m512i fourLength = _mm512_add_epi64(twoLength, nextLength);
    _mm512_store_si512(bits, _mm512_or_si512(_mm512_sllv_epi64(two, nextLength), _mm512_unpackhi_epi64(two, two)));
    _mm512_store_si512(lengths, fourLength);
    const __mmask16 tooLong = _mm512_mask_cmpgt_epu32_mask(there, zeros, _mm512_set1_epi32(15));
    const __mmask8 tooWide = _mm512_cmpgt_epu64_mask(fourLength, _mm512_set1_epi64(MAX_BITS)) & 0x55;
    return (tooLong | tooWide) == 0;
}

/// Encodes a block's AC coefficients.
///
/// Returns whether it did; otherwise nothing was written.
static inline int putMany(struct BitWriter *writer, const uint32_t *codes, const struct Nonzeros *found) {
    const int count = __builtin_popcountll(found->places);
    if (count < MANY) return 0;
    struct Fours fours;
    int fit = 1;
    for (int i = 0; i < count; i += 16) {
        const __mmask16 there = count - i < 16 ? (__mmask16)((1u << (count - i)) - 1) : 0xFFFF;
        fit &= codeSixteen(codes, found->coefficients + 1 + i, there, fours.bits + i / 2, fours.lengths + i / 2);
    }
    if (__builtin_expect(!fit, 0)) return 0;
    for (int i = 0; i < count; i += 4) put(writer, fours.bits[i / 2], (int)fours.lengths[i / 2]);
    return 1;
}
