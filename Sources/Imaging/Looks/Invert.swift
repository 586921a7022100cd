import Pixels

/// The negative: every display-encoded value from white.
struct Invert: RowStage {
    static let definition = "invert"

    let place = StagePlace.display

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            row.red[x] = 1 - row.red[x]
            row.green[x] = 1 - row.green[x]
            row.blue[x] = 1 - row.blue[x]
        }
    }
}
