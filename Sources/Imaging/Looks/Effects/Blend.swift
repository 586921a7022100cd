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
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * row.count) { before in
            guard let start = before.baseAddress else { return }
            let planes = unsafe [row.red, row.green, row.blue]
            for unsafe(i, plane) in unsafe planes.enumerated() {
                unsafe (start + i * row.count).initialize(from: plane, count: row.count)
            }
            effect.process(row)
            for unsafe(i, plane) in unsafe planes.enumerated() {
                let old = unsafe start + i * row.count
                for x in 0..<row.count { unsafe plane[x] = unsafe old[x] + (plane[x] - old[x]) * strength }
            }
        }
    }
}
