// libjxl's encoder as two calls. It copies its input, so that the caller can free the picture before encoding.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Borrowed bytes.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} CJXLBytes;

/// Colour space of R'G'B', with the white point D65.
typedef struct {
    /// x and y of red, green and blue.
    double primaries[3][2];
    /// Exponent from light to samples; 0 for sRGB's curve.
    double gamma;
} CJXLColours;

/// A 16-bit R'G'B' still picture with its metadata.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// Three per pixel, rows without gaps.
    const uint16_t *samples;
    CJXLColours colours;
    /// A TIFF structure.
    CJXLBytes exif;
    CJXLBytes xmp;
    /// Butteraugli distance, 0.01 to 25; 1 is visually lossless.
    float distance;
    /// libjxl's, 1 (fast) to 9.
    int effort;
    /// Number of threads, at least 1. Does not affect the bytes.
    int threads;
} CJXLPicture;

typedef struct CJXLEncoding CJXLEncoding;

/// Copies a picture into a new encoder.
///
/// Returns NULL, and an encoding that must be passed to `CJXLEnd`; or a constant error message.
const char *CJXLBegin(const CJXLPicture *picture, CJXLEncoding **encoding);
/// Encodes the picture, once. The file's bytes are valid as long as the encoding.
///
/// Returns NULL, or a constant error message.
const char *CJXLFinish(CJXLEncoding *encoding, CJXLBytes *file);
void CJXLEnd(CJXLEncoding *encoding);

/// Major × 1,000,000 + minor × 1,000 + patch.
uint32_t CJXLVersion(void);

#ifdef __cplusplus
}
#endif
