/// A camera whose RAW files this build reads.
public struct KnownCamera: Hashable, Sendable {
    /// Who decompresses the samples of its files.
    public enum Unpacker: String, CaseIterable, Hashable, Sendable {
        /// Rawmill itself: CR2 at full size, DNG, and the usual PEF, ORF and RW2.
        case rawmill
        /// LibRaw.
        case libraw
    }

    /// The maker, as LibRaw's list of cameras writes it; empty where the list names none.
    public let make: String
    /// The model, and the names under which it was sold elsewhere, as the list writes them, without what LibRaw alone does not read.
    public let model: String
    /// Who decompresses its files at full size.
    public let unpacker: Unpacker
    /// Whether LibRaw has a colour matrix for it. Without one the colours are those that the file itself brings.
    public let hasColourMatrix: Bool

    /// The parameters are the properties of the same names.
    public init(make: String, model: String, unpacker: Unpacker, hasColourMatrix: Bool) {
        self.make = make
        self.model = model
        self.unpacker = unpacker
        self.hasColourMatrix = hasColourMatrix
    }
}
