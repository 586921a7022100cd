internal import DevelopKernels
public import PictureFormat
public import Pixels

/// A developed picture in full size and, from the same pass, its preview.
public struct DevelopedPicture: ~Copyable {
    /// The upright picture.
    public let full: OutputImage
    /// Nil if no preview was requested.
    public let preview: OutputImage?
    /// Facts found while developing.
    public let facts: DevelopFacts
}

/// The result of a developed picture whose strips were passed on.
public struct DevelopedStrips: ~Copyable {
    /// The upright picture's size.
    public let size: PixelSize
    /// Nil if no preview was requested.
    public let preview: OutputImage?
    /// By how much a brighter display shows each place brighter, at the preview's size: samples are linear in stops
    /// from 0 to `maxGainStops`. Nil if it was not requested.
    public let gainMap: Plane<UInt8>?
    /// Facts found while developing.
    public let facts: DevelopFacts

    /// Stops of a gain map's largest sample.
    public static let maxGainStops = GainCurve.maxStops

    /// The result for a picture that was handed on by other means.
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
    /// Whether the camera's colours are unknown. The picture is then `degraded`.
    public let coloursAreGuessed: Bool
    /// The red, green and blue factors that were applied; the smallest is 1.
    public let whiteBalance: [Float]
    /// How far the picture agrees with the camera's preview, if its brightness was to match one.
    public let agreement: PreviewAgreement?
    /// What the file asks for and could not be corrected, for users: the picture is `degraded`. Nil if nothing is
    /// missing.
    public let missingCorrections: String?
    /// Whether pixels moved to correct the lens.
    public let isWarped: Bool

    /// - Parameters:
    ///   - agreement: nil if there was no preview to match.
    ///   - missingCorrections: nil if nothing is missing.
    ///   - isWarped: whether pixels moved.
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

/// A picture with all decisions made, before developing.
public struct PlannedPicture {
    let plan: DevelopPlan
    let settings: DevelopSettings

    /// The upright picture's size.
    public var size: PixelSize { plan.full.transform.uprightSize }
    /// Whether a gain map is made beside its preview.
    public var hasGainMap: Bool { plan.gain != nil && plan.preview != nil }
    /// What was found out about it.
    public var facts: DevelopFacts { plan.facts }
}
