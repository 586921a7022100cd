/// Why a request to a broker failed.
public enum BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The topic does not exist.
    case unknownTopic(String)
    /// The record exceeds the topic's limit. Nothing was sent.
    case recordTooLarge(bytes: Int, topic: String)
    /// The broker, or the client of it, is closed.
    case closed
    /// Another process uses the broker's file. The text names it and the remedy.
    case inUse(String)
    /// The transport failed for the reason in the text. Sending or polling again may work.
    case unavailable(String)
    /// The address leads to another broker than before, or to the same one after it lost everything. Reconnect, and
    /// start with the offsets of that broker. The text says what was replaced.
    case replaced(String)
    /// The store is unusable until an operator repairs it. The text says how.
    case broken(String)

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .unknownTopic(let topic): "the broker has no topic \(topic), or this user may not see it"
        case .recordTooLarge(let bytes, let topic): "a record of \(bytes) bytes is too large for the topic \(topic)"
        case .closed: "the broker is closed"
        case .inUse(let why), .unavailable(let why), .replaced(let why), .broken(let why): why
        }
    }

    /// Whether a retry may help: the broker may come back, or the topic may be created again.
    public var isTransient: Bool {
        switch self {
        case .unavailable, .replaced, .unknownTopic: true
        case .recordTooLarge, .closed, .inUse, .broken: false
        }
    }
}
