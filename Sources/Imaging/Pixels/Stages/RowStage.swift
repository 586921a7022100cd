public import PictureFormat

/// One row of a picture, a piece of a row, or every second pixel of one: three planar rows of `count` floats.
///
/// The pointers are valid only during the call that lends them.
@safe public struct PixelRow {
    /// Red of each pixel.
    public let red: UnsafeMutablePointer<Float>
    /// Green of each pixel.
    public let green: UnsafeMutablePointer<Float>
    /// Blue of each pixel.
    public let blue: UnsafeMutablePointer<Float>
    /// Pixels in the piece.
    public let count: Int
    /// Column of the first pixel in the picture as the sensor holds it, before it is turned upright.
    public let x: Int
    /// Row of the picture as the sensor holds it.
    public let y: Int
    /// Columns of the picture from one pixel to the next: 1 or 2.
    public let step: Int

    /// - Parameters:
    ///   - red: `count` values.
    ///   - green: `count` values.
    ///   - blue: `count` values.
    ///   - count: pixels in the piece.
    ///   - x: column of the first pixel in the picture as the sensor holds it.
    ///   - y: its row.
    ///   - step: columns from one pixel to the next, 1 or 2.
    public init(
        red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>,
        count: Int, x: Int = 0, y: Int = 0, step: Int = 1
    ) {
        unsafe self.red = unsafe red
        unsafe self.green = unsafe green
        unsafe self.blue = unsafe blue
        self.count = count
        self.x = x
        self.y = y
        self.step = step
    }

    /// The picture's column of pixel `index`.
    public func column(_ index: Int) -> Int { x + index * step }

    /// Changes the row's values by a share of what an operation changes.
    ///
    /// - Parameters:
    ///   - share: 1 for all of it.
    ///   - process: replaces the row's values.
    public func mix(_ share: Float, _ process: (PixelRow) -> Void) {
        if share == 1 { return process(self) }
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * count) { before in
            guard let start = before.baseAddress else { return }
            let planes = unsafe [red, green, blue]
            for unsafe(i, plane) in unsafe planes.enumerated() {
                unsafe (start + i * count).initialize(from: plane, count: count)
            }
            process(self)
            for unsafe(i, plane) in unsafe planes.enumerated() {
                let old = unsafe start + i * count
                for x in 0..<count { unsafe plane[x] = unsafe old[x] + (plane[x] - old[x]) * share }
            }
        }
    }

    /// Cuts the row's values at 0 and 1. NaN becomes 0.
    public func clip() {
        unsafe Self.clip(red, count)
        unsafe Self.clip(green, count)
        unsafe Self.clip(blue, count)
    }

    private static func clip(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
        for x in 0..<count {
            let positive = unsafe values[x] > 0 ? values[x] : 0
            unsafe values[x] = positive < 1 ? positive : 1
        }
    }
}

/// Where between scene light and display a row stage works.
public enum StagePosition: String, Hashable, Sendable, CaseIterable {
    /// On scene-linear light in Rec. 2020 primaries (D65): 1 is the sensor's saturation, values are never negative and
    /// not bounded above. The stage returns the same, and the tone curve follows.
    case sceneLinear = "scene-linear"
    /// On display-encoded values, 0…1. The results are clipped to 0…1.
    case display
}

/// An operation on rows of pixels, in place: how an effect takes part in developing.
///
/// Several threads call it at once, for pieces of rows in no promised order, and it must give the same values however a
/// picture is cut into pieces. It cannot fail: whatever can be wrong is found when the stage is made.
public protocol RowStage: Sendable {
    /// Where between scene light and display it works.
    var position: StagePosition { get }

    /// The colour space of the display-encoded values. Nil for an effect that means the same in any space.
    var displaySpace: ColourSpace? { get }

    /// Nil for an effect that looks at more than a pixel's own colour, as grain and halation do. Otherwise a text that
    /// effects share only if they give the same colours for the same colours: the developer may make a table of the
    /// effect once, and then use the table.
    var colourKey: String? { get }

    /// The film that renders the scene's light before this, instead of the tone curve; nil for the tone curve.
    var film: (any FilmStage)? { get }

    /// The effect in steps, where its places or neighbours are looked at; nil for an effect that is one step. An effect with
    /// neighbours in its steps is applied by them, and not by `process`.
    var steps: EffectSteps? { get }

    /// The stage for pictures of one size, where what it does depends on the place in the picture.
    ///
    /// - Parameter picture: as the sensor holds it, before it is turned upright.
    func placed(in picture: PixelSize) -> any RowStage

    /// Replaces the row's values.
    func process(_ row: PixelRow)
}

extension RowStage {
    /// By default the effect means the same in any space.
    public var displaySpace: ColourSpace? { nil }
    /// By default the effect may look at anything.
    public var colourKey: String? { nil }
    /// By default it is one step.
    public var steps: EffectSteps? { nil }
    /// By default the place does not matter.
    public func placed(in picture: PixelSize) -> any RowStage { self }
    /// By default the tone curve renders the light.
    public var film: (any FilmStage)? { nil }
}

/// The stage that leaves every value as it is. A pipeline may leave it out.
public struct IdentityStage: RowStage {
    /// Any position would do.
    public let position = StagePosition.display
    /// Every colour stays itself.
    public let colourKey: String? = "identity"
    /// Makes the stage.
    public init() {}
    /// Does nothing.
    public func process(_ row: PixelRow) {}
}
