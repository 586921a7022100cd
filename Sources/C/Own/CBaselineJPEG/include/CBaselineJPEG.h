/// Entropy-coded data of baseline JPEGs (ITU-T T.81), bit-identical to libjpeg-turbo's accurate transform, but with
/// wide vectors: several blocks at once.
///
/// All arithmetic is in integers: every path gives the same bytes.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Quantisation and codes of a kind of component.
struct RawmillJPEGTables {
    /// Divisor of each coefficient, row by row: a magnitude m is quantised to ((m + correction) · reciprocal >> 16) ·
    /// scale >> 16.
    uint16_t reciprocals[64], corrections[64], scales[64];
    /// By magnitude category (0…11): the code, shifted left by the category, times 32, plus the length of both.
    uint32_t dc[16];
    /// Likewise by run of zeros times 16 plus category. Number 0 ends a block, and 240 stands for sixteen zeros.
    uint32_t ac[256];
};

/// A component of a picture.
struct RawmillJPEGComponent {
    const uint8_t *samples;
    /// Bytes between rows.
    ptrdiff_t stride;
    /// Size in samples, at least 1. Beyond it the last column and row are repeated.
    size_t width, height;
    /// Blocks with samples.
    size_t columns, rows;
    /// Blocks per coded unit (MCU): 1 or 2 each.
    size_t across, down;
    const struct RawmillJPEGTables *tables;
};

/// A picture of three components, or a strip of one that is coded like a picture.
struct RawmillJPEGScan {
    struct RawmillJPEGComponent components[3];
    /// Number of coded units: just enough for all blocks.
    size_t unitColumns, unitRows;
};

/// Sets a coefficient's divisor.
///
/// - divisor: 8…2,040, eight times the quantisation step.
void rawmill_jpeg_set_divisor(struct RawmillJPEGTables *tables, size_t index, uint32_t divisor);

/// Sets a Huffman code for the category of a mean, or for a run of zeros times 16 plus a category.
///
/// - symbol: its lower four bits, the category, are 0…11. Means have no runs.
/// - length: 1…16 bits.
void rawmill_jpeg_set_code(struct RawmillJPEGTables *tables, bool isMean, uint8_t symbol, uint32_t code, uint32_t length);

/// Encodes a picture, without a marker at the end; fills the last byte with 1 bits.
///
/// Returns the number of bytes, or 0 if `capacity` is too small.
size_t rawmill_jpeg_code_avx2(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity);
size_t rawmill_jpeg_code_avx512(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity);

/// Whether this build targets processors that can run a path, and whether this processor can.
bool rawmill_jpeg_avx2_is_built_in(void);
bool rawmill_jpeg_avx512_is_built_in(void);
bool rawmill_jpeg_avx2_is_supported(void);
bool rawmill_jpeg_avx512_is_supported(void);
