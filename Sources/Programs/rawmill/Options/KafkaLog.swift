import Broker
import KafkaBroker
import Telemetry

enum KafkaLog {
    static func write(_ event: KafkaEvent, to log: Logger) {
        switch event {
        case .problem(let text): log.info(.kafkaProblem, [.message: "\(text)"])
        case .logged(let text): log.debug(.kafkaLogged, [.message: "\(text)"])
        case .assigned(let partitions, let group):
            log.info(.partitionsAssigned, [.group: "\(group)", .count: .init(partitions.count)])
        case .revoked(let partitions, let group, let lost):
            let fields: KeyValuePairs<Key, LogValue> = [
                .group: "\(group)", .count: .init(partitions.count), .lost: .boolean(lost),
            ]
            log.log(lost ? .warning : .info, .partitionsRevoked, fields)
        case .connected: log.debug(.kafkaConnected)
        case .replaced(let former, let identity):
            log.warning(
                .kafkaReplaced, [.message: "the address leads to another Kafka: \(identity) instead of \(former)"])
        case .topicReplaced(let topic):
            log.warning(
                .kafkaReplaced, [.topic: "\(topic)", .message: "the topic was deleted and created again"])
        case .violation(let text): log.error(.commitRefused, [.message: "\(text)"])
        case .recreated(let text): log.warning(.kafkaRecreated, [.message: "\(text)"])
        case .rewound(let partition, let offset):
            log.warning(
                .partitionRewound,
                [
                    .topic: "\(partition.topic)", .partition: .init(partition.partition), .offset: .init(offset),
                ])
        case .silent(let group, let time):
            log.warning(.memberSilent, [.group: "\(group)", .milliseconds: .init(time.components.seconds * 1000)])
        }
    }
}
