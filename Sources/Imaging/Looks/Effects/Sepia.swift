import Pixels

/// The brown of a sulphide-toned print: luma with warm middle tones; black and white stay as they are.
struct Sepia: ColourEffect {
    static let definition = "sepia luma 0.299 0.587 0.114 tint 0.16 0.02 -0.22"

    let position = StagePosition.display

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            let luma = unsafe 0.299 * row.red[x] + 0.587 * row.green[x] + 0.114 * row.blue[x]
            // The tint follows a parabola: 0 at black and white, 1 half-way.
            let tint = 4 * luma * (1 - luma)
            unsafe row.red[x] = luma + 0.16 * tint
            unsafe row.green[x] = luma + 0.02 * tint
            unsafe row.blue[x] = luma - 0.22 * tint
        }
    }
}
