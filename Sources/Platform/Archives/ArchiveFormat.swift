internal import CArchive

/// A kind of archive. The raw value is the extension of its files.
public enum ArchiveFormat: String, Hashable, Sendable, CaseIterable {
    /// Files as they are, without compression: photos and RAWs have theirs. Larger than 4 GB as ZIP64.
    case zip
    /// POSIX's pax format, which is ustar where that is enough.
    case tar
}

/// Why an archive could not be written, as a part of a sentence.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let description: String
}

/// The libarchive that is loaded.
public enum ArchiveLibrary {
    /// Such as `3.6.2`.
    public static var version: String {
        let number = archive_version_number()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
