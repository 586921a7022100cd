// libjxl's decoder in one call, for the strips and tiles of a DNG.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a tile must be.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// 1 or 3.
    uint32_t channels;
} CJXLTile;

/// How a tile was decoded.
enum {
    CJXLTileDecoded = 0,
    /// It is damaged, or not of the stated size and channels.
    CJXLTileDamaged = 1,
    CJXLTileOutOfMemory = 2,
};

/// Decodes a codestream, or a file with one, on the calling thread. Its samples are as they are stored: neither turned, nor of
/// other colours. Whole numbers of any bits are made as large as 16 bits hold.
///
/// - Parameters:
///   - samples: of width × height × channels numbers, rows without gaps.
int CJXLDecodeWhole(const uint8_t *bytes, size_t count, CJXLTile tile, uint16_t *samples);
/// The same with floating-point numbers.
int CJXLDecodeFloat(const uint8_t *bytes, size_t count, CJXLTile tile, float *samples);

#ifdef __cplusplus
}
#endif
