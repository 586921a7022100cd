import DevelopKernels
import PictureFormat
import Pixels

/// Offsets of one colour on the grid of a `WarpField`, eight points of a row at a time.
struct WarpGrid {
    private typealias Vector = LensWarp.Vector
    /// Maximum error of an inverted position, in pixels.
    private static let tolerance = 0.004
    /// Maximum error of a guess from which one step is accurate to a thousandth of a pixel.
    private static let closeness = 0.25
    /// Rows beyond the picture that are searched.
    private static let margin = 64.0

    /// Last warp first.
    private let motions: [LensWarp.Motion]
    private let crop: PixelRect
    private let area: PixelRect
    private let columns: Int

    init(_ corrections: SensorCorrections, _ crop: PixelRect, _ area: PixelRect, channel: Int) {
        motions = corrections.warps.reversed().map { $0.motion(channel: channel) }
        self.crop = crop
        self.area = area
        columns = WarpField.columns(width: crop.size.width)
    }

    private func source(_ x: Vector, _ y: Vector) -> (x: Vector, y: Vector) {
        var place = motions[0].source(x, y)
        for index in 1..<max(motions.count, 1) { place = motions[index].source(place.x, place.y) }
        return place
    }

    /// Columns of the plane at eight grid points.
    private func places(_ column: Int) -> Vector {
        (Vector(0, 1, 2, 3, 4, 5, 6, 7) + Double(column)) * Double(WarpField.spacing) + Double(crop.x)
    }

    /// Stores eight numbers of pixels in the field's units, or numbers that the field refuses.
    private func store(_ pixels: Vector, _ row: Int, _ column: Int, into offsets: inout [Int32]) {
        let bounded = (pixels * Double(WarpField.unit)).rounded(.toNearestOrEven)
        for lane in 0..<min(8, columns - column) {
            offsets[row * columns + column + lane] = Int32(exactly: bounded[lane]) ?? .max
        }
    }

    /// At rows of the picture: the source row minus the own row.
    func down() -> [Int32] {
        let rows = WarpField.rows(height: crop.size.height)
        var offsets = [Int32](repeating: 0, count: rows * columns)
        for row in 0..<rows {
            let y = Double(row * WarpField.spacing)
            for column in stride(from: 0, to: columns, by: 8) {
                let found = source(places(column), Vector(repeating: y + Double(crop.y)))
                store(found.y - (Double(area.y) + y), row, column, into: &offsets)
            }
        }
        return offsets
    }

    /// At rows of the source: for each column of the picture, the source column minus the own column, at the picture
    /// row that comes from the source row. Nil if there is none, because the warp folds the picture.
    func across() -> [Int32]? {
        let rows = WarpField.rows(height: area.size.height)
        var offsets = [Int32](repeating: 0, count: rows * columns)
        for column in stride(from: 0, to: columns, by: 8) {
            let x = places(column)
            var search = Search(start: start(x, Double(area.y)), column: x)
            for row in 0..<rows {
                let target = Double(area.y + row * WarpField.spacing)
                guard find(target, &search) else { return nil }
                store(search.x - x + Double(crop.x - area.x), row, column, into: &offsets)
            }
        }
        return offsets
    }

    /// State of the search for a row of the picture.
    private struct Search {
        let column: Vector
        /// Rows of the picture, and the source columns there.
        var y: Vector
        var x: Vector
        /// Change of both since the previous source row.
        var yStep: Vector
        var xStep: Vector

        init(start: Vector, column: Vector) {
            self.column = column
            (y, x) = (start, column)
            (yStep, xStep) = (.zero, .zero)
        }
    }

    /// Finds the picture rows that come from row `target` of the plane: in one step from the two previous rows, else by
    /// Newton's method.
    private func find(_ target: Double, _ search: inout Search) -> Bool {
        let (before, beforeX) = (search.y, search.x)
        let guess = search.y + search.yStep
        let found = source(search.column, guess)
        let error = found.y - target
        if error.isWithin(Self.closeness), all(search.yStep .> 0.5) {
            let share = error / Double(WarpField.spacing)
            search.y = guess - share * search.yStep
            search.x = found.x - share * search.xStep
        } else if !solve(target, &search) {
            return false
        }
        (search.yStep, search.xStep) = (search.y - before, search.x - beforeX)
        return true
    }

    private func solve(_ target: Double, _ search: inout Search) -> Bool {
        let least = Vector(repeating: Double(crop.y) - Self.margin)
        let most = Vector(repeating: Double(crop.y + crop.size.height) + Self.margin)
        var y = (search.y + search.yStep).clamped(lowerBound: least, upperBound: most)
        var found = source(search.column, y)
        for _ in 0..<12 {
            let error = found.y - target
            if error.isWithin(Self.tolerance / 4) { break }
            let slope = ((source(search.column, y + 0.5).y - found.y) * 2)
                .clamped(lowerBound: Vector(repeating: 0.05), upperBound: Vector(repeating: 20))
            y = (y - error / slope).clamped(lowerBound: least, upperBound: most)
            found = source(search.column, y)
        }
        (search.y, search.x) = (y, found.x)
        // Far beyond the picture, rows need not be found.
        for lane in 0..<8 where (found.y[lane] - target).magnitude > Self.tolerance {
            if y[lane] > least[lane] + 48 && y[lane] < most[lane] - 48 { return false }
        }
        return true
    }

    /// Picture rows from which the search starts: the last of a coarse grid that comes from above `target`.
    private func start(_ x: Vector, _ target: Double) -> Vector {
        let least = Double(crop.y) - Self.margin
        var start = Vector(repeating: least)
        for y in stride(from: least, to: Double(crop.y + crop.size.height) + Self.margin, by: 64) {
            let found = source(x, Vector(repeating: y))
            start.replace(with: y, where: found.y .<= target)
        }
        return start
    }
}

extension SIMD8<Double> {
    fileprivate func isWithin(_ limit: Double) -> Bool { all(self .<= limit .& (self .>= -limit)) }
}
