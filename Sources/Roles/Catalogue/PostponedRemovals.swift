internal import LibraryTables

/// Removals that failed and when to retry them: a disk may have failed briefly, or a root may not be mounted.
struct PostponedRemovals {
    private struct Entry {
        let removal: SourceRemoval
        let pause: Duration
        let due: ContinuousClock.Instant
    }

    private var entries: [Entry] = []

    /// Maximum number of due removals at a time: each source is read twice while manifests wait.
    private static let maxCount = 20
    /// Each wait doubles the previous one.
    private static let pauses: ClosedRange<Duration> = .seconds(60)...(.seconds(3600))
    /// Further removals wait for the next start.
    private static let maxEntries = 10_000

    /// - Parameter earlier: the previous wait; nil on the first try.
    mutating func add(_ removal: SourceRemoval, after earlier: Duration?, now: ContinuousClock.Instant = .now) {
        guard entries.count < Self.maxEntries else { return }
        let pause = min(earlier.map { $0 * 2 } ?? Self.pauses.lowerBound, Self.pauses.upperBound)
        entries.append(Entry(removal: removal, pause: pause, due: now + pause))
    }

    /// Takes due removals, with how long they waited.
    mutating func takeDue(now: ContinuousClock.Instant) -> [(removal: SourceRemoval, pause: Duration)] {
        let due = entries.indices.filter { entries[$0].due <= now }.prefix(Self.maxCount)
        let taken = due.map { (entries[$0].removal, entries[$0].pause) }
        for index in due.reversed() { entries.remove(at: index) }
        return taken
    }
}
