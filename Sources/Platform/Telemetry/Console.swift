internal import Synchronization

/// A terminal that log lines and a progress line share. A log line appears above the progress line.
public final class Console: LineSink {
    private let output: TextOutput
    /// What the output is connected to.
    public let terminal: Terminal
    private let shown = Mutex(Shown())

    private struct Shown {
        var progress = ""
        var lastDrawn: ContinuousClock.Instant?
    }

    /// Redrawing more often only costs time.
    private static let minInterval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - output: where everything is written.
    ///   - terminal: what that is connected to. Without a terminal there is no progress line.
    public init(output: TextOutput = .standardError, terminal: Terminal) {
        self.output = output
        self.terminal = terminal
    }

    /// Writes a log line above the progress line.
    public func write(line: String) {
        shown.withLock { shown in
            output.write(shown.progress.isEmpty ? line + "\n" : "\r\u{1B}[K" + line + "\n" + shown.progress)
        }
    }

    /// Replaces the progress line, at most ten times a second. Does nothing without a terminal.
    public func show(progress: String, now: ContinuousClock.Instant = .now) {
        guard terminal.isTerminal else { return }
        shown.withLock { shown in
            if let last = shown.lastDrawn, last.duration(to: now) < Self.minInterval { return }
            shown.lastDrawn = now
            // One column stays free: a full line would wrap, and the next redraw would leave it behind.
            let columns = terminal.columns
            // A window that became narrower has wrapped the old line: what stands below the cursor is the rest of it.
            let wrapped = shown.progress.count / max(columns, 1)
            let up = wrapped > 0 ? "\u{1B}[\(wrapped)A" : ""
            shown.progress = String(progress.prefix(max(0, columns - 1)))
            output.write(up + "\r" + shown.progress + "\u{1B}[K" + (wrapped > 0 ? "\u{1B}[J" : ""))
        }
    }

    /// Removes the progress line.
    public func clearProgress() {
        shown.withLock { shown in
            if !shown.progress.isEmpty { output.write("\r\u{1B}[K") }
            shown = Shown()
        }
    }
}
