internal import Metadata

/// What a file is, by its first bytes.
public enum FileContent {
    /// What a file is that is no RAW, with an article: "a JPEG picture"; nil where that is not known, as for every RAW.
    ///
    /// - Parameter start: the first bytes of the file, 64 or more if it has so many.
    public static func foreignKind(of start: [UInt8]) -> String? {
        unsafe start.withUnsafeBytes { bytes in unsafe Decode.foreignKind(of: bytes) }
    }
}
