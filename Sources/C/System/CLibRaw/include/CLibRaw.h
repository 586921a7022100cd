// LibRaw as Decode/LibRaw uses it: one opaque handle, one flat record of facts, plain functions.
//
// LibRaw's own C structures hold arrays too large for Swift's importer (curve, cblack), and its parser callback passes a
// C++ stream. Both stay behind this header, which decides nothing.
#ifndef RAWMILL_CLIBRAW_H
#define RAWMILL_CLIBRAW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CLibRawHandle CLibRawHandle;

/// LibRaw's error codes, by the names of its header.
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

/// Called for every tag LibRaw's parsers meet. The upper 16 bits of `tag` are the directory, `byteOrder` is 0x4949 or
/// 0x4d4d, and `offset` is where in the buffer the value starts.
typedef void (*CLibRawTagHandler)(void *context, int tag, int type, int count, unsigned byteOrder, int64_t offset);

/// What LibRaw knows about the open frame. The names are LibRaw's where it has any.
typedef struct {
    uint32_t rawWidth, rawHeight, width, height, leftMargin, topMargin, rawPitchBytes;
    double pixelAspect;
    int32_t flip;
    /// Of a sensor whose rows and columns run diagonally, half its columns or all of them; and all. 0 for others.
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
    /// By maker notes: the least and the greatest focal length, and the lens's f-number at each; 0 where they do not say.
    float lens[4];
    int64_t timestamp;
    int64_t dataOffset;
    /// Where the file says how samples are compressed; 0 where it does not.
    int64_t metaOffset;
    /// Bits of a sample as it is stored.
    uint32_t bitsPerSample;
    /// How LibRaw's decoder of packed samples deviates from the usual; 0 where it does not.
    uint32_t loadFlags;
    /// In which order LibRaw reads numbers of several bytes: 0x4949 for little-endian, 0x4d4d for big-endian.
    uint32_t byteOrder;
    /// Panasonic's format of the samples, and of how many bits LibRaw's decoder of it takes them to be; 0 for other makers'.
    uint32_t panasonicFormat, panasonicBits;
    /// Of Canon's CRX: its version, whether LibRaw's decoder reads that, the pixels of a tile, bits of a sample, planes, which colour is in the first corner, how planes
    /// are coded, how often they are split into bands, and bytes of the header at the samples' offset. All 0 for other formats.
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

/// Null where there is no memory.
///
/// A second reading of a file finds fresh memory filled with another value than the first one does. What is
/// equal in both was written.
CLibRawHandle *CLibRawCreate(int isSecondReading);
void CLibRawDestroy(CLibRawHandle *handle);

/// A byte that LibRaw reads as another one.
typedef struct {
    uint64_t offset;
    uint8_t byte;
} CLibRawReplacement;

/// Identifies the file in `bytes`, which must stay in place until the handle is recycled, opened again or destroyed.
int CLibRawOpen(
    CLibRawHandle *handle, const void *bytes, size_t count, const CLibRawReplacement *replacements,
    size_t replacementCount, unsigned frame, unsigned memoryLimitMegabytes, CLibRawTagHandler handler, void *context);
void CLibRawRecycle(CLibRawHandle *handle);
const char *CLibRawMessage(int code);

CLibRawFacts CLibRawGetFacts(CLibRawHandle *handle);
/// What LibRaw looks stored values up in: 65,536 numbers, never null.
const uint16_t *CLibRawCurve(CLibRawHandle *handle);
/// A string that is valid until the handle is opened again; never null.
const char *CLibRawGetText(CLibRawHandle *handle, CLibRawText which);
/// Black level of position `index` of the repeating block (row by row); 0 outside it.
uint32_t CLibRawBlackOfBlock(CLibRawHandle *handle, unsigned index);
/// Bytes of the XMP packet; null where the file has none.
const char *CLibRawXMP(CLibRawHandle *handle, size_t *count);

/// What LibRaw's decoder left undone although it reported success. All zero but `isAccounted` for most good files.
typedef struct {
    /// Samples of the picture, margins left out, that were not written, or have the value of such by chance.
    uint64_t unwrittenSamples;
    /// Bytes that the decoder asked for beyond the file's end.
    uint64_t missingBytes;
    /// False where the first number is not known.
    int32_t isAccounted;
} CLibRawAccount;

/// Decompresses the samples.
int CLibRawUnpack(CLibRawHandle *handle, CLibRawAccount *account);
/// Does what CLibRawUnpack does, but takes `samples` for what LibRaw would decompress: one a pixel over the whole sensor,
/// rows `pitchBytes` apart. They are only read, and only during the call.
int CLibRawAdopt(CLibRawHandle *handle, const uint16_t *samples, unsigned pitchBytes);
/// One sample a pixel over the whole sensor; null where the samples came in another form.
const uint16_t *CLibRawSingle(CLibRawHandle *handle);
/// Three samples a pixel over the whole sensor; null where they came in another form.
const uint16_t *CLibRawTriple(CLibRawHandle *handle);
/// Four samples a pixel over the whole sensor; null where they came in another form.
const uint16_t *CLibRawQuadruple(CLibRawHandle *handle);
/// True where the samples are floating-point numbers.
int CLibRawIsFloat(CLibRawHandle *handle);

/// LibRaw's interpolation to linear 16-bit samples, neither brightened, gamma-coded nor rotated: camera colours scaled by
/// `multipliers` where `toSRGB` is 0, else white-balanced linear sRGB.
int CLibRawInterpolate(CLibRawHandle *handle, const float multipliers[4], int toSRGB);
/// The interpolated picture, four samples a pixel, `width` × `height`; null before CLibRawInterpolate.
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

/// The version of the library that is loaded.
const char *CLibRawVersion(void);
/// Maker and model of a camera that LibRaw reads, in one text, by its number from 0; null after the last.
const char *CLibRawCamera(unsigned index);
/// LibRaw's name of a maker, by its number from 1; null for a number without a maker. Numbers have gaps.
const char *CLibRawMaker(unsigned index);
/// The highest number that a maker may have.
extern const unsigned CLibRawMaxMaker;
/// Whether LibRaw has a colour matrix for a camera. Needs a handle on which no file was opened.
int CLibRawHasMatrix(CLibRawHandle *handle, unsigned maker, const char *model);

#ifdef __cplusplus
}
#endif
#endif
