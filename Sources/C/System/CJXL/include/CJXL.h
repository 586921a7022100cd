// libjxl's encoder in two calls. It copies what it is given, so that the caller's picture need not stay while it works.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes in memory that this does not own.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} CJXLBytes;

/// What R'G'B' of a picture means. All have the white D65.
typedef struct {
    /// x and y of red, green and blue.
    double primaries[3][2];
    /// Exponent from light to samples; 0 for sRGB's curve.
    double gamma;
} CJXLColours;

/// A still picture of R'G'B' with 16 bits a channel, and what it says of itself.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// Three for each pixel, rows without gaps.
    const uint16_t *samples;
    CJXLColours colours;
    /// A TIFF structure.
    CJXLBytes exif;
    CJXLBytes xmp;
    /// Butteraugli's, 0.01 to 25; 1 is hardly to be seen.
    float distance;
    /// libjxl's, 1 (fast) to 9.
    int effort;
    /// Threads to encode with, 1 or more. They change no byte.
    int threads;
} CJXLPicture;

typedef struct CJXLEncoding CJXLEncoding;

/// Gives a picture to an encoder. What was passed may go afterwards.
///
/// Returns NULL, and an encoding that must be given to `CJXLEnd`; or what went wrong, which is a constant.
const char *CJXLBegin(const CJXLPicture *picture, CJXLEncoding **encoding);
/// Encodes the picture, once. The file's bytes are valid as long as the encoding is.
///
/// Returns NULL, or what went wrong, which is a constant.
const char *CJXLFinish(CJXLEncoding *encoding, CJXLBytes *file);
void CJXLEnd(CJXLEncoding *encoding);

/// Major × 1,000,000 + minor × 1,000 + patch.
uint32_t CJXLVersion(void);

#ifdef __cplusplus
}
#endif
