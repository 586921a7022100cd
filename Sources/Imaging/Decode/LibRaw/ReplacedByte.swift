import TIFF

/// A byte of the file that LibRaw is to read as another one.
struct ReplacedByte: Hashable {
    let offset: Int
    let byte: UInt8
}

extension TIFFFile {
    /// How LibRaw is told of codings that it refuses already when it identifies a DNG: as ones that it knows, so that it reads all else
    /// that it reads of a DNG. It does not unpack such samples.
    var replacedCodings: [ReplacedByte] {
        guard directories.first?.has(.dngVersion) == true else { return [] }
        return directories.filter { $0.isSensorPicture && $0.isUnknownToLibRaw }.flatMap { directory in
            // Of floating-point numbers it knows Deflate; of whole numbers, up to 16 bits, lossless JPEG.
            if directory.isFloatingPoint { return directory.replaced(.compression, by: TIFFCompression.deflate) }
            return directory.replaced(.compression, by: TIFFCompression.jpeg)
                + (directory.storedBits > 16 ? directory.replaced(.bitsPerSample, by: 16) : [])
        }
    }
}

extension LibRawFile {
    /// Whether LibRaw knows the header of a compressed RAF.
    var isCompressedRAF: Bool { text(.decoderName) == "fuji_compressed_load_raw()" }

    /// How LibRaw is told that nothing is lost in a compressed RAF. Before 0.21 it takes one with loss for uncompressed samples, with
    /// the header among them, and gives it another size.
    ///
    /// - Parameter bytes: the whole file.
    func replacedLoss(_ bytes: UnsafeRawBufferPointer) -> ReplacedByte? {
        let header = facts.dataOffset
        guard text(.make).lowercased() == "fujifilm",
            unsafe ByteReader(bytes, .bigEndian).starts(with: "IS\0", at: header)
        else { return nil }
        return ReplacedByte(offset: header + 2, byte: 1)
    }
}

extension TIFFDirectory {
    /// JPEG XL, which LibRaw 0.20 and 0.21 do not know; whole numbers by Deflate, of which 0.21 knows those of 16 bits alone; and numbers
    /// without compression, of which both know those of 16 bits alone.
    fileprivate var isUnknownToLibRaw: Bool {
        switch compression {
        case TIFFCompression.jpegXL: true
        case TIFFCompression.deflate: !isFloatingPoint
        case TIFFCompression.none: storedBits > 16
        default: false
        }
    }

    fileprivate var isFloatingPoint: Bool { integer(.sampleFormat) == 3 }
    fileprivate var storedBits: Int { integer(.bitsPerSample) ?? 1 }

    /// The low 16 bits of a field's first number.
    fileprivate func replaced(_ tag: TIFFTag, by number: Int) -> [ReplacedByte] {
        guard let place = lowBytes(of: tag) else { return [] }
        return [
            ReplacedByte(offset: place.low, byte: UInt8(number & 0xff)),
            ReplacedByte(offset: place.high, byte: UInt8(number >> 8 & 0xff)),
        ]
    }
}
