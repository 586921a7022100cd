/// Cubic interpolation between 16-bit samples, sixteen at a time, each at a place of its own.
///
/// It is in C because Swift's vectors do not give the upper half of a product of 16-bit numbers. The functions are inline,
/// so that they are compiled with the Swift code that calls them, for its processor level. They compute with integers
/// alone: the same bits everywhere.
#pragma once
#include <stdint.h>
#include <string.h>

typedef int16_t RawmillShorts __attribute__((vector_size(32)));
typedef uint16_t RawmillPlaces __attribute__((vector_size(32)));
typedef int32_t RawmillLongs __attribute__((vector_size(64)));
typedef uint32_t RawmillUnsignedLongs __attribute__((vector_size(64)));
typedef int16_t RawmillEight __attribute__((vector_size(16)));

/// The upper half of the products.
#define RAWMILL_HIGH(a, b)                                                                                             \
    __builtin_convertvector(                                                                                           \
        (__builtin_convertvector(a, RawmillLongs) * __builtin_convertvector(b, RawmillLongs)) >> 16, RawmillShorts)

/// Sixteen shorts of each of the two halves that eight places share.
#define RAWMILL_HALVES(type, a, b) ((type){a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b})

/// Shorts in the weights of sixteen places: shares of the way to the next sample, and two weights of curvature.
enum { RAWMILL_CUBIC_WEIGHTS = 48 };

/// Weights for sixteen places, whose offsets are linear between three given ones, eight places apart.
///
/// With `t` the share of the way from a sample p1 to the next one p2, a value is
/// p1 + t (p2 - p1) + a (2 p1 - p0 - p2) / 2 + b (2 p2 - p1 - p3) / 2, with a = k t (1 - t)², b = k t² (1 - t). With k = 1
/// that is the cubic convolution of R. Keys (1981, "Cubic convolution interpolation for digital image processing"); with
/// k = 11/8 fine detail keeps more of its contrast half-way between samples.
///
/// - ends: three offsets in 65,536ths of a sample. Whole samples do not matter.
static inline void rawmill_cubic_weights(const int32_t *ends, int16_t *weights) {
    const RawmillPlaces lane = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    const uint16_t s = (uint16_t)ends[0], m = (uint16_t)ends[1];
    const uint16_t u = (uint16_t)((ends[1] - ends[0]) >> 3), v = (uint16_t)((ends[2] - ends[1]) >> 3);
    const RawmillPlaces place = RAWMILL_HALVES(RawmillPlaces, s, m) + RAWMILL_HALVES(RawmillPlaces, u, v) * lane;
    const RawmillShorts t = (RawmillShorts)(place >> 1);
    const RawmillShorts rest = 32767 - t;
    // The product of both shares is a quarter at most.
    const RawmillPlaces other = 65535 - place;
    RawmillShorts both = (RawmillShorts)__builtin_convertvector(
        (__builtin_convertvector(place, RawmillUnsignedLongs) * __builtin_convertvector(other, RawmillUnsignedLongs)) >> 16,
        RawmillPlaces);
    both += (both >> 2) + (both >> 3);
    const RawmillShorts a = RAWMILL_HIGH(both, rest), b = RAWMILL_HIGH(both, t);
    memcpy(weights, &t, 32);
    memcpy(weights + 16, &a, 32);
    memcpy(weights + 32, &b, 32);
}

/// By how many more whole samples than `whole` each of sixteen places lies from its own.
static inline void rawmill_cubic_steps(const int32_t *ends, int32_t whole, int16_t *beyond) {
    const RawmillLongs lane = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    const int32_t u = (ends[1] - ends[0]) >> 3, v = (ends[2] - ends[1]) >> 3;
    const RawmillLongs place =
        RAWMILL_HALVES(RawmillLongs, ends[0], ends[1]) + RAWMILL_HALVES(RawmillLongs, u, v) * lane;
    const RawmillShorts steps = __builtin_convertvector((place >> 16) - whole, RawmillShorts);
    memcpy(beyond, &steps, 32);
}

/// Sixteen samples of row `index`.
#define RAWMILL_LOAD(sample, index)                                                                                    \
    RawmillShorts sample;                                                                                              \
    memcpy(&sample, rows[index] + offset, 32)

/// The values of `to` where the mask has 1 bits.
#define RAWMILL_SELECT(value, to) value = (value & ~mask) | (to & mask)

/// Sixteen values, each between the second and the third of four rows, and as many of the rows that lie `stride` behind
/// them: `count` times. Samples lie in 0…16,383; values may lie a quarter of that outside, unless they are to be bounded.
///
/// - rows: 4 + `steps`. A value has the four from the first row on, or those from so many rows later as `beyond` says.
static inline __attribute__((always_inline)) void rawmill_cubic(
    const int16_t *const *rows, int steps, const int16_t *beyond, long stride, const int16_t *weights, int16_t *out,
    long outStride, int count, int isBounded) {
    RawmillShorts t, a, b, later;
    memcpy(&t, weights, 32);
    memcpy(&a, weights + 16, 32);
    memcpy(&b, weights + 32, 32);
    if (steps > 0) memcpy(&later, beyond, 32);
    for (int i = 0; i < count; i++) {
        const long offset = i * stride;
        RAWMILL_LOAD(p0, 0);
        RAWMILL_LOAD(p1, 1);
        RAWMILL_LOAD(p2, 2);
        RAWMILL_LOAD(p3, 3);
        if (steps > 0) {
            const RawmillShorts mask = later >= 1;
            RAWMILL_LOAD(p4, 4);
            RAWMILL_SELECT(p0, p1);
            RAWMILL_SELECT(p1, p2);
            RAWMILL_SELECT(p2, p3);
            RAWMILL_SELECT(p3, p4);
        }
        for (int step = 2; step <= steps; step++) {
            const RawmillShorts mask = later >= (int16_t)step;
            RAWMILL_LOAD(q0, step);
            RAWMILL_LOAD(q1, step + 1);
            RAWMILL_LOAD(q2, step + 2);
            RAWMILL_LOAD(q3, step + 3);
            RAWMILL_SELECT(p0, q0);
            RAWMILL_SELECT(p1, q1);
            RAWMILL_SELECT(p2, q2);
            RAWMILL_SELECT(p3, q3);
        }
        const RawmillShorts d1 = p1 + p1, d2 = p2 + p2, c1 = d1 - p0 - p2, c2 = d2 - p1 - p3, d = d2 - d1;
        RawmillShorts result = p1 + RAWMILL_HIGH(d, t) + RAWMILL_HIGH(c1, a) + RAWMILL_HIGH(c2, b);
        if (isBounded) {
            result &= result >= 0;
            const RawmillShorts isLarge = result > 16383;
            result = (result & ~isLarge) | (isLarge & 16383);
        }
        memcpy(out + i * outStride, &result, 32);
    }
}

/// Distributes sixteen shorts: those of even index to one place, those of odd index to another.
static inline void rawmill_split(const int16_t *row, int16_t *even, int16_t *odd) {
    RawmillShorts all;
    memcpy(&all, row, 32);
    const RawmillEight first = __builtin_shufflevector(all, all, 0, 2, 4, 6, 8, 10, 12, 14);
    const RawmillEight second = __builtin_shufflevector(all, all, 1, 3, 5, 7, 9, 11, 13, 15);
    memcpy(even, &first, 16);
    memcpy(odd, &second, 16);
}
