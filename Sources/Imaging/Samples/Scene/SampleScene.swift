public import PictureFormat
internal import Pixels

/// A landscape made from a seed: sky and clouds with a sun, rows of hills, a meadow in flower, and a painted board with
/// colour patches and fine lines. The scene is reproducible on every machine, because it uses only exact arithmetic,
/// not library functions that differ between processors.
public struct SampleScene: Sendable {
    /// Seed of the scene; equal seeds give equal scenes.
    public let seed: UInt64
    let palette: Palette
    let texture: NoiseTile
    let sunX: Float
    let sunY: Float
    let hills: [Hill]
    let boardX: Float

    /// - Parameter seed: equal seeds give equal scenes.
    public init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        palette = Palette.hours[Int(seed % UInt64(Palette.hours.count))]
        texture = NoiseTile(seed: random.next())
        sunX = random.float(in: 0.2..<1.3)
        sunY = random.float(in: 0.08..<0.28)
        boardX = random.float(in: 0.12..<0.9)
        hills = Hill.range(&random)
    }

    /// A painter of single rows for a picture of `size`.
    public func painter(size: PixelSize) -> ScenePainter { ScenePainter(scene: self, size: size) }
}

/// The scene for one picture size.
public struct ScenePainter: Sendable {
    let scene: SampleScene
    /// The picture's width and height in pixels.
    public let size: PixelSize
    /// Height of a pixel in scene units; the picture is 1 unit high.
    let unit: Float
    let ridges: [[Float]]
    let board: Board

    init(scene: SampleScene, size: PixelSize) {
        self.scene = scene
        self.size = size
        let unit = 1 / Float(size.height)
        self.unit = unit
        ridges = scene.hills.map { hill in
            (0..<size.width).map { hill.height(at: Float($0) * unit, texture: scene.texture) }
        }
        board = Board(left: scene.boardX * Float(size.width) * unit * 0.6, size: size)
    }

    /// Writes one row of colours in linear light.
    ///
    /// - Parameters:
    ///   - y: the row, from the top.
    ///   - red: `size.width` values.
    ///   - green: `size.width` values.
    ///   - blue: `size.width` values.
    public func paint(
        row y: Int, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
        blue: UnsafeMutablePointer<Float>
    ) {
        let row = unsafe PaintedRow(red: red, green: green, blue: blue, count: size.width)
        paintSky(y, row)
        for index in scene.hills.indices { paintHill(index, y, row) }
        paintMeadow(y, row)
        board.paint(y, row)
    }
}

@safe struct PaintedRow {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>
    let count: Int

    func set(_ x: Int, _ colour: LinearColour) {
        unsafe red[x] = colour.red
        unsafe green[x] = colour.green
        unsafe blue[x] = colour.blue
    }
}
