import DevelopKernels
import PictureFormat
import Pixels

/// Alignment of a camera's preview with the sensor's picture: its orientation, and the part that both show.
///
/// Cameras store previews in the sensor's order, other programs upright. A preview with another aspect ratio than the
/// sensor has black bars or is cropped around the middle.
struct PreviewAlignment {
    /// Columns and rows of cells whose means are compared.
    static let columns = 16
    static let rows = 12
    static let cellCount = columns * rows

    private let transform: OrientationTransform
    /// Shares of the sensor's width and height that the preview shows, around the middle.
    private let sensorWindow: (x: Double, y: Double)
    /// Shares of the preview's width and height, in the sensor's order, inside the bars.
    private let previewWindow: (x: Double, y: Double)

    /// Alignments to try: in the sensor's order, and upright.
    static func candidates(_ picture: SmallPicture, _ facts: SensorFacts) -> [PreviewAlignment] {
        let orientations: [Orientation] = facts.orientation == .upright ? [.upright] : [.upright, facts.orientation]
        return orientations.map { PreviewAlignment(picture, facts, $0) }
    }

    private init(_ picture: SmallPicture, _ facts: SensorFacts, _ orientation: Orientation) {
        transform = OrientationTransform(orientation, sensorSize: facts.crop.size)
        let size = transform.swapsAxes ? picture.size.transposed : picture.size
        let crop = facts.crop.size
        let ratio =
            Double(size.width) / Double(size.height) / (Double(crop.width) * facts.pixelAspect / Double(crop.height))
        let share = min(ratio, 1 / ratio)
        guard share < Self.minSameAspect else {
            (sensorWindow, previewWindow) = ((1, 1), (1, 1))
            return
        }
        let inside = ratio < 1 ? (x: 1.0, y: share) : (x: share, y: 1.0)
        let outside = ratio < 1 ? (x: share, y: 1.0) : (x: 1.0, y: share)
        let hasBars = Self.isDark(picture, outside: inside, transform)
        sensorWindow = hasBars ? (1, 1) : outside
        previewWindow = hasBars ? inside : (1, 1)
    }

    /// Minimum ratio of equal aspect ratios; previews are a few pixels off.
    private static let minSameAspect = 0.95
    /// Maximum mean of a bar's samples, of 255.
    private static let maxBarLevel = 12

    private static func isDark(
        _ picture: SmallPicture, outside window: (x: Double, y: Double), _ transform: OrientationTransform
    ) -> Bool {
        var sum = 0
        var count = 0
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let (u, v) = sensorPosition(picture, x, y, transform)
                // Starts slightly outside the window, because a bar's edge is not sharp.
                guard abs(u - 0.5) > window.x / 2 + 0.02 || abs(v - 0.5) > window.y / 2 + 0.02 else { continue }
                let index = (y * picture.size.width + x) * 3
                sum += Int(picture.samples[index + 1])
                count += 1
            }
        }
        return count > 0 && sum <= maxBarLevel * count
    }

    /// Centre of a preview pixel in the sensor's order, 0…1 in each direction.
    private static func sensorPosition(
        _ picture: SmallPicture, _ x: Int, _ y: Int, _ transform: OrientationTransform
    ) -> (Double, Double) {
        let p = (Double(x) + 0.5) / Double(picture.size.width)
        let q = (Double(y) + 0.5) / Double(picture.size.height)
        let (u, v) = transform.swapsAxes ? (q, p) : (p, q)
        return (transform.flipsX ? 1 - u : u, transform.flipsY ? 1 - v : v)
    }

    /// Cell of a position in the sensor's picture, 0…1 in each direction; nil if the preview does not show it.
    func cell(u: Double, v: Double) -> Int? { Self.cell(u, v, sensorWindow) }

    private static func cell(_ u: Double, _ v: Double, _ window: (x: Double, y: Double)) -> Int? {
        let x = (u - 0.5) / window.x + 0.5
        let y = (v - 0.5) / window.y + 0.5
        guard x >= 0, x < 1, y >= 0, y < 1 else { return nil }
        return Int(y * Double(rows)) * columns + Int(x * Double(columns))
    }

    /// Mean display-encoded colours, 0…1, of the preview's cells.
    func cells(_ picture: SmallPicture) -> CellMeans {
        var means = CellMeans()
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let (u, v) = Self.sensorPosition(picture, x, y, transform)
                guard let cell = Self.cell(u, v, previewWindow) else { continue }
                let index = (y * picture.size.width + x) * 3
                let sample = picture.samples
                means.add(
                    SIMD3(Float(sample[index]), Float(sample[index + 1]), Float(sample[index + 2])) / 255, to: cell)
            }
        }
        return means
    }
}

struct CellMeans {
    private var sums = [SIMD3<Float>](repeating: .zero, count: PreviewAlignment.cellCount)
    private var counts = [Float](repeating: 0, count: PreviewAlignment.cellCount)

    mutating func add(_ colour: SIMD3<Float>, to cell: Int) {
        sums[cell] += colour
        counts[cell] += 1
    }

    /// Nil for an empty cell.
    subscript(_ cell: Int) -> SIMD3<Float>? { counts[cell] > 0 ? sums[cell] / counts[cell] : nil }

    /// Pairs of means of cells that both have.
    func pairs(_ other: CellMeans) -> [(SIMD3<Float>, SIMD3<Float>)] {
        (0..<PreviewAlignment.cellCount).compactMap { cell in
            guard let own = self[cell], let theirs = other[cell] else { return nil }
            return (own, theirs)
        }
    }
}
