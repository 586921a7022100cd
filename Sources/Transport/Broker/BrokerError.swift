public enum BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownTopic(String)
    case recordTooLarge(bytes: Int, topic: String)
    case closed
    /// Another process has it.
    case inUse(String)
    /// The transport failed; sending or polling again may work.
    case unavailable(String)
    /// Its store is unusable until a person helps.
    case broken(String)

    public var description: String {
        switch self {
        case .unknownTopic(let topic): "the broker has no topic \(topic)"
        case .recordTooLarge(let bytes, let topic): "a record of \(bytes) bytes is too large for the topic \(topic)"
        case .closed: "the broker is closed"
        case .inUse(let why), .unavailable(let why), .broken(let why): why
        }
    }
}

extension BrokerError {
    /// Trying again may work: the broker comes back, or the topic is made again.
    public var isPassing: Bool {
        switch self {
        case .unavailable, .unknownTopic: true
        case .recordTooLarge, .closed, .inUse, .broken: false
        }
    }
}
