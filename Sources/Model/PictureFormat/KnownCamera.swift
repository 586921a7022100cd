/// A camera whose RAW files this build reads.
public struct KnownCamera: Hashable, Sendable {
    /// What decompresses the samples of its files.
    public enum Unpacker: String, CaseIterable, Hashable, Sendable {
        /// Rawmill: CR2 at full size, DNG, and the usual PEF, ORF and RW2.
        case rawmill
        case libraw
    }

    /// The maker, as in LibRaw's list of cameras; may be empty.
    public let make: String
    /// The model and its names in other markets, as in the list, without models that LibRaw alone cannot read.
    public let model: String
    /// The decoder of its full-size files.
    public let unpacker: Unpacker
    /// Whether LibRaw has a colour matrix for it. Otherwise the colours come from the file.
    public let hasColourMatrix: Bool

    /// Memberwise initializer.
    public init(make: String, model: String, unpacker: Unpacker, hasColourMatrix: Bool) {
        self.make = make
        self.model = model
        self.unpacker = unpacker
        self.hasColourMatrix = hasColourMatrix
    }
}
