/// The hottest loops of developing with AVX-512 (x86-64-v4).
///
/// In C, because Swift cannot express look-ups in registers, and its compiler reads the tetrahedra of one pixel at a
/// time. `LUTTileWriter` and `HorizontalFilter` compute the same bits in Swift on other processors.
///
/// Compiled for every x86-64 level; call only on processors with AVX-512.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// True in a build for x86-64-v4, which uses these functions. Decided at build time, so that a program always runs the
/// same code.
bool rawmill_avx512_is_built_in(void);

/// True if this processor can run these functions.
bool rawmill_avx512_is_supported(void);

/// From light to the coordinate along an edge of a LUT.
///
/// The curve has at most 32 pieces of 256 indices. In each piece it is start + slope · t + bend · t (256 - t) + twist ·
/// t (256 - t) (t - 128), where t is the index in the piece, and each product keeps its upper 16 bits
/// (`PiecewiseCubic`).
struct RawmillCoordinateCurve {
    /// 32 starts, then 32 slopes, 32 bends and 32 twists. Bends and twists are signed.
    const uint16_t *pieces;
    /// Last index of the curve; higher indices have its value.
    uint16_t last;
};

/// A LUT in the form of `TetrahedralLUT`, with its mapping from light.
struct RawmillLUT {
    struct RawmillCoordinateCurve curve;
    /// Added to light. The bits of the sum from bit 14 up, minus those of the offset, are the curve's index.
    float offset;
    /// Cells along an edge, and fraction bits of a coordinate.
    uint32_t cells, fractionBits;
    /// Right shift from interpolated values to bytes.
    uint32_t shift;
    /// 16 numbers per tetrahedron: four pairs (base, red slope) of luma, Cb, Cr and an unused value, then four pairs
    /// (-green slope, -blue slope). Aligned to 32 bytes.
    const int16_t *tetrahedra;
};

/// Renders squares of 2 × 2 pixels to luma of the upper and lower row, and one Cb and Cr per square, in groups of 32
/// squares from the first.
///
/// - light: red of the upper left corners. Green, blue, and the other corners follow at distances of `stride`.
///
/// Returns the number of squares rendered.
size_t rawmill_lut_to_ycbcr420(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *upper, uint8_t *lower,
    uint8_t *cb, uint8_t *cr);

/// Renders a row of pixels to luma, Cb and Cr, alternating left and right pixels, in groups of 32 pairs from the first.
///
/// - light: red of the left pixels. Green, blue, and the right pixels follow at distances of `stride`.
///
/// Returns the number of pairs rendered.
size_t rawmill_lut_to_ycbcr444(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *luma, uint8_t *cb,
    uint8_t *cr);

/// Taps of a filter: each output is a weighted sum of adjacent inputs with its own weights.
struct RawmillFilterTaps {
    /// First input of each output, ascending, padded with 15 more.
    const int32_t *starts;
    /// A row of weights per tap, `stride` apart. 15 weights beyond the last output may be read.
    const float *weights;
    size_t stride;
    /// Number of taps.
    size_t count;
    /// Number of consecutive outputs that always read at most 32 inputs: even, at most 16.
    size_t atOnce;
};

/// Filters red, green and blue of two rows. Negative sums become 0. Outputs alternate between the left and right
/// corners of squares.
///
/// - inputs: input 0 of the first plane. 31 inputs beyond the last may be read.
/// - first: the first of `count` outputs.
/// - outputs: red of the upper left corners. Green, blue, and the upper right, lower left and lower right corners
///   follow at distances of `outputStride`. Up to 8 values beyond the squares may be written.
/// - beginsRight: whether the first output is the right corner of its square.
void rawmill_filter_horizontally(
    const struct RawmillFilterTaps *taps, const float *inputs, size_t inputStride, size_t first, size_t count,
    float *outputs, size_t outputStride, bool beginsRight);
