import Arguments
import CommandLineTool
import KafkaBroker
import Telemetry

/// Where the cluster is, and how to get in: what every command of a cluster takes.
enum BrokerOptions {
    private static let group = "The cluster"

    static let broker: Parameter<BrokerAddress> = .required(
        "broker", short: "b", "URL", environment: "RAWMILL_BROKER", group: group,
        help: "Kafka's brokers: kafka://host:port[,host:port].")
    /// For commands that can do without.
    static let optionalBroker: Parameter<BrokerAddress?> = .optional(
        "broker", short: "b", "URL", environment: "RAWMILL_BROKER", group: group,
        help: "Kafka's brokers: kafka://host:port[,host:port].")
    static let properties: Parameter<[Collected<KafkaPropertyArgument>]> = .collected(
        "kafka-property", "NAME=VALUE", group: group,
        help: "A property of librdkafka (TLS, SASL, timeouts); can be repeated. Secrets as NAME.file=PATH, by "
            + "RAWMILL_KAFKA_… or in the settings file.")

    static let all: [any AnyParameter] = [broker, properties]

    /// A role's way to the cluster; connects to nothing yet. A cluster that is not there is waited for.
    ///
    /// - Parameter instanceID: the name by which groups know this process again; nil for none.
    /// - Throws: `UsageError` for an address or property that cannot be.
    static func transport(
        _ values: Values, log: Logger, instanceID: String? = nil,
        onNews: @escaping @Sendable (KafkaEvent) -> Void
    ) throws -> KafkaTransport {
        try transport(to: values[broker], values, log) { settings in
            settings.instanceID = instanceID
            settings.onNews = { [tell = settings.onNews] in
                tell($0)
                onNews($0)
            }
        }
    }

    /// The way of a command whose user waits for it: a cluster that is not there is told soon.
    ///
    /// - Parameters:
    ///   - address: nil for the one that `broker` gives.
    ///   - contact: after so long without any answer nobody is taken to be there.
    ///   - limit: how long anything may take at the most; nil for as long as it takes a cluster that does answer.
    /// - Throws: `UsageError` for an address or property that cannot be.
    static func commandTransport(
        _ values: Values, to address: BrokerAddress? = nil, contact: Duration = .seconds(10), limit: Duration? = nil,
        replicationFactor: Int? = nil
    ) throws -> KafkaTransport {
        try transport(to: address ?? values[broker], values, RoleLog.quiet(values)) { settings in
            settings.replicationFactor = replicationFactor
            settings.times.contact = contact
            if let limit { settings.times = settings.times.limited(to: limit) }
        }
    }

    private static func transport(
        to address: BrokerAddress, _ values: Values, _ log: Logger, _ adjust: (inout KafkaSettings) -> Void
    ) throws -> KafkaTransport {
        do {
            var properties = KafkaProperties()
            try properties.set(environment: CommandLineBytes.environment)
            for property in values[Self.properties] {
                try properties.set(property.value.assignment, from: source(property.origin))
            }
            var settings = KafkaSettings(address.value, properties: properties)
            settings.onNews = { KafkaLog.write($0, to: log) }
            adjust(&settings)
            return try KafkaTransport(settings)
        } catch let error as KafkaSettingsError {
            throw UsageError("\(error.description)", command: values.command)
        }
    }

    private static func source(_ origin: Given.Origin) -> KafkaProperties.Source {
        switch origin {
        case .commandLine: .commandLine
        case .environment: .environment
        case .file: .settingsFile
        }
    }
}

/// `name=value`: taken as it is, because no error may show it; librdkafka's wrapper judges it.
struct KafkaPropertyArgument: ArgumentValue {
    let assignment: String

    init(argument: [UInt8]) throws(InvalidArgument) { assignment = String(decoding: argument, as: UTF8.self) }

    var argumentText: String { "" }
}
