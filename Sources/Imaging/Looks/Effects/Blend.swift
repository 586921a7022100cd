import PictureFormat
import Pixels

/// An effect in less than full strength: its result mixed with the picture before it.
struct Blend: RowStage {
    /// The full effect.
    let effect: any RowStage
    /// 0…1.
    let strength: Float

    var position: StagePosition { effect.position }
    var displaySpace: ColourSpace? { effect.displaySpace }
    var lut: WeightedLUT? {
        // A table that is looked up at other coordinates than the colour's own does not mix with the colour to a table
        // of the same size.
        guard let full = effect.lut, full.lut.coordinate == nil else { return nil }
        return WeightedLUT(full.lut, weight: full.weight * strength)
    }

    func process(_ row: PixelRow) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * row.count) { before in
            guard let start = before.baseAddress else { return }
            let planes = [row.red, row.green, row.blue]
            for (i, plane) in planes.enumerated() {
                (start + i * row.count).initialize(from: plane, count: row.count)
            }
            effect.process(row)
            for (i, plane) in planes.enumerated() {
                let old = start + i * row.count
                for x in 0..<row.count { plane[x] = old[x] + (plane[x] - old[x]) * strength }
            }
        }
    }
}
