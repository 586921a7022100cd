// TurboJPEG's decoder in one call, for the strips and tiles of a DNG.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// How a tile was decoded.
enum {
    CJPEGTileDecoded = 0,
    /// It is damaged, or not of the stated size and channels.
    CJPEGTileDamaged = 1,
    CJPEGTileOutOfMemory = 2,
};

/// Decodes a baseline or progressive JPEG, which nothing is kept of.
///
/// - Parameters:
///   - channels: 1 for grey, 3 for red, green and blue.
///   - samples: of width × height × channels bytes, rows without gaps.
int CJPEGTileDecode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint32_t channels, uint8_t *samples);
