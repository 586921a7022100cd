import TIFF

/// A byte of the file that LibRaw reads as another one.
struct ReplacedByte: Hashable {
    let offset: Int
    let byte: UInt8
}

extension TIFFFile {
    /// Makes LibRaw accept DNGs with compressions it does not know, so that it still parses their metadata. It does not
    /// unpack such samples.
    var replacedCodings: [ReplacedByte] {
        guard directories.first?.has(.dngVersion) == true else { return [] }
        return directories.filter { $0.isSensorPicture && $0.isUnknownToLibRaw }.flatMap { directory in
            // LibRaw knows Deflate for floating point, and lossless JPEG for integers of up to 16 bits.
            if directory.isFloatingPoint { return directory.replaced(.compression, by: TIFFCompression.deflate) }
            return directory.replaced(.compression, by: TIFFCompression.jpeg)
                + (directory.storedBits > 16 ? directory.replaced(.bitsPerSample, by: 16) : [])
        }
    }
}

extension LibRawFile {
    /// Whether LibRaw recognises the header of a compressed RAF.
    var isCompressedRAF: Bool { text(.decoderName) == "fuji_compressed_load_raw()" }

    /// Presents a lossy RAF to LibRaw as lossless. Before 0.21, LibRaw takes a lossy one for uncompressed samples that
    /// include the header, and reports another size.
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
    /// Whether LibRaw 0.20 or 0.21 lacks support: JPEG XL; integers with Deflate, of which 0.21 knows only 16 bits; and
    /// uncompressed floating point, of which both know only 16 bits.
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

    /// Replaces the low 16 bits of a field's first number.
    fileprivate func replaced(_ tag: TIFFTag, by number: Int) -> [ReplacedByte] {
        guard let place = lowBytes(of: tag) else { return [] }
        return [
            ReplacedByte(offset: place.low, byte: UInt8(number & 0xff)),
            ReplacedByte(offset: place.high, byte: UInt8(number >> 8 & 0xff)),
        ]
    }
}
