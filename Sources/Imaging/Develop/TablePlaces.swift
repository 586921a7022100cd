import Pixels

/// From light to the place in a table, by channel: the tone curve, and what the table wants done before it, as positions
/// along an edge in steps of a cell's 2⁻ᵇⁱᵗˢ.
struct TablePlaces: Sendable {
    let red: PlaceCurve
    let green: PlaceCurve
    let blue: PlaceCurve

    init(tone: LightTable, table: LUT3D, cells: TableCells) {
        let steps = cells.cells << cells.fractionBits
        func curve(_ channel: Int) -> PlaceCurve {
            PlaceCurve(
                (0..<LightIndex.count).map { i in
                    let position = table.coordinate?(channel, tone[i]) ?? tone[i]
                    // The far end counts to the last cell; what is no number becomes 0.
                    return position > 0 ? min(position * Float(steps), Float(steps - 1)) : 0
                }, end: steps)
        }
        red = curve(0)
        green = table.coordinate == nil ? red : curve(1)
        blue = table.coordinate == nil ? red : curve(2)
    }

    /// The positions of a row of light by channel.
    func find(
        _ light: PixelRow, _ reds: UnsafeMutablePointer<UInt16>, _ greens: UnsafeMutablePointer<UInt16>,
        _ blues: UnsafeMutablePointer<UInt16>
    ) {
        red.map(light.red, into: reds, count: light.count)
        green.map(light.green, into: greens, count: light.count)
        blue.map(light.blue, into: blues, count: light.count)
    }
}
