/// Cubic interpolation between 16-bit samples, sixteen at a time, each at a place of its own.
///
/// It is in C because Swift's vectors do not give the upper half of a product of 16-bit numbers. The functions are inline,
/// so that they are compiled with the Swift code that calls them, for its processor level. They compute with integers
/// alone: the same bits everywhere. A row is one call: weights and rows stay in registers from cell to cell.
#pragma once
#include <stdint.h>
#include <string.h>

typedef int16_t RawmillShorts __attribute__((vector_size(32)));
typedef uint16_t RawmillPlaces __attribute__((vector_size(32)));
typedef int32_t RawmillLongs __attribute__((vector_size(64)));
typedef int16_t RawmillEight __attribute__((vector_size(16)));

/// Whole samples by which the places of a cell may differ at most: three ends differ by 7 each.
enum { RAWMILL_CUBIC_STEPS = 16 };

/// The upper half of the products of signed numbers. Compilers find the instruction for it only sometimes. Vectors are passed
/// by their addresses: by value they would be passed in other ways at other processor levels.
static inline __attribute__((always_inline)) void rawmill_high(
    const RawmillShorts *a, const RawmillShorts *b, RawmillShorts *high) {
#if defined(__AVX2__)
    *high = (RawmillShorts)__builtin_ia32_pmulhw256(*a, *b);
#elif defined(__SSE2__)
    RawmillEight x[2], y[2];
    memcpy(x, a, 32);
    memcpy(y, b, 32);
    x[0] = __builtin_ia32_pmulhw128(x[0], y[0]);
    x[1] = __builtin_ia32_pmulhw128(x[1], y[1]);
    memcpy(high, x, 32);
#else
    *high = __builtin_convertvector(
        (__builtin_convertvector(*a, RawmillLongs) * __builtin_convertvector(*b, RawmillLongs)) >> 16, RawmillShorts);
#endif
}

/// Sixteen shorts of each of the two halves that eight places share.
#define RAWMILL_HALVES(type, a, b) ((type){a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b})

/// Weights for sixteen places.
typedef struct {
    /// Shares of the way to the next sample, and two weights of curvature.
    RawmillShorts t, a, b;
} RawmillWeights;

/// Weights for sixteen places, whose offsets are linear between three given ones, eight places apart.
///
/// With `t` the share of the way from a sample p1 to the next one p2, a value is
/// p1 + t (p2 - p1) + a (2 p1 - p0 - p2) / 2 + b (2 p2 - p1 - p3) / 2, with a = k t (1 - t)², b = k t² (1 - t). With k = 1
/// that is the cubic convolution of R. Keys (1981, "Cubic convolution interpolation for digital image processing"); with
/// k = 11/8 fine detail keeps more of its contrast half-way between samples.
///
/// - ends: three offsets in 65,536ths of a sample. Whole samples do not matter.
static inline __attribute__((always_inline)) void rawmill_cubic_weights(const int32_t *ends, RawmillWeights *weights) {
    const RawmillPlaces lane = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    const uint16_t s = (uint16_t)ends[0], m = (uint16_t)ends[1];
    const uint16_t u = (uint16_t)((ends[1] - ends[0]) >> 3), v = (uint16_t)((ends[2] - ends[1]) >> 3);
    const RawmillPlaces place = RAWMILL_HALVES(RawmillPlaces, s, m) + RAWMILL_HALVES(RawmillPlaces, u, v) * lane;
    const RawmillShorts t = (RawmillShorts)(place >> 1), rest = 32767 - t;
    // The product of both shares as unsigned numbers, a quarter at most: the signed one lacks either where the other counts as
    // negative, and exactly one does.
    const RawmillShorts share = (RawmillShorts)place, other = (RawmillShorts)(65535 - place);
    RawmillShorts both;
    rawmill_high(&share, &other, &both);
    both += ((share < 0) & other) | ((other < 0) & share);
    both += (both >> 2) + (both >> 3);
    weights->t = t;
    rawmill_high(&both, &rest, &weights->a);
    rawmill_high(&both, &t, &weights->b);
}

/// By how many more whole samples than `whole` each of sixteen places lies from its own.
static inline __attribute__((always_inline)) void rawmill_cubic_steps(
    const int32_t *ends, int32_t whole, RawmillShorts *later) {
    const RawmillLongs lane = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    const int32_t u = (ends[1] - ends[0]) >> 3, v = (ends[2] - ends[1]) >> 3;
    const RawmillLongs place =
        RAWMILL_HALVES(RawmillLongs, ends[0], ends[1]) + RAWMILL_HALVES(RawmillLongs, u, v) * lane;
    *later = __builtin_convertvector((place >> 16) - whole, RawmillShorts);
}

/// Sixteen samples of row `index`.
#define RAWMILL_LOAD(sample, index)                                                                                    \
    RawmillShorts sample;                                                                                              \
    memcpy(&sample, rows[index] + offset, 32)

/// The values of `to` where the mask has 1 bits.
#define RAWMILL_SELECT(value, to) value = (value & ~mask) | (to & mask)

/// Sixteen values, each between the second and the third of four rows. Samples lie in 0…16,383; values may lie a quarter of
/// that outside.
///
/// - rows: 4 + `steps`. A value has the four from the first row on, or those from so many rows later as `later` says.
static inline __attribute__((always_inline)) void rawmill_cubic(
    const int16_t *const *rows, long offset, int steps, const RawmillShorts *later, const RawmillWeights *weights,
    RawmillShorts *value) {
    RAWMILL_LOAD(p0, 0);
    RAWMILL_LOAD(p1, 1);
    RAWMILL_LOAD(p2, 2);
    RAWMILL_LOAD(p3, 3);
    if (steps > 0) {
        const RawmillShorts mask = *later >= 1;
        RAWMILL_LOAD(p4, 4);
        RAWMILL_SELECT(p0, p1);
        RAWMILL_SELECT(p1, p2);
        RAWMILL_SELECT(p2, p3);
        RAWMILL_SELECT(p3, p4);
    }
    for (int step = 2; step <= steps; step++) {
        const RawmillShorts mask = *later >= (int16_t)step;
        RAWMILL_LOAD(q0, step);
        RAWMILL_LOAD(q1, step + 1);
        RAWMILL_LOAD(q2, step + 2);
        RAWMILL_LOAD(q3, step + 3);
        RAWMILL_SELECT(p0, q0);
        RAWMILL_SELECT(p1, q1);
        RAWMILL_SELECT(p2, q2);
        RAWMILL_SELECT(p3, q3);
    }
    const RawmillShorts d1 = p1 + p1, d2 = p2 + p2, d = d2 - d1, c1 = d1 - p0 - p2, c2 = d2 - p1 - p3;
    RawmillShorts linear, before, behind;
    rawmill_high(&d, &weights->t, &linear);
    rawmill_high(&c1, &weights->a, &before);
    rawmill_high(&c2, &weights->b, &behind);
    *value = p1 + linear + before + behind;
}

static inline __attribute__((always_inline)) long rawmill_bounded(long value, long least, long most) {
    return value < least ? least : value > most ? most : value;
}

/// The whole samples of the least and the greatest of a cell's three offsets.
static inline __attribute__((always_inline)) void rawmill_range(const int32_t *ends, int32_t *least, int32_t *most) {
    const int32_t low = ends[0] < ends[1] ? ends[0] : ends[1], high = ends[0] < ends[1] ? ends[1] : ends[0];
    *least = (low < ends[2] ? low : ends[2]) >> 16;
    *most = (high > ends[2] ? high : ends[2]) >> 16;
}

/// Stretches rows along their direction: sixteen samples of each for every cell.
///
/// - source: `width` samples of the first row, between margins of 64 that repeat its ends; others lie `stride` behind it.
/// - offsets: two for each cell, and one more: how far its samples lie from where they come from.
/// - target: likewise. What is written is bounded to 0…16,383.
static inline __attribute__((always_inline)) void rawmill_stretch(
    const int16_t *source, long stride, long width, const int32_t *offsets, long cells, int16_t *target,
    long targetStride, int count) {
    for (long cell = 0; cell < cells; cell++) {
        const int32_t *ends = offsets + 2 * cell;
        int32_t least, most;
        rawmill_range(ends, &least, &most);
        RawmillWeights weights;
        rawmill_cubic_weights(ends, &weights);
        // Beyond its ends the row repeats them, so that it makes no difference how far.
        const int16_t *first = source + rawmill_bounded(16 * cell + least, -48, width + 24) - 1;
        const int steps = most - least < RAWMILL_CUBIC_STEPS ? most - least : RAWMILL_CUBIC_STEPS;
        const int16_t *rows[RAWMILL_CUBIC_STEPS + 4];
        for (int i = 0; i < 5; i++) rows[i] = first + i;
        RawmillShorts later = {0};
        if (steps > 0) rawmill_cubic_steps(ends, least, &later);
        if (steps > 1)
            for (int i = 5; i < steps + 4; i++) rows[i] = first + i;
        for (int i = 0; i < count; i++) {
            RawmillShorts value;
            if (steps == 0)
                rawmill_cubic(rows, i * stride, 0, &later, &weights, &value);
            else if (steps == 1)
                rawmill_cubic(rows, i * stride, 1, &later, &weights, &value);
            else
                rawmill_cubic(rows, i * stride, steps, &later, &weights, &value);
            value &= value >= 0;
            const RawmillShorts isLarge = value > 16383;
            value = (value & ~isLarge) | (isLarge & 16383);
            memcpy(target + i * targetStride + 16 * cell, &value, 32);
        }
    }
}

/// Interpolates between rows: sixteen samples of a row for every cell, those of even and of odd place apart.
///
/// - samples: where `places` count from. Others of the same rows lie `stride` behind them.
/// - places: by row from -1 to `height` + 1, where it lies.
/// - offsets: two for each cell, and one more: how far below row `y` a sample comes from.
/// - cells: those that are made. `even` and `odd` begin with the first of them; others lie `targetStride` behind.
static inline __attribute__((always_inline)) void rawmill_bend(
    const int16_t *samples, long stride, const long *places, long y, long height, const int32_t *offsets, long firstCell,
    long endCell, int16_t *even, int16_t *odd, long targetStride, int count) {
    for (long cell = firstCell; cell < endCell; cell++) {
        const int32_t *ends = offsets + 2 * cell;
        int32_t least, most;
        rawmill_range(ends, &least, &most);
        RawmillWeights weights;
        rawmill_cubic_weights(ends, &weights);
        const int steps = most - least < RAWMILL_CUBIC_STEPS ? most - least : RAWMILL_CUBIC_STEPS;
        const int16_t *rows[RAWMILL_CUBIC_STEPS + 4];
        const int16_t *column = samples + 16 * cell;
        const long first = y + least;
        for (int i = 0; i < 5; i++) rows[i] = column + places[rawmill_bounded(first + i, 0, height + 1)];
        RawmillShorts later = {0};
        if (steps > 0) rawmill_cubic_steps(ends, least, &later);
        if (steps > 1)
            for (int i = 5; i < steps + 4; i++) rows[i] = column + places[rawmill_bounded(first + i, 0, height + 1)];
        for (int i = 0; i < count; i++) {
            RawmillShorts value;
            if (steps == 0)
                rawmill_cubic(rows, i * stride, 0, &later, &weights, &value);
            else if (steps == 1)
                rawmill_cubic(rows, i * stride, 1, &later, &weights, &value);
            else
                rawmill_cubic(rows, i * stride, steps, &later, &weights, &value);
            const RawmillEight one = __builtin_shufflevector(value, value, 0, 2, 4, 6, 8, 10, 12, 14);
            const RawmillEight other = __builtin_shufflevector(value, value, 1, 3, 5, 7, 9, 11, 13, 15);
            memcpy(even + i * targetStride + 8 * (cell - firstCell), &one, 16);
            memcpy(odd + i * targetStride + 8 * (cell - firstCell), &other, 16);
        }
    }
}
