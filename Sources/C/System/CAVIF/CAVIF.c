#include "CAVIF.h"

#include <stdio.h>
#include <string.h>

#include <avif/avif.h>

#if AVIF_VERSION >= 1000000
#define CHECKED(call) (call)
#else
// Before 1.0 these returned nothing and ended the process when out of memory.
#define CHECKED(call) ((call), AVIF_RESULT_OK)
#endif

static avifResult describe(avifImage *image, const CAVIFPicture *picture) {
    image->yuvRange = AVIF_RANGE_FULL;
    image->colorPrimaries = picture->colourPrimaries;
    image->transferCharacteristics = picture->transferCharacteristics;
    image->matrixCoefficients = picture->matrixCoefficients;
    for (int plane = 0; plane < 3; plane++) {
        // Encoders only read the planes, which the image does not own.
        image->yuvPlanes[plane] = (uint8_t *)picture->planes[plane];
        image->yuvRowBytes[plane] = 2 * picture->width;
    }
    avifResult result = AVIF_RESULT_OK;
    if (picture->profile.count > 0) {
        result = CHECKED(avifImageSetProfileICC(image, picture->profile.bytes, picture->profile.count));
    }
    if (result == AVIF_RESULT_OK && picture->exif.count > 0) {
        result = CHECKED(avifImageSetMetadataExif(image, picture->exif.bytes, picture->exif.count));
    }
    if (result == AVIF_RESULT_OK && picture->xmp.count > 0) {
        result = CHECKED(avifImageSetMetadataXMP(image, picture->xmp.bytes, picture->xmp.count));
    }
    return result;
}

/// libavif stores options until the picture arrives, and only then rejects those unknown to aom.
static avifResult setUp(avifEncoder *encoder, const CAVIFPicture *picture) {
    char quantizer[16];
    snprintf(quantizer, sizeof quantizer, "%d", picture->quantizer);
    encoder->codecChoice = AVIF_CODEC_CHOICE_AOM;
    // aom's bytes differ between one thread and several.
    encoder->maxThreads = 1;
    encoder->speed = picture->speed;
    encoder->minQuantizer = AVIF_QUANTIZER_BEST_QUALITY;
    encoder->maxQuantizer = AVIF_QUANTIZER_WORST_QUALITY;
    avifResult result = CHECKED(avifEncoderSetCodecSpecificOption(encoder, "end-usage", "q"));
    if (result != AVIF_RESULT_OK) return result;
    return CHECKED(avifEncoderSetCodecSpecificOption(encoder, "cq-level", quantizer));
}

const char *CAVIFEncode(const CAVIFPicture *picture, CAVIFBytes *file) {
    avifRWData output = AVIF_DATA_EMPTY;
    avifResult result = AVIF_RESULT_OUT_OF_MEMORY;
    avifImage *image = avifImageCreate(picture->width, picture->height, 10, AVIF_PIXEL_FORMAT_YUV444);
    avifEncoder *encoder = avifEncoderCreate();
    file->bytes = NULL;
    file->count = 0;
    if (image && encoder) {
        result = describe(image, picture);
        if (result == AVIF_RESULT_OK) result = setUp(encoder, picture);
        if (result == AVIF_RESULT_OK) result = avifEncoderAddImage(encoder, image, 1, AVIF_ADD_IMAGE_FLAG_SINGLE);
        if (result == AVIF_RESULT_OK) result = avifEncoderFinish(encoder, &output);
    }
    if (encoder) avifEncoderDestroy(encoder);
    if (image) avifImageDestroy(image);
    if (result != AVIF_RESULT_OK) {
        avifRWDataFree(&output);
        return avifResultToString(result);
    }
    file->bytes = output.data;
    file->count = output.size;
    return NULL;
}

void CAVIFFree(CAVIFBytes file) {
    avifRWData data = {(uint8_t *)file.bytes, file.count};
    avifRWDataFree(&data);
}

const char *CAVIFVersion(void) { return avifVersion(); }

void CAVIFCodecs(char text[256]) {
    avifCodecVersions(text);
    text[255] = 0;
}
