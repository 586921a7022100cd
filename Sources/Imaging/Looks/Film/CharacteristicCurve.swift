import ColourScience

/// Density of a photographic layer as a function of exposure (F. Hurter and V. C. Driffield, 1890, "Photochemical
/// investigations and a new method of determination of the sensitiveness of photographic plates"): a toe, a straight
/// line and a shoulder with smooth transitions.
///
/// density = base + gamma · (s(h, start, toe) − s(h, end, shoulder)), where h is the exposure as a decimal logarithm
/// relative to mid grey, and s(h, place, width) = width · ln(1 + exp((h − place) / width)) bends from 0 into a line of
/// slope 1.
struct CharacteristicCurve: Hashable, Sendable {
    typealias Vector = DeterministicMath.Vector

    /// Density of base and fog, without light.
    var base: Double
    /// Density per unit of exposure on the straight line.
    var gamma: Double
    /// Exposure at which the extended straight line meets the base.
    var start: Double
    /// Width of the toe.
    var toe: Double
    /// Exposure at which the extended straight line reaches maximum density.
    var end: Double
    /// Width of the shoulder.
    var shoulder: Double

    init(base: Double, gamma: Double, start: Double, toe: Double, end: Double, shoulder: Double) {
        self.base = base
        self.gamma = gamma
        self.start = start
        self.toe = toe
        self.end = end
        self.shoulder = shoulder
    }

    var range: Double { gamma * (end - start) }

    /// Densities at eight exposures.
    func density(_ exposure: Vector) -> Vector {
        let toes = Self.bend(exposure - start, Vector(repeating: toe))
        return base + gamma * (toes - Self.bend(exposure - end, Vector(repeating: shoulder)))
    }

    func density(_ exposure: Double) -> Double { density(Vector(repeating: exposure))[0] }

    /// Density per unit of exposure at one point.
    func slope(_ exposure: Double) -> Double {
        func rise(_ place: Double, _ width: Double) -> Double {
            1 / (1 + DeterministicMath.exp2((place - exposure) / width * Self.log2e))
        }
        return gamma * (rise(start, toe) - rise(end, shoulder))
    }

    /// For each of at most four curves, the exposure that gives a density; clamped to the nearest end. All are solved
    /// at once, because a logarithm takes as long for one number as for eight.
    static func exposures(_ curves: [(curve: CharacteristicCurve, density: Double)]) -> [Double] {
        // Toes are in the lower half, shoulders in the upper.
        let shoulders = Vector.scalarCount / 2
        precondition(curves.count <= shoulders)
        var (places, widths) = (Vector.zero, Vector(repeating: 1))
        for (i, (curve, _)) in curves.enumerated() {
            (places[i], places[shoulders + i]) = (curve.start, curve.end)
            (widths[i], widths[shoulders + i]) = (curve.toe, curve.shoulder)
        }
        var low = Vector(repeating: -8)
        var high = Vector(repeating: 8)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let bends = bend(middle - places, widths)
            for (i, (curve, density)) in curves.enumerated() {
                let isAbove = curve.base + curve.gamma * (bends[i] - bends[shoulders + i]) > density
                if isAbove {
                    (high[i], high[shoulders + i]) = (middle[i], middle[i])
                } else {
                    (low[i], low[shoulders + i]) = (middle[i], middle[i])
                }
            }
        }
        return curves.indices.map { (low[$0] + high[$0]) / 2 }
    }

    /// width · ln(1 + exp(x / width)), in the form that does not overflow.
    private static func bend(_ x: Vector, _ width: Vector) -> Vector {
        let size = x.replacing(with: -x, where: x .< 0) / width
        let rest = DeterministicMath.log2(1 + DeterministicMath.exp2(-size * log2e)) / log2e
        return x.replacing(with: 0, where: x .< 0) + width * rest
    }

    private static let log2e = 1.442695040888963407
}
