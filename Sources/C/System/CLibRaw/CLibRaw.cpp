#include "CLibRaw.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <libraw/libraw.h>

static_assert(int(CLibRawOutOfMemory) == int(LIBRAW_UNSUFFICIENT_MEMORY), "LibRaw renumbered its errors");
static_assert(int(CLibRawInputError) == int(LIBRAW_IO_ERROR), "LibRaw renumbered its errors");
static_assert(int(CLibRawTooBig) == int(LIBRAW_TOO_BIG), "LibRaw renumbered its errors");

/// LibRaw, extended to go on with samples that were decompressed elsewhere. LibRaw's decoder is a pointer to a member
/// function, which derived classes may set.
class Decoder : public LibRaw {
public:
    Decoder() : LibRaw(LIBRAW_OPTIONS_NONE) {}

    int adopt(const uint16_t *samples, unsigned pitchBytes) {
        adopted = const_cast<uint16_t *>(samples);
        adoptedPitchBytes = pitchBytes;
        original = load_raw;
        load_raw = static_cast<void (LibRaw::*)()>(&Decoder::takeAdopted);
        const int code = unpack();
        load_raw = original;
        imgdata.rawdata.raw_image = nullptr;
        return code;
    }

private:
    uint16_t *adopted = nullptr;
    unsigned adoptedPitchBytes = 0;
    void (LibRaw::*original)() = nullptr;

    // Restores LibRaw's own decoder first: what follows depends on which one it is.
    void takeAdopted() {
        load_raw = original;
        imgdata.rawdata.raw_image = adopted;
        imgdata.sizes.raw_pitch = adoptedPitchBytes;
    }
};

struct CLibRawHandle {
    Decoder raw;
    CLibRawTagHandler handler = nullptr;
    void *context = nullptr;
    /// Whether a tag was met that LibRaw cannot read safely.
    bool isUnsafe = false;
};

namespace {

// LibRaw's default handlers print to stderr. What they report is also in the return codes and in error_count().
void ignoreMemoryError(void *, const char *, const char *) {}
void ignoreDataError(void *, const char *, const int) {}

/// Whether LibRaw would write over its own memory for a tag.
///
/// LibRaw reads 36 filters as 6 rows of 6. Where no repeat of 6 × 6 was stated before, it does so with an index that runs
/// out of its array, so that optimising compilers take the loop for an endless one: Debian's 0.20.2 overruns its memory.
bool overrunsFilters(const CLibRawHandle &handle, int tag, int count) {
    const int cfaPattern = 33422, kodakPattern = 64777, xTrans = 9;
    const int number = tag & 0xffff;
    if (count != 36) return false;
    return number == kodakPattern || (number == cfaPattern && handle.raw.imgdata.idata.filters != xTrans);
}

/// LibRaw's callback for each tag: refuses unsafe ones and forwards the others.
void forwardTag(void *context, int tag, int type, int count, unsigned order, void *stream, INT64) {
    auto handle = static_cast<CLibRawHandle *>(context);
    auto input = static_cast<LibRaw_abstract_datastream *>(stream);
    if (overrunsFilters(*handle, tag, count)) {
        handle->isUnsafe = true;
        throw LIBRAW_EXCEPTION_IO_CORRUPT;
    }
    if (handle->handler) handle->handler(handle->context, tag, type, count, order, input->tell());
}

/// Turns C++ exceptions into LibRaw's error codes, so that none crosses into Swift. LibRaw's calls themselves catch all but
/// failed allocations.
template <typename Body> int guarded(Body body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return LIBRAW_UNSUFFICIENT_MEMORY;
    } catch (...) {
        return LIBRAW_DATA_ERROR;
    }
}

}  // namespace

CLibRawHandle *CLibRawCreate(void) {
    try {
        auto handle = new CLibRawHandle;
        handle->raw.set_memerror_handler(ignoreMemoryError, nullptr);
        handle->raw.set_dataerror_handler(ignoreDataError, nullptr);
        handle->raw.set_exifparser_handler(forwardTag, handle);
        return handle;
    } catch (...) {
        return nullptr;
    }
}

void CLibRawDestroy(CLibRawHandle *handle) { delete handle; }

int CLibRawOpen(
    CLibRawHandle *handle, const void *bytes, size_t count, unsigned frame, unsigned memoryLimitMegabytes,
    CLibRawTagHandler handler, void *context) {
    handle->handler = handler;
    handle->context = context;
    auto &params = handle->raw.imgdata.params;
    params.shot_select = frame;
    params.max_raw_memory_mb = memoryLimitMegabytes;
    handle->isUnsafe = false;
    const int code = guarded([&] { return handle->raw.open_buffer(const_cast<void *>(bytes), count); });
    handle->handler = nullptr;
    handle->context = nullptr;
    return handle->isUnsafe ? int(LIBRAW_DATA_ERROR) : code;
}

void CLibRawRecycle(CLibRawHandle *handle) { handle->raw.recycle(); }

const char *CLibRawMessage(int code) { return libraw_strerror(code); }

CLibRawFacts CLibRawGetFacts(CLibRawHandle *handle) {
    auto &raw = handle->raw;
    const auto &sizes = raw.imgdata.sizes;
    const auto &params = raw.imgdata.idata;
    const auto &colour = raw.imgdata.color;
    const auto &other = raw.imgdata.other;
    auto internal = raw.get_internal_data_pointer();
    CLibRawFacts facts{};
    facts.rawWidth = sizes.raw_width;
    facts.rawHeight = sizes.raw_height;
    facts.width = sizes.width;
    facts.height = sizes.height;
    facts.leftMargin = sizes.left_margin;
    facts.topMargin = sizes.top_margin;
    facts.rawPitchBytes = sizes.raw_pitch;
    facts.pixelAspect = sizes.pixel_aspect;
    facts.flip = sizes.flip;
    facts.insetLeft = sizes.raw_inset_crop.cleft;
    facts.insetTop = sizes.raw_inset_crop.ctop;
    facts.insetWidth = sizes.raw_inset_crop.cwidth;
    facts.insetHeight = sizes.raw_inset_crop.cheight;
    facts.fujiWidth = internal->internal_output_params.fuji_width;
    facts.filters = params.filters;
    facts.frameCount = params.raw_count;
    facts.dngVersion = params.dng_version;
    facts.isFoveon = params.is_foveon;
    facts.colours = params.colors;
    std::memcpy(facts.colourNames, params.cdesc, sizeof facts.colourNames);
    for (int i = 0; i < 36; i++) facts.xTrans[i] = uint8_t(params.xtrans_abs[i / 6][i % 6]);
    facts.black = colour.black;
    std::copy_n(colour.cblack, 4, facts.blackByColour);
    facts.blackRows = colour.cblack[4];
    facts.blackColumns = colour.cblack[5];
    facts.maximum = colour.maximum;
    std::copy_n(colour.linear_max, 4, facts.linearMaximum);
    std::copy_n(colour.cam_mul, 4, facts.cameraMultipliers);
    std::copy_n(&colour.cam_xyz[0][0], 12, facts.xyzToCamera);
    facts.whiteBalanceApplied = colour.as_shot_wb_applied;
    facts.iso = other.iso_speed;
    facts.shutterSeconds = other.shutter;
    facts.aperture = other.aperture;
    facts.focalLength = other.focal_len;
    facts.timestamp = other.timestamp;
    facts.dataOffset = internal->unpacker_data.data_offset;
    facts.thumbnailWidth = raw.imgdata.thumbnail.twidth;
    facts.thumbnailHeight = raw.imgdata.thumbnail.theight;
    facts.thumbnailBytes = raw.imgdata.thumbnail.tlength;
    facts.warnings = raw.imgdata.process_warnings;
    facts.dataErrors = raw.error_count();
    libraw_decoder_info_t info{};
    if (raw.get_decoder_info(&info) == LIBRAW_SUCCESS) facts.decoderFlags = info.decoder_flags;
    return facts;
}

const char *CLibRawGetText(CLibRawHandle *handle, CLibRawText which) {
    auto &data = handle->raw.imgdata;
    const char *text = nullptr;
    switch (which) {
    case CLibRawMake: text = data.idata.make; break;
    case CLibRawModel: text = data.idata.model; break;
    case CLibRawNormalizedMake: text = data.idata.normalized_make; break;
    case CLibRawNormalizedModel: text = data.idata.normalized_model; break;
    case CLibRawArtist: text = data.other.artist; break;
    case CLibRawDescription: text = data.other.desc; break;
    case CLibRawSoftware: text = data.idata.software; break;
    case CLibRawBodySerial: text = data.shootinginfo.BodySerial; break;
    case CLibRawLens: text = data.lens.Lens; break;
    case CLibRawDecoderName: text = handle->raw.unpack_function_name(); break;
    }
    return text ? text : "";
}

uint32_t CLibRawBlackOfBlock(CLibRawHandle *handle, unsigned index) {
    const auto &black = handle->raw.imgdata.color.cblack;
    return index + 6 < LIBRAW_CBLACK_SIZE ? black[index + 6] : 0;
}

const char *CLibRawXMP(CLibRawHandle *handle, size_t *count) {
    const auto &params = handle->raw.imgdata.idata;
    *count = params.xmpdata ? params.xmplen : 0;
    return *count ? params.xmpdata : nullptr;
}

int CLibRawUnpack(CLibRawHandle *handle) {
    return guarded([&] { return handle->raw.unpack(); });
}

int CLibRawAdopt(CLibRawHandle *handle, const uint16_t *samples, unsigned pitchBytes) {
    return guarded([&] { return handle->raw.adopt(samples, pitchBytes); });
}

const uint16_t *CLibRawSingle(CLibRawHandle *handle) { return handle->raw.imgdata.rawdata.raw_image; }

const uint16_t *CLibRawTriple(CLibRawHandle *handle) {
    return reinterpret_cast<const uint16_t *>(handle->raw.imgdata.rawdata.color3_image);
}

const uint16_t *CLibRawQuadruple(CLibRawHandle *handle) {
    return reinterpret_cast<const uint16_t *>(handle->raw.imgdata.rawdata.color4_image);
}

int CLibRawIsFloat(CLibRawHandle *handle) {
    const auto &data = handle->raw.imgdata.rawdata;
    return data.float_image || data.float3_image || data.float4_image;
}

int CLibRawInterpolate(CLibRawHandle *handle, const float multipliers[4], int toSRGB) {
    auto &params = handle->raw.imgdata.params;
    params.output_bps = 16;
    // Linear.
    params.gamm[0] = params.gamm[1] = 1;
    params.no_auto_bright = 1;
    params.use_camera_wb = 0;
    params.use_auto_wb = 0;
    // 0 is the camera's own colours.
    params.output_color = toSRGB ? 1 : 0;
    // 1 keeps what lies above white, 0 clips it.
    params.highlight = toSRGB ? 0 : 1;
    params.adjust_maximum_thr = 0;
    // LibRaw's default interpolation for the sensor.
    params.user_qual = -1;
    // Turns Fujifilm's diagonal sensors upright.
    params.use_fuji_rotate = 1;
    std::copy_n(multipliers, 4, params.user_mul);
    return guarded([&] { return handle->raw.dcraw_process(); });
}

const uint16_t *CLibRawInterpolated(CLibRawHandle *handle, uint32_t *width, uint32_t *height) {
    *width = handle->raw.imgdata.sizes.iwidth;
    *height = handle->raw.imgdata.sizes.iheight;
    return reinterpret_cast<const uint16_t *>(handle->raw.imgdata.image);
}

int CLibRawUnpackThumbnail(CLibRawHandle *handle, CLibRawThumbnail *thumbnail) {
    const int code = guarded([&] { return handle->raw.unpack_thumb(); });
    if (code != LIBRAW_SUCCESS) return code;
    const auto &found = handle->raw.imgdata.thumbnail;
    thumbnail->format = found.tformat == LIBRAW_THUMBNAIL_JPEG ? 1 : found.tformat == LIBRAW_THUMBNAIL_BITMAP ? 2 : 0;
    thumbnail->width = found.twidth;
    thumbnail->height = found.theight;
    thumbnail->byteCount = found.tlength;
    thumbnail->bytes = reinterpret_cast<const uint8_t *>(found.thumb);
    return found.thumb ? LIBRAW_SUCCESS : LIBRAW_NO_THUMBNAIL;
}
