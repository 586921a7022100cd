internal import Broker

/// The name that says that one delivery of a job came to its end:
/// `<job>.<round>.0.<cluster>.<topic>.<partition>.<offset>`.
struct EndNote: Hashable {
    /// What all names of the job's round begin with: `<job>.<round>.`
    let stem: String
    /// Without dots; a topic may have some.
    let cluster: String
    let position: Position

    init(stem: String, cluster: String, position: Position) {
        self.stem = stem
        self.cluster = cluster
        self.position = position
    }

    /// Nil for any other name.
    init?(name: [UInt8]) {
        let words = String(decoding: name, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
        guard words.count >= 7, words[2] == "0", let partition = Int32(words[words.count - 2]),
            let offset = Int64(words[words.count - 1])
        else { return nil }
        let topic = words[4..<(words.count - 2)].joined(separator: ".")
        self.init(
            stem: "\(words[0]).\(words[1]).", cluster: String(words[3]),
            position: Position(partition: TopicPartition(topic: topic, partition: partition), offset: offset))
    }

    var name: [UInt8] {
        let place = position.partition
        return Array("\(stem)0.\(cluster).\(place.topic).\(place.partition).\(position.offset)".utf8)
    }
}
