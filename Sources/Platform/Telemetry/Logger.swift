public import Clock

/// Destination of log lines: the console of this process, or a list in a test.
public protocol LineSink: Sendable {
    /// Writes a line, given without line feed. Never fails: work continues without a log.
    func write(line: String)
}

/// Writes structured log lines. A value: each role keeps a copy with its own shared fields.
///
///     let log = logger.with([.job: "\(job.id)"])
///     log.info(.jobStarted, [.source: "\(job.source.raw.file)"])
public struct Logger: Sendable {
    private let level: Level
    private let format: LineFormat
    private let sink: any LineSink
    private let clock: WallClock
    private var shared: [(Key, LogValue)] = []

    /// - Parameters:
    ///   - level: less severe lines are dropped.
    ///   - clock: source of the timestamps.
    public init(level: Level, format: LineFormat = .logfmt, sink: any LineSink, clock: WallClock = .system) {
        self.level = level
        self.format = format
        self.sink = sink
        self.clock = clock
    }

    /// Writes nothing.
    public static let silent = Logger(level: .error, sink: Nowhere())

    /// A copy that adds fields to every line.
    public func with(_ fields: Fields) -> Logger {
        var copy = self
        copy.shared += fields.map { ($0.key, $0.value) }
        return copy
    }

    /// Fields of a line. Evaluated only if the line is written, because formatting ids and paths costs more than
    /// managing a job.
    public typealias Fields = KeyValuePairs<Key, LogValue>

    /// Logs at level `debug`.
    public func debug(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.debug, event, fields()) }
    /// Logs at level `info`.
    public func info(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.info, event, fields()) }
    /// Logs at level `warning`.
    public func warning(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.warning, event, fields()) }
    /// Logs at level `error`.
    public func error(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.error, event, fields()) }

    /// Logs a line, unless `level` is below the logger's.
    public func log(_ level: Level, _ event: Event, _ fields: @autoclosure () -> Fields = [:]) {
        guard level >= self.level else { return }
        let all = shared + fields().map { ($0.key, $0.value) }
        sink.write(line: format.line(milliseconds: clock.milliseconds, level: level, event: event, fields: all))
    }

    private struct Nowhere: LineSink {
        func write(line: String) {}
    }
}
