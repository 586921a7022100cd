#include "CJPEGTiles.h"

#include <turbojpeg.h>

static int decode(
    tjhandle decoder, const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint32_t channels,
    uint8_t *samples) {
    int foundWidth = 0, foundHeight = 0, subsampling = -1, space = -1;
    if (tjDecompressHeader3(decoder, bytes, count, &foundWidth, &foundHeight, &subsampling, &space))
        return CJPEGTileDamaged;
    const int isGrey = space == TJCS_GRAY, isColour = space == TJCS_YCbCr || space == TJCS_RGB;
    if (foundWidth <= 0 || foundHeight <= 0 || (uint32_t)foundWidth != width || (uint32_t)foundHeight != height
        || width > 65535 || height > 65535 || !(channels == 1 ? isGrey : channels == 3 && isColour))
        return CJPEGTileDamaged;
    // Other settings than libjpeg's defaults would give different samples from LibRaw's. A warning means that samples
    // were invented.
    const int flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS;
    const int status = tjDecompress2(
        decoder, bytes, count, samples, (int)width, (int)(width * channels), (int)height,
        channels == 1 ? TJPF_GRAY : TJPF_RGB, flags);
    return status ? CJPEGTileDamaged : CJPEGTileDecoded;
}

int CJPEGTileDecode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint32_t channels, uint8_t *samples) {
    // A decoder reuses its tables for a picture without tables, hence one per tile.
    tjhandle decoder = tjInitDecompress();
    if (!decoder) return CJPEGTileOutOfMemory;
    const int status = decode(decoder, bytes, count, width, height, channels, samples);
    tjDestroy(decoder);
    return status;
}
