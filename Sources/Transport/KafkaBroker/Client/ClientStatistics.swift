/// The few figures wanted of librdkafka's statistics, found in its JSON without parsing the rest of it.
struct ClientStatistics: Hashable, Sendable {
    var brokersUp = 0
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
