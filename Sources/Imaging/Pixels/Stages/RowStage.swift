public import PictureFormat

/// One row of a picture, a part of a row, or every second pixel of one: three planar rows of `count` floats.
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
    /// Column of the first pixel in the unrotated picture.
    public let x: Int
    /// Row of the unrotated picture.
    public let y: Int
    /// Distance of pixels in columns: 1 or 2.
    public let step: Int

    /// Creates a row from its properties.
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

    /// Blends the row with the result of an operation.
    ///
    /// - Parameters:
    ///   - share: weight of the result; 1 for the result alone.
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

    /// Clips the row's values to 0…1. NaN becomes 0.
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

/// Place of a row stage between scene light and display.
public enum StagePosition: String, Hashable, Sendable, CaseIterable {
    /// Works on scene-linear light in Rec. 2020 primaries (D65): 1 is the sensor's saturation, and values are not
    /// negative and have no upper bound. The result has the same form; the tone curve follows.
    case sceneLinear = "scene-linear"
    /// Works on display-encoded values, 0…1. The results are clipped to 0…1.
    case display
}

/// An operation on rows of pixels, in place, through which an effect takes part in developing.
///
/// Several threads call it at once, for parts of rows in any order, and the result must not depend on how a picture is
/// divided. It cannot fail: errors are detected when the stage is made.
public protocol RowStage: Sendable {
    /// Place between scene light and display.
    var position: StagePosition { get }

    /// Colour space of the display-encoded values. Nil for an effect that is the same in any space.
    var displaySpace: ColourSpace? { get }

    /// Nil for an effect that uses more than a pixel's own colour, such as grain and halation. Otherwise a text that
    /// effects share only if they map all colours equally: the developer may compute a table of the effect once and use
    /// it instead.
    var colourKey: String? { get }

    /// The film that renders the scene's light before this stage; nil for the tone curve.
    var film: (any FilmStage)? { get }

    /// The effect as steps, if some depend on places or neighbours; nil for a single step. An effect with neighbours is
    /// applied by its steps, not by `process`.
    var steps: EffectSteps? { get }

    /// The stage for pictures of one size, for effects that depend on the place in the picture.
    ///
    /// - Parameter picture: size before rotation.
    func placed(in picture: PixelSize) -> any RowStage

    /// Replaces the row's values.
    func process(_ row: PixelRow)
}

extension RowStage {
    /// By default, the effect is the same in any space.
    public var displaySpace: ColourSpace? { nil }
    /// By default, the effect may use more than a pixel's colour.
    public var colourKey: String? { nil }
    /// By default, the effect is a single step.
    public var steps: EffectSteps? { nil }
    /// By default, the effect does not depend on the place.
    public func placed(in picture: PixelSize) -> any RowStage { self }
    /// By default, the tone curve renders the light.
    public var film: (any FilmStage)? { nil }
}

/// The identity. A pipeline may leave it out.
public struct IdentityStage: RowStage {
    /// Any position is equivalent.
    public let position = StagePosition.display
    /// Every colour stays itself.
    public let colourKey: String? = "identity"
    /// Creates the stage.
    public init() {}
    /// Does nothing.
    public func process(_ row: PixelRow) {}
}
