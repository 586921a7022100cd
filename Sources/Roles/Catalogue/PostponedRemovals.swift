internal import Library

/// Removals that could not be done yet, and when they are tried again: a disk may have failed for a moment, or a root may not be
/// mounted.
struct PostponedRemovals {
    private struct Entry {
        let removal: SourceRemoval
        let pause: Duration
        let due: ContinuousClock.Instant
    }

    private var entries: [Entry] = []

    /// Of those that are due, so many at a time: each source is read twice, and manifests come meanwhile.
    private static let maxCount = 20
    /// Each wait is twice as long as the one before.
    private static let pauses: ClosedRange<Duration> = .seconds(60)...(.seconds(3600))
    /// The others wait for the next start.
    private static let maxEntries = 10_000

    /// - Parameter earlier: how long the removal waited before; nil if this was its first try.
    mutating func add(_ removal: SourceRemoval, after earlier: Duration?, now: ContinuousClock.Instant = .now) {
        guard entries.count < Self.maxEntries else { return }
        let pause = min(earlier.map { $0 * 2 } ?? Self.pauses.lowerBound, Self.pauses.upperBound)
        entries.append(Entry(removal: removal, pause: pause, due: now + pause))
    }

    /// Takes removals whose time has come, with how long they waited.
    mutating func takeDue(now: ContinuousClock.Instant) -> [(removal: SourceRemoval, pause: Duration)] {
        let due = entries.indices.filter { entries[$0].due <= now }.prefix(Self.maxCount)
        let taken = due.map { (entries[$0].removal, entries[$0].pause) }
        for index in due.reversed() { entries.remove(at: index) }
        return taken
    }
}
