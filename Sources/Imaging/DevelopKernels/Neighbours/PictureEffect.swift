import Pixels

/// An effect with neighbours, as the steps of its rows.
package struct PictureEffect: Sendable {
    package enum Step: Sendable {
        case colours(ColourOperation)
        /// On light. `share` is the weight, 0…1.
        case blur(LineBlur, share: Float)
        /// On display-encoded values. `share` is the weight, 0…1.
        case edges(Edges, share: Float)
    }

    /// From scene light to values of the effect's display space, before the first step.
    let rendering: Rendering
    let steps: [Step]
    /// Weight of all steps, 0…1.
    let share: Float
    let decode: any LightMapping
    let encode: any LightMapping

    package init(
        rendering: Rendering, steps: [Step], share: Float, decode: any LightMapping, encode: any LightMapping
    ) {
        self.rendering = rendering
        self.steps = steps
        self.share = share
        self.decode = decode
        self.encode = encode
    }
}
