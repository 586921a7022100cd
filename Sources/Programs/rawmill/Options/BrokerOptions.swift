import Arguments
import CommandLineTool
import KafkaBroker
import Telemetry

/// The options of every cluster command: the brokers, and how to connect to them.
enum BrokerOptions {
    private static let group = "The cluster"

    static let broker: Parameter<BrokerAddress> = .required(
        "broker", short: "b", "URL", environment: "RAWMILL_BROKER", group: group,
        help: "Kafka brokers: kafka://host:port[,host:port].")
    /// For commands that also work without a cluster.
    static let optionalBroker: Parameter<BrokerAddress?> = .optional(
        "broker", short: "b", "URL", environment: "RAWMILL_BROKER", group: group,
        help: "Kafka brokers: kafka://host:port[,host:port].")
    static let properties: Parameter<[CollectedValue<KafkaPropertyArgument>]> = .collected(
        "kafka-property", "NAME=VALUE", group: group,
        help: """
            A librdkafka property (TLS, SASL, timeouts); can be repeated. Give secrets as NAME.file=PATH, by \
            RAWMILL_KAFKA_…, or in the settings file.
            """)

    static let name: Parameter<ClusterNameArgument> = .option(
        "cluster-name", "NAME", default: ClusterNameArgument(.usual), environment: "RAWMILL_CLUSTER_NAME", group: group,
        help: "Prefix of the cluster's topics and groups, so that several clusters can share brokers.")

    static let all: [any AnyParameter] = [broker, name, properties]
    static let optional: [any AnyParameter] = [optionalBroker, name, properties]

    /// A role's transport. It connects later, and waits for an absent cluster.
    ///
    /// - Parameters:
    ///   - instanceID: the name by which groups recognise this process after a restart; nil for none.
    ///   - onEvent: receives the connection's events.
    /// - Throws: `UsageError` for an invalid address or property.
    static func transport(
        _ values: ArgumentValues, log: Logger, instanceID: String? = nil,
        onEvent: @escaping @Sendable (KafkaEvent) -> Void
    ) throws -> KafkaTransport {
        try transport(to: values[broker], values, log) { settings in
            settings.instanceID = instanceID
            settings.onEvent = { [log = settings.onEvent] in
                log($0)
                onEvent($0)
            }
        }
    }

    /// The transport of a command that a user waits for. It fails soon if the cluster does not respond.
    ///
    /// - Parameters:
    ///   - address: the brokers; nil for those of `broker`.
    ///   - contact: how long brokers may be silent before they count as unreachable.
    ///   - limit: the time limit of a request; nil for the time that a responsive cluster takes.
    /// - Throws: `UsageError` for an invalid address or property.
    static func commandTransport(
        _ values: ArgumentValues, to address: BrokerAddress? = nil, contact: Duration = .seconds(10),
        limit: Duration? = nil,
        replicationFactor: Int? = nil
    ) throws -> KafkaTransport {
        try transport(to: address ?? values[broker], values, RoleLog.quiet(values)) { settings in
            settings.replicationFactor = replicationFactor
            settings.times.firstContact = contact
            if let limit { settings.times = settings.times.limited(to: limit) }
        }
    }

    private static func transport(
        to address: BrokerAddress, _ values: ArgumentValues, _ log: Logger, _ adjust: (inout KafkaSettings) -> Void
    ) throws -> KafkaTransport {
        do {
            var properties = KafkaProperties()
            try properties.set(environment: CommandLineBytes.environment)
            for property in values[Self.properties] {
                try properties.set(property.value.assignment, from: source(property.origin))
            }
            if let path = values[SettingsOption.parameter] {
                properties.checkSettingsFile(String(decoding: path.bytes, as: UTF8.self))
            }
            for exposure in properties.exposures { log.warning(.secretExposed, [.message: "\(exposure)"]) }
            var settings = KafkaSettings(address.value, properties: properties)
            settings.clusterName = values[Self.name].value
            settings.onEvent = { KafkaLog.write($0, to: log) }
            adjust(&settings)
            return try KafkaTransport(settings)
        } catch let error as KafkaSettingsError {
            throw UsageError("\(error.description)", command: values.command)
        }
    }

    private static func source(_ origin: RawArgument.Origin) -> KafkaProperties.Source {
        switch origin {
        case .commandLine: .commandLine
        case .environment: .environment
        case .file: .settingsFile
        }
    }
}

/// `name=value`. `KafkaProperties` checks it instead, because no error message here may show a secret.
struct KafkaPropertyArgument: ArgumentValue {
    let assignment: String

    init(argument: [UInt8]) throws(InvalidArgument) { assignment = String(decoding: argument, as: UTF8.self) }

    var argumentText: String { "" }
}

struct ClusterNameArgument: ArgumentValue {
    let value: ClusterName

    init(_ value: ClusterName) { self.value = value }

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let name = String(validating: argument, as: UTF8.self).flatMap({ ClusterName($0) }) else {
            throw InvalidArgument("1 to \(ClusterName.maxBytes) letters, digits, dashes and underscores")
        }
        value = name
    }

    var argumentText: String { "\(value)" }
}
