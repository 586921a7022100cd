internal import Broker
internal import Synchronization

extension KafkaSettings {
    func redact(_ text: String) -> String {
        properties.secrets.reduce(text) { $0.replacing($1, with: "(hidden)") }
    }

    /// Passes an event on, with all secrets hidden and under Rawmill's own names.
    var report: @Sendable (KafkaEvent) -> Void {
        { [self] event in
            switch event {
            case .problem(let text): onEvent(.problem(redact(text)))
            case .logged(let text): onEvent(.logged(redact(text)))
            case .recreated(let text): onEvent(.recreated(redact(text)))
            case .assigned(let partitions, let group):
                onEvent(.assigned(partitions.map(clusterName.own), group: clusterName.own(group)))
            case .revoked(let partitions, let group, let lost):
                onEvent(.revoked(partitions.map(clusterName.own), group: clusterName.own(group), lost: lost))
            case .rewound(let partition, let offset): onEvent(.rewound(clusterName.own(partition), to: offset))
            case .silent(let group, let time): onEvent(.silent(group: clusterName.own(group), for: time))
            case .topicReplaced(let topic): onEvent(.topicReplaced(clusterName.own(topic)))
            case .violation, .connected, .replaced: onEvent(event)
            }
        }
    }

    /// The broker error for a fault, with its remedy.
    ///
    /// - Parameters:
    ///   - topic: the topic in use, if any, under its name at the brokers.
    ///   - group: the group in use, likewise.
    ///   - operation: the operation, by the name that Kafka's authorizer uses.
    func explain(
        _ fault: KafkaFault, topic: String? = nil, group: String? = nil, _ operation: String = "Describe"
    ) -> BrokerError {
        let text = redact(fault.text)
        switch fault.kind {
        case .unknownTopic:
            if let topic { return .unknownTopic(topic) }
            return .unavailable("Kafka has lost a topic that was in use (\(text)). Create it: rawmill topics create")
        case .authentication: return .unavailable(authentication(text))
        case .notAllowed:
            let subject = topic ?? fault.topic
            let resource = fault.isAboutGroup ? group.map { "group \($0)" } : subject.map { "topic \($0)" }
            let grant = resource.map { "\(operation) on the \($0)" } ?? "the operation"
            return .unavailable(
                "Kafka does not allow this user \(grant) (\(text)). Grant it: `rawmill topics grants` lists what each "
                    + "role needs.")
        case .fenced:
            return .broken(
                "another process has joined the group as \(instanceID ?? "this member"). Give each its own name.")
        case .tooLarge:
            return .broken("Kafka refuses a record of that size (\(text)). Raise max.message.bytes of its topic.")
        case .timedOut, .noBroker:
            return .unavailable(
                "Kafka does not answer at \(address.servers) (\(text)). Check its brokers and the address.")
        default:
            return fault.isFatal || fault.isConfiguration
                ? .broken("Kafka: \(text)") : .unavailable("Kafka at \(address.servers): \(text)")
        }
    }

    private func authentication(_ text: String) -> String {
        let refused = "Kafka at \(address.servers) does not let this user in (\(text)). "
        let mechanism = properties.values["sasl.mechanism"] ?? properties.values["sasl.mechanisms"] ?? ""
        guard mechanism.uppercased().hasPrefix("SCRAM"), !KafkaLibrary.hasWorkingSCRAM else {
            return refused + "Check security.protocol, sasl.* and ssl.*."
        }
        return refused
            + """
            If the password is right: librdkafka \(KafkaLibrary.version) sends SCRAM a wrong nonce, which every \
            Kafka 4 refuses as invalid credentials (Kafka 3 accepts it). Use SASL PLAIN over TLS, client certificates, \
            or librdkafka 2.6.1 or newer, which Debian 13 has.
            """
    }
}
