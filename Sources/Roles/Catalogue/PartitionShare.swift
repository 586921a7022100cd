internal import Library

/// The partitions of one of the cataloguers that share a library. Which they are depends on who else is there, and two that notice
/// a change at different times may merge the same manifests for a moment: a manifest that is merged again changes nothing.
struct PartitionShare: Hashable, Sendable {
    /// From 0.
    let number: Int
    /// How many cataloguers there are.
    let count: Int

    init(_ store: LibraryStore) throws { (number, count) = try store.share() }

    init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    func has(_ partition: Int32) -> Bool { Int(partition) % max(count, 1) == number }

    /// One of them takes what has no partitions to share.
    var isFirst: Bool { number == 0 }
}

/// Other cataloguers came or went: each begins with its new partitions, at the library's own offsets.
struct ShareChanged: Error {}
