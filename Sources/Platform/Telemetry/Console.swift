internal import Synchronization

/// A terminal shared by log lines and a progress line, which stays below them.
public final class Console: LineSink {
    private let output: TextOutput
    /// What the output is connected to.
    public let terminal: Terminal
    private let shown = Mutex(Shown())

    private struct Shown {
        var progress = ""
        /// The part of the progress line that is red.
        var alarm: String?
        var lastDrawn: ContinuousClock.Instant?

        /// Lines that the progress line occupies above the cursor, after a narrower window has wrapped it.
        func wrappedLines(columns: Int) -> Int { max(0, progress.count - 1) / max(columns, 1) }

        /// Control sequence that erases the whole progress line.
        func erasure(columns: Int) -> String {
            let wrapped = wrappedLines(columns: columns)
            return Self.up(wrapped) + "\r\u{1B}[K" + (wrapped > 0 ? "\u{1B}[J" : "")
        }

        /// The progress line in its colours.
        func drawn(on terminal: Terminal) -> String {
            guard let alarm else { return progress }
            return progress.replacing(alarm, with: Style.red.apply(alarm, on: terminal), maxReplacements: 1)
        }

        static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A" : "" }
    }

    /// Leaves one column free: a full line would wrap and stay behind when redrawn.
    private static func fitting(_ progress: String, _ columns: Int) -> String {
        String(progress.prefix(max(0, columns - 1)))
    }

    /// More frequent redraws only cost time.
    private static let minInterval = Duration.milliseconds(100)

    /// - Parameter terminal: what `output` is connected to. Without a terminal there is no progress line.
    public init(output: TextOutput = .standardError, terminal: Terminal) {
        self.output = output
        self.terminal = terminal
    }

    /// Writes a log line above the progress line.
    public func write(line: String) {
        shown.withLock { shown in
            guard !shown.progress.isEmpty else { return output.write(line + "\n") }
            let columns = terminal.columns
            let erased = shown.erasure(columns: columns)
            shown.progress = Self.fitting(shown.progress, columns)
            output.write(erased + line + "\n" + shown.drawn(on: terminal))
        }
    }

    /// Replaces the progress line, at most ten times a second. Does nothing without a terminal.
    ///
    /// - Parameter alarm: the part of it that is shown in red; nil for none.
    public func show(progress: String, alarm: String? = nil, now: ContinuousClock.Instant = .now) {
        guard terminal.isTerminal else { return }
        shown.withLock { shown in
            if let last = shown.lastDrawn, last.duration(to: now) < Self.minInterval { return }
            shown.lastDrawn = now
            let columns = terminal.columns
            let wrapped = shown.wrappedLines(columns: columns)
            shown.progress = Self.fitting(progress, columns)
            shown.alarm = alarm
            let rest = wrapped > 0 ? "\u{1B}[J" : ""
            output.write(Shown.up(wrapped) + "\r" + shown.drawn(on: terminal) + "\u{1B}[K" + rest)
        }
    }

    /// Removes the progress line.
    public func clearProgress() {
        shown.withLock { shown in
            if !shown.progress.isEmpty { output.write(shown.erasure(columns: terminal.columns)) }
            shown = Shown()
        }
    }
}
