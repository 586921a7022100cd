/// The hottest loops of developing with AVX-512 (x86-64-v4).
///
/// They are in C because Swift cannot express a look-up in registers, and because its compiler reads the tetrahedra of
/// one pixel at a time. `LUTTileWriter` and `HorizontalFilter` compute the same bits in Swift on every other processor.
///
/// The functions are compiled for every x86-64 processor level, and must be called only where the processor has
/// AVX-512.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// True in a build for x86-64-v4, whose program uses these functions. The choice is made when the program is built, so
/// that the program of a level always runs the same code.
bool rawmill_avx512_is_built_in(void);

/// True if this processor can run these functions.
bool rawmill_avx512_is_supported(void);

/// From light to the coordinate along an edge of a LUT.
///
/// The curve has at most 32 pieces of 256 indices. In each it is start + slope · t + bend · t (256 - t) +
/// twist · t (256 - t) (t - 128), where t is the index in the piece, and each product keeps its upper 16 bits
/// (`PiecewiseCubic`).
struct RawmillCoordinateCurve {
    /// 32 starts, then 32 slopes, 32 bends and 32 twists. Bends and twists are signed.
    const uint16_t *pieces;
    /// The last index of the curve. Higher indices have its value.
    uint16_t last;
};

/// A LUT in the form of `TetrahedralLUT`, and the way from light into it.
struct RawmillLUT {
    struct RawmillCoordinateCurve curve;
    /// Added to light. The bits of the sum from bit 14 up, less those of the offset itself, are an index of a curve.
    float offset;
    /// Cells along an edge, and fraction bits of a coordinate.
    uint32_t cells, fractionBits;
    /// The right shift that makes bytes of interpolated values.
    uint32_t shift;
    /// 16 numbers for each tetrahedron: four pairs (base, red slope) of luma, Cb, Cr and an unused value, then four
    /// pairs (-green slope, -blue slope). Aligned to 32 bytes.
    const int16_t *tetrahedra;
};

/// Renders the light of squares of 2 × 2 pixels to bytes: luma of the squares' upper and lower rows, and one Cb and Cr
/// for each square. It does whole groups of 32 squares from the first on.
///
/// - light: red of the upper left corners. Green, blue, and the same of the other corners follow at distances of
///   `stride`.
///
/// Returns the number of squares that are done.
size_t rawmill_lut_to_ycbcr420(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *upper, uint8_t *lower,
    uint8_t *cb, uint8_t *cr);

/// Renders the light of a row of pixels to bytes: luma, Cb and Cr of each pixel, left and right ones of each pair in turns.
/// It does whole groups of 32 pairs from the first on.
///
/// - light: red of the left pixels. Green and blue, and the same of the right pixels, follow at distances of `stride`.
///
/// Returns the number of pairs that are done.
size_t rawmill_lut_to_ycbcr444(
    const struct RawmillLUT *lut, const float *light, size_t stride, size_t count, uint8_t *luma, uint8_t *cb,
    uint8_t *cr);

/// The taps of a filter: each output is a weighted sum of neighbouring inputs, with weights of its own.
struct RawmillFilterTaps {
    /// The first input of each output, ascending, padded with 15 more.
    const int32_t *starts;
    /// A row of weights for each tap, at distances of `stride`. 15 weights beyond the last output may be read.
    const float *weights;
    size_t stride;
    /// The number of taps.
    size_t count;
    /// Outputs that together read at most 32 inputs, wherever they begin: an even number, at most 16.
    size_t atOnce;
};

/// Filters red, green and blue of two rows. Sums below 0 become 0. Outputs go alternately to the left and to the right
/// corners of squares.
///
/// - inputs: input 0 of the first plane. 31 inputs beyond the last may be read.
/// - first: the first of `count` outputs.
/// - outputs: red of the upper left corners. Green, blue, and the same of the upper right, lower left and lower right
///   corners follow at distances of `outputStride`. Up to 8 values more than there are squares may be written.
/// - beginsRight: the first output is the right corner of its square.
void rawmill_filter_horizontally(
    const struct RawmillFilterTaps *taps, const float *inputs, size_t inputStride, size_t first, size_t count,
    float *outputs, size_t outputStride, bool beginsRight);
