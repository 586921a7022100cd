/// Connection figures from librdkafka's statistics. They are searched for in the JSON text, without parsing it.
struct ClientStatistics: Hashable, Sendable {
    /// How many brokers the client is connected to.
    var brokersUp = 0
    /// Whether the client is connected to its group's coordinator.
    var hasCoordinator = false

    init(_ json: UnsafeRawBufferPointer) {
        var rest = json[...]
        while let quote = rest.firstIndex(of: Self.quote) {
            rest = rest[(quote + 1)...]
            if rest.starts(with: Self.brokerUp) { brokersUp += 1 }
            if rest.starts(with: Self.group) { hasCoordinator = rest.starts(with: Self.groupUp) }
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let brokerUp = Array(#"state":"UP""#.utf8)
    private static let group = Array(#"cgrp": { "state": ""#.utf8)
    private static let groupUp = Array(#"cgrp": { "state": "up""#.utf8)
}
