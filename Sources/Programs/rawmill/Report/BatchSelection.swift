/// The batches that a person sees without asking for all: those with something left to do, and the last that are over.
struct BatchSelection<Batch> {
    /// In the given order.
    let shown: [Batch]
    let omitted: Int

    private static var maxOver: Int { 10 }

    /// - Parameters:
    ///   - all: all batches in the order they were submitted.
    ///   - everything: whether all of them are shown.
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

    /// A line about the batches that are not shown; nil where there are none.
    var note: String? {
        omitted == 0 ? nil : "\(omitted) earlier \(omitted == 1 ? "batch is" : "batches are") over: --all lists all"
    }
}
