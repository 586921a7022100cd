import Arguments
import Broker
import CommandLineTool
import Jobs
import KafkaBroker
import Records

/// Sends an operator's commands to the coordinator.
struct ControlSender {
    let transport: KafkaTransport

    init(_ transport: KafkaTransport) { self.transport = transport }

    init(_ values: ArgumentValues) throws { self.init(try BrokerOptions.commandTransport(values)) }

    /// All commands have the same key, so that they keep their order.
    static func record(_ control: Control, headers: [Header] = []) -> Record {
        Record(key: Array("control".utf8), value: control.encoded(), headers: headers)
    }

    /// Sends a command. Returns when the broker has stored it.
    ///
    /// - Returns: its position in the control topic.
    /// - Throws: `CommandFailure` where the topic is missing; `BrokerError`.
    @discardableResult
    func send(_ control: Control, headers: [Header] = []) async throws -> Position? {
        do {
            return try await transport.withProducer {
                try await $0.send([Self.record(control, headers: headers)], to: Topics.control)
            }.first
        } catch BrokerError.unknownTopic(let topic) {
            throw CommandFailure("the cluster has no topic \(topic). Make it: rawmill topics create")
        }
    }
}
