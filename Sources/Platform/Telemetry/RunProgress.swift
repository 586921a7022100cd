internal import Clock

/// How far a run is, as a value: counts go in, a line comes out.
public struct RunProgress: Hashable, Sendable {
    public var total: Int
    public private(set) var done = 0
    public private(set) var failed = 0
    private var rate = Rate()

    public init(total: Int) { self.total = total }

    /// The counts as they are now, `elapsed` after the start.
    public mutating func update(done: Int, failed: Int, elapsed: Duration) {
        self.done = done
        self.failed = failed
        rate.add(count: done + failed, seconds: elapsed.seconds)
    }

    /// Photos a second over the last stretch; nil before anything can be said.
    public var photosPerSecond: Double? { rate.perSecond }

    /// Time left at that rate.
    public var remaining: Duration? {
        guard let rate = photosPerSecond, rate > 0 else { return nil }
        return .seconds(Double(max(0, total - done - failed)) / rate)
    }

    /// `[####······] 412 of 1000 photos · 5.1/s · 1 min 55 s left · 3 failed`, in at most that many columns: what
    /// matters least goes first.
    public func line(columns: Int) -> String {
        var parts = ["\(done) of \(total) \(total == 1 ? "photo" : "photos")"]
        if failed > 0 { parts.append("\(failed) failed") }
        if let remaining, done + failed < total { parts.append("\(remaining.spoken) left") }
        if let photosPerSecond { parts.append("\(Numeral.text(photosPerSecond, places: 1))/s") }
        while parts.count > 1, parts.joined(separator: " · ").count > columns { parts.removeLast() }
        let text = parts.joined(separator: " · ")
        let room = columns - text.count - 3
        return room >= 10 ? "\(bar(width: min(room, 24))) \(text)" : text
    }

    private func bar(width: Int) -> String {
        let ended = done + failed
        let full = total > 0 ? min(width, ended * width / total) : 0
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "]"
    }
}

/// Events a second over a sliding window, so that the number follows what happens now.
struct Rate: Hashable, Sendable {
    private struct Sample: Hashable {
        let count: Int
        let seconds: Double
    }

    private var samples: [Sample] = [Sample(count: 0, seconds: 0)]
    private static let windowSeconds = 20.0
    private static let spacingSeconds = 0.25

    /// Time does not run backwards; a sample too near to the last one takes its place.
    mutating func add(count: Int, seconds: Double) {
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
