internal import Synchronization

/// The screen that log lines and the progress line share: a line of text clears the progress line first, and the
/// progress line comes back below it.
public final class Console: LineSink {
    private let output: TextOutput
    public let terminal: Terminal
    private let shown = Mutex(Shown())

    private struct Shown {
        var progress = ""
        var lastDrawn: ContinuousClock.Instant?
    }

    /// Redrawing more often than this only costs.
    private static let shortestPause = Duration.milliseconds(100)

    public init(output: TextOutput = .standardError, terminal: Terminal) {
        self.output = output
        self.terminal = terminal
    }

    public func write(line: String) {
        shown.withLock { shown in
            output.write(shown.progress.isEmpty ? line + "\n" : "\r\u{1B}[K" + line + "\n" + shown.progress)
        }
    }

    /// Shows the text in place of the last progress line, at most ten times a second. Does nothing where there is no
    /// terminal.
    public func show(progress: String, now: ContinuousClock.Instant = .now) {
        guard terminal.isTerminal else { return }
        shown.withLock { shown in
            if let last = shown.lastDrawn, last.duration(to: now) < Self.shortestPause { return }
            shown.lastDrawn = now
            // One column stays free: a full line would wrap, and the next redraw would leave the old one standing.
            shown.progress = String(progress.prefix(max(0, terminal.columns - 1)))
            output.write("\r" + shown.progress + "\u{1B}[K")
        }
    }

    /// Takes the progress line away.
    public func clearProgress() {
        shown.withLock { shown in
            if !shown.progress.isEmpty { output.write("\r\u{1B}[K") }
            shown = Shown()
        }
    }
}
