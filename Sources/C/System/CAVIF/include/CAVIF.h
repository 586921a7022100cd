// libavif's encoder as a single call. In C, because functions and structures differ between 0.11 and 1.0.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Borrowed bytes.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} CAVIFBytes;

/// A full-range 10-bit Y′CbCr 4:4:4 still picture with its metadata.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// Y′, Cb and Cr: width × height samples each, without gaps.
    const uint16_t *planes[3];
    /// ITU-T H.273 (CICP); 2 is "not specified", for a picture with an ICC profile.
    uint16_t colourPrimaries;
    uint16_t transferCharacteristics;
    uint16_t matrixCoefficients;
    /// May be empty.
    CAVIFBytes profile;
    /// A TIFF structure.
    CAVIFBytes exif;
    CAVIFBytes xmp;
    /// aom's, 0 (lossless) to 63.
    int quantizer;
    /// libavif's, 0 (slow) to 10.
    int speed;
} CAVIFPicture;

/// Encodes a picture with aom, on the calling thread.
///
/// Returns NULL, and the file's bytes in `file`, to be freed by `CAVIFFree`; or a constant error message, and no bytes.
const char *CAVIFEncode(const CAVIFPicture *picture, CAVIFBytes *file);
void CAVIFFree(CAVIFBytes file);

/// For example `0.11.1`.
const char *CAVIFVersion(void);
/// libavif's codecs, such as `dav1d [dec]:1.0.0, aom [enc/dec]:v3.6.0`, zero-terminated.
void CAVIFCodecs(char text[256]);
