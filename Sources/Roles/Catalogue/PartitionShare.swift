internal import PhotoTree

/// A cataloguer's partitions of those of all that share a library. Cataloguers that notice a change at different times
/// may briefly merge the same manifests, which is idempotent.
struct PartitionShare: Hashable, Sendable {
    /// From 0.
    let number: Int
    let count: Int

    init(_ store: LibraryStore) throws { (number, count) = try store.share() }

    init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    func has(_ partition: Int32) -> Bool { Int(partition) % max(count, 1) == number }

    /// One cataloguer does the work that has no partitions.
    var isFirst: Bool { number == 0 }
}

/// Other cataloguers came or went; each restarts with its new partitions, at the library's offsets.
struct ShareChanged: Error {}
