import PictureFormat
import Pixels

/// How a camera's own picture lies over the sensor's: which way round, and which part of which shows the same.
///
/// Cameras store previews as the sensor reads, other programs upright. A thumbnail of another shape than the sensor
/// has black bars, or, without them, is a crop from the middle.
struct PicturePlacement {
    static let columns = 16
    static let rows = 12
    static let cellCount = columns * rows

    private let turn: Turn
    /// Share of the sensor's width and height that the other picture shows, from the middle.
    private let scene: (x: Double, y: Double)
    /// Share of the other picture, in the sensor's order, that is no bar.
    private let other: (x: Double, y: Double)

    /// The ways it can lie: as the sensor reads, and upright.
    static func candidates(_ picture: SmallPicture, _ facts: SensorFacts) -> [PicturePlacement] {
        let ways: [Orientation] = facts.orientation == .upright ? [.upright] : [.upright, facts.orientation]
        return ways.map { PicturePlacement(picture, facts, $0) }
    }

    private init(_ picture: SmallPicture, _ facts: SensorFacts, _ orientation: Orientation) {
        turn = Turn(orientation, sensorSize: facts.crop.size)
        let size = turn.swapsAxes ? picture.size.transposed : picture.size
        let crop = facts.crop.size
        let ratio =
            Double(size.width) / Double(size.height) / (Double(crop.width) * facts.pixelAspect / Double(crop.height))
        let share = min(ratio, 1 / ratio)
        guard share < Self.sameShape else {
            (scene, other) = ((1, 1), (1, 1))
            return
        }
        let inside = ratio < 1 ? (x: 1.0, y: share) : (x: share, y: 1.0)
        let outside = ratio < 1 ? (x: share, y: 1.0) : (x: 1.0, y: share)
        let hasBars = Self.isDark(picture, outside: inside, turn)
        scene = hasBars ? (1, 1) : outside
        other = hasBars ? inside : (1, 1)
    }

    /// Shapes closer than this are one: thumbnails are a few pixels off.
    private static let sameShape = 0.95
    /// A bar is at most this bright on average, of 255.
    private static let bar = 12

    private static func isDark(_ picture: SmallPicture, outside window: (x: Double, y: Double), _ turn: Turn) -> Bool {
        var sum = 0
        var count = 0
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let (u, v) = sensorPlace(picture, x, y, turn)
                // A little further out, because the bar's edge is not sharp.
                guard abs(u - 0.5) > window.x / 2 + 0.02 || abs(v - 0.5) > window.y / 2 + 0.02 else { continue }
                let at = (y * picture.size.width + x) * 3
                sum += Int(picture.samples[at + 1])
                count += 1
            }
        }
        return count > 0 && sum <= bar * count
    }

    /// The middle of a pixel in the sensor's order, 0…1 each way.
    private static func sensorPlace(_ picture: SmallPicture, _ x: Int, _ y: Int, _ turn: Turn) -> (Double, Double) {
        let p = (Double(x) + 0.5) / Double(picture.size.width)
        let q = (Double(y) + 0.5) / Double(picture.size.height)
        let (u, v) = turn.swapsAxes ? (q, p) : (p, q)
        return (turn.flipsX ? 1 - u : u, turn.flipsY ? 1 - v : v)
    }

    /// The cell of a place of the sensor's picture, 0…1 each way; nil where the other picture does not show it.
    func cell(u: Double, v: Double) -> Int? { Self.cell(u, v, scene) }

    private static func cell(_ u: Double, _ v: Double, _ window: (x: Double, y: Double)) -> Int? {
        let x = (u - 0.5) / window.x + 0.5
        let y = (v - 0.5) / window.y + 0.5
        guard x >= 0, x < 1, y >= 0, y < 1 else { return nil }
        return Int(y * Double(rows)) * columns + Int(x * Double(columns))
    }

    /// The other picture's cells: mean display-encoded colour, 0…1.
    func cells(_ picture: SmallPicture) -> CellMeans {
        var means = CellMeans()
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let (u, v) = Self.sensorPlace(picture, x, y, turn)
                guard let cell = Self.cell(u, v, other) else { continue }
                let at = (y * picture.size.width + x) * 3
                let sample = picture.samples
                means.add(SIMD3(Float(sample[at]), Float(sample[at + 1]), Float(sample[at + 2])) / 255, to: cell)
            }
        }
        return means
    }
}

/// Mean colours over the cells of a placement.
struct CellMeans {
    private var sums = [SIMD3<Float>](repeating: .zero, count: PicturePlacement.cellCount)
    private var counts = [Float](repeating: 0, count: PicturePlacement.cellCount)

    mutating func add(_ colour: SIMD3<Float>, to cell: Int) {
        sums[cell] += colour
        counts[cell] += 1
    }

    /// Nil for a cell nothing fell into.
    subscript(_ cell: Int) -> SIMD3<Float>? { counts[cell] > 0 ? sums[cell] / counts[cell] : nil }

    /// The means of the cells that both have.
    func pairs(_ other: CellMeans) -> [(SIMD3<Float>, SIMD3<Float>)] {
        (0..<PicturePlacement.cellCount).compactMap { cell in
            guard let own = self[cell], let theirs = other[cell] else { return nil }
            return (own, theirs)
        }
    }
}
