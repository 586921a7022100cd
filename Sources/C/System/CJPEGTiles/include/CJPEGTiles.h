// TurboJPEG's decoder as a single call, for the strips and tiles of a DNG.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Result of decoding a tile.
enum {
    CJPEGTileDecoded = 0,
    /// Damaged, or not of the stated size and channels.
    CJPEGTileDamaged = 1,
    CJPEGTileOutOfMemory = 2,
};

/// Decodes a baseline or progressive JPEG, independently of others.
///
/// - Parameters:
///   - channels: 1 for grey, 3 for red, green and blue.
///   - samples: width × height × channels bytes, rows without gaps.
int CJPEGTileDecode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint32_t channels, uint8_t *samples);
