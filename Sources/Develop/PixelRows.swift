import Pixels

extension PixelRow {
    /// The piece from `start` with `count` pixels.
    @inline(__always)
    func piece(from start: Int, count: Int) -> PixelRow {
        PixelRow(
            red: red + start, green: green + start, blue: blue + start, count: count, x: x + start, y: y)
    }

    func copy(into other: PixelRow) {
        other.red.update(from: red, count: count)
        other.green.update(from: green, count: count)
        other.blue.update(from: blue, count: count)
    }
}
