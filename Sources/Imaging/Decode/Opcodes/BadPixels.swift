import PictureFormat
import Pixels

/// Replaces bad pixels with the mean of their good neighbours of the same colour.
struct BadPixels {
    /// Divisor of the maximum fraction of bad pixels. More are damage.
    private static let maxShare = 8
    /// Nearest first; neighbours of a ring have equal weight.
    private static let rings: [[PixelOffset]] = [
        [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (-1, 1), (1, -1), (-1, -1)],
        [(2, 0), (-2, 0), (0, 2), (0, -2)], [(2, 2), (-2, 2), (2, -2), (-2, -2)],
        [(3, 0), (-3, 0), (0, 3), (0, -3)], [(4, 0), (-4, 0), (0, 4), (0, -4)],
        [(6, 0), (-6, 0), (0, 6), (0, -6)],
    ].map { $0.map(PixelOffset.init) }

    private struct PixelOffset {
        let x: Int
        let y: Int
    }

    private let layout: SensorLayout
    private let bounds: PixelRect

    /// - Parameter bounds: the picture in the plane; only pixels inside are neighbours.
    init(_ layout: SensorLayout, in bounds: PixelRect) {
        self.layout = layout
        self.bounds = bounds
    }

    /// Repairs all samples of one value. Pictures of three colours have none.
    func repair(_ plane: borrowing Plane<UInt16>, value: UInt32) {
        guard let value = UInt16(exactly: value), layout != .linearRGB, let area = area(in: plane) else { return }
        var bad: [PixelPoint] = []
        for y in area.y..<area.y + area.size.height {
            // The area lies inside the plane.
            let row = unsafe plane.row(y)
            for x in area.x..<area.x + area.size.width where unsafe row[x] == value {
                bad.append(PixelPoint(x: x, y: y))
            }
        }
        guard bad.count <= area.size.pixelCount / Self.maxShare else { return }
        repair(plane, Set(bad), area)
    }

    /// Repairs pixels by coordinates from the picture's corner. False if they are too many to be defects.
    func repair(_ plane: borrowing Plane<UInt16>, points: [PixelPoint], rects: [PixelRect]) -> Bool {
        guard layout != .linearRGB, let area = area(in: plane) else { return false }
        let limit = area.size.pixelCount / Self.maxShare
        var bad: Set<PixelPoint> = []
        func add(_ x: Int, _ y: Int) {
            guard x < area.size.width, y < area.size.height else { return }
            bad.insert(PixelPoint(x: area.x + x, y: area.y + y))
        }
        var total = points.count
        for point in points { add(point.x, point.y) }
        for rect in rects {
            let width = min(rect.size.width, max(area.size.width - rect.x, 0))
            let height = min(rect.size.height, max(area.size.height - rect.y, 0))
            total += width * height
            guard total <= limit else { return false }
            for y in rect.y..<rect.y + height { for x in rect.x..<rect.x + width { add(x, y) } }
        }
        guard total <= limit else { return false }
        repair(plane, bad, area)
        return true
    }

    /// All means use the original samples.
    private func repair(_ plane: borrowing Plane<UInt16>, _ bad: Set<PixelPoint>, _ area: PixelRect) {
        var means: [(PixelPoint, UInt16)] = []
        for point in bad { if let mean = mean(plane, point, bad, area) { means.append((point, mean)) } }
        // Bad pixels lie in the area, which lies in the plane.
        for (point, mean) in means { unsafe plane.row(point.y)[point.x] = mean }
    }

    private func mean(
        _ plane: borrowing Plane<UInt16>, _ point: PixelPoint, _ bad: Set<PixelPoint>, _ area: PixelRect
    ) -> UInt16? {
        let channel = layout.channel(x: point.x, y: point.y)
        for ring in Self.rings {
            var (sum, count) = (0, 0)
            for offset in ring {
                let (x, y) = (point.x + offset.x, point.y + offset.y)
                guard x >= area.x, y >= area.y, x < area.x + area.size.width, y < area.y + area.size.height,
                    layout.channel(x: x, y: y) == channel, !bad.contains(PixelPoint(x: x, y: y))
                else { continue }
                // Inside the area, and thus inside the plane.
                sum += Int(unsafe plane.row(y)[x])
                count += 1
            }
            if count >= 2 { return UInt16((sum + count / 2) / count) }
        }
        return nil
    }

    /// The part of the picture inside the plane.
    private func area(in plane: borrowing Plane<UInt16>) -> PixelRect? {
        let width = min(bounds.size.width, plane.width - bounds.x)
        let height = min(bounds.size.height, plane.height - bounds.y)
        guard bounds.x >= 0, bounds.y >= 0, width > 0, height > 0 else { return nil }
        return PixelRect(x: bounds.x, y: bounds.y, size: PixelSize(width: width, height: height))
    }
}
