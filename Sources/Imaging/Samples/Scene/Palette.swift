/// A colour in linear light, sRGB primaries; 1 is a white card in the sun.
struct LinearColour: Hashable, Sendable {
    var red: Float
    var green: Float
    var blue: Float

    init(_ red: Float, _ green: Float, _ blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    func mixed(with other: LinearColour, _ amount: Float) -> LinearColour {
        LinearColour(
            red + (other.red - red) * amount, green + (other.green - green) * amount,
            blue + (other.blue - blue) * amount)
    }

    static func * (colour: LinearColour, factor: Float) -> LinearColour {
        LinearColour(colour.red * factor, colour.green * factor, colour.blue * factor)
    }
}

/// The light of an hour of the day.
struct Palette: Sendable {
    let zenith: LinearColour
    let horizon: LinearColour
    let sun: LinearColour
    let cloud: LinearColour
    /// The farthest hill's colour, and the nearest one's.
    let far: LinearColour
    let near: LinearColour
    let meadow: LinearColour

    static let hours: [Palette] = [
        // Noon
        Palette(
            zenith: LinearColour(0.10, 0.24, 0.58), horizon: LinearColour(0.48, 0.62, 0.80),
            sun: LinearColour(1.00, 0.96, 0.88), cloud: LinearColour(0.86, 0.88, 0.92),
            far: LinearColour(0.30, 0.40, 0.52), near: LinearColour(0.055, 0.105, 0.035),
            meadow: LinearColour(0.115, 0.190, 0.045)),
        // Evening
        Palette(
            zenith: LinearColour(0.13, 0.17, 0.38), horizon: LinearColour(0.88, 0.48, 0.24),
            sun: LinearColour(1.00, 0.72, 0.40), cloud: LinearColour(0.90, 0.52, 0.40),
            far: LinearColour(0.36, 0.27, 0.34), near: LinearColour(0.060, 0.062, 0.030),
            meadow: LinearColour(0.160, 0.130, 0.040)),
        // Morning mist
        Palette(
            zenith: LinearColour(0.26, 0.37, 0.52), horizon: LinearColour(0.74, 0.70, 0.62),
            sun: LinearColour(1.00, 0.92, 0.76), cloud: LinearColour(0.80, 0.78, 0.76),
            far: LinearColour(0.46, 0.48, 0.50), near: LinearColour(0.070, 0.095, 0.050),
            meadow: LinearColour(0.130, 0.165, 0.060)),
        // Autumn
        Palette(
            zenith: LinearColour(0.12, 0.28, 0.60), horizon: LinearColour(0.62, 0.66, 0.68),
            sun: LinearColour(1.00, 0.93, 0.80), cloud: LinearColour(0.88, 0.86, 0.84),
            far: LinearColour(0.32, 0.36, 0.44), near: LinearColour(0.170, 0.075, 0.022),
            meadow: LinearColour(0.185, 0.150, 0.045)),
    ]
}
