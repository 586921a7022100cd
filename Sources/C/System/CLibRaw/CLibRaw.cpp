#include "CLibRaw.h"

#include <malloc.h>
#include <strings.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <libraw/libraw.h>

static_assert(int(CLibRawOutOfMemory) == int(LIBRAW_UNSUFFICIENT_MEMORY), "LibRaw renumbered its errors");
static_assert(int(CLibRawInputError) == int(LIBRAW_IO_ERROR), "LibRaw renumbered its errors");
static_assert(int(CLibRawTooBig) == int(LIBRAW_TOO_BIG), "LibRaw renumbered its errors");

/// The file's bytes for LibRaw, with limits that LibRaw lacks: on endless work, and on reads beyond the file.
class Stream : public LibRaw_buffer_datastream {
public:
    Stream(const void *bytes, size_t count) : LibRaw_buffer_datastream(const_cast<void *>(bytes), count) {}

    /// Calls still allowed; negative for unlimited. Parsers follow circular offsets, for minutes in a file of a few
    /// bytes. Decoders read on several threads, where nothing may throw.
    int64_t callsLeft = -1;
    /// Bytes requested beyond the end of the file. Some decoders do not notice that they got none.
    std::atomic<uint64_t> missingBytes{0};

    /// Bytes to read as others.
    std::vector<CLibRawReplacement> replacements;

    int read(void *target, size_t size, size_t count) override {
        spend();
        const INT64 start = tell();
        const INT64 left = this->size() - start;
        const size_t wanted = size * count;
        if (left < 0 || wanted > size_t(left)) missingBytes += wanted - size_t(std::max<INT64>(left, 0));
        const int result = LibRaw_buffer_datastream::read(target, size, count);
        const INT64 end = tell();
        for (const auto &replacement : replacements) {
            const INT64 offset = INT64(replacement.offset);
            if (offset >= start && offset < end) static_cast<uint8_t *>(target)[offset - start] = replacement.byte;
        }
        return result;
    }

    int seek(INT64 offset, int whence) override {
        spend();
        return LibRaw_buffer_datastream::seek(offset, whence);
    }

    int get_char() override {
        spend();
        const INT64 start = tell();
        const int byte = LibRaw_buffer_datastream::get_char();
        if (byte < 0) missingBytes++;
        for (const auto &replacement : replacements)
            if (INT64(replacement.offset) == start && byte >= 0) return replacement.byte;
        return byte;
    }

private:
    void spend() {
        if (callsLeft < 0) return;
        if (callsLeft == 0) throw LIBRAW_EXCEPTION_IO_CORRUPT;
        callsLeft--;
    }
};

/// Fills the fresh memory that LibRaw sees with the same contents for every file.
///
/// LibRaw allocates only from glibc's heap, which can fill fresh memory. (Not the smallest pieces, but LibRaw adds a
/// kilobyte to each.) The setting is process-wide, so files that need the same contents can be read concurrently, and
/// others wait.
class MemoryContents {
public:
    explicit MemoryContents(uint8_t byte) : byte(byte) {
        {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return users == 0 || current == byte; });
            current = byte;
            if (users++ == 0) fillHeap(uint8_t(~byte));
        }
        fillStack(byte);
    }

    ~MemoryContents() {
        std::lock_guard<std::mutex> lock(mutex);
        if (--users > 0) return;
        fillHeap(environment);
        changed.notify_all();
    }

    MemoryContents(const MemoryContents &) = delete;
    MemoryContents &operator=(const MemoryContents &) = delete;

    // The stack frames below the caller's, which LibRaw's functions will use.
    [[gnu::noinline]] static void fillStack(uint8_t byte) {
        char frames[128 << 10];
        std::memset(frames, byte, sizeof frames);
        asm volatile("" : : "r"(frames) : "memory");
    }

private:
    const uint8_t byte;
    static std::mutex mutex;
    static std::condition_variable changed;
    static int users;
    static uint8_t current;
    static const uint8_t environment;

    // glibc fills with the complement.
    static void fillHeap(uint8_t complement) {
#ifdef __GLIBC__
        mallopt(M_PERTURB, complement);
#endif
    }
};

std::mutex MemoryContents::mutex;
std::condition_variable MemoryContents::changed;
int MemoryContents::users = 0;
uint8_t MemoryContents::current = 0;

/// The setting in the environment, for tests.
const uint8_t MemoryContents::environment = [] {
    const char *text = std::getenv("MALLOC_PERTURB_");
    return uint8_t(text ? std::atoi(text) : 0);
}();

/// LibRaw, extended to continue with samples decompressed elsewhere, and to account for those that it decompresses
/// itself. LibRaw's decoder is a pointer to a member function, which derived classes may replace.
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

    /// - Parameter sample: value that samples keep if LibRaw's decoder does not write them.
    int unpackAccounted(uint16_t sample) {
        fill = sample;
        unwrittenSamples = 0;
        isAccounted = false;
        original = load_raw;
        const auto accounted = static_cast<void (LibRaw::*)()>(&Decoder::loadAccounted);
        if (load_raw) load_raw = accounted;
        const int code = unpack();
        if (load_raw == accounted) load_raw = original;
        return code;
    }

    /// Samples of the picture with the fill's value: not written by LibRaw's decoder, or equal by chance.
    uint64_t unwrittenSamples = 0;
    /// False for decoders that allocate for themselves.
    bool isAccounted = false;

    bool hasMatrix(unsigned maker, const char *model) {
        // Without colours, LibRaw skips its look-ups.
        imgdata.idata.colors = 3;
        std::memset(imgdata.color.cam_xyz, 0, sizeof imgdata.color.cam_xyz);
        return adobe_coeff(maker, model, 1) && imgdata.color.cam_xyz[0][0] != 0;
    }

    // Differences between LibRaw 0.20 (Debian 12) and 0.21 (Debian 13). No other code checks the version.
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
    /// Options for the frame to read and its memory limit.
    auto &readingOptions() { return imgdata.params; }

    /// The part of the sensor that the camera's JPEG shows.
    const libraw_raw_inset_crop_t &insetCrop() const { return imgdata.sizes.raw_inset_crop; }

    /// LibRaw's default handlers print to stderr. Return codes and error_count() report the same.
    void silence() {
        set_memerror_handler([](void *, const char *, const char *) {}, nullptr);
        set_dataerror_handler([](void *, const char *, const int) {}, nullptr);
    }

    /// Whether the preview fits the buffer that LibRaw reads it into. For a layered preview it allocates by the
    /// picture's size, but reads as much as the file states.
    bool hasRoomForPreview() const {
        const auto &preview = imgdata.thumbnail;
        return write_thumb != static_cast<void (LibRaw::*)()>(&Decoder::layer_thumb)
            || preview.tlength <= unsigned(preview.twidth) * preview.theight;
    }

    /// Whether it distinguishes Panasonic's 12-bit format 6 from the 14-bit one.
    static const bool knowsShortFormat6 = false;

    /// Highest CRX version that its decoder accepts.
    static const int lastCRX = 0x100;
#else
    auto &readingOptions() { return imgdata.rawparams; }

    const libraw_raw_inset_crop_t &insetCrop() const { return imgdata.sizes.raw_inset_crops[0]; }

    // It no longer reports lack of memory to a handler.
    void silence() { set_dataerror_handler([](void *, const char *, const int) {}, nullptr); }

    // It reads what it allocated.
    bool hasRoomForPreview() const { return true; }

    static const bool knowsShortFormat6 = true;

    static const int lastCRX = 0x200;
#endif

    /// Image header of a CR3; null for other files.
    const crx_data_header_t *crxHeader() {
        const auto &data = libraw_internal_data.unpacker_data;
        const int track = data.crx_track_selected;
        const bool isCRX = !std::strcmp(unpack_function_name(), "crxLoadRaw()");
        return isCRX && track >= 0 && track < LIBRAW_CRXTRACKS_MAXCOUNT ? &data.crx_header[track] : nullptr;
    }

    /// As far as its decoders use it.
    unsigned panasonicBits() const {
        const auto &data = libraw_internal_data.unpacker_data;
        return data.pana_encoding == 6 && !knowsShortFormat6 ? 14 : data.pana_bpp;
    }

    int get_decoder_info(libraw_decoder_info_t *info) override {
        const auto current = load_raw;
        const bool isOurs = current == static_cast<void (LibRaw::*)()>(&Decoder::loadAccounted);
        if (isOurs) load_raw = original;
        const int code = LibRaw::get_decoder_info(info);
        if (isOurs) load_raw = current;
        return code;
    }

private:
    uint16_t *adopted = nullptr;
    unsigned adoptedPitchBytes = 0;
    uint16_t fill = 0;
    void (LibRaw::*original)() = nullptr;

    // Restores LibRaw's own decoder first, which later steps depend on.
    void takeAdopted() {
        load_raw = original;
        // Like LibRaw's decoder.
        if (const auto header = crxHeader()) imgdata.color.maximum = (1u << (header->nBits & 15)) - 1;
        imgdata.rawdata.raw_image = adopted;
        imgdata.sizes.raw_pitch = adoptedPitchBytes;
    }

    // Runs between LibRaw's allocation of the samples, its decoder, and its first use of the samples.
    void loadAccounted() {
        load_raw = original;
        // Like LibRaw's unpack(), which does not recognise its decoder now.
        if (!std::strcmp(unpack_function_name(), "unpacked_load_raw()")
            && (!strcasecmp(imgdata.idata.make, "Nikon") || !strcasecmp(imgdata.idata.make, "Hasselblad")))
            imgdata.color.maximum = 65535;
        const auto &raw = imgdata.rawdata;
        const auto &sizes = imgdata.sizes;
        const unsigned channels = !raw.raw_alloc ? 0 : raw.raw_image == raw.raw_alloc ? 1 : raw.color3_image ? 3 : 0;
        const size_t width = size_t(sizes.raw_width) * channels, height = sizes.raw_height;
        // LibRaw allocates for the sensor, or for the picture if that is larger.
        if (channels) {
            std::fill_n(static_cast<uint16_t *>(raw.raw_alloc), width * height, fill);
            (this->*load_raw)();
            const bool isSame = raw.raw_alloc && sizes.raw_pitch == width * 2 && sizes.raw_height == height;
            if (isSame) account(static_cast<uint16_t *>(raw.raw_alloc), channels);
            isAccounted = isSame;
        } else if (imgdata.image) {
            // LibRaw clears this buffer, and its decoders may rely on that.
            const size_t count = size_t(std::max(sizes.width, sizes.raw_width))
                * (size_t(std::max(sizes.height, sizes.raw_height)) + 8);
            if (fill != firstFill) std::fill_n(&imgdata.image[0][0], count * 4, fill);
            (this->*load_raw)();
            isAccounted = imgdata.image && accountColours(imgdata.image, count);
        } else {
            (this->*load_raw)();
        }
    }

    // Clears unwritten samples outside the picture, and counts them inside.
    void account(uint16_t *samples, unsigned channels) {
        const auto &sizes = imgdata.sizes;
        const auto &internal = libraw_internal_data;
        const unsigned fujiWidth = internal.internal_output_params.fuji_width;
        const bool isDiagonal = fujiWidth != 0;
        const unsigned rawWidth = sizes.raw_width, rawHeight = sizes.raw_height;
        const unsigned left = sizes.left_margin, top = sizes.top_margin;
        const unsigned columns = isDiagonal ? fujiWidth << !internal.unpacker_data.fuji_layout : sizes.width;
        const unsigned right = std::min(left + columns, rawWidth);
        const unsigned bottom =
            isDiagonal ? std::max(rawHeight, top) - top : std::min(top + sizes.height, rawHeight);
        for (unsigned y = 0; y < rawHeight; y++) {
            uint16_t *row = samples + size_t(y) * rawWidth * channels;
            const bool isInside = y >= top && y < bottom && left < right;
            const size_t first = isInside ? size_t(left) * channels : size_t(rawWidth) * channels;
            const size_t end = isInside ? size_t(right) * channels : first;
            for (size_t x = 0; x < first; x++) row[x] = row[x] == fill ? 0 : row[x];
            uint32_t found = 0;
            for (size_t x = first; x < end; x++) found += row[x] == fill;
            for (size_t x = end; x < size_t(rawWidth) * channels; x++) row[x] = row[x] == fill ? 0 : row[x];
            unwrittenSamples += found;
        }
    }

    // Counts unwritten samples in pixels of four, the last of which is often unused. Before the first fill they are
    // zero, as single pixels can be by nature, so only runs of such pixels count.
    // Returns false if the rows have an unexpected layout.
    bool accountColours(uint16_t (*pixels)[4], size_t count) {
        const auto &sizes = imgdata.sizes;
        const size_t pitch = sizes.raw_pitch / 8;
        // With or without margins.
        const bool isWhole = pitch == sizes.raw_width;
        if (!isWhole && pitch != sizes.width) return false;
        const size_t left = isWhole ? sizes.left_margin : 0, top = isWhole ? sizes.top_margin : 0;
        const size_t right = std::min(left + sizes.width, pitch);
        const size_t bottom = isWhole ? std::min<size_t>(top + sizes.height, sizes.raw_height) : sizes.height;
        if (left >= right || bottom * pitch > count) return false;
        const uint16_t value = fill == firstFill ? 0 : fill;
        for (size_t y = top; y < bottom; y++) {
            size_t run = 0;
            for (size_t x = left; x < right; x++) {
                uint16_t *pixel = pixels[y * pitch + x];
                const bool isUnwritten = pixel[0] == value && pixel[1] == value && pixel[2] == value;
                run = isUnwritten ? run + 1 : 0;
                if (run == shortestRun) unwrittenSamples += shortestRun;
                if (run > shortestRun) unwrittenSamples++;
                if (!isUnwritten && pixel[3] == fill) pixel[3] = 0;
            }
        }
        return true;
    }

    static const size_t shortestRun = 16;

public:
    /// No sensor has enough bits for this to be a common value, and it is not at the edge of any range.
    static const uint16_t firstFill = 0xa5c3;
    static const uint16_t secondFill = 0x5a3c;
};

struct CLibRawHandle {
    /// The last file's bytes, which LibRaw reads until the next file.
    std::unique_ptr<Stream> stream;
    Decoder raw;
    CLibRawTagHandler handler = nullptr;
    void *context = nullptr;
    /// Whether LibRaw met a tag that it cannot read safely.
    bool isUnsafe = false;
    /// Whether fresh memory has a different fill than in the first reading.
    bool isSecondReading = false;

    uint8_t memoryByte() const { return isSecondReading ? 0x5a : 0; }

    // LibRaw's constructors leave some members uninitialised.
    static void *operator new(size_t size) {
        void *memory = std::calloc(1, size);
        if (!memory) throw std::bad_alloc();
        return memory;
    }
    static void operator delete(void *memory) { std::free(memory); }
};

namespace {

/// Whether a tag would make LibRaw overrun its own memory.
///
/// LibRaw reads 36 filters as 6 rows of 6. Unless a 6 × 6 repeat was stated before, its index leaves the array, and
/// optimising compilers turn the loop into an endless one: Debian's 0.20.2 overruns its memory.
bool overrunsFilters(const CLibRawHandle &handle, int tag, int count) {
    const int cfaPattern = 33422, kodakPattern = 64777, xTrans = 9;
    const int number = tag & 0xffff;
    if (count != 36) return false;
    return number == kodakPattern || (number == cfaPattern && handle.raw.imgdata.idata.filters != xTrans);
}

/// LibRaw's callback for each tag: rejects unsafe ones and forwards the others.
void forwardTag(void *context, int tag, int type, int count, unsigned order, void *stream, INT64) {
    auto handle = static_cast<CLibRawHandle *>(context);
    auto input = static_cast<LibRaw_abstract_datastream *>(stream);
    if (overrunsFilters(*handle, tag, count)) {
        handle->isUnsafe = true;
        throw LIBRAW_EXCEPTION_IO_CORRUPT;
    }
    if (handle->handler) handle->handler(handle->context, tag, type, count, order, input->tell());
}

/// Turns C++ exceptions into LibRaw's error codes, so that none crosses into Swift. LibRaw's calls catch all except
/// failed allocations.
template <typename Body> int caught(Body body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return LIBRAW_UNSUFFICIENT_MEMORY;
    } catch (...) {
        return LIBRAW_DATA_ERROR;
    }
}

/// Like `caught`, with defined contents of fresh memory.
template <typename Body> int guarded(const CLibRawHandle *handle, Body body) noexcept {
    return caught([&] {
        const MemoryContents contents(handle->memoryByte());
        return body();
    });
}

}  // namespace

CLibRawHandle *CLibRawCreate(int isSecondReading) {
    try {
        auto handle = new CLibRawHandle;
        handle->isSecondReading = isSecondReading;
        handle->raw.silence();
        handle->raw.set_exifparser_handler(forwardTag, handle);
        return handle;
    } catch (...) {
        return nullptr;
    }
}

void CLibRawDestroy(CLibRawHandle *handle) { delete handle; }

int CLibRawOpen(
    CLibRawHandle *handle, const void *bytes, size_t count, const CLibRawReplacement *replacements,
    size_t replacementCount, unsigned frame, unsigned memoryLimitMegabytes, CLibRawTagHandler handler, void *context) {
    handle->handler = handler;
    handle->context = context;
    auto &options = handle->raw.readingOptions();
    options.shot_select = frame;
    options.max_raw_memory_mb = memoryLimitMegabytes;
    handle->isUnsafe = false;
    const int code = guarded(handle, [&] {
        handle->raw.recycle();
        handle->stream.reset(new Stream(bytes, count));
        handle->stream->replacements.assign(replacements, replacements + replacementCount);
        // A normal file takes less than a thousand calls, and a scan of the whole file one per byte.
        handle->stream->callsLeft = 4000000 + int64_t(count / 4);
        return handle->raw.open_datastream(handle->stream.get());
    });
    if (handle->stream) handle->stream->callsLeft = -1;
    handle->handler = nullptr;
    handle->context = nullptr;
    return handle->isUnsafe ? int(LIBRAW_DATA_ERROR) : code;
}

void CLibRawRecycle(CLibRawHandle *handle) { handle->raw.recycle(); }

const char *CLibRawMessage(int code) { return libraw_strerror(code); }

CLibRawFacts CLibRawGetFacts(CLibRawHandle *handle) {
    auto &raw = handle->raw;
    const auto &sizes = raw.imgdata.sizes;
    const auto &inset = raw.insetCrop();
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
    facts.insetLeft = inset.cleft;
    facts.insetTop = inset.ctop;
    facts.insetWidth = inset.cwidth;
    facts.insetHeight = inset.cheight;
    facts.fujiWidth = internal->internal_output_params.fuji_width;
    facts.fujiColumns = facts.fujiWidth << !internal->unpacker_data.fuji_layout;
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
    for (int i = 0; i < 9; i++) facts.cameraToSRGB[i] = colour.rgb_cam[i / 3][i % 3];
    facts.whiteBalanceApplied = colour.as_shot_wb_applied;
    facts.iso = other.iso_speed;
    facts.shutterSeconds = other.shutter;
    facts.aperture = other.aperture;
    facts.focalLength = other.focal_len;
    const auto &lens = raw.imgdata.lens.makernotes;
    facts.lens[0] = lens.MinFocal;
    facts.lens[1] = lens.MaxFocal;
    facts.lens[2] = lens.MaxAp4MinFocal;
    facts.lens[3] = lens.MaxAp4MaxFocal;
    facts.timestamp = other.timestamp;
    facts.dataOffset = internal->unpacker_data.data_offset;
    facts.metaOffset = internal->unpacker_data.meta_offset;
    facts.bitsPerSample = internal->unpacker_data.tiff_bps;
    facts.loadFlags = internal->unpacker_data.load_flags;
    facts.byteOrder = uint16_t(internal->unpacker_data.order);
    facts.panasonicFormat = internal->unpacker_data.pana_encoding;
    facts.panasonicBits = raw.panasonicBits();
    if (const auto header = raw.crxHeader()) {
        facts.crxVersion = header->version;
        facts.crxIsRead = header->version <= Decoder::lastCRX;
        facts.crxTileWidth = header->tileWidth;
        facts.crxTileHeight = header->tileHeight;
        facts.crxBits = header->nBits;
        facts.crxPlanes = header->nPlanes;
        facts.crxLayout = header->cfaLayout;
        facts.crxCoding = header->encType;
        facts.crxLevels = header->imageLevels;
        facts.crxHeaderBytes = header->mdatHdrSize;
    }
    facts.thumbnailWidth = raw.imgdata.thumbnail.twidth;
    facts.thumbnailHeight = raw.imgdata.thumbnail.theight;
    facts.thumbnailBytes = raw.imgdata.thumbnail.tlength;
    facts.warnings = raw.imgdata.process_warnings;
    facts.dataErrors = raw.error_count();
    libraw_decoder_info_t info{};
    if (raw.get_decoder_info(&info) == LIBRAW_SUCCESS) facts.decoderFlags = info.decoder_flags;
    return facts;
}

const uint16_t *CLibRawCurve(CLibRawHandle *handle) {
    static_assert(sizeof handle->raw.imgdata.color.curve == 65536 * sizeof(uint16_t), "LibRaw's curve has another size");
    return handle->raw.imgdata.color.curve;
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
    case CLibRawLens:
        // Older cameras name it only in their maker notes.
        text = data.lens.Lens[0] ? data.lens.Lens : data.lens.makernotes.Lens;
        break;
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

int CLibRawUnpack(CLibRawHandle *handle, CLibRawAccount *account) {
    *account = CLibRawAccount{};
    if (!handle->stream) return LIBRAW_INPUT_CLOSED;
    handle->stream->missingBytes = 0;
    const uint16_t fill = handle->isSecondReading ? Decoder::secondFill : Decoder::firstFill;
    const int code = guarded(handle, [&] { return handle->raw.unpackAccounted(fill); });
    account->unwrittenSamples = handle->raw.unwrittenSamples;
    account->missingBytes = handle->stream->missingBytes;
    account->isAccounted = handle->raw.isAccounted;
    return code;
}

int CLibRawAdopt(CLibRawHandle *handle, const uint16_t *samples, unsigned pitchBytes) {
    // LibRaw allocates for samples that it does not decompress here. Filling them would take as long as unpacking some
    // formats.
    return caught([&] {
        MemoryContents::fillStack(handle->memoryByte());
        return handle->raw.adopt(samples, pitchBytes);
    });
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
    // 0 is the camera's own colour space.
    params.output_color = toSRGB ? 1 : 0;
    // 1 keeps values above white, 0 clips them.
    params.highlight = toSRGB ? 0 : 1;
    params.adjust_maximum_thr = 0;
    // LibRaw's default interpolation for the sensor.
    params.user_qual = -1;
    // Rotates Fujifilm's diagonal sensors upright.
    params.use_fuji_rotate = 1;
    std::copy_n(multipliers, 4, params.user_mul);
    return guarded(handle, [&] { return handle->raw.dcraw_process(); });
}

const uint16_t *CLibRawInterpolated(CLibRawHandle *handle, uint32_t *width, uint32_t *height) {
    // Not iwidth and iheight, which precede rotating diagonal sensors and making pixels square.
    *width = handle->raw.imgdata.sizes.width;
    *height = handle->raw.imgdata.sizes.height;
    return reinterpret_cast<const uint16_t *>(handle->raw.imgdata.image);
}

int CLibRawUnpackThumbnail(CLibRawHandle *handle, CLibRawThumbnail *thumbnail) {
    if (!handle->stream) return LIBRAW_INPUT_CLOSED;
    if (!handle->raw.hasRoomForPreview()) return LIBRAW_DATA_ERROR;
    handle->stream->missingBytes = 0;
    const int code = guarded(handle, [&] { return handle->raw.unpack_thumb(); });
    if (code != LIBRAW_SUCCESS) return code;
    // LibRaw does not check that it got the bytes it requested.
    if (handle->stream->missingBytes > 0) return LIBRAW_IO_ERROR;
    const auto &found = handle->raw.imgdata.thumbnail;
    thumbnail->format = found.tformat == LIBRAW_THUMBNAIL_JPEG ? 1 : found.tformat == LIBRAW_THUMBNAIL_BITMAP ? 2 : 0;
    thumbnail->width = found.twidth;
    thumbnail->height = found.theight;
    thumbnail->byteCount = found.tlength;
    thumbnail->bytes = reinterpret_cast<const uint8_t *>(found.thumb);
    return found.thumb ? LIBRAW_SUCCESS : LIBRAW_NO_THUMBNAIL;
}

const char *CLibRawVersion() { return LibRaw::version(); }

const char *CLibRawCamera(unsigned index) {
    const char **cameras = LibRaw::cameraList();
    return index < unsigned(LibRaw::cameraCount()) ? cameras[index] : nullptr;
}

const char *CLibRawMaker(unsigned index) { return LibRaw::cameramakeridx2maker(index); }

const unsigned CLibRawMaxMaker = LIBRAW_CAMERAMAKER_TheLastOne;

int CLibRawHasMatrix(CLibRawHandle *handle, unsigned maker, const char *model) {
    return handle->raw.hasMatrix(maker, model);
}
