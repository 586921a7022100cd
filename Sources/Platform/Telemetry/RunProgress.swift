internal import Clock

/// Progress of a run, formatted as a line.
public struct RunProgress: Hashable, Sendable {
    /// Number of photos.
    public var total: Int
    /// Converted photos.
    public private(set) var done = 0
    /// Failed photos.
    public private(set) var failed = 0
    private var rate = Rate()

    /// Starts a run.
    public init(total: Int) { self.total = total }

    /// Sets the counts.
    ///
    /// - Parameter elapsed: time since the run started.
    public mutating func update(done: Int, failed: Int, elapsed: Duration) {
        self.done = done
        self.failed = failed
        rate.add(count: done + failed, seconds: elapsed.seconds)
    }

    /// Photos per second over the last 20 s; nil before any has ended.
    public var photosPerSecond: Double? { rate.perSecond }

    /// Estimated time left; nil until photos have ended at two different times, because one alone is a poor estimate.
    public var remaining: Duration? {
        guard rate.advances > 1, let rate = photosPerSecond, rate > 0 else { return nil }
        return .seconds(Double(max(0, total - done - failed)) / rate)
    }

    /// `3 failed`; nil for none.
    public var failures: String? { failed > 0 ? "\(failed) failed" : nil }

    /// `[####------] 412 of 1000 photos · 3 failed · 1 min 55 s left · 5.1/s`. Omits the last parts if it exceeds
    /// `columns`.
    public func line(columns: Int) -> String {
        var parts = ["\(done) of \(total) \(total == 1 ? "photo" : "photos")"]
        if let failures { parts.append(failures) }
        if let remaining, done + failed < total { parts.append("\(remaining.spoken) left") }
        if let photosPerSecond { parts.append("\(NumberText.decimal(photosPerSecond, places: 1))/s") }
        while parts.count > 1, parts.joined(separator: " · ").count > columns { parts.removeLast() }
        let text = parts.joined(separator: " · ")
        let width = columns - text.count - 3
        return width >= 10 ? "\(bar(width: min(width, 24))) \(text)" : text
    }

    private func bar(width: Int) -> String {
        let ended = done + failed
        let full = total > 0 ? min(width, ended * width / total) : 0
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "]"
    }
}

/// Events per second over a sliding window.
struct Rate: Hashable, Sendable {
    private struct Sample: Hashable {
        let count: Int
        let seconds: Double
    }

    private var samples: [Sample] = [Sample(count: 0, seconds: 0)]
    private(set) var advances = 0
    private static let windowSeconds = 20.0
    private static let spacingSeconds = 0.25

    /// Adds a sample. Times must not decrease. A sample shortly after the last one replaces it.
    mutating func add(count: Int, seconds: Double) {
        if let last = samples.last, count > last.count { advances += 1 }
        if samples.count > 1, let last = samples.last,
            seconds - samples[samples.count - 2].seconds < Self.spacingSeconds,
            last.seconds <= seconds
        {
            samples.removeLast()
        }
        samples.append(Sample(count: count, seconds: seconds))
        while samples.count > 2, seconds - samples[1].seconds > Self.windowSeconds { samples.removeFirst() }
    }

    var perSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.count > first.count,
            last.seconds > first.seconds
        else { return nil }
        return Double(last.count - first.count) / (last.seconds - first.seconds)
    }
}
