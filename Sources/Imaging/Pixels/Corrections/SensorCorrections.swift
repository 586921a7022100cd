public import PictureFormat

/// What a file asks to correct in the sensor's light before its colours are interpolated.
public struct SensorCorrections: Hashable, Sendable {
    /// Factors of light above black, to be multiplied. Light that exceeds saturation by them is saturated.
    public var gains: [SampleGain]
    /// How pixels move, in the order in which it is to be done.
    public var warps: [LensWarp]
    /// The part of the plane that light reaches, which warps may read beyond the picture; nil for the picture alone.
    public var area: PixelRect?
    /// What could not be corrected, in a sentence for a person; nil if nothing is missing. The picture is `degraded`.
    public var complaint: String?

    /// Nothing to correct.
    public static let none = SensorCorrections()

    /// - Parameters:
    ///   - gains: factors of light above black.
    ///   - warps: in the order in which they are to be done.
    ///   - area: the part of the plane that light reaches; nil for the picture alone.
    ///   - complaint: what could not be corrected; nil if nothing is missing.
    public init(
        gains: [SampleGain] = [], warps: [LensWarp] = [], area: PixelRect? = nil, complaint: String? = nil
    ) {
        self.gains = gains
        self.warps = warps
        self.area = area
        self.complaint = complaint
    }
}

extension SensorCorrections {
    /// Those that remain where a lens's faults are to stay.
    public var withoutLens: SensorCorrections {
        SensorCorrections(gains: gains.filter { !$0.isLens }, complaint: complaint)
    }

    /// With a lens's corrections where the file itself has none of that kind: what a camera knows of its lens is better than
    /// what others measured of one like it.
    public func completed(by lens: SensorCorrections) -> SensorCorrections {
        var all = self
        if warps.isEmpty { all.warps = lens.warps }
        if !gains.contains(where: \.isLens) { all.gains += lens.gains }
        return all
    }

    /// Where pixels of the corrected picture come from.
    ///
    /// - Parameters:
    ///   - x: columns of the plane; `y` its rows.
    ///   - channel: 0 red, 1 green, 2 blue.
    public func source(
        _ x: LensWarp.Vector, _ y: LensWarp.Vector, channel: Int
    ) -> (x: LensWarp.Vector, y: LensWarp.Vector) {
        warps.reversed().reduce((x, y)) { $1.motion(channel: channel).source($0.0, $0.1) }
    }
}

/// Factors for some of a sensor's samples.
public struct SampleGain: Hashable, Sendable {
    /// Where samples have a factor, in pixels of the plane.
    public let area: PixelLattice
    /// Which channels have one: 0 red, 1 green, 2 blue.
    public let channels: ClosedRange<Int>
    /// What the factors are.
    public let factor: Factor
    /// Whether it makes up for the lens, and not for the sensor.
    public var isLens = false

    /// What factors depend on.
    public enum Factor: Hashable, Sendable {
        /// The place, by a table.
        case map(GainMap)
        /// The distance from a centre.
        case radial(RadialGain)
        /// The row: a factor for each row of the lattice.
        case rows([Float])
        /// The column: a factor for each column of the lattice.
        case columns([Float])
    }

    /// Nil if rows or columns of the lattice have no factor.
    public init?(area: PixelLattice, channels: ClosedRange<Int> = 0...2, factor: Factor) {
        switch factor {
        case .rows(let factors): guard factors.count == area.rowCount else { return nil }
        case .columns(let factors): guard factors.count == area.columnCount else { return nil }
        case .map, .radial: break
        }
        self.area = area
        self.channels = channels
        self.factor = factor
    }

    /// The factor of one sample.
    ///
    /// - Parameters:
    ///   - x: the pixel's column in the plane; `y` its row.
    ///   - channel: 0 red, 1 green, 2 blue.
    public func factor(x: Int, y: Int, channel: Int) -> Float {
        guard channels.contains(channel), area.contains(x: x, y: y) else { return 1 }
        switch factor {
        case .map(let map): return map.gain(x: x, y: y, channel: channel)
        case .radial(let radial): return radial.gain(x: Float(x), y: Float(y))
        case .rows(let factors): return factors[(y - area.rect.y) / area.rowPitch]
        case .columns(let factors): return factors[(x - area.rect.x) / area.columnPitch]
        }
    }
}
