public import PictureFormat

/// One row of a picture, or a piece of one, or every second pixel of one, as three planar rows of `count` floats.
///
/// The pointers are valid only during the call that hands them over.
public struct PixelRow {
    public let red: UnsafeMutablePointer<Float>
    public let green: UnsafeMutablePointer<Float>
    public let blue: UnsafeMutablePointer<Float>
    public let count: Int
    /// Where the piece begins in the picture as the sensor holds it (before it is turned), in pixels.
    public let x: Int
    public let y: Int
    /// Columns of the picture from one pixel to the next: 1 or 2.
    public let step: Int

    public init(
        red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>,
        count: Int, x: Int = 0, y: Int = 0, step: Int = 1
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.count = count
        self.x = x
        self.y = y
        self.step = step
    }

    /// The column of the picture where pixel `index` lies.
    public func column(_ index: Int) -> Int { x + index * step }
}

/// Where in the way from light to display a stage works.
public enum StagePlace: String, Hashable, Sendable, CaseIterable {
    /// On scene-linear light in Rec. 2020 primaries (D65), 1 the sensor's saturation, never negative, not bounded
    /// above; it returns the same, and the tone curve follows.
    case sceneLinear = "scene-linear"
    /// In the tone curve's stead: takes what `sceneLinear` takes, returns what `display` returns.
    case rendering
    /// On display-encoded values, 0…1; what it returns is clipped to 0…1.
    case display
}

/// An operation that works on rows of pixels in place: how an effect takes part in developing.
///
/// It is called from several threads at once, for pieces of rows in no promised order, and must give the same
/// values however a picture is cut into pieces. It cannot fail: whatever can be wrong is found when it is made.
public protocol RowStage: Sendable {
    var place: StagePlace { get }

    /// The colour space the display-encoded values are in (for `rendering`: that it returns); nil for an effect
    /// that means the same in any space.
    var displaySpace: ColourSpace? { get }

    /// The effect as a table, where it is nothing else: another way to the same picture, which may be faster.
    var table: TableShare? { get }

    func process(_ row: PixelRow)
}

extension RowStage {
    public var displaySpace: ColourSpace? { nil }
    public var table: TableShare? { nil }
}

/// The stage that leaves every value as it is.
public struct IdentityStage: RowStage {
    public let place = StagePlace.display
    /// Nothing to do: a pipeline may leave the stage out.
    public init() {}
    public func process(_ row: PixelRow) {}
}
