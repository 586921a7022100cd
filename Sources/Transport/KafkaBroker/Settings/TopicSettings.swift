internal import Broker

extension NewTopic {
    /// A topic of Rawmill, with Kafka's settings for it.
    ///
    /// Kafka does not know which groups have finished a record, so an `untilConsumed` topic keeps its records until an
    /// operator sets `retention.ms`. A default limit would lose jobs of a large archive, which takes longer.
    init(_ topic: Topic, replicas: Int) {
        var settings: [String: String]
        switch topic.retention {
        case .untilConsumed, .forever:
            settings = ["cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"]
        case .compacted:
            // Compaction skips the active segment, so start a new one often.
            settings = [
                "cleanup.policy": "compact", "segment.ms": "3600000", "segment.bytes": "16777216",
                "min.cleanable.dirty.ratio": "0.2",
            ]
        }
        // With three replicas, writes continue while one is down, and acknowledged records are on two.
        settings["min.insync.replicas"] = "\(max(1, replicas - 1))"
        settings["compression.type"] = "producer"
        self.init(
            name: topic.name, partitions: max(1, topic.partitions), replicationFactor: Int32(clamping: replicas),
            settings: settings)
    }
}
