import Pixels

/// The negative: white minus every display-encoded value.
struct Invert: RowStage {
    static let definition = "invert"

    let position = StagePosition.display

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            row.red[x] = 1 - row.red[x]
            row.green[x] = 1 - row.green[x]
            row.blue[x] = 1 - row.blue[x]
        }
    }
}
