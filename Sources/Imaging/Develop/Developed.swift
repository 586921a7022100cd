public import PictureFormat
public import Pixels

/// A developed picture: the full size and, from the same pass, the preview.
public struct Developed: ~Copyable {
    public let full: OutputImage
    /// Nil where none was asked for.
    public let preview: OutputImage?
    public let facts: DevelopFacts
}

/// A developed picture whose strips were handed on.
public struct DevelopedInStrips: ~Copyable {
    public let size: PixelSize
    /// Nil where none was asked for.
    public let preview: OutputImage?
    public let facts: DevelopFacts

    public init(size: PixelSize, preview: consuming OutputImage?, facts: DevelopFacts) {
        self.size = size
        self.preview = preview
        self.facts = facts
    }
}

/// What was found out while developing.
public struct DevelopFacts: Hashable, Sendable {
    /// The camera's colours are not known: the picture is `degraded`.
    public let coloursAreGuessed: Bool
    /// Red, green, blue factors that were applied; the smallest is 1.
    public let whiteBalance: [Float]
    /// With the picture the brightness was to match; nil where there was none.
    public let agreement: Agreement?

    public init(coloursAreGuessed: Bool, whiteBalance: [Float], agreement: Agreement? = nil) {
        self.coloursAreGuessed = coloursAreGuessed
        self.whiteBalance = whiteBalance
        self.agreement = agreement
    }
}
