/// A folder's entries in order, in bounded memory: what exceeds the budget is sorted in runs in a scratch file and
/// merged while it is read (external merge sort, Knuth, The Art of Computer Programming 3, 5.4).
final class Listing {
    private let budget: ListingBudget
    private let scratchFolder: String?
    private var names = PackedNames()
    private var place = 0
    private var held = 0
    private var scratch: ScratchFile?
    private var runs: [SpilledRun] = []
    /// The run with the smallest first entry.
    private var smallest: Int?

    /// More runs than this are merged into one, so that their read buffers stay few.
    static let mostRuns = 32

    init(budget: ListingBudget, scratchFolder: String? = nil) {
        self.budget = budget
        self.scratchFolder = scratchFolder
    }

    deinit { budget.giveBack(held) }

    /// True where the folder did not fit in memory.
    var isSpilled: Bool { !runs.isEmpty }

    /// Adds an entry, in the order the folder gives them.
    func append(_ name: UnsafeBufferPointer<UInt8>, type: UInt8) throws(WalkError) {
        if names.sizeBytes + name.count + 16 > held {
            if budget.take(ListingBudget.step, holding: held) {
                held += ListingBudget.step
            } else {
                try spill()
            }
        }
        names.append(name, type: type)
    }

    /// To be called once, after the last `append` and before the first `first`.
    func finish() throws(WalkError) {
        if runs.isEmpty {
            names.sort()
            let spare = max(0, held - names.sizeBytes)
            budget.giveBack(spare)
            held -= spare
        } else {
            try spill()
            names = PackedNames()
            budget.giveBack(held)
            held = 0
            smallest = findSmallest()
        }
    }

    /// The next entry, not taken.
    var first: FolderEntry? {
        runs.isEmpty ? (place < names.count ? names[place] : nil) : smallest.flatMap { runs[$0].first }
    }

    func removeFirst() throws(WalkError) {
        if runs.isEmpty {
            place += 1
        } else if let index = smallest {
            try runs[index].advance()
            smallest = findSmallest()
        }
    }

    /// The entries that share the next one's family name; nil at the end.
    func nextFamily() throws(WalkError) -> [FolderEntry]? {
        guard let leader = first else { return nil }
        var family: [FolderEntry] = []
        while let entry = first, entry.family == leader.family {
            family.append(entry)
            try removeFirst()
        }
        return family
    }

    private func spill() throws(WalkError) {
        guard names.count > 0 else { return }
        names.sort()
        let file = if let scratch { scratch } else { try ScratchFile(folder: scratchFolder) }
        scratch = file
        var writer = RunWriter(file: file)
        for index in 0..<names.count { try writer.append(names[index]) }
        runs.append(try writer.finish())
        names.removeAll()
        if runs.count > Self.mostRuns { try mergeRuns() }
    }

    private func mergeRuns() throws(WalkError) {
        let file = try ScratchFile(folder: scratchFolder)
        var writer = RunWriter(file: file)
        while let index = findSmallest(), let entry = runs[index].first {
            try writer.append(entry)
            try runs[index].advance()
        }
        scratch = file
        runs = [try writer.finish()]
    }

    private func findSmallest() -> Int? {
        var best: (index: Int, entry: FolderEntry)?
        for index in runs.indices {
            guard let entry = runs[index].first else { continue }
            if let known = best, !ListingOrder.precedes(entry, known.entry) { continue }
            best = (index, entry)
        }
        return best?.index
    }
}

/// Memory that the listings of a walk share: one for each folder from the source down to where it is.
final class ListingBudget {
    private let limitBytes: Int
    private var used = 0

    static let step = 64 * 1024

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// False where there is no more. A listing's first step is always granted: the deepest folder must be read.
    func take(_ bytes: Int, holding: Int) -> Bool {
        guard holding == 0 || used + bytes <= limitBytes else { return false }
        used += bytes
        return true
    }

    func giveBack(_ bytes: Int) { used -= bytes }
}
