/// A look's own rendering of the scene's light.
///
/// Several threads call it at once, for any colours in any order. It cannot fail.
public protocol FilmStage: Sendable {
    /// A text that films share only if they render all light equally.
    var key: String { get }
    /// Weight of the film, 0…1. The rest is the neutral rendering.
    var share: Float { get }
    /// Effects on the light before its colours are rendered; nil for none.
    var texture: FilmTexture? { get }

    /// Replaces scene light with the linear light of a display, 0…1, both in Rec. 2020. The caller fits it into the
    /// output space.
    ///
    /// - Parameter row: light for the neutral tone curve with a white of 3: mid grey is 0.18, and clipped samples are
    ///   3.
    func render(_ row: PixelRow)
}

/// A film's effects beyond colour: grain, and light that spreads in its layers. Lengths are on the film, in µm, so that
/// a preview, a print and the full size look alike.
public struct FilmTexture: Hashable, Sendable {
    /// The longer edge of the picture on the film, in µm.
    public var longEdgeMicrometres: Double
    /// Nil for a film without grain.
    public var grain: FilmGrain?
    /// Nil for a film without halation.
    public var halation: Halation?

    /// Creates a texture from its properties.
    public init(longEdgeMicrometres: Double, grain: FilmGrain?, halation: Halation?) {
        self.longEdgeMicrometres = longEdgeMicrometres
        self.grain = grain
        self.halation = halation
    }

    /// The film with a weaker texture.
    ///
    /// - Parameter strength: 0 for none, 1 for all.
    public func scaled(by strength: Double) -> FilmTexture {
        var scaled = self
        scaled.grain?.granularity *= strength
        scaled.halation?.shares *= strength
        return scaled
    }
}

/// Grain of a film: variation of density under uniform light.
public struct FilmGrain: Hashable, Sendable {
    /// Diffuse rms granularity: 1,000 times the standard deviation of density through a round aperture of 48 µm, at a
    /// density of 1 above the film's base.
    public var granularity: Double
    /// Size of grains: standard deviation of the Gaussian of a grain, in µm.
    public var sizeMicrometres: Double
    /// For red, green and blue: conversion from a variation of 1 at a density of 1 to a variation of the natural
    /// logarithm of the film's exposure, as a function of light.
    public var responses: [Response]
    /// Whether the film has one layer, and thus colourless grain.
    public var isMonochrome: Bool

    /// A function of light x from 0: (start + end · x / middle) / (1 + x / middle). It runs from `start` in the dark to
    /// `end` in the light.
    public struct Response: Hashable, Sendable {
        /// At light 0.
        public var start: Double
        /// The limit for infinite light.
        public var end: Double
        /// Light at which the value is half-way.
        public var middle: Double

        /// Creates a response from its properties.
        public init(start: Double, end: Double, middle: Double) {
            self.start = start
            self.end = end
            self.middle = middle
        }

        /// The value at a given light.
        public func callAsFunction(_ light: Double) -> Double {
            (start + end * light / middle) / (1 + light / middle)
        }
    }

    /// Creates grain from its properties.
    public init(granularity: Double, sizeMicrometres: Double, responses: [Response], isMonochrome: Bool) {
        self.granularity = granularity
        self.sizeMicrometres = sizeMicrometres
        self.responses = responses
        self.isMonochrome = isMonochrome
    }
}

/// Light that passes a film's layers, is reflected behind them, and exposes the film again around its first path.
///
/// A uniformly lit film is unchanged.
public struct Halation: Hashable, Sendable {
    /// Reflected fraction of red, green and blue light.
    public var shares: SIMD3<Double>
    /// Spread: standard deviation along one direction, in µm.
    public var spreadMicrometres: Double
    /// Assumed brightness of clipped lights, such as a lamp or the sun, relative to the sensor's saturation.
    public var lampGain: Double

    /// Creates halation from its properties.
    public init(shares: SIMD3<Double>, spreadMicrometres: Double, lampGain: Double) {
        self.shares = shares
        self.spreadMicrometres = spreadMicrometres
        self.lampGain = lampGain
    }
}
