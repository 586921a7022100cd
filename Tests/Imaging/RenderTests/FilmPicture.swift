import ColourScience
import Develop
import PictureFormat
import Pixels
import Synchronization
import Testing

@testable import Looks

/// A picture of known light, developed with a film.
struct FilmPicture {
    let width: Int
    let height: Int
    let colour: @Sendable (Int, Int) -> SIMD3<Double>

    /// Light of a saturated sample. The neutral curve's white is rounded to eighths of a stop: this value is nearly
    /// one, and close to the white of 3 that films are made for.
    private static let white = DeterministicMath.exp2(1.6251)
    private static let saturation = 48_000.0

    /// The same light everywhere.
    init(light: Double, width: Int = 64, height: Int = 64) {
        self.init(light: light, width: width, height: height) { _, _ in light }
    }

    init(light: Double, width: Int, height: Int, _ function: @escaping @Sendable (Int, Int) -> Double) {
        self.width = width
        self.height = height
        colour = { SIMD3(repeating: function($0, $1)) }
    }

    /// Four columns of each colour, in Rec. 2020.
    init(colours: [SIMD3<Double>]) {
        width = 4 * colours.count
        height = 8
        colour = { x, _ in colours[x / 4] }
    }

    /// A linear RGB sensor whose camera colours are Rec. 2020.
    private var sensor: SensorImage {
        let plane = Plane<UInt16>(width: 3 * width, height: height)
        for y in 0..<height {
            let row = plane.row(y)
            for x in 0..<width {
                let light = colour(x, y) / Self.white * Self.saturation
                for channel in 0..<3 { row[3 * x + channel] = UInt16(clamping: Int(light[channel].rounded())) }
            }
        }
        let xyz = RGBPrimaries.rec2020.fromXYZ.elements.map { Float($0) }
        return SensorImage(
            plane: plane,
            facts: SensorFacts(
                layout: .linearRGB, crop: PixelRect(x: 0, y: 0, size: PixelSize(width: width, height: height)),
                black: .zero, white: Array(repeating: Float(Self.saturation), count: 3), whiteBalance: [1, 1, 1],
                matrices: [CameraMatrix(illuminant: 21, xyzToCamera: Matrix3(xyz))]))
    }

    private static func settings(_ threads: Int = 1) -> DevelopSettings {
        DevelopSettings(
            exposure: Float(DeterministicMath.log2(white / 1.1)), brightness: .asExposed, noiseReduction: 0,
            subsampling: .none, threads: threads)
    }

    /// Records the light of each pixel after the film's grain and halation.
    private final class Recorder: RowStage, FilmStage, @unchecked Sendable {
        let position = StagePosition.sceneLinear
        let key = "recorder"
        let share: Float = 1
        let texture: FilmTexture?
        var film: (any FilmStage)? { self }
        private let width: Int
        private let planes: Mutex<(red: [Float], green: [Float])>

        init(_ texture: FilmTexture, _ width: Int, _ height: Int) {
            self.texture = texture
            self.width = width
            let zeros = [Float](repeating: 0, count: width * height)
            planes = Mutex((zeros, zeros))
        }

        func render(_ row: PixelRow) {}

        func process(_ row: PixelRow) {
            planes.withLock { planes in
                for index in 0..<row.count {
                    let (x, y) = (row.column(index), row.y)
                    guard x >= 0, x < width, y >= 0, y * width + x < planes.red.count else { continue }
                    planes.red[y * width + x] = row.red[index]
                    planes.green[y * width + x] = row.green[index]
                }
            }
        }

        var light: (red: [Float], green: [Float]) { planes.withLock { $0 } }
    }

    /// Light of green and red after grain and halation.
    func light(_ texture: FilmTexture, threads: Int = 1) throws -> (values: [Double], red: [Double]) {
        let recorder = Recorder(texture, width, height)
        var context = DevelopContext()
        _ = try context.develop(sensor, settings: Self.settings(threads), look: recorder)
        let light = recorder.light
        return (light.green.map(Double.init), light.red.map(Double.init))
    }

    /// Display light of each pixel of the middle row, in Rec. 2020, 0…1.
    func developed(_ stage: any RowStage) throws -> [[Double]] {
        let collector = Middle(width: width, row: height / 2)
        var context = DevelopContext()
        let image = sensor
        var settings = Self.settings()
        settings.depth = .sixteen
        let planned = try context.plan(image, settings: settings, look: stage)
        _ = context.develop(image, planned, into: collector)
        let values = collector.row
        return (0..<width).map { x in
            let light = (0..<3).map { TransferFunction.decode(Double(values[3 * x + $0]) / 65_535, .sRGB) }
            return RGBPrimaries.rec2020.fromXYZ * (RGBPrimaries.rec709.toXYZ * light)
        }
    }

    /// Luma of the full size and of a preview.
    func lumas(_ stage: any RowStage, preview: Int, threads: Int = 1) throws -> (full: [UInt8], preview: [UInt8]) {
        var context = DevelopContext()
        let picture = try context.develop(sensor, settings: Self.settings(threads), look: stage, preview: preview)
        func bytes(_ plane: borrowing Plane<UInt8>) -> [UInt8] {
            (0..<plane.height).flatMap { UnsafeBufferPointer(start: plane.row($0), count: plane.width) }
        }
        var small: [UInt8] = []
        switch picture.preview {
        case .some(let image): small = bytes(image.luma)
        case .none: break
        }
        return (bytes(picture.full.luma), small)
    }

    private final class Middle: StripSink {
        private let width: Int
        private let middle: Int
        private let found = Mutex<[UInt16]>([])

        init(width: Int, row: Int) {
            self.width = width
            middle = row
        }

        func write(_ strip: PictureStrip) {
            guard case .rgb(let strip) = strip else { return }
            let first = strip.index * PictureStrip.rows
            guard first <= middle, middle < first + strip.height else { return }
            let line = strip.samples + (middle - first) * strip.strideSamples
            found.withLock { $0 = Array(UnsafeBufferPointer(start: line, count: 3 * width)) }
        }

        var row: [UInt16] { found.withLock { $0 } }
    }
}

/// A film's colours without its grain and halation.
struct PlainFilm: RowStage, FilmStage {
    let rendering: FilmRendering
    let position = StagePosition.display
    let share: Float = 1
    let texture: FilmTexture? = nil
    var key: String { rendering.key }
    var colourKey: String? { key }
    var film: (any FilmStage)? { self }

    /// - Parameter name: of a built-in film.
    init(_ name: String) throws {
        let look = try #require(LookCatalogue.films.first { $0.name == name })
        rendering = try #require(look.film as? FilmRendering)
    }

    func process(_ row: PixelRow) {}
    func render(_ row: PixelRow) { rendering.render(row) }
}
