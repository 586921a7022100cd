import TIFF
import PictureFormat
import Pixels

/// One step that a DNG asks for between its samples and the picture (Adobe, 2012, "Digital Negative Specification 1.4",
/// chapter 7).
struct Opcode {
    /// What to do.
    let operation: Operation
    /// Whether a reader that cannot do it may leave it out.
    let isOptional: Bool

    enum Operation {
        /// Samples of this value are not the sensor's.
        case fixBadPixelsConstant(UInt32)
        case fixBadPixelsList(points: [PixelPoint], rects: [PixelRect])
        /// The picture ends here.
        case trimBounds(PixelRect)
        /// A table of samples, of whose entries the last stands for all that follow.
        case mapTable(OpcodeArea, [UInt16])
        /// A polynomial of the sample from 0 to 1, by its coefficients from the constant one on.
        case mapPolynomial(OpcodeArea, [Double])
        case gainMap(OpcodeArea, OpcodeGainMap)
        /// To be added, in units of a 65,535th.
        case deltaPerRow(OpcodeArea, [Float])
        case deltaPerColumn(OpcodeArea, [Float])
        case scalePerRow(OpcodeArea, [Float])
        case scalePerColumn(OpcodeArea, [Float])
        /// Five coefficients, and the centre as shares of the picture.
        case fixVignetteRadial([Double], centre: (x: Double, y: Double))
        /// By plane, six coefficients of a rectilinear lens.
        case warpRectilinear([[Double]], centre: (x: Double, y: Double))
        /// By plane, four coefficients of a fisheye.
        case warpFisheye([[Double]], centre: (x: Double, y: Double))
        /// One that is not known, by its number.
        case unknown(UInt32)
        /// One whose numbers make no sense.
        case damaged(UInt32)
    }
}

/// A pixel of an opcode's picture.
struct PixelPoint: Hashable {
    let x: Int
    let y: Int
}

/// The samples that an opcode works on.
struct OpcodeArea {
    let lattice: PixelLattice
    /// Planes of the picture: the only one of a mosaic or of a sensor without colours, or three colours.
    let planes: ClosedRange<Int>
}

/// A table of factors, with its coordinates as shares of the picture.
struct OpcodeGainMap {
    let points: (down: Int, across: Int)
    let spacing: (down: Double, across: Double)
    let origin: (down: Double, across: Double)
    let planes: Int
    let factors: [Float]

    /// The map over a picture that lies at `bounds` in the plane. A pixel's coordinate is that of its middle.
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
