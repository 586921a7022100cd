import PictureFormat
import Pixels

/// Changes samples by functions of light, with black at 0 and white at 1.
struct SampleEditor {
    struct Place {
        let x: Int
        let y: Int
        let channel: Int
    }

    private let stage: OpcodeStage

    init(_ stage: OpcodeStage) { self.stage = stage }

    /// Changes samples of a lattice inside the plane. Results are rounded and clipped at white.
    func change(
        _ plane: borrowing Plane<UInt16>, _ lattice: PixelLattice, _ channels: ClosedRange<Int>,
        _ form: (Float, Place) -> Float
    ) {
        let perPixel = stage.layout.samplesPerPixel
        let (width, height) = (plane.width / perPixel, plane.height)
        let rect = lattice.rect
        for y in stride(from: rect.y, to: min(rect.y + rect.size.height, height), by: lattice.rowPitch) {
            // The row lies in the plane, and the columns below end with it.
            let row = unsafe plane.row(y)
            for x in stride(from: rect.x, to: min(rect.x + rect.size.width, width), by: lattice.columnPitch) {
                for column in x * perPixel..<(x + 1) * perPixel {
                    let channel = stage.layout.channel(x: column, y: y)
                    guard channels.contains(channel) else { continue }
                    let (black, white) = (black(column, y), stage.white[channel])
                    guard white > black else { continue }
                    let light = (Float(unsafe row[column]) - black) / (white - black)
                    let changed = form(light, Place(x: x, y: y, channel: channel)) * (white - black) + black
                    // NaN becomes 0.
                    unsafe row[column] = changed > 0 ? UInt16(min(changed.rounded(), white.rounded(), 65_535)) : 0
                }
            }
        }
    }

    private func black(_ column: Int, _ y: Int) -> Float {
        let black = stage.black
        return black.values[
            y % black.repeatSize.height * black.repeatSize.width + column % black.repeatSize.width]
    }
}
