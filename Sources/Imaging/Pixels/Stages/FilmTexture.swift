/// A rendering of its own, by which a look has the scene's light become a picture.
///
/// Several threads call it at once, for any colours in no promised order. It cannot fail.
public protocol FilmStage: Sendable {
    /// A text that films share only if they give the same colours for the same light.
    var key: String { get }
    /// How much of it counts, 0…1. The rest is the neutral rendering.
    var share: Float { get }
    /// What it does to the light before its colours are rendered; nil for nothing.
    var texture: FilmTexture? { get }

    /// Replaces light in Rec. 2020 by the light of a display, linear, 0…1, in Rec. 2020, too. It is fitted into the output
    /// space afterwards.
    ///
    /// - Parameter row: light as the neutral tone curve has it whose white is 3: mid grey is 0.18, and what the sensor could
    ///   not tell from white is 3.
    func render(_ row: PixelRow)
}

/// What a film adds to a picture beyond its colours: grain, and light that spreads in its layers. Lengths are on the film, in
/// µm, so that a preview, a print and the full size have the same.
public struct FilmTexture: Hashable, Sendable {
    /// The longer edge of the picture on the film, in µm.
    public var longEdgeMicrometres: Double
    /// Nil for a film without grain.
    public var grain: FilmGrain?
    /// Nil for a film that keeps light where it falls.
    public var halation: Halation?

    /// The parameters are the properties of the same names.
    public init(longEdgeMicrometres: Double, grain: FilmGrain?, halation: Halation?) {
        self.longEdgeMicrometres = longEdgeMicrometres
        self.grain = grain
        self.halation = halation
    }

    /// The same film with less of both.
    ///
    /// - Parameter strength: 0 leaves nothing of it, 1 all.
    public func scaled(by strength: Double) -> FilmTexture {
        var scaled = self
        scaled.grain?.granularity *= strength
        scaled.halation?.shares *= strength
        return scaled
    }
}

/// The grain of a film: how much its density varies from place to place where the light is the same everywhere.
public struct FilmGrain: Hashable, Sendable {
    /// Diffuse rms granularity: 1,000 times the standard deviation of density, seen through a round aperture of 48 µm, at a
    /// density of 1 above the film's base.
    public var granularity: Double
    /// The size of grains: the standard deviation, in µm, of the Gaussian that a grain blurs.
    public var sizeMicrometres: Double
    /// For red, green and blue: what a variation of 1 at a density of 1 is as a variation of the logarithm (to base e) of the
    /// light that the film sees, by the amount of light.
    public var responses: [Response]
    /// True for a film of one layer, whose grain has no colour.
    public var isMonochrome: Bool

    /// A function of light x from 0 up: (start + end · x / middle) / (1 + x / middle). It falls or rises from `start` in the
    /// dark to `end` in the light.
    public struct Response: Hashable, Sendable {
        /// At light 0.
        public var start: Double
        /// In boundless light.
        public var end: Double
        /// The light at which it is half-way.
        public var middle: Double

        /// The parameters are the properties of the same names.
        public init(start: Double, end: Double, middle: Double) {
            self.start = start
            self.end = end
            self.middle = middle
        }

        /// The value at some light.
        public func callAsFunction(_ light: Double) -> Double {
            (start + end * light / middle) / (1 + light / middle)
        }
    }

    /// The parameters are the properties of the same names.
    public init(granularity: Double, sizeMicrometres: Double, responses: [Response], isMonochrome: Bool) {
        self.granularity = granularity
        self.sizeMicrometres = sizeMicrometres
        self.responses = responses
        self.isMonochrome = isMonochrome
    }
}

/// Light that goes through a film's layers, is reflected behind them, and exposes the film once more, beside where it fell.
///
/// A film that is lit evenly looks the same with and without it.
public struct Halation: Hashable, Sendable {
    /// Reflected light as a share of what fell on the film: of red, green and blue.
    public var shares: SIMD3<Double>
    /// How far it spreads: the standard deviation along one direction, in µm.
    public var spreadMicrometres: Double
    /// How much brighter than the sensor's saturation the lights are taken to be that reached it: a lamp, the sun.
    public var lampGain: Double

    /// The parameters are the properties of the same names.
    public init(shares: SIMD3<Double>, spreadMicrometres: Double, lampGain: Double) {
        self.shares = shares
        self.spreadMicrometres = spreadMicrometres
        self.lampGain = lampGain
    }
}
