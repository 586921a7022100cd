/// A CIE 1931 chromaticity (2° observer).
public struct Chromaticity: Hashable, Sendable {
    /// X / (X + Y + Z).
    public var x: Double
    /// Y / (X + Y + Z).
    public var y: Double

    /// Creates a chromaticity from its coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Creates a chromaticity; nil unless all three tristimulus values are positive and finite.
    public init?(xyz: [Double]) {
        let sum = xyz[0] + xyz[1] + xyz[2]
        guard sum.isFinite, xyz[0] > 0, xyz[1] > 0, xyz[2] > 0 else { return nil }
        x = xyz[0] / sum
        y = xyz[1] / sum
    }

    /// The tristimulus values X, Y, Z with Y = 1.
    public var xyz: [Double] { [x / y, 1, (1 - x - y) / y] }
}

// MARK: - White points

extension Chromaticity {
    /// CIE illuminant D65 to five digits (CIE 15:2004 computes it from the spectrum): the white of colour computations.
    ///
    /// These digits define the development of every picture and must not change: the four digits of `d65OfStandards`
    /// would change the last bits of each matrix, and thus the bytes of pictures.
    public static let d65 = Chromaticity(x: 0.31271, y: 0.32902)

    /// D65 rounded to four digits, as in the standards of RGB spaces (IEC 61966-2-1, ITU-R BT.709, SMPTE EG 432-1,
    /// Adobe RGB (1998)): the white in ICC profiles of these spaces.
    public static let d65OfStandards = Chromaticity(x: 0.3127, y: 0.3290)
}
