import TIFF
import PictureFormat
import Pixels

/// One correction that a DNG prescribes (Adobe, 2012, "Digital Negative Specification 1.4", chapter 7).
struct Opcode {
    /// The correction.
    let operation: Operation
    /// Whether readers may ignore an opcode they do not support.
    let isOptional: Bool

    enum Operation {
        /// Samples of this value are invalid.
        case fixBadPixelsConstant(UInt32)
        case fixBadPixelsList(points: [PixelPoint], rects: [PixelRect])
        /// The new bounds of the picture.
        case trimBounds(PixelRect)
        /// A table by sample; the last entry also applies to all larger samples.
        case mapTable(OpcodeArea, [UInt16])
        /// A polynomial of the sample from 0 to 1, by its coefficients from the constant one on.
        case mapPolynomial(OpcodeArea, [Double])
        case gainMap(OpcodeArea, OpcodeGainMap)
        /// Added to samples, in units of 1/65,535.
        case deltaPerRow(OpcodeArea, [Float])
        case deltaPerColumn(OpcodeArea, [Float])
        case scalePerRow(OpcodeArea, [Float])
        case scalePerColumn(OpcodeArea, [Float])
        /// Five coefficients, and the centre as fractions of the picture.
        case fixVignetteRadial([Double], centre: (x: Double, y: Double))
        /// Six coefficients of a rectilinear lens for each plane.
        case warpRectilinear([[Double]], centre: (x: Double, y: Double))
        /// Four coefficients of a fisheye lens for each plane.
        case warpFisheye([[Double]], centre: (x: Double, y: Double))
        /// An unknown opcode, by number.
        case unknown(UInt32)
        /// An opcode with invalid parameters, by number.
        case damaged(UInt32)
    }
}

/// A pixel of an opcode's picture.
struct PixelPoint: Hashable {
    let x: Int
    let y: Int
}

/// The samples that an opcode applies to.
struct OpcodeArea {
    let lattice: PixelLattice
    /// Planes of the picture: one for a mosaic or a monochrome sensor, or three colours.
    let planes: ClosedRange<Int>
}

/// A table of factors, with coordinates as fractions of the picture.
struct OpcodeGainMap {
    let points: (down: Int, across: Int)
    let spacing: (down: Double, across: Double)
    let origin: (down: Double, across: Double)
    let planes: Int
    let factors: [Float]

    /// The map over a picture at `bounds` in the plane. Coordinates refer to pixel centres.
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
