internal import Broker

/// File name that marks a delivery of a job as complete: `<job>.<round>.0.<cluster>.<topic>.<partition>.<offset>`.
struct CompletionMarker: Hashable {
    /// Prefix of all names of the job's round: `<job>.<round>.`
    let stem: String
    /// Must not contain dots; a topic may.
    let cluster: String
    let position: Position

    init(stem: String, cluster: String, position: Position) {
        self.stem = stem
        self.cluster = cluster
        self.position = position
    }

    init?(name: [UInt8]) {
        let parts = String(decoding: name, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 7, parts[2] == "0", let partition = Int32(parts[parts.count - 2]),
            let offset = Int64(parts[parts.count - 1])
        else { return nil }
        let topic = parts[4..<(parts.count - 2)].joined(separator: ".")
        self.init(
            stem: "\(parts[0]).\(parts[1]).", cluster: String(parts[3]),
            position: Position(partition: TopicPartition(topic: topic, partition: partition), offset: offset))
    }

    var name: [UInt8] {
        let partition = position.partition
        return Array("\(stem)0.\(cluster).\(partition.topic).\(partition.partition).\(position.offset)".utf8)
    }
}
