#include "CJXLTiles.h"

#include <memory>
#include <new>

#include <hwy/targets.h>
#include <jxl/decode.h>

namespace {

/// libjxl selects its loops by processor, and those with fused multiply-add round differently, which changes the
/// samples of lossy tiles and the photo's bytes. As in CJXL, nothing newer than SSE4 is used in the whole process.
void useSameInstructionsEverywhere() {
    static const bool done = [] {
        // The newer a target, the lower its bit.
        hwy::DisableTargets(HWY_SSE4 - 1);
        return true;
    }();
    (void)done;
}

struct Decoder {
    void operator()(JxlDecoder *decoder) const { JxlDecoderDestroy(decoder); }
};

/// Checks size and channels before allocating samples, so that a tile cannot exceed its stated size.
bool isTile(JxlDecoder *decoder, const CJXLTile &tile) {
    JxlBasicInfo info;
    return JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS && info.xsize == tile.width
        && info.ysize == tile.height && info.num_color_channels == tile.channels && info.num_extra_channels == 0
        && !info.have_animation && !info.have_preview;
}

int decode(const uint8_t *bytes, size_t count, const CJXLTile &tile, JxlDataType type, void *samples, size_t size) {
    useSameInstructionsEverywhere();
    const std::unique_ptr<JxlDecoder, Decoder> decoder(JxlDecoderCreate(nullptr));
    if (!decoder) return CJXLTileOutOfMemory;
    if (JxlDecoderSubscribeEvents(decoder.get(), JXL_DEC_BASIC_INFO | JXL_DEC_FULL_IMAGE)
        || JxlDecoderSetKeepOrientation(decoder.get(), JXL_TRUE)
        || JxlDecoderSetInput(decoder.get(), bytes, count))
        return CJXLTileDamaged;
    JxlDecoderCloseInput(decoder.get());
    const JxlPixelFormat format = {tile.channels, type, JXL_NATIVE_ENDIAN, 0};
    while (true) {
        switch (JxlDecoderProcessInput(decoder.get())) {
        case JXL_DEC_BASIC_INFO:
            if (!isTile(decoder.get(), tile)) return CJXLTileDamaged;
            break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER: {
            size_t needed = 0;
            if (JxlDecoderImageOutBufferSize(decoder.get(), &format, &needed) || needed != size
                || JxlDecoderSetImageOutBuffer(decoder.get(), &format, samples, size))
                return CJXLTileDamaged;
            break;
        }
        case JXL_DEC_FULL_IMAGE: return CJXLTileDecoded;
        default: return CJXLTileDamaged;
        }
    }
}

int caught(const uint8_t *bytes, size_t count, const CJXLTile &tile, JxlDataType type, void *samples, size_t size) noexcept {
    try {
        return decode(bytes, count, tile, type, samples, size);
    } catch (const std::bad_alloc &) {
        return CJXLTileOutOfMemory;
    } catch (...) {
        return CJXLTileDamaged;
    }
}

}  // namespace

int CJXLDecodeWhole(const uint8_t *bytes, size_t count, CJXLTile tile, uint16_t *samples) {
    const size_t size = size_t(tile.width) * tile.height * tile.channels * sizeof *samples;
    return caught(bytes, count, tile, JXL_TYPE_UINT16, samples, size);
}

int CJXLDecodeFloat(const uint8_t *bytes, size_t count, CJXLTile tile, float *samples) {
    const size_t size = size_t(tile.width) * tile.height * tile.channels * sizeof *samples;
    return caught(bytes, count, tile, JXL_TYPE_FLOAT, samples, size);
}
