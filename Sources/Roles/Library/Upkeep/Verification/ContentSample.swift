internal import Digest

/// Which files a verification reads whole: all, or a random part of them. Of the others it checks that they are there, and
/// their lengths.
public struct ContentSample: Hashable, Sendable {
    /// 0 for none, 65,536 for all.
    private let width: UInt32
    /// Where the part begins among all hashes.
    private let start: UInt16

    /// All files.
    public static let all = ContentSample(fraction: 1, start: 0)
    /// No file.
    public static let none = ContentSample(fraction: 0, start: 0)

    /// A part that is another one each time: so checks of a tenth, repeated, come to read everything.
    ///
    /// - Parameter fraction: 0…1.
    public static func random(_ fraction: Double) -> ContentSample {
        ContentSample(fraction: fraction, start: UInt16.random(in: 0...UInt16.max))
    }

    init(fraction: Double, start: UInt16) {
        width = UInt32((min(max(fraction, 0), 1) * 65_536).rounded())
        self.start = start
    }

    /// True if no file is in it.
    var isEmpty: Bool { width == 0 }

    /// True if the file with this hash, or of the rendition with it, is in it. Hashes are spread evenly.
    func contains(_ digest: SHA256Value) -> Bool {
        let bytes = digest.bytes
        let place = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        return UInt32(place &- start) < width
    }
}
