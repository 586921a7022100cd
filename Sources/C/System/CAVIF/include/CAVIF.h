// libavif's encoder as one call. Its functions return nothing in 0.11 and a result in 1.0 and later, and its structures differ:
// C sees to that here.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Bytes in memory that this does not own.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} CAVIFBytes;

/// A still picture of full-range Y′CbCr 4:4:4 with 10 bits a sample, and what it says of itself.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// Y′, Cb and Cr: width × height samples each, without gaps.
    const uint16_t *planes[3];
    /// ITU-T H.273 (CICP); 2 is "not specified", for a picture with an ICC profile.
    uint16_t colourPrimaries;
    uint16_t transferCharacteristics;
    uint16_t matrixCoefficients;
    /// Empty for none.
    CAVIFBytes profile;
    /// A TIFF structure.
    CAVIFBytes exif;
    CAVIFBytes xmp;
    /// aom's, 0 (no loss) to 63.
    int quantizer;
    /// libavif's, 0 (slow) to 10.
    int speed;
} CAVIFPicture;

/// Encodes a picture by aom, in the calling thread.
///
/// Returns NULL, and in `file` the file's bytes, to be freed by `CAVIFFree`; or what went wrong, which is a constant, and no bytes.
const char *CAVIFEncode(const CAVIFPicture *picture, CAVIFBytes *file);
void CAVIFFree(CAVIFBytes file);

/// Such as `0.11.1`.
const char *CAVIFVersion(void);
/// The codecs that libavif was loaded with, such as `dav1d [dec]:1.0.0, aom [enc/dec]:v3.6.0`: 0 at the end.
void CAVIFCodecs(char text[256]);
