internal import Metadata

/// Writes a photo with 16 bits per channel again with other metadata. Its pixels are copied as they are in the file.
public enum LosslessCopy {
    /// - Parameters:
    ///   - coding: TIFF or PNG.
    ///   - metadata: what the copy says of itself; `exif` has the photo's size.
    ///   - pixels: bytes of the photo's pixels, from the first on (``PhotoMetadata/pixels(of:byteCount:)``).
    ///   - byteCount: how many there are.
    ///   - file: empty.
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`; `fileFailed` also where the pixels cannot be read.
    public static func write(
        _ coding: PhotoCoding, _ metadata: EmbeddedMetadata, pixels: (_ offset: UInt64, _ count: Int) -> [UInt8],
        byteCount: UInt64, to file: any PhotoFile
    ) throws(EncodeError) -> Int {
        guard let coding = coding.strips else { throw .encoderFailed("only a TIFF or PNG is copied") }
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
    /// Nil for formats whose pixels are not coded strip by strip without loss.
    fileprivate var strips: (any StripCoding)? {
        switch self {
        case .tiff: TIFFStripCoding()
        case .png: PNGStripCoding()
        case .jpeg, .avif, .jxl: nil
        }
    }
}
