public import Clock

/// Where log lines go: the console of this process, or a list in a test.
public protocol LineSink: Sendable {
    /// Writes one line, given without its line feed. It cannot fail: work continues without a log.
    func write(line: String)
}

/// Writes structured log lines. A value: a role keeps one with the fields that all its lines share.
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
    ///   - level: less important lines are dropped.
    ///   - format: how lines are written.
    ///   - sink: where lines go.
    ///   - clock: the source of the lines' timestamps.
    public init(level: Level, format: LineFormat = .logfmt, sink: any LineSink, clock: WallClock = .system) {
        self.level = level
        self.format = format
        self.sink = sink
        self.clock = clock
    }

    /// Writes nothing.
    public static let silent = Logger(level: .error, sink: Nowhere())

    /// The same logger, with fields that it adds to every line.
    public func with(_ fields: Fields) -> Logger {
        var copy = self
        copy.shared += fields.map { ($0.key, $0.value) }
        return copy
    }

    /// The fields of a line. They are evaluated only if the line is written, because turning ids and paths into text costs
    /// more than managing a job.
    public typealias Fields = KeyValuePairs<Key, LogValue>

    /// Writes a line of level `debug`.
    public func debug(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.debug, event, fields()) }
    /// Writes a line of level `info`.
    public func info(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.info, event, fields()) }
    /// Writes a line of level `warning`.
    public func warning(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.warning, event, fields()) }
    /// Writes a line of level `error`.
    public func error(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.error, event, fields()) }

    /// Writes a line, unless its level is below the logger's.
    public func log(_ level: Level, _ event: Event, _ fields: @autoclosure () -> Fields = [:]) {
        guard level >= self.level else { return }
        let all = shared + fields().map { ($0.key, $0.value) }
        sink.write(line: format.line(milliseconds: clock.milliseconds, level: level, event: event, fields: all))
    }

    private struct Nowhere: LineSink {
        func write(line: String) {}
    }
}
