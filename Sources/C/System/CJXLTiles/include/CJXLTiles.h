// libjxl's decoder as a single call, for the strips and tiles of a DNG.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Expected properties of a tile.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// 1 or 3.
    uint32_t channels;
} CJXLTile;

/// Result of decoding a tile.
enum {
    CJXLTileDecoded = 0,
    /// Damaged, or not of the stated size and channels.
    CJXLTileDamaged = 1,
    CJXLTileOutOfMemory = 2,
};

/// Decodes a codestream, or a file with one, on the calling thread. Samples are as stored, neither rotated nor
/// colour-converted; integers of any depth are scaled to 16 bits.
///
/// - Parameters:
///   - samples: width × height × channels numbers, rows without gaps.
int CJXLDecodeWhole(const uint8_t *bytes, size_t count, CJXLTile tile, uint16_t *samples);
/// Decodes floating-point samples.
int CJXLDecodeFloat(const uint8_t *bytes, size_t count, CJXLTile tile, float *samples);

#ifdef __cplusplus
}
#endif
