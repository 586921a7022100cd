import PictureFormat
import Pixels

/// A share of an effect over the picture as it was.
struct Blend: RowStage {
    let effect: any RowStage
    /// 0…1.
    let share: Float

    var place: StagePlace { effect.place }
    var displaySpace: ColourSpace? { effect.displaySpace }
    var table: TableShare? {
        // Where the table is asked at other places than the colour itself, the mixture is not a table of its size.
        guard let whole = effect.table, whole.table.position == nil else { return nil }
        return TableShare(whole.table, share: whole.share * share)
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
                for x in 0..<row.count { plane[x] = old[x] + (plane[x] - old[x]) * share }
            }
        }
    }
}
