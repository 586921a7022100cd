import Pixels

/// Monochrome in the brown of a sulphide-toned print: luma, with warm middle tones; black and white stay as they are.
struct Sepia: RowStage {
    static let definition = "sepia luma 0.299 0.587 0.114 tint 0.16 0.02 -0.22"

    let place = StagePlace.display

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            let luma = 0.299 * row.red[x] + 0.587 * row.green[x] + 0.114 * row.blue[x]
            // A parabola that is 0 at black and white and 1 in the middle carries the tint.
            let tint = 4 * luma * (1 - luma)
            row.red[x] = luma + 0.16 * tint
            row.green[x] = luma + 0.02 * tint
            row.blue[x] = luma - 0.22 * tint
        }
    }
}
