import PictureFormat
import Pixels

/// Applies a DNG's opcodes list by list.
///
/// Factors of light are left to developing, which applies them without rounding and knows saturation. All other opcodes
/// are rare in cameras and change the samples directly.
struct OpcodeRun {
    /// Limit of changes, as a multiple of the plane's samples.
    private static let maxChanges = 16
    private static let maxWarps = 8
    private static let maxGains = 64

    private(set) var gains: [SampleGain] = []
    private(set) var warps: [LensWarp] = []
    /// Remaining bounds of the picture; nil for all of it.
    private(set) var bounds: PixelRect?
    private var missing: [String] = []
    private var changes = 0

    /// Names corrections that were not made; nil if there are none.
    var complaint: String? {
        missing.isEmpty
            ? nil : "Missing corrections: " + missing.joined(separator: ", ") + "."
    }

    /// - Parameter keepsGains: false to apply factors to the samples too.
    mutating func run(
        _ list: OpcodeList, _ stage: OpcodeStage, _ plane: borrowing Plane<UInt16>, keepsGains: Bool = true
    ) {
        for opcode in list.opcodes {
            if let found = stage.gains(opcode.operation) {
                gains += found
            } else if stage.isInterpolated, let warp = stage.warp(opcode.operation) {
                warps.append(warp)
            } else if opcode.operation.changesSamples {
                // The samples must include earlier factors.
                apply(stage, plane)
                if !change(opcode, stage, plane) { miss(opcode) }
            } else {
                miss(opcode)
            }
        }
        if !keepsGains { apply(stage, plane) }
        if gains.count > Self.maxGains || warps.count > Self.maxWarps {
            (gains, warps) = ([], [])
            missing.append("those above the limit")
        }
    }

    private mutating func miss(_ opcode: Opcode) {
        switch opcode.operation {
        case .unknown(let number):
            if !opcode.isOptional { missing.append("unknown opcode \(number)") }
        case .damaged(let number): missing.append("opcode \(number) with invalid numbers")
        default: missing.append("an opcode with invalid numbers")
        }
    }

    private mutating func apply(_ stage: OpcodeStage, _ plane: borrowing Plane<UInt16>) {
        let editor = SampleEditor(stage)
        for gain in gains {
            guard allows(gain.area, plane) else { return missing.append("those above the limit") }
            editor.change(plane, gain.area, gain.channels) { light, place in
                light * gain.factor(x: place.x, y: place.y, channel: place.channel)
            }
        }
        gains = []
    }

    /// False if the numbers are invalid.
    private mutating func change(
        _ opcode: Opcode, _ stage: OpcodeStage, _ plane: borrowing Plane<UInt16>
    ) -> Bool {
        let editor = SampleEditor(stage)
        switch opcode.operation {
        case .fixBadPixelsConstant(let value):
            guard let whole = PixelLattice(stage.bounds), allows(whole, plane) else { return false }
            BadPixels(stage.layout, in: stage.bounds).repair(plane, value: value)
        case .fixBadPixelsList(let points, let rects):
            return BadPixels(stage.layout, in: stage.bounds).repair(plane, points: points, rects: rects)
        case .trimBounds(let rect): bounds = stage.moved(rect)
        case .mapTable(let area, let table):
            return change(area, stage, plane, editor) { light, _ in
                let index = Int((min(max(light, 0), 1) * 65_535).rounded())
                return Float(table[min(index, table.count - 1)]) / 65_535
            }
        case .mapPolynomial(let area, let coefficients):
            return change(area, stage, plane, editor) { light, _ in
                Float(min(max(coefficients.reversed().reduce(0) { $0 * Double(light) + $1 }, 0), 1))
            }
        case .deltaPerRow(let area, let deltas):
            guard let lattice = stage.lattice(area) else { return false }
            return change(area, stage, plane, editor) { light, place in
                light + deltas[(place.y - lattice.rect.y) / lattice.rowPitch] / 65_535
            }
        case .deltaPerColumn(let area, let deltas):
            guard let lattice = stage.lattice(area) else { return false }
            return change(area, stage, plane, editor) { light, place in
                light + deltas[(place.x - lattice.rect.x) / lattice.columnPitch] / 65_535
            }
        default: return false
        }
        return true
    }

    private mutating func change(
        _ area: OpcodeArea, _ stage: OpcodeStage, _ plane: borrowing Plane<UInt16>, _ editor: SampleEditor,
        _ form: (Float, SampleEditor.Place) -> Float
    ) -> Bool {
        guard let lattice = stage.lattice(area), allows(lattice, plane) else { return false }
        if let channels = stage.channels(area) { editor.change(plane, lattice, channels, form) }
        return true
    }

    private mutating func allows(_ lattice: PixelLattice, _ plane: borrowing Plane<UInt16>) -> Bool {
        let all = plane.width * plane.height
        changes += min(lattice.rowCount, plane.height) * min(lattice.columnCount, plane.width)
        return changes <= all * Self.maxChanges
    }
}

extension Opcode.Operation {
    /// Whether the operation does more than multiply light.
    fileprivate var changesSamples: Bool {
        switch self {
        case .fixBadPixelsConstant, .fixBadPixelsList, .trimBounds, .mapTable, .mapPolynomial, .deltaPerRow,
            .deltaPerColumn:
            true
        case .gainMap, .scalePerRow, .scalePerColumn, .fixVignetteRadial, .warpRectilinear, .warpFisheye, .unknown,
            .damaged:
            false
        }
    }
}
