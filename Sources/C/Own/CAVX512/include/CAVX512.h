/// The hottest loops of developing, for processors with vectors of 512 bits (x86-64-v4).
///
/// They are not in Swift, which has no word for picking numbers from a table in registers, and whose compiler takes the
/// cells one pixel at a time. `TableWriter` and `ColumnFilter` do the same in Swift on every other processor.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// From light to the place along an edge of a table.
///
/// The curve has at most 32 pieces of 256 places. In each it is start + slope · t + bend · t (256 - t) +
/// twist · t (256 - t) (t - 128), where products keep their upper 16 bits (`CubicPieces`).
struct RawmillCurve {
    /// 32 starts, then 32 slopes, bends and twists, the last two with a sign.
    const uint16_t *pieces;
    /// The last place of the curve; what lies beyond counts as it.
    uint16_t last;
};

/// A table, as `TableCells` describes it, and the way from light into it.
struct RawmillTable {
    struct RawmillCurve red, green, blue;
    /// Added to light; the bits of sums, without the lowest 14 and what the offset itself has, are places of a curve.
    float offset;
    /// Cells along an edge, and bits of a place inside one.
    uint32_t cells, fractionBits;
    /// What makes bytes of the differences of products.
    uint32_t shift;
    /// 16 numbers each: the first half is multiplied by 1 and red's fraction, the other one by those of green and blue.
    /// On a multiple of 32 bytes.
    const int16_t *tetrahedra;
};

/// Light of the first squares of 2 × 2 pixels as bytes: luma of the squares' upper and lower rows, and one Cb and Cr a
/// square. Does whole groups of 32 squares, and says how many squares that were: none on a processor without such
/// vectors.
///
/// - light: red, green and blue of each of the squares' corners, `stride` apart.
size_t rawmill_write_squares(
    const struct RawmillTable *table, const float *light, size_t stride, size_t count, uint8_t *upper, uint8_t *lower,
    uint8_t *cb, uint8_t *cr);

/// Sums of neighbours in a row, each times a weight of its own, for every result of the row.
struct RawmillTaps {
    /// The first input of each result, ascending, and then 15 more.
    const int32_t *starts;
    /// A row of weights for each tap, `stride` apart, which may be read 15 beyond the last result.
    const float *weights;
    size_t stride;
    /// Taps.
    size_t count;
    /// Results that together read at most 32 inputs, wherever they begin: an even number, at most 16.
    size_t atOnce;
};

/// Filters six planes alike: red, green and blue of two rows. What is below 0 becomes 0. Results go by turns to the left
/// and to the right corners of squares.
///
/// - inputs: number 0 of the first plane. After the last input there is room to read 31 more.
/// - first: the first of `count` results.
/// - outputs: the left upper corner of the first square's red; its green and blue, and those of the right corner and of
///   the lower two follow, `outputStride` apart. As many as 8 more may be written than there are squares.
/// - beginsRight: the first result is the right corner of its square.
///
/// Returns false, and does nothing, on a processor without such vectors.
bool rawmill_filter_columns(
    const struct RawmillTaps *taps, const float *inputs, size_t inputStride, size_t first, size_t count,
    float *outputs, size_t outputStride, bool beginsRight);
