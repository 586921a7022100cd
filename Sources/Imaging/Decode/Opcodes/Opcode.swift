import TIFF
import PictureFormat
import Pixels

/// A correction that a DNG prescribes (Adobe, 2012, "Digital Negative Specification 1.4", chapter 7).
struct Opcode {
    let operation: Operation
    /// Whether readers may skip the opcode if they do not support it.
    let isOptional: Bool

    enum Operation {
        /// Samples of this value are invalid.
        case fixBadPixelsConstant(UInt32)
        case fixBadPixelsList(points: [PixelPoint], rects: [PixelRect])
        /// New bounds of the picture.
        case trimBounds(PixelRect)
        /// A table by sample; its last entry applies to all larger samples.
        case mapTable(OpcodeArea, [UInt16])
        /// A polynomial of the sample (0 to 1); constant coefficient first.
        case mapPolynomial(OpcodeArea, [Double])
        case gainMap(OpcodeArea, OpcodeGainMap)
        /// Added to samples, in units of 1/65,535.
        case deltaPerRow(OpcodeArea, [Float])
        case deltaPerColumn(OpcodeArea, [Float])
        case scalePerRow(OpcodeArea, [Float])
        case scalePerColumn(OpcodeArea, [Float])
        /// Five coefficients; centre as fractions of the picture.
        case fixVignetteRadial([Double], centre: (x: Double, y: Double))
        /// Six coefficients per plane, for a rectilinear lens.
        case warpRectilinear([[Double]], centre: (x: Double, y: Double))
        /// Four coefficients per plane, for a fisheye lens.
        case warpFisheye([[Double]], centre: (x: Double, y: Double))
        /// By number.
        case unknown(UInt32)
        /// Invalid parameters; by number.
        case damaged(UInt32)
    }
}

struct PixelPoint: Hashable {
    let x: Int
    let y: Int
}

struct OpcodeArea {
    let lattice: PixelLattice
    /// One plane for a mosaic or monochrome sensor, or three colours.
    let planes: ClosedRange<Int>
}

/// Gains, with coordinates as fractions of the picture.
struct OpcodeGainMap {
    let points: (down: Int, across: Int)
    let spacing: (down: Double, across: Double)
    let origin: (down: Double, across: Double)
    let planes: Int
    let factors: [Float]

    /// The map for a picture at `bounds` in the plane. Coordinates refer to pixel centres.
    func map(over bounds: PixelRect) -> GainMap? {
        guard
            let horizontal = GainMap.Axis(
                origin: Double(bounds.x) - 0.5 + origin.across * Double(bounds.size.width),
                spacing: points.across == 1 ? 1 : spacing.across * Double(bounds.size.width), count: points.across),
            let vertical = GainMap.Axis(
                origin: Double(bounds.y) - 0.5 + origin.down * Double(bounds.size.height),
                spacing: points.down == 1 ? 1 : spacing.down * Double(bounds.size.height), count: points.down)
        else { return nil }
        return GainMap(horizontal: horizontal, vertical: vertical, planes: planes, factors: factors)
    }
}
