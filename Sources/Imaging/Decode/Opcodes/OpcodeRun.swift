import PictureFormat
import Pixels

/// Does what a DNG's opcodes ask for, list after list.
///
/// What only multiplies light is kept for developing, which does it without rounding and knows saturation. All else is
/// done to the samples at once: cameras use it seldom.
struct OpcodeRun {
    /// How often every sample of the plane may be changed.
    private static let maxChanges = 16
    /// Most warps.
    private static let maxWarps = 8
    /// Most factors of a sample.
    private static let maxGains = 64

    /// The factors that are left to developing.
    private(set) var gains: [SampleGain] = []
    /// How pixels move, which is left to developing too.
    private(set) var warps: [LensWarp] = []
    /// What remains of the picture; nil for all of it.
    private(set) var bounds: PixelRect?
    private var missing: [String] = []
    private var changes = 0

    /// What could not be done, for a person; nil where nothing is missing.
    var complaint: String? {
        missing.isEmpty
            ? nil : "The file asks for corrections that were not made: " + missing.joined(separator: ", ") + "."
    }

    /// - Parameter keepsGains: false to change the samples by factors too.
    mutating func run(
        _ list: OpcodeList, _ stage: OpcodeStage, _ plane: borrowing Plane<UInt16>, keepsGains: Bool = true
    ) {
        for opcode in list.opcodes {
            if let found = stage.gains(opcode.operation) {
                gains += found
            } else if stage.isInterpolated, let warp = stage.warp(opcode.operation) {
                warps.append(warp)
            } else if opcode.operation.changesSamples {
                // Factors that come before have to be in the samples then.
                apply(stage, plane)
                if !change(opcode, stage, plane) { miss(opcode) }
            } else {
                miss(opcode)
            }
        }
        if !keepsGains { apply(stage, plane) }
        if gains.count > Self.maxGains || warps.count > Self.maxWarps {
            (gains, warps) = ([], [])
            missing.append("more than is allowed")
        }
    }

    private mutating func miss(_ opcode: Opcode) {
        switch opcode.operation {
        case .unknown(let number):
            if !opcode.isOptional { missing.append("opcode \(number), which is not known") }
        case .damaged(let number): missing.append("opcode \(number), whose numbers make no sense")
        default: missing.append("an opcode whose numbers make no sense")
        }
    }

    /// Multiplies the samples by the factors that were kept.
    private mutating func apply(_ stage: OpcodeStage, _ plane: borrowing Plane<UInt16>) {
        let editor = SampleEditor(stage)
        for gain in gains {
            guard allows(gain.area, plane) else { return missing.append("more than is allowed") }
            editor.change(plane, gain.area, gain.channels) { light, place in
                light * gain.factor(x: place.x, y: place.y, channel: place.channel)
            }
        }
        gains = []
    }

    /// False where the numbers make no sense.
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

    /// Whether so many samples more may be changed.
    private mutating func allows(_ lattice: PixelLattice, _ plane: borrowing Plane<UInt16>) -> Bool {
        let all = plane.width * plane.height
        changes += min(lattice.rowCount, plane.height) * min(lattice.columnCount, plane.width)
        return changes <= all * Self.maxChanges
    }
}

extension Opcode.Operation {
    /// Whether it does something else than to multiply light.
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
