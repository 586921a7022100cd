internal import CArchive

/// An archive format. The raw value is the file extension.
public enum ArchiveFormat: String, Hashable, Sendable, CaseIterable {
    /// Uncompressed, because photos and RAWs already are. ZIP64 above 4 GB.
    case zip
    /// POSIX pax, which is plain ustar where that suffices.
    case tar
}

/// Why an archive could not be written, as part of a sentence.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let description: String
}

/// The loaded libarchive.
public enum ArchiveLibrary {
    /// For example `3.6.2`.
    public static var version: String {
        let number = archive_version_number()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
