import Pixels

/// The negative: white minus every display-encoded value.
struct Invert: LookEffect {
    static let definition = "invert"

    let position = StagePosition.display

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            unsafe row.red[x] = unsafe 1 - row.red[x]
            unsafe row.green[x] = unsafe 1 - row.green[x]
            unsafe row.blue[x] = unsafe 1 - row.blue[x]
        }
    }
}
