/// Which batches a person sees who did not ask for all of them: those with something left to do, and the last others.
struct BatchSelection<Batch> {
    /// In the order they came in.
    let shown: [Batch]
    let omitted: Int

    /// Of those that are over, so many.
    private static var mostOver: Int { 10 }

    /// - Parameter all: in the order they were submitted.
    init(of all: [Batch], everything: Bool, isOver: (Batch) -> Bool) {
        var left = everything ? Int.max : Self.mostOver
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

    /// A line about those that are not shown; nil where there is none.
    var note: String? {
        omitted == 0 ? nil : "\(omitted) earlier \(omitted == 1 ? "batch is" : "batches are") over: --all lists all"
    }
}
