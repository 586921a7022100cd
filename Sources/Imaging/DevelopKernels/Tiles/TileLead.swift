/// Columns and rows before the picture at which its first tile starts: 0 or 1 each.
package struct TileLead: Equatable, Sendable {
    package let x: Int
    package let y: Int

    package static let none = TileLead(x: 0, y: 0)

    package init(x: Int, y: Int) {
        self.x = x & 1
        self.y = y & 1
    }
}
