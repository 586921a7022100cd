import TIFF
import PictureFormat
import Pixels

/// A DNG's lists of opcodes.
struct DNGOpcodes {
    /// For samples as they are stored.
    let stored: OpcodeList?
    /// For samples that mean light.
    let linear: OpcodeList?
    /// For the colours that were interpolated from them.
    let interpolated: OpcodeList?

    /// - Throws: `corrupt` where a list reaches beyond its field.
    init(_ dng: DNGFacts) throws(DecodeError) {
        func list(_ tag: TIFFTag) throws(DecodeError) -> OpcodeList? {
            guard let bytes = unsafe dng.raw.bytes(tag) else { return nil }
            return try unsafe OpcodeList(bytes)
        }
        stored = try list(.opcodeList1)
        linear = try list(.opcodeList2)
        interpolated = try list(.opcodeList3)
    }

    /// Whether some opcode is a formula of light that ends at white, so that light beyond it has no meaning.
    var mapsLight: Bool {
        [stored, linear, interpolated].compactMap(\.self).flatMap(\.opcodes).contains { opcode in
            switch opcode.operation {
            case .mapTable, .mapPolynomial, .deltaPerRow, .deltaPerColumn: true
            default: false
            }
        }
    }

    /// Does what the first list asks for.
    func correctStored(_ plane: borrowing Plane<UInt16>, _ layout: SensorLayout) -> OpcodeRun {
        var run = OpcodeRun()
        if let stored {
            let size = PixelSize(width: plane.width / layout.samplesPerPixel, height: plane.height)
            run.run(stored, OpcodeStage(stored: size, layout), plane, keepsGains: false)
        }
        return run
    }

    /// Does what the other lists ask for. Factors and tables change so slowly over the picture, or with the light, that it
    /// makes no difference whether they come before the interpolation or after it; before it, they know saturation.
    ///
    /// - Parameters:
    ///   - facts: get what is left to developing.
    ///   - bounds: the part of the sensor that light reaches.
    ///   - run: what was done before.
    func correct(
        _ plane: borrowing Plane<UInt16>, _ facts: inout SensorFacts, bounds: PixelRect, after run: OpcodeRun
    ) {
        var run = run
        if let linear { run.run(linear, OpcodeStage(facts, bounds: bounds, isInterpolated: false), plane) }
        if let interpolated { run.run(interpolated, OpcodeStage(facts, bounds: bounds, isInterpolated: true), plane) }
        facts.corrections = SensorCorrections(
            gains: run.gains, warps: run.warps, area: run.warps.isEmpty ? nil : bounds, complaint: run.complaint)
        if let trimmed = run.bounds, let crop = facts.crop.intersection(trimmed) { facts.crop = crop }
    }
}

extension PixelRect {
    /// The part of both rectangles; nil where they have none.
    fileprivate func intersection(_ other: PixelRect) -> PixelRect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let right = min(x + size.width, other.x + other.size.width)
        let bottom = min(y + size.height, other.y + other.size.height)
        guard left < right, top < bottom else { return nil }
        return PixelRect(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    }
}
