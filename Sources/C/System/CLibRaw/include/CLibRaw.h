// LibRaw as Decode/LibRaw uses it: one opaque handle, one flat record, plain functions.
//
// LibRaw's own C structures hold arrays too large for Swift's importer (curve, cblack), and its parser callback passes
// a C++ stream. This header hides both, and decides nothing.
#ifndef RAWMILL_CLIBRAW_H
#define RAWMILL_CLIBRAW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CLibRawHandle CLibRawHandle;

/// LibRaw's error codes, named as in its header.
enum {
    CLibRawSuccess = 0,
    CLibRawUnspecifiedError = -1,
    CLibRawFileUnsupported = -2,
    CLibRawNoSuchImage = -3,
    CLibRawNoThumbnail = -5,
    CLibRawUnsupportedThumbnail = -6,
    CLibRawOutOfMemory = -100007,
    CLibRawDataError = -100008,
    CLibRawInputError = -100009,
    CLibRawTooBig = -100012,
    CLibRawPoolOverflow = -100013,
};

/// Called for every tag in LibRaw's parsers. The upper 16 bits of `tag` are the directory, `byteOrder` is 0x4949 or
/// 0x4d4d, and `offset` is the value's position in the buffer.
typedef void (*CLibRawTagHandler)(void *context, int tag, int type, int count, unsigned byteOrder, int64_t offset);

/// LibRaw's facts about the open frame, with LibRaw's names where they exist.
typedef struct {
    uint32_t rawWidth, rawHeight, width, height, leftMargin, topMargin, rawPitchBytes;
    double pixelAspect;
    int32_t flip;
    /// For a sensor with diagonal rows and columns: half or all of its columns, and all columns. 0 for others.
    uint32_t fujiWidth, fujiColumns;
    uint32_t filters, frameCount, dngVersion, isFoveon, decoderFlags;
    int32_t colours;
    char colourNames[5];
    uint8_t xTrans[36];
    uint32_t insetLeft, insetTop, insetWidth, insetHeight;
    uint32_t black, blackByColour[4], blackRows, blackColumns;
    uint32_t maximum;
    int64_t linearMaximum[4];
    float cameraMultipliers[4];
    float xyzToCamera[12];
    float cameraToSRGB[9];
    int32_t whiteBalanceApplied;
    float iso, shutterSeconds, aperture, focalLength;
    /// From maker notes: shortest and longest focal length, and the f-number at each; 0 if unknown.
    float lens[4];
    int64_t timestamp;
    int64_t dataOffset;
    /// Position of the compression parameters; 0 if there are none.
    int64_t metaOffset;
    /// Stored bits per sample.
    uint32_t bitsPerSample;
    /// Flags of LibRaw's decoder for packed samples; 0 by default.
    uint32_t loadFlags;
    /// Byte order in which LibRaw reads numbers: 0x4949 for little-endian, 0x4d4d for big-endian.
    uint32_t byteOrder;
    /// Panasonic's sample format, and the bits per sample that LibRaw's decoder assumes; 0 for other makers.
    uint32_t panasonicFormat, panasonicBits;
    /// Canon's CRX: version, whether LibRaw's decoder reads it, pixels per tile, bits per sample, planes, colour of the
    /// first corner, coding of planes, levels of band splitting, and bytes of the header at the samples' offset. All 0
    /// for other formats.
    uint32_t crxVersion, crxIsRead, crxTileWidth, crxTileHeight, crxBits, crxPlanes, crxLayout, crxCoding, crxLevels, crxHeaderBytes;
    uint32_t thumbnailWidth, thumbnailHeight, thumbnailBytes;
    uint32_t warnings;
    int32_t dataErrors;
} CLibRawFacts;

typedef enum {
    CLibRawMake,
    CLibRawModel,
    CLibRawNormalizedMake,
    CLibRawNormalizedModel,
    CLibRawArtist,
    CLibRawDescription,
    CLibRawSoftware,
    CLibRawBodySerial,
    CLibRawLens,
    CLibRawDecoderName,
} CLibRawText;

/// Returns null if memory is exhausted.
///
/// A second reading of a file fills fresh memory with another value than the first. Equal samples were written by
/// LibRaw.
CLibRawHandle *CLibRawCreate(int isSecondReading);
void CLibRawDestroy(CLibRawHandle *handle);

/// A byte that LibRaw reads as another.
typedef struct {
    uint64_t offset;
    uint8_t byte;
} CLibRawReplacement;

/// Identifies the file in `bytes`, which must stay valid until the handle is recycled, reopened or destroyed.
int CLibRawOpen(
    CLibRawHandle *handle, const void *bytes, size_t count, const CLibRawReplacement *replacements,
    size_t replacementCount, unsigned frame, unsigned memoryLimitMegabytes, CLibRawTagHandler handler, void *context);
void CLibRawRecycle(CLibRawHandle *handle);
const char *CLibRawMessage(int code);

CLibRawFacts CLibRawGetFacts(CLibRawHandle *handle);
/// LibRaw's look-up table for stored values: 65,536 numbers, never null.
const uint16_t *CLibRawCurve(CLibRawHandle *handle);
/// A string, valid until the handle is reopened; never null.
const char *CLibRawGetText(CLibRawHandle *handle, CLibRawText which);
/// Black level at `index` of the repeating block (row by row); 0 outside it.
uint32_t CLibRawBlackOfBlock(CLibRawHandle *handle, unsigned index);
/// Bytes of the XMP packet; null if missing.
const char *CLibRawXMP(CLibRawHandle *handle, size_t *count);

/// What LibRaw's decoder left undone despite reporting success. All zero except `isAccounted` for most good files.
typedef struct {
    /// Samples of the picture, without margins, that were not written, or equal the fill by chance.
    uint64_t unwrittenSamples;
    /// Bytes requested beyond the end of the file.
    uint64_t missingBytes;
    /// Whether `unwrittenSamples` is known.
    int32_t isAccounted;
} CLibRawAccount;

/// Decompresses the samples.
int CLibRawUnpack(CLibRawHandle *handle, CLibRawAccount *account);
/// Like CLibRawUnpack, but uses `samples` instead of decompressing: one per pixel of the whole sensor, rows
/// `pitchBytes` apart. Only read during the call.
int CLibRawAdopt(CLibRawHandle *handle, const uint16_t *samples, unsigned pitchBytes);
/// One sample per pixel of the whole sensor; null if the samples have another form.
const uint16_t *CLibRawSingle(CLibRawHandle *handle);
/// Three samples per pixel of the whole sensor; null if they have another form.
const uint16_t *CLibRawTriple(CLibRawHandle *handle);
/// Four samples per pixel of the whole sensor; null if they have another form.
const uint16_t *CLibRawQuadruple(CLibRawHandle *handle);
/// Whether samples are floating-point numbers.
int CLibRawIsFloat(CLibRawHandle *handle);

/// LibRaw's interpolation to linear 16-bit samples, neither brightened, gamma-coded nor rotated: camera colours scaled
/// by `multipliers` if `toSRGB` is 0, otherwise white-balanced linear sRGB.
int CLibRawInterpolate(CLibRawHandle *handle, const float multipliers[4], int toSRGB);
/// The interpolated picture, four samples per pixel, `width` × `height`; null before CLibRawInterpolate.
const uint16_t *CLibRawInterpolated(CLibRawHandle *handle, uint32_t *width, uint32_t *height);

/// The embedded preview.
typedef struct {
    /// 1 JPEG, 2 8-bit RGB, 0 something else.
    int32_t format;
    uint32_t width, height, byteCount;
    const uint8_t *bytes;
} CLibRawThumbnail;

/// Finds the embedded preview, whose bytes are valid until the handle is recycled.
int CLibRawUnpackThumbnail(CLibRawHandle *handle, CLibRawThumbnail *thumbnail);

/// Version of the loaded library.
const char *CLibRawVersion(void);
/// Maker and model of a supported camera, in one text, by number from 0; null after the last.
const char *CLibRawCamera(unsigned index);
/// LibRaw's name of a maker, by number from 1; null for gaps.
const char *CLibRawMaker(unsigned index);
/// The highest possible number of a maker.
extern const unsigned CLibRawMaxMaker;
/// Whether LibRaw has a colour matrix for a camera. Needs a handle without a file.
int CLibRawHasMatrix(CLibRawHandle *handle, unsigned maker, const char *model);

#ifdef __cplusplus
}
#endif
#endif
