import Metadata

/// A byte of the file that LibRaw is to read as another one.
struct ReplacedByte: Hashable {
    let offset: Int
    let byte: UInt8
}

extension TIFFFile {
    /// How LibRaw is told of codings that it refuses already when it identifies a DNG: as Deflate, which it knows, but does not
    /// unpack either. So it reads all else that it reads of a DNG.
    var replacedCodings: [ReplacedByte] {
        guard directories.first?.has(.dngVersion) == true else { return [] }
        return directories.filter { $0.isSensorPicture && $0.isUnknownToLibRaw }.flatMap {
            directory -> [ReplacedByte] in
            guard let place = directory.lowBytes(of: .compression) else { return [] }
            let code = UInt16(TIFFCompression.deflate)
            return [
                ReplacedByte(offset: place.low, byte: UInt8(code & 0xff)),
                ReplacedByte(offset: place.high, byte: UInt8(code >> 8)),
            ]
        }
    }
}

extension TIFFDirectory {
    /// JPEG XL, which LibRaw 0.20 and 0.21 do not know, and floating-point numbers without compression, of which LibRaw reads those
    /// of 16 bits alone.
    fileprivate var isUnknownToLibRaw: Bool {
        compression == TIFFCompression.jpegXL
            || compression == TIFFCompression.none && integer(.bitsPerSample).map { $0 > 16 } == true
    }
}
