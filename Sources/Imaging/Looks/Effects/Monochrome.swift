import Pixels

/// Black and white by luma: visual weights of display-encoded values (ITU-R BT.601-7), close to panchromatic film.
struct Monochrome: LookEffect {
    static let definition = "luma 0.299 0.587 0.114"

    let position = StagePosition.display

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            let luma = unsafe 0.299 * row.red[x] + 0.587 * row.green[x] + 0.114 * row.blue[x]
            unsafe row.red[x] = luma
            unsafe row.green[x] = luma
            unsafe row.blue[x] = luma
        }
    }
}
