internal import Broker

extension NewTopic {
    /// A topic of Rawmill as Kafka keeps it.
    ///
    /// Kafka does not know which groups are past a record, so that what may go once it is consumed stays until an
    /// operator sets `retention.ms`: a limit of time would lose the jobs of an archive that takes longer.
    init(_ topic: Topic, copies: Int) {
        var settings: [String: String]
        switch topic.retention {
        case .untilConsumed, .forever:
            settings = ["cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"]
        case .compacted:
            // Compaction leaves the segment alone that is written to: so it is closed often.
            settings = [
                "cleanup.policy": "compact", "segment.ms": "3600000", "segment.bytes": "16777216",
                "min.cleanable.dirty.ratio": "0.2",
            ]
        }
        // One copy may be away without anything standing still, and what was acknowledged is on two.
        settings["min.insync.replicas"] = "\(max(1, copies - 1))"
        settings["compression.type"] = "producer"
        self.init(
            name: topic.name, partitions: max(1, topic.partitions), replicationFactor: Int32(clamping: copies),
            settings: settings)
    }
}
