internal import DevelopKernels
public import PictureFormat
public import Pixels

/// A full-size picture and its preview, from the same pass.
public struct DevelopedPicture: ~Copyable {
    /// The upright picture.
    public let full: OutputImage
    /// Nil if no preview was requested.
    public let preview: OutputImage?
    /// Facts found while developing.
    public let facts: DevelopFacts
}

/// Result of a picture whose strips were passed on.
public struct DevelopedStrips: ~Copyable {
    /// Size of the upright picture.
    public let size: PixelSize
    /// Nil if no preview was requested.
    public let preview: OutputImage?
    /// How much brighter a brighter display shows each place, at the preview's size: samples are linear in stops from 0
    /// to `maxGainStops`. Nil if not requested.
    public let gainMap: Plane<UInt8>?
    /// Facts found while developing.
    public let facts: DevelopFacts

    /// Stops of a gain map's largest sample.
    public static let maxGainStops = GainCurve.maxStops

    /// Creates the result of a picture that was passed on.
    public init(
        size: PixelSize, preview: consuming OutputImage?, gainMap: consuming Plane<UInt8>? = nil, facts: DevelopFacts
    ) {
        self.size = size
        self.preview = preview
        self.gainMap = gainMap
        self.facts = facts
    }
}

/// Facts found while developing.
public struct DevelopFacts: Hashable, Sendable {
    /// True if the camera's colours are unknown. The picture is then `degraded`.
    public let coloursAreGuessed: Bool
    /// The applied factors of red, green and blue; the smallest is 1.
    public let whiteBalance: [Float]
    /// Agreement with the camera's preview, if the brightness was to match one.
    public let agreement: PreviewAgreement?
    /// Message about corrections that the file describes but that failed; the picture is then `degraded`. Nil if
    /// nothing is missing.
    public let missingCorrections: String?
    /// Whether pixels moved to correct the lens.
    public let isWarped: Bool

    /// Creates facts; nil means no preview to match, and no missing corrections.
    public init(
        coloursAreGuessed: Bool, whiteBalance: [Float], agreement: PreviewAgreement? = nil,
        missingCorrections: String? = nil, isWarped: Bool = false
    ) {
        self.coloursAreGuessed = coloursAreGuessed
        self.whiteBalance = whiteBalance
        self.agreement = agreement
        self.missingCorrections = missingCorrections
        self.isWarped = isWarped
    }
}

/// A picture with all decisions made.
public struct PlannedPicture {
    let plan: DevelopPlan
    let settings: DevelopSettings

    /// The upright picture's size.
    public var size: PixelSize { plan.full.transform.uprightSize }
    /// Whether the preview has a gain map.
    public var hasGainMap: Bool { plan.gain != nil && plan.preview != nil }
    /// Facts found while planning.
    public var facts: DevelopFacts { plan.facts }
}
