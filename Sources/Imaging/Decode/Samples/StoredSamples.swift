import DecodeKernels
import TIFF
import PictureFormat
import Pixels

/// Storage of one picture's samples in a file of any format: the input of our own unpacker.
struct StoredSamples {
    enum Coding: Hashable {
        /// 16-bit samples in the file's byte order, or fewer bits packed from the left.
        case plain(bits: Int, isLittleEndian: Bool)
        /// `sixteenHasBits` is true for DNG before version 1.1.
        case losslessJPEG(sixteenHasBits: Bool)
        /// A DNG's integers with Deflate.
        case deflated(DeflatedRows)
        /// A DNG's tiles that are complete pictures.
        case pictures(PictureTiles)
        /// Sony's blocks of 16 bytes, with the sample for each of 2,048 values.
        case sonyBlocks(curve: [UInt16])
        case rowPairs(RowPairCoding)
        /// Olympus's compression; the visible samples of a row, and rows.
        case olympus(visible: PixelSize)
        /// 12 or 14 bits, packed from the highest bit of little-endian 32-bit words.
        case words(bits: Int)
        /// Groups of 16 bytes; `visible` gives the columns and rows whose samples must be in range.
        case groups(GroupCoding, isInBlocks: Bool, visible: PixelSize)

        /// Canon's CRX: a tile for each chunk, and the planes by their place in a square of four samples.
        case crx([CRXTile], bits: Int, places: [Int])
        /// Fujifilm's compression: a strip for each chunk.
        case fujifilm(FujifilmCoding)

        /// Whether a run of zeros in the file becomes a run of zero samples; false for compressed data.
        var keepsZeros: Bool {
            switch self {
            case .losslessJPEG, .deflated, .pictures: false
            default: true
            }
        }
    }

    /// One strip or tile: its bytes in the file, and the slices that its samples fill in order.
    struct Chunk: Hashable {
        let bytes: Range<Int>
        let slices: [PlaneSlice]
    }

    /// Columns of the plane, in samples.
    let width: Int
    /// Rows of the plane.
    let height: Int
    let coding: Coding
    let chunks: [Chunk]
    /// False if LibRaw would misread samples whose coding our unpackers do not support.
    let isReadByLibRaw: Bool
    /// The area where a sample above `greatest` is damage; nil if the coding cannot exceed the range.
    var range: (rect: PixelRect, greatest: UInt16)?

    /// Reads the layout; nil if LibRaw has to decode the samples.
    ///
    /// - Throws: `corrupt` if the file contradicts itself.
    init?(_ frame: Frame, _ layout: SensorLayout) throws(DecodeError) {
        if let dng = frame.dng {
            try self.init(dng, layout)
            return
        }
        switch layout {
        case .bayer, .xTrans: break
        case .monochrome, .linearRGB: return nil
        }
        let facts = frame.raw.facts
        let fileByteCount = unsafe frame.bytes.count
        switch frame.raw.text(.decoderName) {
        case "lossless_jpeg_load_raw()":
            guard frame.tiff?.isCR2 == true, let directory = frame.rawDirectory else { return nil }
            try self.init(cr2: directory, size: facts.sensorSize)
        case "sony_arw2_load_raw()":
            guard let directory = frame.rawDirectory else { return nil }
            self.init(
                arw: directory, size: facts.sensorSize, visible: facts.visible, curve: frame.raw.curve,
                fileByteCount: fileByteCount)
        case "nikon_load_raw()":
            guard let reader = frame.tiff?.reader,
                // LibRaw reads only the rows of the picture.
                facts.visible.y == 0, facts.visible.size.height == facts.sensorSize.height,
                let coding = RowPairCoding(
                    nikon: reader, at: facts.metaOffset, bits: facts.bitsPerSample, curve: frame.raw.curve,
                    height: facts.sensorSize.height)
            else { return nil }
            self.init(
                stream: .rowPairs(coding), at: facts.dataOffset, size: facts.sensorSize, fileByteCount: fileByteCount)
        case "pentax_load_raw()":
            guard let reader = frame.tiff?.reader,
                let coding = RowPairCoding(
                    pentax: reader, at: facts.metaOffset, bits: facts.bitsPerSample, height: facts.sensorSize.height)
            else { return nil }
            self.init(
                stream: .rowPairs(coding), at: facts.dataOffset, size: facts.sensorSize, fileByteCount: fileByteCount)
        case "olympus_load_raw()":
            guard facts.visible.size.height <= facts.sensorSize.height,
                facts.visible.size.width <= facts.sensorSize.width, facts.visible.size.width % 2 == 0
            else { return nil }
            self.init(
                stream: .olympus(visible: facts.visible.size), at: facts.dataOffset + Self.olympusHeader,
                size: facts.sensorSize, fileByteCount: fileByteCount)
        case "panasonic_load_raw()", "panasonicC6_load_raw()", "panasonicC7_load_raw()":
            try self.init(panasonic: facts, fileByteCount: fileByteCount)
        case "crxLoadRaw()":
            guard let crx = facts.crx else { return nil }
            let reader = unsafe ByteReader(frame.bytes, .bigEndian)
            try self.init(cr3: crx, reader, at: facts.dataOffset, size: facts.sensorSize)
        case "packed_load_raw()":
            self.init(packed: facts, fileByteCount: fileByteCount)
        case "fuji_14bit_load_raw()":
            self.init(words: facts, bits: 14, fileByteCount: fileByteCount)
        case "fuji_compressed_load_raw()":
            let reader = unsafe ByteReader(frame.bytes, .bigEndian)
            try self.init(
                raf: reader, at: facts.dataOffset, size: facts.sensorSize, layout, visible: facts.visible,
                isReadByLibRaw: frame.replacements.isEmpty)
        case "unpacked_load_raw()":
            let makersOfAllBits = ["nikon", "hasselblad"]
            self.init(
                whole: facts, isWide: makersOfAllBits.contains(frame.raw.text(.make).lowercased()),
                fileByteCount: fileByteCount)
        default: return nil
        }
    }

    /// Bytes before Olympus's samples.
    private static let olympusHeader = 7
}
