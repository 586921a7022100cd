package import Broker
package import Jobs
internal import Records

/// Sends an operator's commands to the coordinator.
package struct ControlSender {
    package let transport: any Transport

    package init(_ transport: any Transport) { self.transport = transport }

    /// A few megabytes.
    private static let maxAtOnce = 100

    /// All commands have the same key, which keeps their order.
    package static func record(_ control: Control, headers: [Header] = []) -> Record {
        Record(key: Array("control".utf8), value: control.encoded(), headers: headers)
    }

    /// Sends a command, and returns its position in the control topic when the broker has stored it.
    ///
    /// - Throws: `ControlError` if the topic is missing; `BrokerError`.
    @discardableResult
    package func send(_ control: Control, headers: [Header] = []) async throws -> Position? {
        try await send([], then: control, headers: headers)
    }

    /// Sends a command after others that it needs, and returns when the broker has stored them all. `headers` are those
    /// of `last`.
    @discardableResult
    package func send(_ first: [Control], then last: Control, headers: [Header] = []) async throws -> Position? {
        do {
            return try await transport.withProducer { producer in
                for start in stride(from: 0, to: first.count, by: Self.maxAtOnce) {
                    let page = first[start..<min(start + Self.maxAtOnce, first.count)].map { Self.record($0) }
                    _ = try await producer.send(page, to: Topics.control)
                }
                return try await producer.send([Self.record(last, headers: headers)], to: Topics.control).first
            }
        } catch BrokerError.unknownTopic(let topic) {
            throw ControlError("the cluster has no topic \(topic). Create it: rawmill topics create")
        }
    }
}
