public import PictureFormat

/// Corrections of the sensor's light before demosaicing, as a file prescribes them.
public struct SensorCorrections: Hashable, Sendable {
    /// Factors of light above black. Light that exceeds saturation is clipped to it.
    public var gains: [SampleGain]
    /// Displacements of pixels, in order.
    public var warps: [LensWarp]
    /// The part of the plane that light reaches, from which warps may read beyond the picture; nil for the picture
    /// alone.
    public var area: PixelRect?
    /// Missing corrections, in a sentence for the user; nil if nothing is missing. The picture is then `degraded`.
    public var complaint: String?

    /// Nothing to correct.
    public static let none = SensorCorrections()

    /// Creates corrections from their properties.
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
    /// The corrections without those of the lens.
    public var withoutLens: SensorCorrections {
        SensorCorrections(gains: gains.filter { !$0.isLens }, complaint: complaint)
    }

    /// Adds a lens's corrections of the kinds that the file lacks. A camera's data about its own lens is better than a
    /// measurement of another copy.
    public func completed(by lens: SensorCorrections) -> SensorCorrections {
        var all = self
        if warps.isEmpty { all.warps = lens.warps }
        if !gains.contains(where: \.isLens) { all.gains += lens.gains }
        return all
    }

    /// Source of pixels of the corrected picture.
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
    /// Affected samples, in pixels of the plane.
    public let area: PixelLattice
    /// Affected channels: 0 red, 1 green, 2 blue.
    public let channels: ClosedRange<Int>
    /// The factors.
    public let factor: Factor
    /// Whether it corrects the lens, not the sensor.
    public var isLens = false

    /// Kinds of factors, by what they depend on.
    public enum Factor: Hashable, Sendable {
        /// Position, by a table.
        case map(GainMap)
        /// Distance from a centre.
        case radial(RadialGain)
        /// One factor for each row of the lattice.
        case rows([Float])
        /// One factor for each column of the lattice.
        case columns([Float])
    }

    /// Creates a gain; nil if rows or columns of the lattice have no factor.
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
