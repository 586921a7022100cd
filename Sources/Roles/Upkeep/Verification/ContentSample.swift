package import Digest

/// The files that a verification reads: all, or a random part. It checks only existence and length of the others.
public struct ContentSample: Hashable, Sendable {
    /// The size of the part: 0 for none, 65,536 for all.
    private let width: UInt32
    private let start: UInt16

    /// All files.
    public static let all = ContentSample(fraction: 1, start: 0)
    /// No file.
    public static let none = ContentSample(fraction: 0, start: 0)

    /// A random part, so that repeated checks eventually read everything.
    ///
    /// - Parameter fraction: 0…1.
    public static func random(_ fraction: Double) -> ContentSample {
        ContentSample(fraction: fraction, start: UInt16.random(in: 0...UInt16.max))
    }

    init(fraction: Double, start: UInt16) {
        width = UInt32((min(max(fraction, 0), 1) * 65_536).rounded())
        self.start = start
    }

    package var isEmpty: Bool { width == 0 }

    /// True if a file or rendition with this hash is in the part. Hashes are spread evenly.
    package func contains(_ digest: SHA256Value) -> Bool {
        let bytes = digest.bytes
        let place = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        return UInt32(place &- start) < width
    }
}
