/// Cubic interpolation between 16-bit samples, a vector at a time, each element at its own position.
///
/// In C, because Swift's vectors cannot return the upper half of 16-bit products. Inline, so that it is compiled with
/// the calling Swift code, for its processor level. Integer arithmetic only: the same bits everywhere. One call per row
/// keeps weights and rows in registers from cell to cell.
#pragma once
#include <stdint.h>
#include <string.h>

/// Samples of a cell, which are interpolated at once: 512 bits if available, otherwise 256.
#if defined(__AVX512BW__)
enum { RAWMILL_CELL = 32 };
#else
enum { RAWMILL_CELL = 16 };
#endif

/// Whether picking samples of a row is equally fast at any position.
#if defined(__AVX512BW__)
enum { RAWMILL_PICKS_ANY = 1 };
#else
enum { RAWMILL_PICKS_ANY = 0 };
#endif

/// Samples between given offsets, and offsets per cell without the last, which is the next cell's first.
enum { RAWMILL_SPACING = 8, RAWMILL_CELL_OFFSETS = RAWMILL_CELL / RAWMILL_SPACING };

/// Limit of the difference of positions in a cell, in whole samples: adjacent offsets differ by at most 7.
enum { RAWMILL_CUBIC_STEPS = RAWMILL_CELL };

typedef int16_t RawmillShorts __attribute__((vector_size(2 * RAWMILL_CELL)));
typedef uint16_t RawmillPlaces __attribute__((vector_size(2 * RAWMILL_CELL)));
typedef int32_t RawmillLongs __attribute__((vector_size(4 * RAWMILL_CELL)));
typedef uint32_t RawmillUnsignedLongs __attribute__((vector_size(4 * RAWMILL_CELL)));
typedef int16_t RawmillEight __attribute__((vector_size(16)));
typedef int32_t RawmillOffsets __attribute__((vector_size(4 * RAWMILL_CELL_OFFSETS)));
typedef int16_t RawmillFractions __attribute__((vector_size(2 * RAWMILL_CELL_OFFSETS)));

/// A cell's samples are in order in source rows. In stretched rows those at even positions come first, then those at
/// odd positions, as the picture's squares need them. `RAWMILL_REPEAT` repeats the number of the preceding offset for
/// each sample, and `RAWMILL_LANES` are the samples' distances from that offset.
#define RAWMILL_4(x) x, x, x, x
#define RAWMILL_8(x) RAWMILL_4(x), RAWMILL_4(x)
#if defined(__AVX512BW__)
#define RAWMILL_REPEAT(v) __builtin_shufflevector(v, v, RAWMILL_8(0), RAWMILL_8(1), RAWMILL_8(2), RAWMILL_8(3))
#define RAWMILL_LANES \
    {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}
#define RAWMILL_SPLIT_REPEAT(v) \
    __builtin_shufflevector( \
        v, v, RAWMILL_4(0), RAWMILL_4(1), RAWMILL_4(2), RAWMILL_4(3), RAWMILL_4(0), RAWMILL_4(1), RAWMILL_4(2), \
        RAWMILL_4(3))
#define RAWMILL_SPLIT_LANES \
    {0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6, 1, 3, 5, 7, 1, 3, 5, 7, 1, 3, 5, 7, 1, 3, 5, 7}
#define RAWMILL_SPLIT(v) \
    __builtin_shufflevector( \
        v, v, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, \
        27, 29, 31)
#else
#define RAWMILL_REPEAT(v) __builtin_shufflevector(v, v, RAWMILL_8(0), RAWMILL_8(1))
#define RAWMILL_LANES {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}
#define RAWMILL_SPLIT_REPEAT(v) \
    __builtin_shufflevector(v, v, RAWMILL_4(0), RAWMILL_4(1), RAWMILL_4(0), RAWMILL_4(1))
#define RAWMILL_SPLIT_LANES {0, 2, 4, 6, 0, 2, 4, 6, 1, 3, 5, 7, 1, 3, 5, 7}
#define RAWMILL_SPLIT(v) __builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15)
#endif

/// The upper half of signed products. Compilers find the instruction only sometimes. Vectors are passed by address,
/// because passing by value differs between processor levels.
static inline __attribute__((always_inline)) void rawmill_high(
    const RawmillShorts *a, const RawmillShorts *b, RawmillShorts *high) {
#if defined(__AVX512BW__)
    *high = (RawmillShorts)__builtin_ia32_pmulhw512(*a, *b);
#elif defined(__AVX2__)
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

/// The upper half of unsigned products.
static inline __attribute__((always_inline)) void rawmill_unsigned_high(
    const RawmillPlaces *a, const RawmillPlaces *b, RawmillShorts *high) {
#if defined(__AVX512BW__)
    *high = (RawmillShorts)__builtin_ia32_pmulhuw512((RawmillShorts)*a, (RawmillShorts)*b);
#elif defined(__AVX2__)
    *high = (RawmillShorts)__builtin_ia32_pmulhuw256((RawmillShorts)*a, (RawmillShorts)*b);
#elif defined(__SSE2__)
    RawmillEight x[2], y[2];
    memcpy(x, a, 32);
    memcpy(y, b, 32);
    x[0] = __builtin_ia32_pmulhuw128(x[0], y[0]);
    x[1] = __builtin_ia32_pmulhuw128(x[1], y[1]);
    memcpy(high, x, 32);
#else
    *high = (RawmillShorts)__builtin_convertvector(
        (__builtin_convertvector(*a, RawmillUnsignedLongs) * __builtin_convertvector(*b, RawmillUnsignedLongs)) >> 16,
        RawmillPlaces);
#endif
}

/// A cell's offsets, and each sample's difference from the sample before it.
static inline __attribute__((always_inline)) void rawmill_slopes(
    const int32_t *ends, RawmillOffsets *start, RawmillOffsets *slope) {
    RawmillOffsets next;
    memcpy(start, ends, sizeof next);
    memcpy(&next, ends + 1, sizeof next);
    *slope = (next - *start) >> 3;
}

/// Weights for the positions of a cell.
typedef struct {
    /// Fraction of the way to the next sample, and two weights of curvature.
    RawmillShorts t, a, b;
} RawmillWeights;

/// Weights for the positions of a cell, whose offsets are interpolated linearly between given ones, eight samples
/// apart.
///
/// With `t` the fraction of the way from a sample p1 to the next one p2, a value is p1 + t (p2 - p1) + a (2 p1 - p0 -
/// p2) / 2 + b (2 p2 - p1 - p3) / 2, with a = k t (1 - t)², b = k t² (1 - t). With k = 1 that is the cubic convolution
/// of R. Keys (1981, "Cubic convolution interpolation for digital image processing"); k = 11/8 keeps more contrast of
/// fine detail half-way between samples.
///
/// - ends: offsets in 65,536ths of a sample, of which only the fraction counts.
/// - isSplit: whether samples at even positions come first.
static inline __attribute__((always_inline)) void rawmill_cubic_weights(
    const int32_t *ends, int isSplit, RawmillWeights *weights) {
    const RawmillPlaces ordered = RAWMILL_LANES, split = RAWMILL_SPLIT_LANES;
    RawmillOffsets start, slope;
    rawmill_slopes(ends, &start, &slope);
    const RawmillFractions s = __builtin_convertvector(start, RawmillFractions);
    const RawmillFractions u = __builtin_convertvector(slope, RawmillFractions);
    const RawmillPlaces place =
        isSplit ? (RawmillPlaces)RAWMILL_SPLIT_REPEAT(s) + (RawmillPlaces)RAWMILL_SPLIT_REPEAT(u) * split
                : (RawmillPlaces)RAWMILL_REPEAT(s) + (RawmillPlaces)RAWMILL_REPEAT(u) * ordered;
    const RawmillShorts t = (RawmillShorts)(place >> 1), rest = 32767 - t;
    // The product of both fractions, a quarter at most.
    const RawmillPlaces other = 65535 - place;
    RawmillShorts both;
    rawmill_unsigned_high(&place, &other, &both);
    both += (both >> 2) + (both >> 3);
    weights->t = t;
    rawmill_high(&both, &rest, &weights->a);
    rawmill_high(&both, &t, &weights->b);
}

/// How many more whole samples than `whole` each position of a cell lies from its own.
static inline __attribute__((always_inline)) void rawmill_cubic_steps(
    const int32_t *ends, int32_t whole, int isSplit, RawmillShorts *later) {
    const RawmillPlaces ordered = RAWMILL_LANES, split = RAWMILL_SPLIT_LANES, lanes = isSplit ? split : ordered;
    RawmillOffsets start, slope;
    rawmill_slopes(ends, &start, &slope);
    const RawmillFractions s = __builtin_convertvector(start, RawmillFractions);
    const RawmillFractions u = __builtin_convertvector(slope, RawmillFractions);
    const RawmillFractions above = __builtin_convertvector((start >> 16) - whole, RawmillFractions);
    const RawmillFractions sign = __builtin_convertvector(slope >> 16, RawmillFractions);
    const RawmillPlaces first = isSplit ? (RawmillPlaces)RAWMILL_SPLIT_REPEAT(s) : (RawmillPlaces)RAWMILL_REPEAT(s);
    const RawmillPlaces step = isSplit ? (RawmillPlaces)RAWMILL_SPLIT_REPEAT(u) : (RawmillPlaces)RAWMILL_REPEAT(u);
    const RawmillShorts most = isSplit ? RAWMILL_SPLIT_REPEAT(sign) : RAWMILL_REPEAT(sign);
    // The upper half of start + slope · lane, including the carry from the lower halves.
    RawmillShorts high;
    rawmill_unsigned_high(&step, &lanes, &high);
    const RawmillShorts carries = (RawmillShorts)(first + step * lanes < first);
    const RawmillShorts none = {0};
    const RawmillShorts steps =
        (isSplit ? RAWMILL_SPLIT_REPEAT(above) : RAWMILL_REPEAT(above)) + high + most * (RawmillShorts)lanes - carries;
    // Slopes are rounded down, so falling positions may end a few units below the last offset.
    *later = __builtin_elementwise_max(steps, none);
}

/// For each position, the four samples around it, in order.
typedef struct {
    RawmillShorts p0, p1, p2, p3;
} RawmillSamples;

/// Values between the second and the third of four samples. Samples are 0…16,383; values may exceed that range by a
/// quarter.
static inline __attribute__((always_inline)) void rawmill_cubic(
    const RawmillSamples *samples, const RawmillWeights *weights, RawmillShorts *value) {
    const RawmillShorts p1 = samples->p1, step = samples->p2 - p1, twice = step + step;
    const RawmillShorts c1 = p1 - samples->p0 - step, c2 = step + samples->p2 - samples->p3;
    RawmillShorts linear, before, behind;
    rawmill_high(&twice, &weights->t, &linear);
    rawmill_high(&c1, &weights->a, &before);
    rawmill_high(&c2, &weights->b, &behind);
    *value = p1 + linear + before + behind;
}

/// Clamps values to 0…16,383.
static inline __attribute__((always_inline)) void rawmill_bound(RawmillShorts *value) {
    const RawmillShorts none = {0}, top = none + 16383;
    *value = __builtin_elementwise_min(__builtin_elementwise_max(*value, none), top);
}

static inline __attribute__((always_inline)) void rawmill_load(const int16_t *from, RawmillShorts *samples) {
    memcpy(samples, from, sizeof *samples);
}

/// Takes the values of `to` where the mask has 1 bits.
#define RAWMILL_SELECT(value, to) value = (value & ~mask) | (to & mask)

/// The four samples of each position from rows of samples.
///
/// - rows: 4 + `steps`. A position's samples begin at the first row plus `later` rows.
static inline __attribute__((always_inline)) void rawmill_pick_rows(
    const int16_t *const *rows, long offset, int steps, const RawmillShorts *later, RawmillSamples *picked) {
    RawmillShorts q0, q1, q2, q3;
    rawmill_load(rows[0] + offset, &q0);
    rawmill_load(rows[1] + offset, &q1);
    rawmill_load(rows[2] + offset, &q2);
    rawmill_load(rows[3] + offset, &q3);
    RawmillSamples p = {q0, q1, q2, q3};
    for (int step = 1; step <= steps; step++) {
        const RawmillShorts mask = *later >= (int16_t)step;
        q0 = q1;
        q1 = q2;
        q2 = q3;
        rawmill_load(rows[step + 3] + offset, &q3);
        RAWMILL_SELECT(p.p0, q0);
        RAWMILL_SELECT(p.p1, q1);
        RAWMILL_SELECT(p.p2, q2);
        RAWMILL_SELECT(p.p3, q3);
    }
    *picked = p;
}

/// The four samples of each position from a row, beginning at `first` plus `later` samples.
///
/// With AVX-512, the positions of a cell span at most 64 samples, from which a permutation picks.
static inline __attribute__((always_inline)) void rawmill_pick_samples(
    const int16_t *first, int steps, const RawmillShorts *later, RawmillSamples *picked) {
#if defined(__AVX512BW__)
    RawmillShorts low, high;
    rawmill_load(first, &low);
    rawmill_load(first + RAWMILL_CELL, &high);
    const RawmillShorts lane = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    const RawmillShorts index = lane + *later;
    picked->p0 = (RawmillShorts)__builtin_ia32_vpermi2varhi512(low, index, high);
    picked->p1 = (RawmillShorts)__builtin_ia32_vpermi2varhi512(low, index + 1, high);
    picked->p2 = (RawmillShorts)__builtin_ia32_vpermi2varhi512(low, index + 2, high);
    picked->p3 = (RawmillShorts)__builtin_ia32_vpermi2varhi512(low, index + 3, high);
#else
    const int16_t *rows[RAWMILL_CUBIC_STEPS + 4];
    for (int i = 0; i < steps + 4; i++) rows[i] = first + i;
    rawmill_pick_rows(rows, 0, steps, later, picked);
#endif
}

static inline __attribute__((always_inline)) long rawmill_bounded(long value, long least, long most) {
    return value < least ? least : value > most ? most : value;
}

/// The smallest and largest whole samples among a cell's offsets, including the last.
static inline __attribute__((always_inline)) void rawmill_range(const int32_t *ends, int32_t *least, int32_t *most) {
    int32_t low = ends[0], high = ends[0];
    for (int i = 1; i <= RAWMILL_CELL_OFFSETS; i++) {
        low = ends[i] < low ? ends[i] : low;
        high = ends[i] > high ? ends[i] : high;
    }
    *least = low >> 16;
    *most = high >> 16;
}

/// How many rows beyond the source, above and below, are addressable: as far as the rows of a cell reach.
enum { RAWMILL_ROWS_BEYOND = RAWMILL_CUBIC_STEPS + 8 };

/// Stretches rows horizontally.
///
/// - source: `width` samples of the first row, between margins of 128 that repeat its ends; further rows are `stride`
///   apart.
/// - offsets: `RAWMILL_CELL_OFFSETS` per cell, and one more: how far samples lie from their source.
/// - target: likewise. Clamped to 0…16,383.
/// - isSplit: whether each cell's samples at even positions are written first.
static inline __attribute__((always_inline)) void rawmill_stretch(
    const int16_t *source, long stride, long width, const int32_t *offsets, long cells, int16_t *target,
    long targetStride, int count, int isSplit) {
    for (long cell = 0; cell < cells; cell++) {
        const int32_t *ends = offsets + RAWMILL_CELL_OFFSETS * cell;
        int32_t least, most;
        rawmill_range(ends, &least, &most);
        RawmillWeights weights;
        rawmill_cubic_weights(ends, 0, &weights);
        // The margins repeat the row's ends, so larger distances can be clamped.
        const int16_t *first = source + rawmill_bounded(RAWMILL_CELL * cell + least, -2 * RAWMILL_CELL, width) - 1;
        const int steps = most - least < RAWMILL_CUBIC_STEPS ? most - least : RAWMILL_CUBIC_STEPS;
        RawmillShorts later = {0};
        if (RAWMILL_PICKS_ANY || steps > 0) rawmill_cubic_steps(ends, least, 0, &later);
        for (int i = 0; i < count; i++) {
            RawmillSamples samples;
            if (RAWMILL_PICKS_ANY)
                rawmill_pick_samples(first + i * stride, steps, &later, &samples);
            else if (steps == 0)
                rawmill_pick_samples(first + i * stride, 0, &later, &samples);
            else if (steps == 1)
                rawmill_pick_samples(first + i * stride, 1, &later, &samples);
            else
                rawmill_pick_samples(first + i * stride, steps, &later, &samples);
            RawmillShorts value;
            rawmill_cubic(&samples, &weights, &value);
            rawmill_bound(&value);
            if (isSplit) value = RAWMILL_SPLIT(value);
            memcpy(target + i * targetStride + RAWMILL_CELL * cell, &value, sizeof value);
        }
    }
}

/// Rows that a cell's samples are interpolated between.
typedef struct {
    const int16_t *rows[RAWMILL_CUBIC_STEPS + 4];
    /// How many rows after the first ones each sample's rows begin.
    RawmillShorts later;
    int steps;
} RawmillCellRows;

/// Finds a cell's rows for row `y`, and prefetches what the row below needs in addition.
///
/// Parameters as in `rawmill_bend`; `count` is the number of channels, `stride` apart.
static inline __attribute__((always_inline)) void rawmill_find_rows(
    const int16_t *samples, long stride, const long *places, long y, long height, const int32_t *ends, long cell,
    int isSplit, int count, RawmillCellRows *found) {
    int32_t least, most;
    rawmill_range(ends, &least, &most);
    const int steps = most - least < RAWMILL_CUBIC_STEPS ? most - least : RAWMILL_CUBIC_STEPS;
    const int16_t *column = samples + RAWMILL_CELL * cell;
    // Rows beyond the source are all the same, so larger distances can be clamped.
    const long *own = places + rawmill_bounded(y + least - 1 + RAWMILL_ROWS_BEYOND, 0, height + RAWMILL_ROWS_BEYOND);
    for (int i = 0; i < 5; i++) found->rows[i] = column + own[i];
    const RawmillShorts none = {0};
    found->later = none;
    found->steps = steps;
    if (steps > 0) rawmill_cubic_steps(ends, least, isSplit, &found->later);
    if (steps > 1)
        for (int i = 5; i < steps + 4; i++) found->rows[i] = column + own[i];
    // A column's rows lie far apart and were written a while ago. Prefetches what the row below needs.
    const int16_t *next = column + own[steps + 4];
    for (int i = 0; i < count; i++) __builtin_prefetch(next + i * stride);
}

/// A cell's values between its rows.
static inline __attribute__((always_inline)) void rawmill_interpolate_rows(
    const RawmillCellRows *cell, long offset, const RawmillWeights *weights, RawmillShorts *value) {
    RawmillSamples picked;
    if (cell->steps == 0)
        rawmill_pick_rows(cell->rows, offset, 0, &cell->later, &picked);
    else if (cell->steps == 1)
        rawmill_pick_rows(cell->rows, offset, 1, &cell->later, &picked);
    else
        rawmill_pick_rows(cell->rows, offset, cell->steps, &cell->later, &picked);
    rawmill_cubic(&picked, weights, value);
}

/// Interpolates between stretched rows that are split into samples at even and odd positions.
///
/// - samples: origin of `places`. Further channels are `stride` apart.
/// - places: position of each row from -`RAWMILL_ROWS_BEYOND` to `height` + `RAWMILL_ROWS_BEYOND`; rows beyond the
///   source map to the first or last one.
/// - offsets: `RAWMILL_CELL_OFFSETS` per cell, and one more: how far below row `y` a sample comes from.
/// - cells: number to compute. `even` and `odd` start with the first of them; further channels are `targetStride`
///   apart.
static inline __attribute__((always_inline)) void rawmill_bend(
    const int16_t *samples, long stride, const long *places, long y, long height, const int32_t *offsets, long firstCell,
    long endCell, int16_t *even, int16_t *odd, long targetStride, int count) {
    for (long cell = firstCell; cell < endCell; cell++) {
        const int32_t *ends = offsets + RAWMILL_CELL_OFFSETS * cell;
        RawmillWeights weights;
        rawmill_cubic_weights(ends, 1, &weights);
        RawmillCellRows rows;
        rawmill_find_rows(samples, stride, places, y, height, ends, cell, 1, count, &rows);
        for (int i = 0; i < count; i++) {
            RawmillShorts value;
            rawmill_interpolate_rows(&rows, i * stride, &weights, &value);
            const long place = i * targetStride + RAWMILL_CELL / 2 * (cell - firstCell);
            memcpy(even + place, &value, RAWMILL_CELL);
            memcpy(odd + place, (const char *)&value + RAWMILL_CELL, RAWMILL_CELL);
        }
    }
}

/// Interpolates between stretched rows of one channel in sample order, clamping to 0…16,383.
///
/// Parameters as in `rawmill_bend`, for cells from the start of the row.
static inline __attribute__((always_inline)) void rawmill_bend_in_order(
    const int16_t *samples, const long *places, long y, long height, const int32_t *offsets, long cells,
    int16_t *target) {
    for (long cell = 0; cell < cells; cell++) {
        const int32_t *ends = offsets + RAWMILL_CELL_OFFSETS * cell;
        RawmillWeights weights;
        rawmill_cubic_weights(ends, 0, &weights);
        RawmillCellRows rows;
        rawmill_find_rows(samples, 0, places, y, height, ends, cell, 0, 1, &rows);
        RawmillShorts value;
        rawmill_interpolate_rows(&rows, 0, &weights, &value);
        rawmill_bound(&value);
        memcpy(target + RAWMILL_CELL * cell, &value, sizeof value);
    }
}
