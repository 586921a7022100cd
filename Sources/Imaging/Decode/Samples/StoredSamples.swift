import DecodeKernels
import TIFF
import PictureFormat
import Pixels

/// How a file stores one picture's samples: the input of our unpackers.
struct StoredSamples {
    enum Coding: Hashable {
        /// 16 bits in the file's byte order, or fewer bits packed from the left.
        case plain(bits: Int, isLittleEndian: Bool)
        /// `sixteenHasBits` is true for DNG before version 1.1.
        case losslessJPEG(sixteenHasBits: Bool)
        case deflated(DeflatedRows)
        case pictures(PictureTiles)
        /// Sony's 16-byte blocks; `curve` has the sample for each of 2,048 values.
        case sonyBlocks(curve: [UInt16])
        case rowPairs(RowPairCoding)
        /// Olympus's compression; `visible` counts the samples of a row, and rows.
        case olympus(visible: PixelSize)
        /// 12 or 14 bits, packed from the highest bit of little-endian 32-bit words.
        case words(bits: Int)
        /// Groups of 16 bytes; `visible` counts the columns and rows whose samples must be in range.
        case groups(GroupCoding, isInBlocks: Bool, visible: PixelSize)

        /// Canon's CRX: one tile per chunk, and the position of each plane in a square of four samples.
        case crx([CRXTile], bits: Int, places: [Int])
        /// Fujifilm's compression, one strip per chunk.
        case fujifilm(FujifilmCoding)

        /// Whether zeros in the file become zero samples; false for compressed data.
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

    let width: Int
    let height: Int
    let coding: Coding
    let chunks: [Chunk]
    /// False if LibRaw would misread samples that our unpackers refuse.
    let isReadByLibRaw: Bool
    /// The area where a sample above `greatest` is damage; nil if the coding limits the range.
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
                // LibRaw reads only the visible rows.
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

    private static let olympusHeader = 7
}
