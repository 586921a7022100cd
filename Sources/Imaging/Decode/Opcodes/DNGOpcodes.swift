import TIFF
import PictureFormat
import Pixels

struct DNGOpcodes {
    /// For stored samples.
    let stored: OpcodeList?
    /// For linear samples.
    let linear: OpcodeList?
    /// For interpolated colours.
    let interpolated: OpcodeList?

    init(_ dng: DNGFacts) throws(DecodeError) {
        func list(_ tag: TIFFTag) throws(DecodeError) -> OpcodeList? {
            guard let bytes = unsafe dng.raw.bytes(tag) else { return nil }
            return try unsafe OpcodeList(bytes)
        }
        stored = try list(.opcodeList1)
        linear = try list(.opcodeList2)
        interpolated = try list(.opcodeList3)
    }

    /// Whether an opcode is a function of light that is undefined above white.
    var mapsLight: Bool {
        [stored, linear, interpolated].compactMap(\.self).flatMap(\.opcodes).contains { opcode in
            switch opcode.operation {
            case .mapTable, .mapPolynomial, .deltaPerRow, .deltaPerColumn: true
            default: false
            }
        }
    }

    func correctStored(_ plane: borrowing Plane<UInt16>, _ layout: SensorLayout) -> OpcodeRun {
        var run = OpcodeRun()
        if let stored {
            let size = PixelSize(width: plane.width / layout.samplesPerPixel, height: plane.height)
            run.run(stored, OpcodeStage(stored: size, layout), plane, keepsGains: false)
        }
        return run
    }

    /// Applies the other lists, and writes to `facts` what developing applies. Factors and tables change so slowly with
    /// position and light that their order relative to the interpolation makes no difference; before it, saturation is
    /// known. `bounds` is the exposed part of the sensor; `run` is the state after the first list.
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
    fileprivate func intersection(_ other: PixelRect) -> PixelRect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let right = min(x + size.width, other.x + other.size.width)
        let bottom = min(y + size.height, other.y + other.size.height)
        guard left < right, top < bottom else { return nil }
        return PixelRect(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    }
}
