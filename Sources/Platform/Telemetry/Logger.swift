public import Clock

/// Where log lines go: the console of this process, or a list in a test.
public protocol LineSink: Sendable {
    /// Takes one line, without its line feed. Does not fail: a log that cannot be written must not stop the work.
    func write(line: String)
}

/// Writes structured log lines. A value: a role holds one and adds what all its lines share.
///
///     let log = logger.with([.job: "\(job.id)"])
///     log.info(.jobStarted, [.source: "\(job.source.raw.file)"])
public struct Logger: Sendable {
    private let level: Level
    private let format: LineFormat
    private let sink: any LineSink
    private let clock: WallClock
    private var shared: [(Key, LogValue)] = []

    public init(level: Level, format: LineFormat = .logfmt, sink: any LineSink, clock: WallClock = .system) {
        self.level = level
        self.format = format
        self.sink = sink
        self.clock = clock
    }

    /// Says nothing.
    public static let silent = Logger(level: .error, sink: Nowhere())

    /// The same, with fields that each of its lines carries.
    public func with(_ fields: Fields) -> Logger {
        var copy = self
        copy.shared += fields.map { ($0.key, $0.value) }
        return copy
    }

    /// Fields are made only where the line is written: ids and paths as text cost more than a job's bookkeeping.
    public typealias Fields = KeyValuePairs<Key, LogValue>

    public func debug(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.debug, event, fields()) }
    public func info(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.info, event, fields()) }
    public func warning(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.warning, event, fields()) }
    public func error(_ event: Event, _ fields: @autoclosure () -> Fields = [:]) { log(.error, event, fields()) }

    public func log(_ level: Level, _ event: Event, _ fields: @autoclosure () -> Fields = [:]) {
        guard level >= self.level else { return }
        let all = shared + fields().map { ($0.key, $0.value) }
        sink.write(line: format.line(milliseconds: clock.milliseconds, level: level, event: event, fields: all))
    }

    private struct Nowhere: LineSink {
        func write(line: String) {}
    }
}
