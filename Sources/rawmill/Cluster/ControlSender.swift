import Arguments
import Broker
import Jobs
import KafkaBroker
import Records
import Telemetry

/// A command's way to the coordinator.
struct ControlSender {
    let transport: KafkaTransport
    private let log: Logger

    init(_ values: Values) throws {
        log = RoleLog.quiet(values)
        transport = try BrokerOptions.transport(values, log: log)
    }

    /// The key is the same for all, so that they keep their order.
    static func record(_ control: Control, headers: [Header] = []) -> Record {
        Record(key: Array("control".utf8), value: control.encoded(), headers: headers)
    }

    /// Returns when the broker has it for good.
    ///
    /// - Parameter patience: so long it is tried again where no broker can be reached. What arrives twice is obeyed
    ///   once: an order by its batch.
    func send(_ control: Control, headers: [Header] = [], patience: Duration) async throws {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try await send(control, headers: headers)
            } catch BrokerError.unavailable(let why) where ContinuousClock.now < deadline {
                log.warning(.brokerUnavailable, [.message: "\(why)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Returns when the broker has it for good.
    func send(_ control: Control, headers: [Header] = []) async throws {
        do {
            _ = try await transport.withProducer {
                try await $0.send([Self.record(control, headers: headers)], to: Topics.control)
            }
        } catch BrokerError.unknownTopic(let topic) {
            throw CommandFailure("the cluster has no topic \(topic). Make it: rawmill topics create")
        }
    }
}
