/// An effect as steps, for effects that are more than one table of colours: some steps depend on a pixel's place or on
/// its neighbours.
///
/// Effects with neighbours are applied to the full-size picture, from which smaller pictures are made, so that a length
/// is the same fraction of each. Steps take and return display-encoded values, 0…1, of the effect's display space.
public struct EffectSteps: Sendable {
    /// One step.
    public enum Step: Sendable {
        /// Depends only on a pixel's colour. It has a `colourKey`.
        case colours(any RowStage)
        /// Multiplies values by a factor that depends on the place.
        case shade(Shade)
        /// Depends on other pixels. `share` is the weight of the result, 0…1; the rest is the input.
        case neighbours(Neighbourhood, share: Float)
    }

    /// Steps in the order of their application.
    public let steps: [Step]
    /// Weight of all steps together, 0…1. The rest is the picture before the first step.
    public let share: Float

    /// Creates an effect from steps and weight.
    public init(steps: [Step], share: Float) {
        self.steps = steps
        self.share = share
    }

    /// The steps with neighbours.
    public var neighbourhoods: [Neighbourhood] {
        steps.compactMap { step in
            if case .neighbours(let neighbourhood, _) = step { neighbourhood } else { nil }
        }
    }
}

/// An operation on a pixel and its neighbours. Lengths are in pixels of the full-size picture.
public enum Neighbourhood: Hashable, Sendable {
    /// Mean of the display's light along a line centred on the pixel.
    ///
    /// - Parameters:
    ///   - radius: half the line's length, 0…100.
    ///   - angle: of the line in the upright picture, in radians, counter-clockwise from the horizontal.
    case motionBlur(radius: Double, angle: Double)
    /// Gradient of each channel's display-encoded values, times a factor from 0 to 10.
    case edges(intensity: Double)
}
