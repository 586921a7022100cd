import Pixels
import PictureFormat
import Testing

@testable import Develop
@testable import DevelopKernels

/// Single steps of looks that use a pixel's neighbours; `NeighbourhoodPictureTests` has whole pictures.
@Suite("Neighbourhoods")
struct NeighbourhoodTests {
    private static let middle = 64

    /// Light by row and column after blurring one light pixel.
    private static func spread(_ blur: LineBlur) -> [[Double]] {
        let size = 2 * middle + 1
        let ring = RowRing(depth: size, width: size, margin: blur.columns)
        for y in 0..<size {
            for x in 0..<size { ring.row(y).red[x] = x == middle && y == middle ? 1 : 0 }
            ring.repeatEnds(y)
        }
        return (0..<size).map { y in
            var row = [Float](repeating: -1, count: size)
            row.withUnsafeMutableBufferPointer {
                guard let first = $0.baseAddress else { return }
                blur.apply(into: first, count: size) { ring.row(min(max(y + $0, 0), size - 1)).red }
            }
            return row.map(Double.init)
        }
    }

    @Test(
        "A point becomes a line of the requested length and direction, and keeps its light",
        arguments: [(20.0, 0.0), (0, 20), (14, 14), (12, -5), (-3, 30), (40, 1), (7.5, 2.25), (0.9, 0.2)])
    func line(x: Double, y: Double) throws {
        let blur = try #require(LineBlur(x: x, y: y))
        let spread = Self.spread(blur)
        var (sum, xx, yy, xy, mx, my) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for (row, line) in spread.enumerated() {
            for (column, light) in line.enumerated() {
                let (dx, dy) = (Double(column - Self.middle), Double(row - Self.middle))
                sum += light
                mx += light * dx
                my += light * dy
                xx += light * dx * dx
                yy += light * dy * dy
                xy += light * dx * dy
            }
        }
        #expect(abs(sum - 1) < 1e-5 && abs(mx) < 1e-4 && abs(my) < 1e-4)
        // The variance of a line is a third of the square of half its length, in any direction. Whole pixels, and the
        // mean of two of them across the line, add at most a quarter.
        #expect(abs(xx - x * x / 3) < 0.3 && abs(yy - y * y / 3) < 0.3 && abs(xy - x * y / 3) < 0.3)
        // Nothing beyond its ends.
        for (row, line) in spread.enumerated() {
            for (column, light) in line.enumerated() where light != 0 {
                #expect(abs(Double(column - Self.middle)) <= abs(x) + 1 && abs(Double(row - Self.middle)) <= abs(y) + 1)
            }
        }
    }

    @Test(
        "Along a row, each pixel is the mean of all pixels that the line covers",
        arguments: [3.5, 4, 4.5, 20, 31.5, 32, 100, 400])
    func mean(radius: Double) throws {
        let blur = try #require(LineBlur(x: radius, y: 0))
        let (count, margin) = (2600, blur.columns)
        let ring = RowRing(depth: 1, width: count, margin: margin)
        for x in 0..<count { ring.row(0).red[x] = Float((x * x * 7919) % 1009) / 1009 }
        ring.repeatEnds(0)
        let light = ring.row(0).red
        var result = [Float](repeating: -1, count: count)
        result.withUnsafeMutableBufferPointer { result in
            guard let first = result.baseAddress else { return }
            blur.apply(into: first, count: count) { _ in light }
        }
        var worst = 0.0
        for x in stride(from: 0, to: count, by: 7) {
            var (sum, weights) = (0.0, 0.0)
            for step in -margin...margin {
                let weight = min(radius + 0.5 - abs(Double(step)), 1)
                sum += weight * Double(light[x + step])
                weights += weight
            }
            worst = max(worst, abs(Double(result[x]) - sum / weights))
        }
        #expect(worst < 1e-6)
    }

    @Test("A line without length changes no bit, and one beyond the limit is refused")
    func limits() throws {
        let still = try #require(LineBlur(x: 0, y: 0))
        #expect(still.rows == 0 && still.columns == 0)
        var (row, result): ([Float], [Float]) = ([0.1, 0.7, 0.3333], [0, 0, 0])
        row.withUnsafeMutableBufferPointer { row in
            result.withUnsafeMutableBufferPointer { result in
                guard let from = row.baseAddress, let to = result.baseAddress else { return }
                still.apply(into: to, count: 3) { _ in from }
            }
        }
        #expect(result == row)
        #expect(LineBlur(x: 300, y: 300) == nil && LineBlur(x: .nan, y: 0) == nil)
    }

    @Test("Even light has no edge, a sharp edge has its height on both sides, and the intensity is a factor")
    func edges() {
        func found(_ row: [Float], _ intensity: Float) -> [Float] {
            let ring = RowRing(depth: 1, width: row.count, margin: 1)
            for x in row.indices { ring.row(0).red[x] = row[x] }
            ring.repeatEnds(0)
            var result = row
            result.withUnsafeMutableBufferPointer {
                guard let first = $0.baseAddress else { return }
                let own = ring.row(0).red
                Edges(intensity: intensity).apply(into: first, count: row.count, above: own, own: own, below: own)
            }
            return result
        }
        #expect(found(Array(repeating: 0.7, count: 5), 10) == Array(repeating: 0, count: 5))
        #expect(found([0, 0, 0, 0.25, 0.25, 0.25], 1) == [0, 0, 0.25, 0.25, 0, 0])
        #expect(found([0, 0, 0, 0.25, 0.25, 0.25], 2) == [0, 0, 0.5, 0.5, 0, 0])
        #expect(found([0, 1, 0], 0) == [0, 0, 0] && found([0, 1, 1], 10) == [1, 1, 0])
    }

    // MARK: - Whole pictures

    private struct Effect: RowStage {
        let steps: EffectSteps?
        let position = StagePosition.display
        let displaySpace: ColourSpace? = .sRGB
        init(_ steps: [Neighbourhood]) { self.steps = .init(steps: steps.map { .neighbours($0, share: 1) }, share: 1) }
        func process(_ row: PixelRow) {}
    }

    private static let size = PixelSize(width: 131, height: 203)

    /// A linear RGB sensor with one light pixel, in the middle of the upright picture for any orientation.
    private func developed(
        _ look: any RowStage, _ orientation: Orientation, threads: Int = 1, subsampling: ChromaSubsampling = .none
    ) throws -> Bytes {
        let facts = Sensors.facts(.linearRGB, Self.size, orientation: orientation)
        let image = Sensors.image(facts) { x, y in x / 3 == 65 && y == 101 ? 3800 : 200 }
        var context = DevelopContext()
        let settings = DevelopSettings(
            brightness: .asExposed, noiseReduction: 0, sharpening: 0, subsampling: subsampling, threads: threads)
        return Bytes(try context.develop(image, settings: settings, look: look).full)
    }

    @Test(
        "The angle is counter-clockwise in the upright picture, in all eight orientations",
        arguments: Orientation.allCases)
    func orientation(_ orientation: Orientation) throws {
        // 30 degrees: from the lower left to the upper right.
        let bytes = try developed(Effect([.motionBlur(radius: 24, angle: 0.5236)]), orientation)
        let (width, height) = (bytes.size.width, bytes.size.height)
        let flat = Double(bytes.luma[0])
        var (xx, xy) = (0.0, 0.0)
        for y in 0..<height {
            for x in 0..<width {
                let weight = Double(bytes.luma[y * width + x]) - flat
                let (dx, dy) = (Double(x - width / 2), Double(height / 2 - y))
                xx += weight * dx * dx
                xy += weight * dx * dy
            }
        }
        #expect(xx > 0 && abs(xy / xx - 0.577) < 0.04, "\(xy / xx)")
    }

    @Test(
        "Any number of bands and both chroma formats have the same bytes",
        arguments: [ChromaSubsampling.none, .quarter], [Orientation.upright, .rotated180, .rotated90Clockwise])
    func threads(_ subsampling: ChromaSubsampling, _ orientation: Orientation) throws {
        let look = Effect([.motionBlur(radius: 30, angle: 1.2), .edges(intensity: 4), .motionBlur(radius: 3, angle: 0)])
        let one = try developed(look, orientation, threads: 1, subsampling: subsampling)
        for threads in [2, 3, 4] {
            #expect(try developed(look, orientation, threads: threads, subsampling: subsampling) == one)
        }
    }
}
