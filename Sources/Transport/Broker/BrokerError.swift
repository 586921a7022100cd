/// Why a broker did not do what it was asked to.
public enum BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The topic does not exist.
    case unknownTopic(String)
    /// The record exceeds the topic's limit. Nothing was sent.
    case recordTooLarge(bytes: Int, topic: String)
    /// The broker, or the client of it, is closed.
    case closed
    /// Another process uses the broker's file. The text says which, and what to do.
    case inUse(String)
    /// The transport failed, and sending or polling again may work. The text says why.
    case unavailable(String)
    /// The store is unusable until a person helps. The text says how.
    case broken(String)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .unknownTopic(let topic): "the broker has no topic \(topic)"
        case .recordTooLarge(let bytes, let topic): "a record of \(bytes) bytes is too large for the topic \(topic)"
        case .closed: "the broker is closed"
        case .inUse(let why), .unavailable(let why), .broken(let why): why
        }
    }

    /// Whether trying again may help: the broker comes back, or the topic is created again.
    public var isTransient: Bool {
        switch self {
        case .unavailable, .unknownTopic: true
        case .recordTooLarge, .closed, .inUse, .broken: false
        }
    }
}
