/// The librdkafka properties that a user sets, by librdkafka's names: TLS, SASL, timeouts and so on.
///
/// Secrets come from a file (`NAME.file=PATH`), the environment or the settings file, and are never printed.
public struct KafkaProperties: Sendable {
    /// Where a property was set, in order of precedence: the first case wins.
    public enum Source: Int, Sendable, Comparable {
        case commandLine, environment, settingsFile

        /// Orders by precedence, highest first.
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    private struct Entry: Sendable {
        let value: Secret
        let source: Source
    }

    private var entries: [String: Entry] = [:]

    /// A sentence for each file with secrets that every user of the machine can read, with the remedy.
    public private(set) var exposures: [String] = []

    /// Adds an exposure if secrets came from the settings file at `path` and every user of the machine can read it.
    public mutating func checkSettingsFile(_ path: String) {
        let holdsSecret = entries.contains { $0.value.source == .settingsFile && Self.isSecret($0.key) }
        if holdsSecret, let exposure = SecretFile.exposure(of: path) { exposures.append(exposure) }
    }

    /// No properties.
    public init() {}

    /// The prefix of environment variables that set properties: `RAWMILL_KAFKA_SASL_USERNAME` sets `sasl.username`.
    public static let environmentPrefix = "RAWMILL_KAFKA_"

    /// Sets a property from "name=value". The error says why it cannot be set.
    public mutating func set(_ assignment: String, from source: Source) throws(KafkaSettingsError) {
        guard let equals = assignment.firstIndex(of: "="), equals > assignment.startIndex else {
            // The text may be a password, so it is not shown.
            throw KafkaSettingsError("not a valid Kafka property: write NAME=VALUE, such as security.protocol=ssl")
        }
        let value = assignment[assignment.index(after: equals)...]
        try set(String(assignment[..<equals]), to: String(value), from: source)
    }

    /// Sets all properties in the environment.
    public mutating func set(environment: [String: String]) throws(KafkaSettingsError) {
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(Self.environmentPrefix) {
            let property = name.dropFirst(Self.environmentPrefix.count).lowercased().replacing("_", with: ".")
            try set(property, to: value, from: .environment)
        }
    }

    /// Sets a property, unless a source with higher precedence has already set it. The error says why it cannot be set,
    /// or not from this source.
    public mutating func set(_ name: String, to value: String, from source: Source) throws(KafkaSettingsError) {
        var name = name
        var secret = Secret(value)
        if name.hasSuffix(Self.fileSuffix) {
            name.removeLast(Self.fileSuffix.count)
            secret = try Secret(contentsOf: value, of: name)
            if Self.isSecret(name), let exposure = SecretFile.exposure(of: value) { exposures.append(exposure) }
        } else if Self.isSecret(name), source == .commandLine {
            throw KafkaSettingsError(
                """
                \(name) on the command line is readable for every user of this machine. \
                Write it into a file and give \(name).file=PATH, or set \(Self.environmentName(name)).
                """)
        }
        if let reason = Self.reserved[name] { throw KafkaSettingsError("\(name) cannot be set: \(reason).") }
        guard !value.utf8.contains(0), !name.utf8.contains(0) else {
            throw KafkaSettingsError("a Kafka property contains a NUL character")
        }
        if let before = entries[name], before.source < source { return }
        entries[name] = Entry(value: secret, source: source)
    }

    var values: [String: String] { entries.mapValues(\.value.text) }

    var secrets: [String] {
        entries.filter { Self.isSecret($0.key) && !$0.value.value.text.isEmpty }.map(\.value.value.text)
    }

    private static let fileSuffix = ".file"

    private static func environmentName(_ name: String) -> String {
        environmentPrefix + name.uppercased().replacing(".", with: "_")
    }

    static func isSecret(_ name: String) -> Bool {
        name.contains("password") || name.contains("secret")
            || ["ssl.key.pem", "ssl_key", "sasl.oauthbearer.config"].contains(name)
    }

    private static let ours = "Rawmill's delivery depends on its own value"

    /// Properties that the user cannot set, each with the reason.
    static let reserved: [String: String] = {
        var reserved: [String: String] = [:]
        for name in [
            "enable.auto.commit", "auto.commit.enable", "auto.commit.interval.ms", "enable.auto.offset.store",
            "auto.offset.reset", "partition.assignment.strategy", "enable.idempotence", "enable.gapless.guarantee",
            "acks", "request.required.acks", "partitioner", "msg_order_cmp", "transactional.id", "group.id",
            "enable.partition.eof", "allow.auto.create.topics", "offset.store.method", "statistics.interval.ms",
            "log.queue", "delivery.report.only.error", "isolation.level", "test.mock.num.brokers",
            "enabled_events", "produce.offset.report", "consume.callback.max.messages",
        ] { reserved[name] = ours }
        for name in ["bootstrap.servers", "metadata.broker.list"] {
            reserved[name] = "use --broker kafka://host:port"
        }
        reserved["max.poll.interval.ms"] = "a separate thread polls, however long a job takes"
        reserved["group.instance.id"] = "it is derived from the worker's name"
        reserved["plugin.library.paths"] = "it loads code into Rawmill"
        return reserved
    }()
}

struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let text: String

    init(_ text: String) { self.text = text }

    var description: String { "(hidden)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
