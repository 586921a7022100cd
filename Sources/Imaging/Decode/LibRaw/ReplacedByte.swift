import TIFF

/// A byte that LibRaw reads instead of the file's.
struct ReplacedByte: Hashable {
    let offset: Int
    let byte: UInt8
}

extension TIFFFile {
    /// Makes LibRaw accept DNGs with unknown compressions, so that it still parses their metadata. LibRaw does not
    /// unpack their samples.
    var replacedCodings: [ReplacedByte] {
        guard directories.first?.has(.dngVersion) == true else { return [] }
        return directories.filter { $0.isSensorPicture && $0.isUnknownToLibRaw }.flatMap { directory in
            // LibRaw knows Deflate for floating point and lossless JPEG for integers of up to 16 bits.
            if directory.isFloatingPoint { return directory.replaced(.compression, by: TIFFCompression.deflate) }
            return directory.replaced(.compression, by: TIFFCompression.jpeg)
                + (directory.storedBits > 16 ? directory.replaced(.bitsPerSample, by: 16) : [])
        }
    }
}

extension LibRawFile {
    var isCompressedRAF: Bool { text(.decoderName) == "fuji_compressed_load_raw()" }

    /// Presents a lossy RAF to LibRaw as lossless. LibRaw before 0.21 reads a lossy one as uncompressed samples that
    /// include the header, and reports another size.
    func replacedLoss(_ bytes: UnsafeRawBufferPointer) -> ReplacedByte? {
        let header = facts.dataOffset
        guard text(.make).lowercased() == "fujifilm",
            unsafe ByteReader(bytes, .bigEndian).starts(with: "IS\0", at: header)
        else { return nil }
        return ReplacedByte(offset: header + 2, byte: 1)
    }
}

extension TIFFDirectory {
    /// Whether LibRaw 0.20 or 0.21 lacks support: JPEG XL; Deflate integers (0.21 reads only 16 bits); uncompressed
    /// floating point (both read only 16 bits).
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
