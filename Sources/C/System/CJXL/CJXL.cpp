#include "CJXL.h"

#include <memory>
#include <new>
#include <vector>

#include <hwy/targets.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>

namespace {

/// libjxl selects its loops by processor, and those with fused multiply-add round differently, which changes bytes. All
/// targets from SSSE3 up to SSE4 agree, so nothing newer is used in the whole process.
void useSameInstructionsEverywhere() {
    static const bool done = [] {
        // The newer a target, the lower its bit.
        hwy::DisableTargets(HWY_SSE4 - 1);
        return true;
    }();
    (void)done;
}

struct Runner {
    void operator()(void *runner) const { JxlThreadParallelRunnerDestroy(runner); }
};

struct Encoder {
    void operator()(JxlEncoder *encoder) const { JxlEncoderDestroy(encoder); }
};

}  // namespace

struct CJXLEncoding {
    // Declared before the encoder, which uses it and is destroyed first.
    std::unique_ptr<void, Runner> runner;
    std::unique_ptr<JxlEncoder, Encoder> encoder;
    std::vector<uint8_t> file;

    const char *begin(const CJXLPicture &picture) {
        encoder.reset(JxlEncoderCreate(nullptr));
        if (!encoder) return "libjxl could not be started";
        if (picture.threads > 1) {
            runner.reset(JxlThreadParallelRunnerCreate(nullptr, picture.threads));
            if (!runner || JxlEncoderSetParallelRunner(encoder.get(), JxlThreadParallelRunner, runner.get()))
                return "libjxl could not start its threads";
        }
        if (const char *problem = describe(picture)) return problem;
        if (const char *problem = addBoxes(picture)) return problem;
        return addPicture(picture);
    }

    const char *finish() {
        file.resize(1 << 20);
        size_t written = 0;
        while (true) {
            uint8_t *next = file.data() + written;
            size_t left = file.size() - written;
            JxlEncoderStatus status = JxlEncoderProcessOutput(encoder.get(), &next, &left);
            written = next - file.data();
            if (status == JXL_ENC_SUCCESS) break;
            if (status != JXL_ENC_NEED_MORE_OUTPUT) return "libjxl could not encode the picture";
            file.resize(2 * file.size());
        }
        file.resize(written);
        return nullptr;
    }

private:
    const char *describe(const CJXLPicture &picture) {
        JxlBasicInfo info;
        JxlEncoderInitBasicInfo(&info);
        info.xsize = picture.width;
        info.ysize = picture.height;
        info.bits_per_sample = 16;
        // Stores XYB and tags the picture's original colours.
        info.uses_original_profile = JXL_FALSE;
        if (JxlEncoderSetBasicInfo(encoder.get(), &info)) return "libjxl rejected the picture's size";
        JxlColorEncoding colours = {};
        colours.color_space = JXL_COLOR_SPACE_RGB;
        colours.white_point = JXL_WHITE_POINT_D65;
        colours.primaries = JXL_PRIMARIES_CUSTOM;
        for (int i = 0; i < 2; i++) {
            colours.primaries_red_xy[i] = picture.colours.primaries[0][i];
            colours.primaries_green_xy[i] = picture.colours.primaries[1][i];
            colours.primaries_blue_xy[i] = picture.colours.primaries[2][i];
        }
        colours.transfer_function = JXL_TRANSFER_FUNCTION_SRGB;
        if (picture.colours.gamma > 0) {
            colours.transfer_function = JXL_TRANSFER_FUNCTION_GAMMA;
            colours.gamma = picture.colours.gamma;
        }
        colours.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
        return JxlEncoderSetColorEncoding(encoder.get(), &colours) ? "libjxl rejected the colour space" : nullptr;
    }

    const char *addBoxes(const CJXLPicture &picture) {
        if (JxlEncoderUseBoxes(encoder.get())) return "libjxl could not add metadata";
        if (picture.exif.count > 0) {
            // The TIFF structure's offset, 0, precedes it.
            std::vector<uint8_t> exif(4);
            exif.insert(exif.end(), picture.exif.bytes, picture.exif.bytes + picture.exif.count);
            if (JxlEncoderAddBox(encoder.get(), "Exif", exif.data(), exif.size(), JXL_FALSE))
                return "libjxl rejected the EXIF block";
        }
        if (picture.xmp.count > 0
            && JxlEncoderAddBox(encoder.get(), "xml ", picture.xmp.bytes, picture.xmp.count, JXL_FALSE))
            return "libjxl rejected the XMP packet";
        return nullptr;
    }

    const char *addPicture(const CJXLPicture &picture) {
        JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder.get(), nullptr);
        if (!settings || JxlEncoderSetFrameDistance(settings, picture.distance)
            || JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, picture.effort))
            return "libjxl rejected the quality";
        JxlPixelFormat format = {3, JXL_TYPE_UINT16, JXL_NATIVE_ENDIAN, 0};
        size_t count = size_t(6) * picture.width * picture.height;
        if (JxlEncoderAddImageFrame(settings, &format, picture.samples, count))
            return "libjxl rejected the picture";
        JxlEncoderCloseInput(encoder.get());
        return nullptr;
    }
};

// No C++ exception may reach the caller; only allocations throw.
static const char *const outOfMemory = "libjxl ran out of memory";

const char *CJXLBegin(const CJXLPicture *picture, CJXLEncoding **encoding) try {
    useSameInstructionsEverywhere();
    auto made = std::make_unique<CJXLEncoding>();
    *encoding = nullptr;
    if (const char *problem = made->begin(*picture)) return problem;
    *encoding = made.release();
    return nullptr;
} catch (...) {
    return outOfMemory;
}

const char *CJXLFinish(CJXLEncoding *encoding, CJXLBytes *file) try {
    if (const char *problem = encoding->finish()) return problem;
    *file = {encoding->file.data(), encoding->file.size()};
    return nullptr;
} catch (...) {
    return outOfMemory;
}

void CJXLEnd(CJXLEncoding *encoding) { delete encoding; }

uint32_t CJXLVersion(void) { return JxlEncoderVersion(); }
