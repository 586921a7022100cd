/// The hottest loop of developing with a table, for processors with vectors of 512 bits (x86-64-v4).
///
/// It is not in Swift, which has no word for picking 32 numbers from a table in a register, and whose compiler takes
/// the cells one pixel at a time. `TableWriter` does the same in Swift on every other processor.
#pragma once
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
