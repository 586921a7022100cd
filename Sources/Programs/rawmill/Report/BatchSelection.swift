/// The batches shown by default: those with open work, and the last finished ones.
struct BatchSelection<Batch> {
    /// In the given order.
    let shown: [Batch]
    let omitted: Int

    private static var maxOver: Int { 10 }

    /// - Parameters:
    ///   - all: all batches in the order of submission.
    ///   - everything: whether to show all of them.
    init(of all: [Batch], everything: Bool, isOver: (Batch) -> Bool) {
        var left = everything ? Int.max : Self.maxOver
        var shown: [Batch] = []
        for batch in all.reversed() {
            if isOver(batch) {
                guard left > 0 else { continue }
                left -= 1
            }
            shown.append(batch)
        }
        self.shown = shown.reversed()
        omitted = all.count - shown.count
    }

    /// A line about the omitted batches, if any.
    var note: String? {
        omitted == 0 ? nil : "\(omitted) earlier \(omitted == 1 ? "batch is" : "batches are") finished: --all lists all"
    }
}
