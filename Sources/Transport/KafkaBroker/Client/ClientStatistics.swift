/// Connection figures from librdkafka's statistics, searched for in the JSON text without parsing it.
struct ClientStatistics: Hashable, Sendable {
    var brokersUp = 0
    var hasCoordinator = false
    /// How often connections to brokers have ended.
    var disconnections = 0

    init(_ json: UnsafeRawBufferPointer) {
        var rest = unsafe json[...]
        while let quote = unsafe rest.firstIndex(of: Self.quote) {
            unsafe rest = rest[(quote + 1)...]
            if unsafe rest.starts(with: Self.brokerUp) { brokersUp += 1 }
            if unsafe rest.starts(with: Self.disconnects) {
                unsafe disconnections &+= Self.number(rest.dropFirst(Self.disconnects.count))
            }
            if unsafe rest.starts(with: Self.group) { hasCoordinator = unsafe rest.starts(with: Self.groupUp) }
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let brokerUp = Array(#"state":"UP""#.utf8)
    private static let disconnects = Array(#"disconnects":"#.utf8)
    private static let group = Array(#"cgrp": { "state": ""#.utf8)
    private static let groupUp = Array(#"cgrp": { "state": "up""#.utf8)

    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        unsafe bytes.prefix(9).prefix { (0x30...0x39).contains($0) }.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
