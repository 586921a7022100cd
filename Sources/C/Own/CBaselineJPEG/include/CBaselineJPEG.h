/// The entropy-coded data of baseline JPEGs (ITU-T T.81), as libjpeg-turbo's accurate transform makes it, bit by bit, by wide
/// vectors: several blocks at once where libjpeg-turbo takes one after another.
///
/// All numbers are integers, and nothing is decided by the processor: every path gives the same bytes.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a kind of component is quantised and coded with.
struct RawmillJPEGTables {
    /// Per coefficient in rows, of its divisor: the quantised value of a magnitude m is
    /// ((m + correction) · reciprocal >> 16) · scale >> 16.
    uint16_t reciprocals[64], corrections[64], scales[64];
    /// Per magnitude category (0…11): the code, shifted left by the category, times 32, plus the bits of both.
    uint32_t dc[16];
    /// Likewise per run of zeros times 16 plus category. Number 0 ends a block, and 240 stands for sixteen zeros.
    uint32_t ac[256];
};

/// One component of a picture.
struct RawmillJPEGComponent {
    const uint8_t *samples;
    /// Bytes from one row to the next.
    ptrdiff_t stride;
    /// Samples that there are, at least 1. Beyond them the last column and row are repeated.
    size_t width, height;
    /// Blocks that hold samples.
    size_t columns, rows;
    /// Blocks of a coded unit (MCU): 1 or 2 each.
    size_t across, down;
    const struct RawmillJPEGTables *tables;
};

/// A picture of three components, or a strip of one that is coded as if it were one.
struct RawmillJPEGScan {
    struct RawmillJPEGComponent components[3];
    /// Coded units: enough for all blocks, without a whole one to spare.
    size_t unitColumns, unitRows;
};

/// Prepares what a coefficient is quantised with.
///
/// - divisor: 8…2,040, eight times the quantisation step.
void rawmill_jpeg_set_divisor(struct RawmillJPEGTables *tables, size_t index, uint32_t divisor);

/// Sets a Huffman code: a symbol of a mean's category, or of a run of zeros times 16 plus a category.
///
/// - symbol: its category, the lower four bits, is 0…11. Means have no runs.
/// - length: 1…16 bits.
void rawmill_jpeg_set_code(struct RawmillJPEGTables *tables, bool isMean, uint8_t symbol, uint32_t code, uint32_t length);

/// Codes a picture. No marker follows, and the last byte is filled with 1 bits.
///
/// Returns the number of bytes, or 0 where `capacity` was too small.
size_t rawmill_jpeg_code_avx2(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity);
size_t rawmill_jpeg_code_avx512(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity);

/// Whether this build is for processors that can run a path, and whether this processor can.
bool rawmill_jpeg_avx2_is_built_in(void);
bool rawmill_jpeg_avx512_is_built_in(void);
bool rawmill_jpeg_avx2_is_supported(void);
bool rawmill_jpeg_avx512_is_supported(void);
