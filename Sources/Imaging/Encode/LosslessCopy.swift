internal import Metadata

/// Rewrites a 16-bit photo with other metadata. The pixels are copied unchanged.
public enum LosslessCopy {
    /// - Parameters:
    ///   - coding: TIFF or PNG.
    ///   - metadata: of the copy; `exif` has the photo's size.
    ///   - pixels: reads the photo's pixel bytes; offset 0 is the first (``PhotoMetadata/pixels(of:byteCount:)``).
    ///   - byteCount: bytes of all pixels.
    ///   - file: empty.
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`; `fileFailed` also if the pixels cannot be read.
    public static func write(
        _ coding: PhotoCoding, _ metadata: EmbeddedMetadata, pixels: (_ offset: UInt64, _ count: Int) -> [UInt8],
        byteCount: UInt64, to file: any PhotoFile
    ) throws(EncodeError) -> Int {
        guard let coding = coding.strips else { throw .encoderFailed("only TIFF and PNG can be copied") }
        let head = try coding.head(metadata)
        guard byteCount < UInt64(LosslessSink.maxFileBytes - head.count) else { throw .fileFailed }
        try LosslessSink.write(head, at: 0, file)
        var done: UInt64 = 0
        while done < byteCount {
            let count = Int(min(byteCount - done, 1 << 20))
            let bytes = pixels(done, count)
            guard bytes.count == count else { throw .fileFailed }
            try LosslessSink.write(bytes, at: head.count + Int(done), file)
            done += UInt64(count)
        }
        return head.count + Int(byteCount)
    }
}

extension PhotoCoding {
    /// Nil for lossy formats.
    fileprivate var strips: (any StripCoding)? {
        switch self {
        case .tiff: TIFFStripCoding()
        case .png: PNGStripCoding()
        case .jpeg, .avif, .jxl: nil
        }
    }
}
