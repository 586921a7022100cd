/// An effect as steps, where it is more than one table of colours: some steps look at a pixel's place, or at its neighbours.
///
/// An effect with neighbours is applied to the whole picture in full size, and smaller pictures are made of the result. So a
/// length has the same share of each of them. Steps take and give display-encoded values, 0…1, of the effect's display space.
public struct EffectSteps: Sendable {
    /// One of them.
    public enum Step: Sendable {
        /// Depends on nothing but a pixel's colour. It has a `colourKey`.
        case colours(any RowStage)
        /// Multiplies values by a factor of the place.
        case shade(Shade)
        /// Depends on other pixels. The share of its result in what is left, 0…1; the rest is what it was given.
        case neighbours(Neighbourhood, share: Float)
    }

    /// In the order in which they are applied.
    public let steps: [Step]
    /// How much of all steps together counts, 0…1. The rest is the picture before the first of them.
    public let share: Float

    /// The parameters are the properties of the same names.
    public init(steps: [Step], share: Float) {
        self.steps = steps
        self.share = share
    }

    /// Those that look at neighbours.
    public var neighbourhoods: [Neighbourhood] {
        steps.compactMap { step in
            if case .neighbours(let neighbourhood, _) = step { neighbourhood } else { nil }
        }
    }
}

/// What an effect makes of a pixel and the pixels around it. Lengths are in pixels of the picture in full size.
public enum Neighbourhood: Hashable, Sendable {
    /// The mean of the display's light along a line whose middle is the pixel.
    ///
    /// - Parameters:
    ///   - radius: half the line's length, 0…100.
    ///   - angle: of the line in the upright picture, in radians, counter-clockwise from the horizontal.
    case motionBlur(radius: Double, angle: Double)
    /// How steep each channel's display-encoded values are, times a factor from 0 to 10.
    case edges(intensity: Double)
}
